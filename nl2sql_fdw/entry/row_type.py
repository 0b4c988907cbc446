"""Fit an answer's columns to the fields of a type that the caller names.

By name first, what is left by position. A cast is tried on every value, there and back:
one that would change a value is an error, whatever the server calls such casts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.entry.columns import Cell, projection
from nl2sql_fdw.errors import ServerError
from nl2sql_fdw.names import literal
from nl2sql_fdw.types import JsonText

_FIELDS = """
SELECT a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS kind
FROM pg_type t JOIN pg_attribute a ON a.attrelid = t.typrelid
WHERE t.oid = $1::regtype AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
"""

_SCALAR = "SELECT typtype::text AS kind FROM pg_type WHERE oid = $1::regtype"

_UNCOMPARED = frozenset(
    ("json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle")
)
"""Types without an equality by which a cast could be judged: they go to text, or nowhere."""

_TEXT = frozenset(("text", "character varying"))


@dataclass(frozen=True)
class Field:
    """One field of the named type; a scalar type has one, without a name."""

    name: str
    type: str


def select(db: Database, columns: JsonText, target: str) -> dict[str, str]:
    """Return the projection, and the casts in it in words.

    Raises ServerError (42804) that names what does not fit.
    """
    cells = [Cell(**values) for values in json.loads(columns)]
    fields = [Field(row["name"], row["kind"]) for row in db.query(_FIELDS, target)]
    if not fields and db.query(_SCALAR, target)[0]["kind"] != "c":
        fields = [Field("", target)]
    pairs = _paired(fields, cells, target)
    return {
        "select": projection(cells, [_value(db, field, cell, target) for field, cell in pairs]),
        "casts": ", ".join(
            f"{cell.name} {cell.type} as {field.type}"
            for field, cell in pairs
            if field.type != cell.type
        ),
    }


def _paired(
    fields: Sequence[Field], cells: Sequence[Cell], target: str
) -> list[tuple[Field, Cell]]:
    """Give each field its column. Columns of no field are left out where all names were found."""
    named = {cell.name: cell for cell in cells}
    by_name = {field.name: named[field.name] for field in fields if field.name in named}
    rest = [cell for cell in cells if cell.name not in by_name]
    missing = [field for field in fields if field.name not in by_name]
    if missing and len(missing) != len(rest):
        raise _misfit(_count(missing, rest, target), cells)
    for field, cell in zip(missing, rest, strict=False):
        by_name[field.name] = cell
    return [(field, by_name[field.name]) for field in fields]


def _count(missing: Sequence[Field], rest: Sequence[Cell], target: str) -> str:
    if len(missing) > len(rest):
        lacking = f"field {missing[len(rest)].name} of {target}" if missing[0].name else target
        return f"The answer has no column for {lacking}"
    extra = rest[len(missing)]
    return f"{target} has no field for the answer's column {extra.name} ({extra.type})"


def _value(db: Database, field: Field, cell: Cell, target: str) -> str:
    """Return the expression that makes the field's value of the column's."""
    if field.type == cell.type:
        return cell.value
    there = f"({cell.value})::{field.type}"
    if field.type in _TEXT or {cell.type, field.type} == {"json", "jsonb"}:
        return there
    back = f"({there})::{cell.type}"
    if cell.type in _UNCOMPARED or not _castable(db, cell.type, field.type):
        raise _misfit(f"{_said(field, target)}, but column {cell.name} is {cell.type}", [cell])
    said = literal(f"{_said(field, target)}, column {cell.name} is {cell.type}.")
    judged = f"CASE WHEN nl2sql._kept({cell.value}, {back}, {said}) THEN {there} END"
    return f"({judged})::{field.type}"  # CASE loses the modifier


def _said(field: Field, target: str) -> str:
    return f"Field {field.name} of {target} is {field.type}" if field.name else target


def _castable(db: Database, source: str, target: str) -> bool:
    try:
        db.query(f"SELECT NULL::{source}::{target}::{source}")
    except ServerError as error:
        if error.sqlstate != "42846":
            raise
        return False
    return True


def _misfit(message: str, cells: Sequence[Cell]) -> ServerError:
    columns = ", ".join(f"{cell.name} {cell.type}" for cell in cells)
    return ServerError(
        f"{message}.",
        "42804",
        detail=f"The answer's columns: {columns or 'none'}.",
        hint="Ask for the columns by the names of the fields, or see nl2sql_sql() for the SQL.",
    )
