"""The PostgreSQL backend's way in: what the extension's two sockets call.

Both return text or JSON and never raise for what a model, a question or a query did:
the SQL side raises, so that a person sees a message and no traceback.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import nl2sql_fdw.grammar  # noqa: F401  first: see there why
from nl2sql_fdw import account, pipeline, profiles
from nl2sql_fdw.database.spi import SpiDatabase
from nl2sql_fdw.entry import (
    arguments,
    audit,
    columns,
    kept,
    memory,
    outcome,
    recall,
    row_type,
    saved,
    status,
)
from nl2sql_fdw.entry.arguments import Arguments
from nl2sql_fdw.errors import BY_SQLSTATE, BadSetup, Nl2sqlError, NoValidSql, Refused, ServerError
from nl2sql_fdw.types import (
    ALL_LAYERS,
    Answer,
    Index,
    JsonText,
    Layers,
    Plan,
    Profile,
    Result,
    Touched,
    Trace,
)

Done = tuple[str, audit.Told]
"""What one action gives back as JSON text, and what the audit is to be told of it."""


def call(
    plpy: Any,
    action: str,
    subject: str | None,
    profile_name: str | None,
    given: JsonText | None = None,
) -> JsonText:
    """Do one action for the calling role; return its outcome as JSON text (socket nl2sql._call)."""
    db, profile = SpiDatabase(plpy), None
    noted = partial(audit.entry, action, profile_name or "default", subject)
    try:
        more = arguments.read(given)
        noted = partial(noted, given=more)
        profile = _load(db, profile_name)
        text, told = _ACTIONS[action](db, subject or "", profile, more)
        entry = noted(told)
    except (Nl2sqlError, ServerError) as error:
        text, entry = outcome.text(outcome.of_error(error)), noted(error)
    except Exception as error:  # noqa: BLE001  the edge: a fault of ours must not reach psql raw
        plpy.log(f"nl2sql: {traceback.format_exc()}")
        text, entry = outcome.text(outcome.of_fault(error)), noted(error)
    if action not in audit.ACTIONS or (profile and not profile.audit):
        return text
    try:
        kept = audit.write(db, plpy.log, entry)
    except ServerError as error:
        return outcome.text(outcome.of_error(_unaudited(error)))
    return outcome.numbered(text, kept) if action in audit.NUMBERED else text


def _unaudited(error: ServerError) -> BadSetup:
    return BadSetup(
        f"The audit cannot be written, so nothing is answered: {error.message}.",
        detail=f"Layer: audit. {error.detail}",
        hint="Mend nl2sql.audit and nl2sql._record(), or set audit of the profile to false.",
    )


def execute(
    plpy: Any,
    sql: str | None,
    profile_name: str | None,
    fetch: bool | None,
    layers: Layers = ALL_LAYERS,
    cells: bool = False,
) -> dict[str, Any]:
    """Take one SQL text through the door as the reader (the executor functions).

    `fetch` false only prices it; None also looks for indexes that would help.

    Returns the header as JSON text and one JSON text per row; an error is in the header. Whoever
    calls an executor directly meets the same guard, identity check and limits. `layers` is
    for the functions that tests make; the extension's executors never pass it.
    """
    db, profile = SpiDatabase(plpy), None
    noted = partial(audit.entry, "execute", profile_name or "default", sql)
    rows: list[JsonText] = []
    try:
        profile = _load(db, profile_name)
        _require_own_reader(db, profile)
        if fetch is None:
            result = account.price(sql or "", db, profile, _trace(db), layers)
        else:
            result = pipeline.run(sql or "", db, profile, _trace(db), fetch, layers, cells)
        header, rows = outcome.header(result, fetch is None), list(result.rows)
        entry = noted(result)
    except (Nl2sqlError, ServerError) as error:
        header, entry = outcome.of_error(error), noted(error)
    except Exception as error:  # noqa: BLE001  the edge, as in call()
        plpy.log(f"nl2sql: {traceback.format_exc()}")
        header, entry = outcome.of_fault(error), noted(error)
    if audit.is_direct(profile):
        audit.say(db, plpy.log, entry)
    return {"header": outcome.text(header), "rows": rows}


def fit(plpy: Any, cells: JsonText, target: str) -> JsonText:
    """Fit an answer's columns to a type (socket nl2sql._fit)."""
    try:
        return outcome.text(row_type.select(SpiDatabase(plpy), cells, target))
    except ServerError as error:
        return outcome.text(outcome.of_error(error))


def _ask(
    db: SpiDatabase,
    question: str,
    profile: Profile,
    given: Arguments,
    fetch: bool,
    followed: str | None = None,
) -> Done:
    """Answer a question; `followed` says what cannot be done where the call is not remembered."""
    found = _answered(db, question, profile, given, fetch)
    if followed or given.thread:
        words = memory.unkept(db, profile, followed or "No later question can follow up on this")
        found = replace(found, notes=(*found.notes, *words))
    return outcome.of_answer(found), found


def _answered(
    db: SpiDatabase,
    question: str,
    profile: Profile,
    given: Arguments,
    fetch: bool,
    cells: bool = False,
) -> Answer:
    door = partial(_door, db, profile, fetch=fetch, cells=cells)
    look = partial(_door, db, profile, fetch=True)
    told = memory.recall(db, profile, given.thread)

    def ask() -> Answer:
        from nl2sql_fdw.model import connect

        model = connect(profile)
        return pipeline.answer(question, db, model, profile, door, _trace(db), look, fetch, told)

    return recall.answer(question, db, profile, (door, look), _trace(db), ask, told)


def _teach(db: SpiDatabase, question: str, profile: Profile, given: Arguments) -> Done:
    check = partial(_door, db, profile, fetch=False)
    return memory.teach(db, question, profile, given, check), None


def _feedback(db: SpiDatabase, _subject: str, profile: Profile, given: Arguments) -> Done:
    if not given.good:
        recall.forget(db)  # what is wrong is not to be answered again
    return memory.feedback(db, profile, given, partial(_door, db, profile, fetch=False)), None


def _table(db: SpiDatabase, question: str, profile: Profile, given: Arguments, fetch: bool) -> Done:
    """Answer with cells, and with what makes them columns; only the latter without `fetch`."""
    found = _answered(db, question, profile, given, fetch, cells=True)
    if found.error or found.result is None:
        return outcome.of_answer(found), found
    return _typed(db, found.sql or "", found.result), found


def _save(db: SpiDatabase, question: str, profile: Profile, given: Arguments) -> Done:
    """Answer with what a saved question is made of; nothing is run."""
    found = _answered(db, question, profile, given, fetch=False, cells=True)
    if found.error or found.result is None:
        return outcome.of_answer(found), found
    sql = found.sql or ""
    made = {**columns.outcome(db, sql, found.result), "path": saved.path(profile)}
    return outcome.text({**made, "relations": saved.states(db, sql, profile)}), found


def _saved(db: SpiDatabase, _subject: str, _profile: Profile, _given: Arguments) -> Done:
    return outcome.text({"saved": saved.listed(db, _door)}), None


def _saved_one(db: SpiDatabase, oid: str, _profile: Profile, _given: Arguments) -> Done:
    return outcome.text(saved.one(db, oid)), None


def _rows(db: SpiDatabase, sql: str, profile: Profile, _given: Arguments) -> Done:
    result = _door(db, profile, sql, fetch=True, cells=True)
    return _typed(db, sql, result), result


def _typed(db: SpiDatabase, sql: str, result: Result) -> JsonText:
    if result.truncated:
        db.notice(f"nl2sql: the result is cut after {len(result.rows)} rows")
    return outcome.with_rows(columns.outcome(db, sql, result), result)


def _run(db: SpiDatabase, sql: str, profile: Profile, _given: Arguments, fetch: bool) -> Done:
    result = _door(db, profile, sql, fetch)
    return outcome.of_result(result), result


def _explain(db: SpiDatabase, subject: str, profile: Profile, given: Arguments) -> Done:
    price = partial(_door, db, profile, fetch=None)
    if account.is_sql(subject):
        told = account.explain(subject, db, profile, price)
        return outcome.of_account(told), told.error or Result()
    found = _answered(db, subject, profile, given, fetch=False)
    if found.sql is None:
        return outcome.of_answer(found), found
    told = account.explain(found.sql, db, profile, price, found.notes)
    return outcome.of_account(told), found


def _prompt(db: SpiDatabase, question: str, profile: Profile, given: Arguments) -> Done:
    look = partial(_door, db, profile, fetch=True)
    shown = pipeline.show(question, db, profile, look, memory.recall(db, profile, given.thread))
    turns = [f"[{turn['role']}]\n{turn['content']}" for turn in shown.messages()]
    return outcome.text({"prompt": "\n\n".join(turns)}), None


def _forget(db: SpiDatabase, _subject: str, _profile: Profile, _given: Arguments) -> Done:
    return outcome.text({"forgotten": recall.forget(db)}), None


def _status(db: SpiDatabase, _subject: str, profile: Profile, _given: Arguments) -> Done:
    return outcome.text({"checks": status.checks(db, profile)}), None


_ACTIONS: Mapping[str, Callable[[SpiDatabase, str, Profile, Arguments], Done]] = {
    "ask": partial(_ask, fetch=True),
    "sql": partial(_ask, fetch=False),
    "freeze": lambda *call: kept.outcome(_door, _trace, *call),
    "table": partial(_table, fetch=True),
    "query": partial(_table, fetch=False),
    "rows": _rows,
    "save": _save,
    "saved": _saved,
    "saved one": _saved_one,
    "run": partial(_run, fetch=True),
    "plan": partial(_ask, fetch=False, followed="This cannot be approved by an id"),
    "approve": partial(_run, fetch=True),
    "teach": _teach,
    "feedback": _feedback,
    "check": partial(_run, fetch=False),
    "explain": _explain,
    "prompt": _prompt,
    "status": _status,
    "forget": _forget,
}


def _load(db: SpiDatabase, name: str | None) -> Profile:
    """Return the profile; where it runs as the caller, the caller is its reader."""
    profile = profiles.load(db, name)
    return replace(profile, reader=db.caller()) if profile.run_as == "caller" else profile


def _door(
    db: SpiDatabase, profile: Profile, sql: str, fetch: bool | None, cells: bool = False
) -> Result:
    """Call the reader's executor, and give back its result or raise its error."""
    role = "caller" if profile.run_as == "caller" else profile.reader
    executor = '"' + f"execute_as_{role}".replace('"', '""') + '"'
    try:
        with audit.inside_call():
            row = db.query(
                f"SELECT header, rows FROM nl2sql.{executor}($1, $2, $3::boolean, $4)",
                sql,
                profile.name,
                fetch,
                cells,
            )[0]
    except ServerError as error:
        if error.sqlstate not in ("42883", "42501"):
            raise
        raise BadSetup(
            f"The executor of reader {profile.reader} cannot be called: {error.message}.",
            detail=f"Profile {profile.name}, function nl2sql.{executor}.",
            hint="Run sql/roles.sql as a superuser, and GRANT the asker group to your role.",
        ) from error
    header = json.loads(row["header"])
    if "sqlstate" in header:
        raise _raised(header)
    return Result(
        columns=tuple((name, kind) for name, kind in header["columns"]),
        rows=tuple(row["rows"]),
        truncated=header["truncated"],
        plan=Plan(header["cost"], header["plan_rows"], header.get("plan", {})),
        timings=header["timings"],
        notes=tuple(header["notes"]),
        touched=tuple(Touched(**each) for each in header["touched"]),
        indexes=tuple(Index(**index) for index in header.get("indexes", ())),
    )


def _raised(header: Mapping[str, Any]) -> Exception:
    """Make again the error that the executor reported."""
    words = (header["message"], header["detail"], header["hint"])
    kind = BY_SQLSTATE.get(header["sqlstate"])
    if kind is NoValidSql:
        return NoValidSql(*words, server_sqlstate=header.get("server_sqlstate", ""))
    if kind is Refused:
        return Refused(*words, mendable=header.get("mendable", False))
    if kind:
        return kind(*words)
    return ServerError(header["message"], header["sqlstate"], header["detail"], header["hint"])


def _require_own_reader(db: SpiDatabase, profile: Profile) -> None:
    """Refuse a profile that names another reader than the executor that was called.

    Where the caller is the reader this refuses a call from inside a SECURITY DEFINER function.
    """
    reader = db.query("SELECT current_user::text AS name")[0]["name"]
    if reader != profile.reader:
        raise BadSetup(
            f"Profile {profile.name} reads as {profile.reader}, this executor as {reader}.",
            detail="Layer: executor.",
            hint="Call nl2sql_run(), which picks the executor of the profile.",
        )


def _trace(db: SpiDatabase) -> Trace:
    """Send each stage as a NOTICE where the caller has set nl2sql.verbose."""
    setting = db.query("SELECT current_setting('nl2sql.verbose', true) AS v")[0]["v"]
    if str(setting).lower() in ("on", "true", "yes", "1"):
        return lambda stage, text: db.notice(f"nl2sql {stage}: {text}")
    return lambda stage, text: None
