"""Run one guarded, priced SELECT and bring back its rows within the caps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import CapReached
from nl2sql_fdw.types import JsonText, Plan, Profile, Result

_BY_NUMBER = frozenset(
    ("regclass", "regcollation", "regconfig", "regdictionary", "regnamespace", "regoper",
     "regoperator", "regproc", "regprocedure", "regrole", "regtype")
)  # fmt: skip
"""Types that are written as a name, which may mean another object under another search path."""


def fetch(
    db: Database,
    sql: str,
    plan: Plan,
    profile: Profile,
    timings: Mapping[str, float],
    cells: bool = False,
) -> Result:
    """Return the rows as JSON objects, column order and duplicate names kept.

    With `cells` each value is the text that its type's output function writes, under the
    name c1, c2 and so on: what JSON has no form for then comes back as it was.
    The newline before the closing parenthesis ends a trailing comment. A row is cut
    at the cell cap inside the server, so that no giant value is ever copied out.
    Raises CapReached where the profile does not allow a partial result.
    """
    columns = db.describe(sql, profile.time_limit_ms)
    cell = profile.max_cell_bytes
    source = _cells(sql, columns) if cells else f"(\n{sql}\n) AS q"
    wrapped = (
        f"SELECT pg_catalog.left(pg_catalog.row_to_json(q)::text, {cell + 1}) AS j FROM {source}"
    )
    rows, complete = db.fetch(wrapped, profile.max_rows, profile.max_bytes, profile.time_limit_ms)
    if any(len(row) > cell for row in rows):
        raise _cap(sql, profile, f"a row is longer than {cell} characters", "max_cell_bytes")
    if not complete and not profile.truncate:
        raise over(sql, rows, profile)
    return Result(columns, tuple(rows), truncated=not complete, plan=plan, timings=timings)


def _cells(sql: str, columns: Sequence[tuple[str, str]]) -> str:
    """Write the query so that each column is text; OFFSET 0 has each computed once only."""
    names = [f"c{number}" for number in range(1, len(columns) + 1)]
    texts = (
        f"CASE pg_catalog.num_nulls({name}) WHEN 0 THEN pg_catalog.concat({name}{_plain(kind)}) END"
        f" AS {name}"
        for name, (_, kind) in zip(names, columns, strict=True)
    )
    renamed = f" AS q({', '.join(names)})" if names else " AS q"
    return (
        f"(SELECT {', '.join(texts)} FROM (SELECT * FROM (\n{sql}\n){renamed} OFFSET 0) AS q) AS q"
    )


def _plain(kind: str) -> str:
    """Return the cast that writes an object's number for its name."""
    stem = kind.removesuffix("[]")
    return "::pg_catalog.oid" + kind[len(stem) :] if stem in _BY_NUMBER else ""


def over(sql: str, rows: list[JsonText], profile: Profile) -> CapReached:
    """Say which cap a result was cut at."""
    if len(rows) == profile.max_rows:
        return _cap(sql, profile, f"more than {profile.max_rows} rows", "max_rows")
    return _cap(sql, profile, f"more than {profile.max_bytes} bytes of rows", "max_bytes")


def _cap(sql: str, profile: Profile, what: str, setting: str) -> CapReached:
    return CapReached(
        f"The result is over the limit: {what}.",
        detail=f"Layer: result caps. SQL: {sql}",
        hint=f"Ask for a total or a top-n instead. The owner may raise {setting} of profile "
        f"{profile.name}, or set truncate to accept a partial result.",
    )
