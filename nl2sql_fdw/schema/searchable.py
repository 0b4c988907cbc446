"""Choose the columns in which values may be looked up, and never those that are redacted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.names import quote, quote_on_sqlite
from nl2sql_fdw.schema.words import words
from nl2sql_fdw.types import Column, Relation, Schema

_TEXT = {
    "postgres": re.compile(r"(text|character varying|character)(\(\d+\))?\Z"),
    "sqlite": re.compile(r".*(char|clob|text)", re.IGNORECASE),  # what has TEXT affinity
}
_MOST_ROWS = 100_000
"""A larger table is not read for a lookup: there the time limit would end it, and all others."""

_SMALL = 10_000
_FEW = 1_000
_MOST_WIDE = 60
_NAME_LIKE = frozenset(
    re.findall(
        r"\w+",
        "name title label city country region state continent category type status kind brand "
        "model  department level class genre team league position role code",
    )
)

_STATISTICS = """
SELECT s.schemaname::text AS schema, s.tablename::text AS name, s.attname::text AS column,
       s.n_distinct::float8 AS n_distinct, s.avg_width::bigint AS width
FROM pg_catalog.pg_stats s
WHERE s.schemaname::text = ANY ($1::text[])
"""
"""As the caller, to whom the view shows only what the caller may read."""


@dataclass(frozen=True)
class Place:
    """One column to look in; a lower `rank` is looked in first. `categorical` says that its
    values are short, and few or names, so that the words of a question may be among them."""

    schema: str
    relation: str
    column: str
    categorical: bool
    rank: int = 0
    dialect: str = "postgres"

    @property
    def written(self) -> str:
        return f"{self.write(self.schema)}.{self.write(self.relation)}"

    def write(self, name: str) -> str:
        return quote_on_sqlite(name) if self.dialect == "sqlite" else quote(name)

    def holds(self, relation: Relation) -> bool:
        return (self.schema, self.relation) == (relation.schema, relation.name)


def places(
    db: Database, question: str, schema: Schema, redact: tuple[str, ...]
) -> tuple[Place, ...]:
    """Return the text columns of the tables of moderate size, those that the question names first.

    Views and foreign tables are left out: what reading them costs, and which redacted column
    one of theirs stands for, is not plain.
    """
    names = sorted({relation.schema for relation in schema.relations})
    rows = db.query(_STATISTICS, names) if schema.dialect == "postgres" else ()
    known = {(row["schema"], row["name"], row["column"]): row for row in rows}
    asked = set(words(question))
    found = [
        _place(relation, column, known.get((relation.schema, relation.name, column.name)), asked)
        for relation in schema.relations
        if relation.kind == "table" and relation.row_estimate <= _MOST_ROWS
        for column in relation.columns
        if _TEXT[schema.dialect].match(column.type) and not is_redacted(relation, column, redact)
    ]
    found = [replace(place, dialect=schema.dialect) for place in found]
    return tuple(sorted(found, key=lambda place: place.rank))


def is_redacted(relation: Relation, column: Column, redact: tuple[str, ...]) -> bool:
    """Tell whether an item of the list is a part of the column's name, or means the column.

    With a dot an item may also be table.column, schema.table or the like: it is better to
    hide a column too many.
    """
    full = f"{relation.schema}.{relation.name}.{column.name}".lower()
    bare = _bare(column.name)
    for item in map(str.lower, redact):
        if "." in item:
            if any(fnmatchcase(full, form) for form in (item, f"*.{item}", f"{item}.*")):
                return True
        elif _bare(item) in bare or fnmatchcase(column.name.lower(), item):
            return True
    return False


def _place(
    relation: Relation, column: Column, known: Mapping[str, object] | None, asked: set[str]
) -> Place:
    shared = asked & set(words(f"{relation.name} {column.name}"))
    categorical = _is_categorical(relation, column, known)
    return Place(relation.schema, relation.name, column.name, categorical, -len(shared))


def _is_categorical(relation: Relation, column: Column, known: Mapping[str, object] | None) -> bool:
    fits = bool(_NAME_LIKE & set(words(column.name))) or relation.row_estimate <= _SMALL
    if known is None:
        return fits
    if int(str(known["width"])) > _MOST_WIDE:
        return False
    distinct = float(str(known["n_distinct"]))
    count = distinct if distinct >= 0 else -distinct * max(relation.row_estimate, 0)
    return fits or count <= _FEW


def _bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
