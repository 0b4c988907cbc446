"""Views that a question must not use: what they call, and which rows they hand out.

A view is code of its owner's that the guard of the statement never sees. Its definition,
and those of the views under it, go through the same guard; what the text cannot show
(a cast's function, an operator's, a type's) is read from the catalog's dependencies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.database.row_security import REACH
from nl2sql_fdw.errors import CannotAnswer, NotPermitted, Refused
from nl2sql_fdw.types import Profile, Schema, Verdict

Check = Callable[[str, tuple[str, ...]], Verdict]
"""The guard, on a view's text: given the text and the schemas whose operators it may use."""

_BELOW = f"""
WITH RECURSIVE {REACH},
asked AS MATERIALIZED (
    SELECT c.oid, c.relkind, n.nspname || '.' || c.relname AS name,
           EXISTS (SELECT FROM reach WHERE reach.oid = c.oid AND reach.bypasses) AS bypasses
    FROM unnest($1::text[]) AS w(oid) JOIN pg_class c ON c.oid = w.oid::oid
    JOIN pg_namespace n ON n.oid = c.relnamespace
),
below AS (
    SELECT oid AS top, oid FROM asked WHERE relkind IN ('v', 'm')
    UNION
    SELECT below.top, c.oid
    FROM below
    JOIN pg_rewrite r ON r.ev_class = below.oid
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
     AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class c ON c.oid = d.refobjid AND c.oid <> below.oid AND c.relkind IN ('v', 'm')
    WHERE c.oid >= 16384  -- the server's own views are refused where a text names them
),
used AS (
    SELECT DISTINCT r.ev_class AS oid, d.refclassid, d.refobjid,
           EXISTS (SELECT FROM pg_depend e WHERE e.classid = d.refclassid AND e.deptype = 'e'
                   AND e.objid = d.refobjid) AS brought
    FROM (SELECT DISTINCT oid FROM below) b
    JOIN pg_rewrite r ON r.ev_class = b.oid AND r.rulename = '_RETURN'
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
    WHERE d.refobjid >= 16384
      AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass)
)
SELECT asked.oid::bigint AS oid, asked.name, asked.bypasses,
       pg_get_viewdef(below.oid) AS definition,
       ARRAY(SELECT DISTINCT n.nspname::text FROM used u JOIN pg_operator o ON o.oid = u.refobjid
             JOIN pg_namespace n ON n.oid = o.oprnamespace
             WHERE u.oid = below.oid AND u.refclassid = 'pg_operator'::regclass AND u.brought
       ) AS operator_schemas,
       ARRAY(SELECT n.nspname || '.' || p.proname FROM used u JOIN pg_proc p ON p.oid = u.refobjid
             JOIN pg_namespace n ON n.oid = p.pronamespace
             WHERE u.oid = below.oid AND u.refclassid = 'pg_proc'::regclass AND NOT u.brought
             ORDER BY 1) AS functions,
       ARRAY(SELECT pg_describe_object(u.refclassid, u.refobjid, 0) FROM used u
             LEFT JOIN pg_type t ON t.oid = u.refobjid AND u.refclassid = 'pg_type'::regclass
             LEFT JOIN pg_type item ON item.oid = t.typelem AND t.typcategory = 'A'
             WHERE u.oid = below.oid AND NOT u.brought
               AND (u.refclassid = 'pg_operator'::regclass
                    OR coalesce(item.typtype, t.typtype) NOT IN ('c', 'e'))
             ORDER BY 1) AS objects
FROM asked LEFT JOIN below ON below.top = asked.oid
WHERE asked.bypasses OR below.oid IS NOT NULL
ORDER BY asked.name, asked.oid <> below.oid, below.oid
"""


_ANY_SUCH = """
SELECT EXISTS (
    SELECT FROM pg_class c WHERE c.oid = ANY ($1::text[]::oid[])
    AND (c.relkind IN ('v', 'm') OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid))
) AS yes
"""
"""Only a view has a definition, and only a view or a child hands out what policies hide: most
statements name neither, and the long look is spared."""


class Denial(NamedTuple):
    """Why one relation may not be used: its rows escape the policies, or its code is unreviewed."""

    oid: int
    name: str
    reason: str
    bypasses: bool


def denied(db: Database, oids: Sequence[int], profile: Profile, check: Check) -> tuple[Denial, ...]:
    """Return those of the relations that a question must not use, by name, each once.

    Needs the search path of our own functions, pg_catalog alone: names in a definition
    then come with their schemas.
    """
    found: dict[int, Denial] = {}
    named = [str(oid) for oid in oids]
    if not named or not db.query(_ANY_SUCH, named)[0]["yes"]:
        return ()
    for row in db.query(_BELOW, named):
        if row["name"] in profile.allow_views or row["oid"] in found:
            continue
        reason = _reason(row, profile, check)
        if reason:
            found[row["oid"]] = Denial(row["oid"], row["name"], reason, row["bypasses"])
    return tuple(found.values())


def require(db: Database, oids: Sequence[int], profile: Profile, check: Check) -> None:
    """Raise NotPermitted or Refused where one of the relations is denied."""
    for denial in denied(db, oids, profile, check):
        hint = _hint(denial)
        if denial.bypasses:
            raise NotPermitted(
                f"{denial.name} {denial.reason}.", detail="Layer: views (row security).", hint=hint
            )
        raise Refused(
            f"Refused: the view {denial.name} {denial.reason}.",
            detail="Layer: views (definition).",
            hint=hint,
            mendable=True,
        )


def without(schema: Schema, gone: Sequence[Denial]) -> Schema:
    """Return the schema without the denied relations and the keys that point at them."""
    if not gone:
        return schema
    oids = {denial.oid for denial in gone}
    names = {(r.schema, r.name) for r in schema.relations if r.oid in oids}
    kept = tuple(
        replace(
            relation,
            foreign_keys=tuple(
                key for key in relation.foreign_keys if (key.target_schema, key.target) not in names
            ),
        )
        for relation in schema.relations
        if relation.oid not in oids
    )
    if not kept:
        raise CannotAnswer(
            f"All that can be read here is denied: {gone[0].name} {gone[0].reason}.",
            detail="Layer: views.",
            hint=_hint(gone[0]),
        )
    return replace(schema, relations=kept)


def _hint(denial: Denial) -> str:
    mend = "Make the view security_invoker" if denial.bypasses else "Ask about its tables"
    return f"{mend}, or have the owner add {denial.name} to allow_views of the profile."


def _reason(row: Mapping[str, Any], profile: Profile, check: Check) -> str:
    """Return what is wrong with a relation, or nothing."""
    if row["bypasses"]:
        return "hands out rows that row-level security would hide"
    unlisted = sorted(set(row["functions"]) - set(profile.allow_functions))
    if unlisted:
        return f"calls {unlisted[0]}, which the profile does not allow"
    if row["objects"]:
        return f"uses {row['objects'][0]}, which is not the server's own"
    verdict = check(row["definition"], tuple(row["operator_schemas"]))
    return "" if verdict.allowed else f"is not allowed by its definition: {verdict.reason}"
