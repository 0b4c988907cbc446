"""Saved questions: views whose comments carry the question and what it was asked of.

A comment is its view's owner's text. It is read as data: nothing in it is run but through the
door, and as whoever asks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from nl2sql_fdw import guard, profiles
from nl2sql_fdw.database.protocol import Database, Row
from nl2sql_fdw.entry import columns
from nl2sql_fdw.errors import BadSetup, Nl2sqlError, ServerError
from nl2sql_fdw.types import Profile

_MARK = "\n\nnl2sql "
_LONGEST = 200_000
_EARLIER = 5

_VIEWS = """
SELECT c.oid::text AS oid, format('%I.%I', n.nspname, c.relname) AS name, d.description AS comment,
       CASE WHEN length(d.description) < $2 THEN pg_get_viewdef(c.oid) END AS definition,
       (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod))
                        ORDER BY a.attnum)::text
        FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.objsubid = 0
WHERE c.relkind = 'v' AND position($1 IN d.description) > 0
  AND has_table_privilege(c.oid, 'SELECT') AND ($3 = '' OR c.oid::text = $3)
ORDER BY 2
"""

_STATES = """
SELECT DISTINCT ON (w.schema, w.name) format('%I.%I', n.nspname, c.relname) AS name,
       md5(concat(c.oid, c.relkind,
           CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
           (SELECT string_agg(concat_ws(' ', quote_ident(a.attname),
                              format_type(a.atttypid, a.atttypmod)), ',' ORDER BY a.attnum)
            FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
       )) AS state
FROM unnest($1::text[], $2::text[]) AS w(schema, name)
JOIN pg_class c ON c.relname = w.name
JOIN pg_namespace n ON n.oid = c.relnamespace
 AND (n.nspname = w.schema OR w.schema IS NULL AND n.nspname = ANY ($3::text[]))
ORDER BY w.schema, w.name, array_position($3::text[], n.nspname::text)
"""


def states(db: Database, sql: str, profile: Profile) -> dict[str, str]:
    """Return what a guarded SQL reads, by name, each with a hash of its identity and shape."""
    policy = guard.Policy(functions=profile.allow_functions, schemas=profile.schemas)
    names = guard.check(sql, policy).relations
    if not names:
        return {}
    schemas, plain = zip(*names, strict=True)
    rows = db.query(_STATES, list(schemas), list(plain), list(profile.search_path))
    return {row["name"]: row["state"] for row in rows}


def path(profile: Profile) -> str:
    """Return the search path under which the SQL means what it meant in the executor."""
    quoted = ('"' + name.replace('"', '""') + '"' for name in profile.search_path)
    return ", ".join(("pg_catalog", *quoted, "pg_temp"))


def one(db: Database, oid: str) -> dict[str, Any]:
    """Return one saved question; raise BadSetup where the relation is none."""
    for row in db.query(_VIEWS, _MARK, _LONGEST, oid):
        note = _note(row)
        if note:
            kept = {"version": note["version"], "sql": note["sql"], "saved": note["saved"]}
            history = [kept, *note["earlier"]][:_EARLIER]
            return {**note, "name": row["name"], "history": history}
    raise BadSetup(
        "That relation is no saved question that you may read.",
        detail="Layer: saved questions.",
        hint="nl2sql_saved() lists them; nl2sql_save() makes one.",
    )


def listed(db: Database, door: Any) -> list[dict[str, Any]]:
    """Return all that the caller may read, each with what has become of it.

    `door(db, profile, sql, fetch, cells)` only describes here: nothing is run.
    """
    result = []
    for row in db.query(_VIEWS, _MARK, _LONGEST, ""):
        note = _note(row)
        if note:
            status, detail = _status(db, row, note, door)
            told = {key: note[key] for key in ("question", "version", "style", "profile", "sql")}
            found = {"view": row["name"], "saved": note["saved"], "status": status}
            result.append({**told, **found, "detail": detail})
    return result


def _status(db: Database, row: Row, note: Mapping[str, Any], door: Any) -> tuple[str, str | None]:
    if note["style"] == "guarded" and not _holds(db, row["definition"], note["sql"]):
        return "altered", "The view's query is not the SQL that was saved."
    try:
        profile = profiles.load(db, note["profile"])
        result = partial(door, db, profile, fetch=False, cells=True)(note["sql"])
        now = [[cell.name, cell.type] for cell in columns.settle(db, result)]
        changed = _changed(note["relations"], states(db, note["sql"], profile))
    except (Nl2sqlError, ServerError) as error:
        return "broken", error.message
    if note["style"] == "guarded" and now != json.loads(row["columns"] or "[]"):
        written = ", ".join(f"{name} {kind}" for name, kind in now)
        return "drifted", f"The columns are now ({written}): nl2sql_refresh() takes them over."
    if changed:
        return "drifted", f"Changed since it was saved: {', '.join(changed)}."
    return "ok", None


def _changed(then: Mapping[str, str], now: Mapping[str, str]) -> Sequence[str]:
    return sorted(name for name in {*then, *now} if then.get(name) != now.get(name))


def _holds(db: Database, definition: str, sql: str) -> bool:
    return bool(
        db.query("SELECT position(quote_literal($2) IN $1) > 0 AS yes", definition, sql)[0]["yes"]
    )


def _note(row: Row) -> dict[str, Any] | None:
    """Return what a comment holds, or None where it is not ours, or no longer."""
    question, _, text = row["comment"].rpartition(_MARK)
    try:
        note = json.loads(text) if len(text) < _LONGEST else None
    except (ValueError, RecursionError):
        return None
    kinds = {"version": int, "style": str, "profile": str, "saved": str, "sql": str}
    more = {"relations": dict, "earlier": list}
    if isinstance(note, dict) and all(
        isinstance(note.get(key), kind) for key, kind in {**kinds, **more}.items()
    ):
        return {**note, "question": question}
    return None
