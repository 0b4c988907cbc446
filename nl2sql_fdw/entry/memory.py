"""What is remembered for whoever calls: pairs taught, earlier turns, verdicts on answers.

Whose it is, the functions of the extension decide from the session (70_memory.sql); nothing
here names a role. No row of a result is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

from nl2sql_fdw import screen
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.entry import outcome
from nl2sql_fdw.entry.arguments import Arguments
from nl2sql_fdw.errors import BadQuestion, BadSetup, CapReached, NotPermitted, Refused, ServerError
from nl2sql_fdw.types import Example, JsonText, Profile, Recalled, Result

_LONGEST = 8_000
_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on' AS yes"

Check = Callable[[str], Result]
"""A door that checks and prices a SQL text, and does not run it."""


def recall(db: Database, profile: Profile, thread: str | None) -> Recalled:
    """Return what the caller taught or may be shown, and the last turns of a thread."""
    taught: tuple[Example, ...] = ()
    turns: tuple[Example, ...] = ()
    if profile.taught:
        rows = db.query("SELECT question, sql FROM nl2sql._examples($1)", profile.name)
        taught = tuple(Example(row["question"], row["sql"], taught=True) for row in rows)
    if thread and profile.thread_turns:
        rows = db.query(
            "SELECT question, sql FROM nl2sql._turns($1, $2, $3::integer)",
            profile.name, thread, profile.thread_turns,
        )  # fmt: skip
        turns = tuple(Example(row["question"], row["sql"], taught=True) for row in rows)
    return Recalled(taught, turns)


def unkept(db: Database, profile: Profile, purpose: str) -> tuple[str, ...]:
    """Say why a call cannot be followed up on, if so."""
    if not profile.audit:
        return (f"{purpose}: profile {profile.name} keeps no audit, where calls are remembered.",)
    if db.query(_READ_ONLY)[0]["yes"]:
        return (f"{purpose}: in a read-only transaction or on a standby nothing is remembered.",)
    return ()


def teach(
    db: Database, question: str, profile: Profile, given: Arguments, check: Check
) -> JsonText:
    """Keep a question with SQL that passes the door now; return its id."""
    _require_writable(db)
    return outcome.text({"id": _keep(db, question, given.sql, profile, bool(given.shared), check)})


def feedback(db: Database, profile: Profile, given: Arguments, check: Check) -> JsonText:
    """Note whether an answer of the caller's own was right; keep SQL that is said to be right."""
    if given.id is None or given.good is None:
        raise BadSetup("Feedback needs the id of a call, and true or false.")
    _require_writable(db)
    rows = db.query("SELECT question, sql FROM nl2sql._turn($1::uuid)", given.id)
    if not rows or rows[0]["question"] is None:
        raise BadSetup(
            f"There is no question {given.id} of yours.",
            detail="Layer: memory. Questions are found as long as the audit keeps them.",
            hint="SELECT id, question FROM nl2sql_history()",
        )
    right = given.sql or (rows[0]["sql"] if given.good else None)
    made = _keep(db, rows[0]["question"], right, profile, False, check) if right else None
    db.query("SELECT nl2sql._rate($1::uuid, $2)", given.id, given.good)
    return outcome.text({"id": made})


def _keep(
    db: Database, question: str, sql: str | None, profile: Profile, shared: bool, check: Check
) -> str:
    screen.admit(question, profile)
    if not sql or len(sql) > _LONGEST:
        raise BadQuestion(f"The SQL of an example has 1 to {_LONGEST} characters.")
    touched = [asdict(each) for each in check(sql).touched]
    try:
        row = db.query(
            "SELECT nl2sql._teach($1, $2, $3, $4::json, $5) AS id",
            profile.name, question.strip(), sql, json.dumps(touched), shared,
        )[0]  # fmt: skip
    except ServerError as error:
        raise _told(error, profile) from error
    return str(row["id"])


def _told(error: ServerError, profile: Profile) -> Exception:
    if error.sqlstate == NotPermitted.sqlstate:
        return NotPermitted(
            f"Only a curator of profile {profile.name} may teach everybody.",
            detail="Layer: memory. An example changes what others are answered.",
            hint="Teach for yourself, without shared => true, or ask the owner to put a role of "
            "yours into curators of nl2sql.profile.",
        )
    if error.sqlstate == CapReached.sqlstate:
        return CapReached(
            "There are 200 examples already.",
            detail="Layer: memory.",
            hint="SELECT * FROM nl2sql_examples(), and nl2sql_unteach(id) what is of no use.",
        )
    return error


def _require_writable(db: Database) -> None:
    if db.query(_READ_ONLY)[0]["yes"]:
        raise Refused(
            "Nothing can be remembered in a read-only transaction or on a standby.",
            detail="Layer: memory.",
            hint="Call it on the primary, in a transaction that may write.",
        )
