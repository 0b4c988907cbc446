"""Run one guarded, priced SELECT and bring back its rows within the caps."""

from __future__ import annotations

from collections.abc import Mapping

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import CapReached
from nl2sql_fdw.types import JsonText, Plan, Profile, Result


def fetch(
    db: Database, sql: str, plan: Plan, profile: Profile, timings: Mapping[str, float]
) -> Result:
    """Return the rows as JSON objects, column order and duplicate names kept.

    The newline before the closing parenthesis ends a trailing comment. A row is cut
    at the cell cap inside the server, so that no giant value is ever copied out.
    Raises CapReached where the profile does not allow a partial result.
    """
    columns = db.describe(sql, profile.time_limit_ms)
    cell = profile.max_cell_bytes
    wrapped = (
        f"SELECT pg_catalog.left(pg_catalog.row_to_json(q)::text, {cell + 1}) AS j"
        f" FROM (\n{sql}\n) AS q"
    )
    rows, complete = db.fetch(wrapped, profile.max_rows, profile.max_bytes, profile.time_limit_ms)
    if any(len(row) > cell for row in rows):
        raise _cap(sql, profile, f"a row is longer than {cell} characters", "max_cell_bytes")
    if not complete and not profile.truncate:
        raise _over(sql, rows, profile)
    return Result(columns, tuple(rows), truncated=not complete, plan=plan, timings=timings)


def _over(sql: str, rows: list[JsonText], profile: Profile) -> CapReached:
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
