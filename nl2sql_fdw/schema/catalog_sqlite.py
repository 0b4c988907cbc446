"""Read the tables and views of a SQLite database, with their columns and keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from nl2sql_fdw.database.protocol import Database, Row
from nl2sql_fdw.errors import BadSetup, CannotAnswer
from nl2sql_fdw.types import Column, ForeignKey, Relation, Schema

SCHEMA = "main"
_KINDS = {"table": "table", "view": "view", "virtual": "table"}

_RELATIONS = """
SELECT l.name, l.type AS kind, l.wr AS without_rowid FROM pragma_table_list AS l
WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite^_%'
    ESCAPE '^'
ORDER BY l.name
"""
"""Shadow tables, in which virtual tables keep their own, are of another type."""

_COLUMNS = """
SELECT c.name, c.type, c."notnull" AS not_null, c.pk
FROM pragma_table_xinfo(?, 'main') AS c WHERE c.hidden <> 1 ORDER BY c.cid
"""
_FOREIGN_KEYS = """
SELECT id, "table" AS target, "from" AS own, "to" AS theirs
FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq
"""
_WARM_UP = "SELECT 1 FROM json_each('[]') UNION ALL SELECT 1 FROM json_tree('[]')"
"""A table-valued function asks the authorizer for leave to declare itself, once."""

_DENSE = 10_000
_MOST_COUNTED = 300_000
_ROOM = """
SELECT page_count * page_size / 8 AS n FROM pragma_page_count('main'), pragma_page_size('main')
"""
"""Rows that a file could hold at eight bytes each: fewer take none."""

_OLDEST = (3, 37, 0)


def read(db: Database) -> Schema:
    """Return every table and view of `main` but SQLite's own.

    A view that does not work any more is left out. Raises CannotAnswer where there is none,
    BadSetup where SQLite is older than 3.37.
    """
    _require_version(db)
    db.query(_WARM_UP)
    rows = db.query(_RELATIONS)
    columns = {row["name"]: _columns(db, row) for row in rows}
    primary = {name: _primary_key(found) for name, found in columns.items()}
    relations = [
        Relation(
            oid=number,
            schema=SCHEMA,
            name=row["name"],
            kind=_KINDS[row["kind"]],
            columns=tuple(Column(c["name"], c["type"], bool(c["not_null"])) for c in found),
            primary_key=primary[row["name"]],
            foreign_keys=_foreign_keys(db, row["name"], columns, primary),
            row_estimate=_size(db, row),
        )
        for number, row in enumerate(rows, 1)
        if (found := columns[row["name"]])
    ]
    if not relations:
        raise CannotAnswer("The database has no table.", hint="Is it the right file?")
    return Schema(tuple(relations), (SCHEMA,), dialect="sqlite")


def _require_version(db: Database) -> None:
    version = db.query("SELECT sqlite_version() AS version")[0]["version"]
    if tuple(map(int, version.split("."))) < _OLDEST:
        raise BadSetup(
            f"SQLite {version} is too old.", hint="nl2sql needs 3.37 (November 2021) or newer."
        )


def _columns(db: Database, row: Row) -> Sequence[Row]:
    from nl2sql_fdw.errors import ServerError

    try:
        return db.query(_COLUMNS, row["name"])
    except ServerError:  # a view of a table that is gone, a virtual table without its module
        return ()


def _primary_key(columns: Sequence[Row]) -> tuple[str, ...]:
    parts = sorted((c["pk"], c["name"]) for c in columns if c["pk"])
    return tuple(name for _, name in parts)


def _foreign_keys(
    db: Database,
    name: str,
    columns: Mapping[str, Sequence[Row]],
    primary: Mapping[str, tuple[str, ...]],
) -> tuple[ForeignKey, ...]:
    """Return the keys whose every column is there; SQLite declares them unchecked."""
    parts: dict[int, list[Row]] = defaultdict(list)
    for row in db.query(_FOREIGN_KEYS, name):
        parts[row["id"]].append(row)
    spelled = {each.lower(): each for each in columns}
    found: dict[ForeignKey, None] = {}
    for _, rows in sorted(parts.items(), reverse=True):  # SQLite numbers the last one 0
        target = spelled.get(str(rows[0]["target"]).lower())
        if target is None:
            continue
        own = _named([row["own"] for row in rows], columns[name])
        theirs = [row["theirs"] for row in rows]
        there = primary[target] if theirs[0] is None else _named(theirs, columns[target])
        if own and len(own) == len(there):
            found[ForeignKey(own, SCHEMA, target, there)] = None
    return tuple(found)


def _named(names: Sequence[Any], columns: Sequence[Row]) -> tuple[str, ...]:
    """Return the columns as they are spelled, () where one is not there."""
    spelled = {column["name"].lower(): column["name"] for column in columns}
    found = tuple(spelled.get(str(name).lower(), "") for name in names)
    return found if all(found) else ()


def _size(db: Database, row: Row) -> int:
    """Return about how many rows a table has, -1 where that is not known.

    The rowids tell where they are dense. Where they are far apart (a date as a key, say) the rows
    are counted, up to a limit; of a larger table the span of its rowids is taken, but no more
    than the file has room for.
    """
    if row["kind"] != "table" or row["without_rowid"]:
        return -1
    table = 'main."' + row["name"].replace('"', '""') + '"'
    ends = db.query(f"SELECT min(rowid) AS first, max(rowid) AS last FROM {table}")[0]
    if not (isinstance(ends["first"], int) and isinstance(ends["last"], int)):
        return 0 if ends["last"] is None else -1
    span = ends["last"] - ends["first"] + 1
    if span <= _DENSE:
        return span
    counted = f"SELECT count(*) AS n FROM (SELECT 1 FROM {table} LIMIT {_MOST_COUNTED})"
    rows = int(db.query(counted)[0]["n"])
    return rows if rows < _MOST_COUNTED else min(span, int(db.query(_ROOM)[0]["n"]))
