"""Real columns: what a result's text cells become again in the caller's own session.

The reader has read the rows and is gone; what is left is data, and a projection that the
caller runs over it. No code of a third party may run on the way: a domain comes as the type
under it, since its checks would run as the caller, and a type that cannot be had without
them, or that the caller may not name, comes as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.types import Result

_LONGEST = 63
"""Bytes of a name that the server keeps."""

_SETTLED = """
WITH RECURSIVE asked AS (
    SELECT w.n, w.name, w.kind, CASE WHEN cardinality(part) < 2
               OR has_schema_privilege(part[1], 'USAGE') THEN to_regtype(w.kind)::oid END AS oid
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w(name, kind, n),
         parse_ident(w.kind, false) AS part
), chain AS (  -- a domain, and the array or domain under it
    SELECT n, oid AS top, oid, -1 AS modifier FROM asked WHERE oid >= 16384
    UNION ALL
    SELECT c.n, c.top, t.typbasetype, greatest(c.modifier, t.typtypmod)
    FROM chain c JOIN pg_type t ON t.oid = c.oid WHERE t.typtype = 'd'
), base AS (
    SELECT c.n, c.oid, c.modifier, c.oid <> c.top AS under
    FROM chain c JOIN pg_type t ON t.oid = c.oid WHERE t.typtype <> 'd'
), inside AS (  -- all that is read in when a value of the type is
    SELECT n, oid FROM base
    UNION
    SELECT i.n, x.oid FROM inside i JOIN pg_type t ON t.oid = i.oid, LATERAL (
        SELECT t.typelem AS oid WHERE t.typcategory = 'A'
        UNION ALL SELECT a.atttypid FROM pg_attribute a
                  WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL SELECT g.rngsubtype FROM pg_range g WHERE t.oid IN (g.rngtypid, g.rngmultitypid)
    ) x WHERE x.oid >= 16384
), coded AS (
    SELECT DISTINCT i.n FROM inside i JOIN pg_type t ON t.oid = i.oid
    LEFT JOIN pg_range g ON t.oid IN (g.rngtypid, g.rngmultitypid)
    WHERE t.typtype = 'd' OR g.rngcanonical::oid >= 16384
)
SELECT quote_ident(a.name) AS name, CASE
           WHEN t.oid IS NULL OR t.typtype = 'p' OR coded.n IS NOT NULL THEN 'text'
           WHEN base.under THEN format_type(base.oid, base.modifier)
           ELSE a.kind END AS kind,
       coalesce(base.oid, a.oid) IN ('json'::regtype, 'jsonb'::regtype) AS is_json
FROM asked a LEFT JOIN pg_type t ON t.oid = a.oid
LEFT JOIN base ON base.n = a.n LEFT JOIN coded ON coded.n = a.n
ORDER BY a.n
"""
"""Needs the search path of our own functions, pg_catalog alone: other types then come with
their schemas."""


@dataclass(frozen=True)
class Cell:
    """One column: its name, also as an identifier, its type, and how its text is read.

    `declared` is its type in json_to_record, `value` the expression over that, by its number.
    """

    name: str
    identifier: str
    type: str
    declared: str
    value: str


def settle(db: Database, result: Result) -> tuple[Cell, ...]:
    """Return the columns as the caller may have them, under names that are all different."""
    names = unique([name for name, _ in result.columns])
    if not names:
        return ()
    rows = db.query(_SETTLED, names, [kind for _, kind in result.columns])
    return tuple(
        _cell(number, *pair) for number, pair in enumerate(zip(names, rows, strict=True), 1)
    )


def _cell(number: int, name: str, row: Any) -> Cell:
    """A JSON text in JSON is a JSON text: JSON alone is read by a cast."""
    kind, value = row["kind"], f"c{number}"
    if row["is_json"] and kind != "text":
        return Cell(name, row["name"], kind, "text", f"{value}::{kind}")
    return Cell(name, row["name"], kind, kind, value)


def unique(names: Sequence[str]) -> list[str]:
    """Tell apart equal names: id, id gives id, id_1; a name that stands alone keeps its own."""
    taken, given = set(names), set[str]()
    result = []
    for name in names:
        if name in given:
            name = next(free for free in _numbered(name) if free not in taken)
            taken.add(name)
        given.add(name)
        result.append(name)
    return result


def _numbered(name: str) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        suffix = f"_{number}"
        room = _LONGEST - len(suffix)
        yield name.encode()[:room].decode(errors="ignore") + suffix


def projection(cells: Sequence[Cell], values: Sequence[str]) -> str:
    """Return the SELECT over rows of text cells, $1, that gives these values (see source)."""
    return f"SELECT {', '.join(values)} FROM {source(cells)}"


def source(cells: Sequence[Cell]) -> str:
    """Read the rows, $1, in with the input functions of their types."""
    if not cells:
        return "pg_catalog.json_array_elements($1)"
    declared = ", ".join(f"c{number} {cell.declared}" for number, cell in enumerate(cells, 1))
    return f"pg_catalog.json_to_recordset($1) AS t({declared})"


def outcome(db: Database, sql: str, result: Result) -> dict[str, Any]:
    """Return what the SQL side needs: the SQL, columns, projections and the column list.

    `select` is named and typed; `record` gives a runner's rows, which cannot have no column:
    one that is always null stands for none, and `stars` then leaves it out again.
    """
    cells = settle(db, result)
    named = [f"{cell.value} AS {cell.identifier}" for cell in cells]
    listed = ", ".join(f"{cell.identifier} {cell.type}" for cell in cells)
    return {
        "sql": sql,
        "columns": [vars(cell) for cell in cells],
        "select": projection(cells, named),
        "record": projection(cells, named or ["NULL::integer"]),
        "stars": "*" if cells else "",
        "definition": listed or "nothing integer",
    }
