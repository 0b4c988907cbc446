"""Where a benchmark asks: a database of a server (sandbox.py) or a file of SQLite.

A file is asked in Python, or through the loaded extension as the sqlite3 shell asks it.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from nl2sql_fdw.bench.gold import Judge
from nl2sql_fdw.bench.gold_sqlite import SqliteJudge
from nl2sql_fdw.entry import sqlite_file, sqlite_options
from nl2sql_fdw.errors import BY_SQLSTATE, BadSetup, Nl2sqlError, ServerError
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import Answer, Attempt, Profile, Result


class Place(Protocol):
    """A database to ask: the role that reads it, and the schemas that it sees.

    `asks_here` tells whether the model is asked in this process, so that it can be counted.
    """

    dialect: str
    asks_here: bool

    @property
    def reader(self) -> str: ...

    @property
    def schemas(self) -> tuple[str, ...] | None: ...

    def ask(
        self, question: str, profile: Profile, fetch: bool = True, model: Model | None = None
    ) -> Answer:
        """Answer one question through the pipeline, as a user would be answered."""

    def judge(self) -> Judge:
        """Open what the golds are run on: the same data, for reading only."""


@dataclass(frozen=True)
class FilePlace:
    """A SQLite file."""

    path: Path
    reader: str = ""
    schemas: tuple[str, ...] | None = None

    dialect = "sqlite"
    asks_here = True

    def ask(
        self, question: str, profile: Profile, fetch: bool = True, model: Model | None = None
    ) -> Answer:
        return sqlite_file.ask(question, self.path, profile, fetch, model=model)

    def judge(self) -> Judge:
        return SqliteJudge(sqlite_file.connection(self.path))


@dataclass(frozen=True)
class ExtensionPlace:
    """A SQLite file through the extension, in a connection and so a worker of each question's own.

    Only the worker sees what the model is sent: `model` is not used, and tokens are unknown.
    """

    path: Path
    library: str
    reader: str = ""
    schemas: tuple[str, ...] | None = None

    dialect = "sqlite-extension"
    asks_here = False

    def ask(
        self, question: str, profile: Profile, fetch: bool = True, model: Model | None = None
    ) -> Answer:
        """Answer through nl2sql_ask, which always fetches."""
        given = settings(profile)
        with closing(sqlite_file.connection(self.path)) as asked:
            _load(asked, self.library)
            asked.execute(f"CREATE TEMP TABLE {sqlite_options.TABLE} (name TEXT, value)")
            asked.executemany(
                f"INSERT INTO temp.{sqlite_options.TABLE} VALUES (?, ?)", given.items()
            )
            asked.commit()
            try:
                said: str = asked.execute("SELECT nl2sql_ask(?)", [question]).fetchone()[0]
            except sqlite3.Error as error:
                raise _thrown(str(error)) from error
            rows = asked.execute("SELECT value FROM json_each(?, '$.rows')", [said]).fetchall()
        return _answer(question, json.loads(said), tuple(row for (row,) in rows))

    def judge(self) -> Judge:
        return SqliteJudge(sqlite_file.connection(self.path))


def settings(profile: Profile) -> Mapping[str, Any]:
    """Return a profile as the extension's settings; raise BadSetup where it has one too few."""
    given = {name: getattr(profile, name) for name in sqlite_options.SETTINGS}
    same = Profile(name=profile.name, reader=profile.reader, schemas=profile.schemas)
    if replace(same, **given) != profile:
        raise BadSetup(
            "This strategy changes what the extension has no setting for.",
            hint=f"There are {', '.join(sqlite_options.SETTINGS)}.",
        )
    return {name: value for name, value in given.items() if value is not None}


def _load(connection: sqlite3.Connection, library: str) -> None:
    """Load the extension; raise BadSetup where this Python, or SQLite, cannot."""
    try:
        connection.enable_load_extension(True)
        connection.load_extension(library)
        connection.enable_load_extension(False)
    except (AttributeError, sqlite3.Error) as error:
        raise BadSetup(f"{library} cannot be loaded here.", detail=str(error)) from error


def _thrown(text: str) -> Nl2sqlError | ServerError:
    """Return the error that the extension's one text tells of; see sqlite_calls.words."""
    told = re.match(r"\[(\w{5})] (.*?)(?:\nDETAIL: (.*?)\nHINT: (.*))?$", text, re.DOTALL)
    state, message, detail, hint = told.groups("") if told else ("XX000", text, "", "")
    if known := BY_SQLSTATE.get(state):
        return known(message, detail, hint)
    return ServerError(message, state, detail, hint)


def _answer(question: str, said: Mapping[str, Any], rows: tuple[str, ...]) -> Answer:
    """Return the answer that nl2sql_ask told as JSON, with its rows as the text they were."""
    result = error = None
    if said["status"] == "answered":
        columns = tuple((each["name"], each["type"]) for each in said["columns"])
        result = Result(columns, rows, said["truncated"])
    else:
        error = BY_SQLSTATE[said["sqlstate"]](said["message"], said["detail"], said["hint"])
    return Answer(
        question,
        said["sql"],
        result,
        error,
        tuple(Attempt(**attempt) for attempt in said["attempts"]),
        said["timings"],
        said["tokens"],
        tuple(said["notes"]),
        confidence=said.get("confidence"),
    )
