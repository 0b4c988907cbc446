"""Who asked what, and what became of it: a row in nl2sql.audit, a line in the server's log.

An error that is raised takes its row back with the statement, so each error is a line in
the log as well; where the transaction is read-only, on a standby for example, every call
is. No value of a result is kept, and no message of an error, which may quote one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.entry.arguments import NOTHING, Arguments
from nl2sql_fdw.errors import Nl2sqlError, ServerError
from nl2sql_fdw.types import Answer, Profile, Result

Told = Answer | Result | Nl2sqlError | ServerError | Exception | None
"""What came of a call; None where there is nothing to tell but that it was made."""

_QUESTIONS = frozenset(
    {"ask", "sql", "freeze", "plan", "table", "query", "save", "teach", "feedback"}
)
ACTIONS = _QUESTIONS | {"run", "check", "rows", "explain", "approve"}
NUMBERED = frozenset({"ask", "sql", "plan"})
"""Actions whose outcome bears the id under which the call is remembered."""

_LONGEST = 20_000
_LAYER = re.compile(r"Layer: ([^.]+)")
_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on' AS yes"
_state = {"inside": False, "pruned": False}


@dataclass(frozen=True)
class Entry:
    """One call: texts are cut at 20,000 characters, `bytes` are those of the rows as JSON."""

    action: str
    profile: str
    question: str | None = None
    sql: str | None = None
    status: str = "answered"
    layer: str | None = None
    sqlstate: str | None = None
    row_count: int | None = None
    bytes: int | None = None
    timings: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    attempts: list[dict[str, str | None]] = field(default_factory=list)
    cached: bool = False
    thread: str | None = None


def entry(
    action: str, profile: str, subject: str | None, told: Told, given: Arguments = NOTHING
) -> Entry:
    """Return the entry for a call on a question, which has an Answer, or on a SQL text."""
    text = _cut(subject)
    asked = action in _QUESTIONS or isinstance(told, Answer)
    subjects = {"question": text} if asked else {"sql": text}
    if given.sql is not None:
        subjects["sql"] = _cut(given.sql)
    values: dict[str, Any] = {"action": action, "profile": profile, **subjects}
    values["thread"] = _cut(given.thread)
    if isinstance(told, Answer):
        return Entry(**{**values, **_of_answer(told)})
    return Entry(**{**values, **_of_end(told)})


def write(db: Database, log: Callable[[str], None], what: Entry) -> str | None:
    """Keep one entry and return its id, if any; raises ServerError where it cannot be written."""
    read_only = db.query(_READ_ONLY)[0]["yes"]
    if what.sqlstate or read_only:
        say(db, log, what)
    if read_only:
        return None
    values = {**asdict(what), "prune": not _state["pruned"]}
    row = db.query("SELECT nl2sql._record($1::json) AS id", json.dumps(values))[0]
    _state["pruned"] = True
    return str(row["id"])


def say(db: Database, log: Callable[[str], None], what: Entry) -> None:
    """Write one entry as a line of the server's log."""
    login = db.query("SELECT session_user::text AS login")[0]["login"]
    line = {"login": login, "caller": db.caller(), **asdict(what)}
    log(f"nl2sql audit: {json.dumps(line)}")


@contextmanager
def inside_call() -> Iterator[None]:
    """Mark that an executor runs for a call that will be kept as a whole."""
    _state["inside"] = True
    try:
        yield
    finally:
        _state["inside"] = False


def is_direct(profile: Profile | None) -> bool:
    """Tell whether an executor was called by somebody else than our own front door."""
    return not _state["inside"] and (profile is None or profile.audit)


def _of_answer(found: Answer) -> dict[str, Any]:
    end = _of_end(found.error or found.result)
    failed = [asdict(attempt) for attempt in found.attempts if attempt.sqlstate]
    return {
        **end,
        "sql": _cut(found.sql),
        "timings": dict(found.timings),
        "tokens": dict(found.tokens),
        "cached": found.cached,
        "attempts": [{"sql": _cut(a["sql"]), "sqlstate": a["sqlstate"]} for a in failed],
    }


def _of_end(told: Told) -> dict[str, Any]:
    if isinstance(told, Result):
        size = sum(len(row.encode()) for row in told.rows)
        return {"row_count": len(told.rows), "bytes": size, "timings": dict(told.timings)}
    if isinstance(told, (Nl2sqlError, ServerError)):
        layer = _LAYER.match(told.detail)
        status = told.status if isinstance(told, Nl2sqlError) else "server_error"
        named = layer[1].strip() if layer else "server" if status == "server_error" else None
        return {"status": status, "sqlstate": told.sqlstate, "layer": named}
    return {"status": "error", "sqlstate": "XX000"} if told else {}


def _cut(text: str | None) -> str | None:
    """Return what a text column can hold: no NUL, no half of a character, not too long."""
    if text is None:
        return None
    whole = text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    return whole if len(whole) <= _LONGEST else whole[:_LONGEST] + " ..."
