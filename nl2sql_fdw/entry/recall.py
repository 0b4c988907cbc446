"""The question cache: the SQL that a question got, for as long as nothing about it changes.

A BI tool sends one question several times: a probe, a description, then the fetch. The key is
a hash of the prompt, and so of all that the model is told (the schema that the caller may read,
its comments, examples, values, the date), and of the profile. Only SQL is kept; it goes through
the door each time. A backend has its own memory beside the table: on a standby, in a read-only
transaction and after a rollback there is no other.
"""

from __future__ import annotations

import hashlib
import json
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict

from nl2sql_fdw import __version__, pipeline
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import (
    Nl2sqlError,
    NotPermitted,
    NoValidSql,
    Refused,
    ServerError,
    TooExpensive,
)
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import NOTHING, Answer, Attempt, Profile, Recalled, Trace

_NO_LONGER = (Refused, NoValidSql, NotPermitted, TooExpensive)
"""What the door says of SQL that has become wrong; a limit it would meet a second time as well."""

_MOST = 200
_memory: OrderedDict[tuple[str, str, str], tuple[str, float]] = OrderedDict()
"""SQL, and when it was kept, by login, caller and key, the oldest first."""

_WHO = "SELECT session_user::text AS login"
_WRITABLE = (
    "SELECT current_setting('transaction_read_only') = 'off'"
    " AND current_setting('transaction_isolation') = 'read committed' AS yes"
)


def answer(
    question: str,
    db: Database,
    profile: Profile,
    doors: tuple[pipeline.Door, pipeline.Door],
    trace: Trace,
    ask: Callable[[], Answer],
    recalled: Recalled = NOTHING,
) -> Answer:
    """Answer from the cache, or else ask, and keep the SQL of what was answered.

    `doors` are the door for the answer and the one that looks values up for the prompt.
    """
    if not profile.cache_minutes:
        return ask()
    watch = Watch(trace)
    with watch("recall") as step:
        key = _key(question, db, profile, doors[1], recalled)
        sql = _recalled(db, profile, key) if key else None
        step.says("kept SQL found" if sql else "nothing kept")
    if key and sql:
        found = _tried(question, sql, doors[0], watch)
        if not isinstance(found.error, _NO_LONGER):
            return found
        _forget(db, key)
    found = ask()
    if key and found.sql and not found.error:
        _keep(db, profile, key, found.sql)
    return found


def forget(db: Database) -> int:
    """Forget all of this login and role; return how many the table had."""
    mine = _mine(db, "")[:2]
    for kept in [kept for kept in _memory if kept[:2] == mine]:
        del _memory[kept]
    if not db.query(_WRITABLE)[0]["yes"]:
        return 0
    return int(db.query("SELECT nl2sql._forget(NULL) AS n")[0]["n"])


def normal(question: str) -> str:
    """Write a question as its twins are written: white space and the final mark do not count."""
    return " ".join(unicodedata.normalize("NFC", question).split()).rstrip("?!. ")


def _key(
    question: str, db: Database, profile: Profile, look: pipeline.Door, recalled: Recalled
) -> str | None:
    """Return the key; None for a question that gets no prompt, which asking will explain."""
    try:
        prompt = pipeline.show(normal(question) or question, db, profile, look, recalled)
    except Nl2sqlError:
        return None
    told = json.dumps([__version__, asdict(profile), prompt.messages()])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _tried(question: str, sql: str, door: pipeline.Door, watch: Watch) -> Answer:
    """Take kept SQL through the door, as if the model had just written it."""
    tokens = {"calls": 0, "prompt": 0, "cached": 0, "output": 0}
    try:
        result = door(sql)
    except Nl2sqlError as error:
        attempt = Attempt(sql, str(error), error.sqlstate)
        return Answer(question, sql, None, error, (attempt,), watch.timings, tokens, cached=True)
    timings = {**watch.timings, **result.timings}
    notes = ("cached: this SQL was written for the same question before", *result.notes)
    return Answer(question, sql, result, None, (Attempt(sql),), timings, tokens, notes, cached=True)


def _mine(db: Database, key: str) -> tuple[str, str, str]:
    return str(db.query(_WHO)[0]["login"]), db.caller(), key


def _recalled(db: Database, profile: Profile, key: str) -> str | None:
    sql, kept_at = _memory.get(_mine(db, key), (None, 0.0))
    if sql is not None and time.monotonic() - kept_at < profile.cache_minutes * 60:
        return sql
    rows = db.query("SELECT nl2sql._recall($1, $2) AS sql", profile.name, key)
    found: str | None = rows[0]["sql"]
    return found


def _keep(db: Database, profile: Profile, key: str, sql: str) -> None:
    _memory[_mine(db, key)] = (sql, time.monotonic())
    while len(_memory) > _MOST:
        _memory.popitem(last=False)
    if db.query(_WRITABLE)[0]["yes"]:
        _in_table(db, "SELECT nl2sql._remember($1, $2, $3)", profile.name, key, sql)


def _forget(db: Database, key: str) -> None:
    _memory.pop(_mine(db, key), None)
    if db.query(_WRITABLE)[0]["yes"]:
        _in_table(db, "SELECT nl2sql._forget($1)", key)


def _in_table(db: Database, sql: str, *values: object) -> None:
    """Change the table; a cache that cannot be written is no reason to fail an answer."""
    try:
        db.query(sql, *values)
    except ServerError as error:
        if error.canceled:
            raise
