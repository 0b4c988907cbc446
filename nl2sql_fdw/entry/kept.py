"""The SQL of a question, for a client that keeps it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial

from nl2sql_fdw import freeze, pipeline
from nl2sql_fdw.database.spi import SpiDatabase
from nl2sql_fdw.entry.arguments import Arguments
from nl2sql_fdw.entry.outcome import of_answer, text
from nl2sql_fdw.types import Answer, JsonText, Profile, Result, Trace


def outcome(
    door: Callable[..., Result],
    trace: Callable[[SpiDatabase], Trace],
    db: SpiDatabase,
    question: str,
    profile: Profile,
    _given: Arguments,
) -> tuple[JsonText, Answer]:
    """Ask for the SQL to keep: what is kept has been through the door as it is written.

    An answer that is remembered would not do: whoever asks to keep one wants it anew.
    """
    from nl2sql_fdw.model import connect

    check, look = (partial(door, db, profile, fetch=fetch) for fetch in (False, True))
    model = connect(profile)
    found = pipeline.answer(question, db, model, profile, check, trace(db), look, False)
    if found.error or found.sql is None:
        return of_answer(found), found
    kept = freeze.freeze(found.sql, db, profile)
    check(kept.sql)
    return text({"status": "answered", **asdict(kept)}), found
