"""The way in from outside a server: the same pipeline over a connection of our own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial

from nl2sql_fdw import account, pipeline
from nl2sql_fdw.account import Account
from nl2sql_fdw.database.dsn import DsnDatabase
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import Answer, Profile, Result, Trace


def ask(
    question: str,
    dsn: str,
    profile: Profile,
    fetch: bool = True,
    progress: Callable[[str], None] = lambda text: None,
    model: Model | None = None,
) -> Answer:
    """Answer one question over a connection; with `fetch` false only price the SQL.

    Reads as the profile's reader where the connection may become it, else as the
    connection's own role. `model` stands in for the profile's, to count its calls for
    example. Raises BadSetup and ServerError; see pipeline.answer.
    """
    with closing(DsnDatabase(dsn, progress)) as db:
        profile = replace(profile, reader=db.reader(profile.reader))

        def trace(stage: str, text: str) -> None:
            db.notice(f"{stage}: {text}")

        door = partial(_run, db, profile, trace, fetch)
        look = partial(_run, db, profile, trace, True)
        model = model or connect(profile)
        return pipeline.answer(question, db, model, profile, door, trace, look, fetch)


def explain(
    subject: str,
    dsn: str,
    profile: Profile,
    progress: Callable[[str], None] = lambda text: None,
    model: Model | None = None,
) -> Account:
    """Explain a SQL text, or the SQL for a question, over a connection; nothing is run.

    Raises the question's error where no SQL came of it.
    """
    with closing(DsnDatabase(dsn, progress)) as db:
        profile = replace(profile, reader=db.reader(profile.reader))

        def trace(stage: str, text: str) -> None:
            db.notice(f"{stage}: {text}")

        price = partial(_price, db, profile, trace)
        if account.is_sql(subject):
            return account.explain(subject, db, profile, price)
        door = partial(_run, db, profile, trace, False)
        look = partial(_run, db, profile, trace, True)
        asked = model or connect(profile)
        found = pipeline.answer(subject, db, asked, profile, door, trace, look)
        if found.sql is None and found.error:
            raise found.error
        return account.explain(found.sql or "", db, profile, price, found.notes)


def _price(db: DsnDatabase, profile: Profile, trace: Trace, sql: str) -> Result:
    with db.restricted(profile):
        return account.price(sql, db, profile, trace)


def prompt(question: str, dsn: str, profile: Profile) -> str:
    """Return the exact prompt that `ask` would send, as text."""
    with closing(DsnDatabase(dsn)) as db:
        profile = replace(profile, reader=db.reader(profile.reader))
        look = partial(_run, db, profile, lambda stage, text: None, True)
        turns = pipeline.show(question, db, profile, look).messages()
        return "\n\n".join(f"[{turn['role']}]\n{turn['content']}" for turn in turns)


def _run(db: DsnDatabase, profile: Profile, trace: Trace, fetch: bool, sql: str) -> Result:
    """Take one SQL text through the door: in a read-only transaction, as the reader."""
    with db.restricted(profile):
        return pipeline.run(sql, db, profile, trace, fetch)
