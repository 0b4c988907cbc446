"""The way in for a SQLite file: the same pipeline over a read-only connection of our own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

from nl2sql_fdw import pipeline, pipeline_sqlite
from nl2sql_fdw.database.sqlite import SqliteDatabase
from nl2sql_fdw.database.sqlite_python import PythonLink
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.guard import sqlite as guard
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import Answer, Profile


def ask(
    question: str,
    path: Path,
    profile: Profile,
    fetch: bool = True,
    progress: Callable[[str], None] = lambda text: None,
    model: Model | None = None,
) -> Answer:
    """Answer one question about a file; with `fetch` false only price the SQL.

    `model` stands in for the profile's. Raises BadSetup and ServerError; see pipeline.answer.
    """
    with open_database(path, profile, progress) as db:

        def trace(stage: str, text: str) -> None:
            db.notice(f"{stage}: {text}")

        door = partial(pipeline_sqlite.run, db=db, profile=profile, trace=trace, fetch=fetch)
        look = partial(pipeline_sqlite.run, db=db, profile=profile, trace=_untold)
        model = model or connect(profile)
        return pipeline.answer(question, db, model, profile, door, trace, look, fetch)


def prompt(question: str, path: Path, profile: Profile) -> str:
    """Return the exact prompt that `ask` would send, as text."""
    with open_database(path, profile) as db:
        look = partial(pipeline_sqlite.run, db=db, profile=profile, trace=_untold)
        turns = pipeline.show(question, db, profile, look).messages()
        return "\n\n".join(f"[{turn['role']}]\n{turn['content']}" for turn in turns)


@contextmanager
def open_database(
    path: Path, profile: Profile, progress: Callable[[str], None] = lambda text: None
) -> Iterator[SqliteDatabase]:
    """Open a file that is there, for reading only."""
    with closing(connection(path)) as opened:
        link = PythonLink(opened, memory_bytes=profile.max_memory_bytes)
        yield SqliteDatabase(link, guard.functions(), progress, profile.allow_functions)


def _untold(stage: str, text: str) -> None:
    """Say nothing: a lookup of values is told as a whole."""


def connection(path: Path) -> sqlite3.Connection:
    """Return a read-only connection; raise BadSetup where the file is no database."""
    try:
        opened = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
        opened.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        raise BadSetup(
            f"{path} cannot be opened as a SQLite database.", detail=str(error)
        ) from error
    return opened
