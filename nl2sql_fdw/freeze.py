"""SQL to keep: written so that it means the same elsewhere, with what it reads."""

from __future__ import annotations

from nl2sql_fdw import bind, guard, pipeline
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import Refused
from nl2sql_fdw.types import Frozen, Profile, Read, Relation, Verdict


def freeze(sql: str, db: Database, profile: Profile) -> Frozen:
    """Write an allowed statement so that it can be kept, and name what it reads.

    The new text has not been through the door yet. Raises Refused where a name depends on
    the search path of whoever runs it.
    """
    schema = pipeline.readable(db, profile)
    kept = bind.in_full(sql, guard.check(sql, pipeline.policy(profile)), schema, db, profile)
    verdict = guard.check(kept, pipeline.policy(profile))
    if not verdict.allowed:
        raise pipeline.refusal(verdict, kept)
    loose = [name for space, name in verdict.relations if space is None]
    if loose:
        raise Refused(
            f"The schema of {', '.join(loose)} cannot be told.",
            detail=f"Layer: freeze. SQL: {kept}",
            hint="Ask in words that name the table, or name its schema in the profile.",
        )
    named = set(verdict.relations)
    return Frozen(
        kept,
        tuple(
            Read(r.schema, r.name, _among(r, verdict))
            for r in schema.relations
            if (r.schema, r.name) in named
        ),
    )


def _among(relation: Relation, verdict: Verdict) -> tuple[str, ...] | None:
    if verdict.whole_rows:
        return None
    return tuple(c.name for c in relation.columns if c.name in verdict.columns)
