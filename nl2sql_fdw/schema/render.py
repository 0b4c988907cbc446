"""Write relations for the model: as DDL, every name as it must stand in a query.

A name is written without its schema only where it is in the first schema of the search
path and no other listed schema has the same name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from nl2sql_fdw.names import literal, quote, quote_on_sqlite
from nl2sql_fdw.types import Column, ForeignKey, Relation, Schema

_COMMENT_CHARACTERS = 120
_LABELS = 20
_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_SHORT = {
    "character varying": "varchar",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamptz",
    "time without time zone": "time",
    "time with time zone": "timetz",
}
_LONG_TYPE = re.compile(r"^(character varying|time(?:stamp)?)(\(\d+\))?( with(?:out)? time zone)?")


class Names:
    """How each relation of one schema is written in a query."""

    def __init__(self, schema: Schema) -> None:
        self._first = schema.search_path[0] if schema.search_path else None
        self._count = Counter(relation.name for relation in schema.relations)
        self.write = quote_on_sqlite if schema.dialect == "sqlite" else quote

    def of(self, schema: str, name: str) -> str:
        if schema == self._first and self._count[name] <= 1:
            return self.write(name)
        return f"{self.write(schema)}.{self.write(name)}"


def as_code(relations: Iterable[Relation], names: Names) -> str:
    """Return the relations as DDL, a blank line between two."""
    return "\n\n".join(define(relation, names) for relation in relations) + "\n"


def as_text(relations: Iterable[Relation], names: Names) -> str:
    """Return a line for each relation and its columns, then the keys that join them."""
    known = list(relations)
    lines = [f"Table {columns(relation, names)}" for relation in known]
    joins = [join for relation in known for join in _joins(relation, names)]
    return "\n".join([*lines, *(f"Join {join}" for join in joins)]) + "\n"


def as_comments(relations: Iterable[Relation], names: Names) -> str:
    """Return the same as comments of SQL: the model's continuation is then the query."""
    return "".join(f"-- {line}\n" for line in as_text(relations, names).splitlines())


def as_structure(relations: Iterable[Relation], names: Names) -> str:
    """Return a block for each relation, a column a line with its type and what it means."""
    return "\n".join(_block(relation, names) for relation in relations)


def _block(relation: Relation, names: Names) -> str:
    head = f"# Table: {names.of(relation.schema, relation.name)}{_note(clean(relation.comment))}"
    lines = [
        f"({names.write(c.name)}: {_type(c.type)}"
        + (", primary key" if c.name in relation.primary_key else "")
        + (f", {_labels(c)}" if c.enum_labels else "")
        + (f", {clean(c.comment)}" if c.comment else "")
        + ")"
        for c in relation.columns
    ]
    keys = [f"Foreign key: {join}" for join in _joins(relation, names)]
    return "\n".join([head, "[", ",\n".join(lines), "]", *keys]) + "\n"


def _joins(relation: Relation, names: Names) -> Iterable[str]:
    own = names.of(relation.schema, relation.name)
    for key in relation.foreign_keys:
        target = names.of(key.target_schema, key.target)
        pairs = zip(key.columns, key.target_columns, strict=True)
        yield " AND ".join(f"{own}.{names.write(a)} = {target}.{names.write(b)}" for a, b in pairs)


def define(relation: Relation, names: Names) -> str:
    """Return one CREATE statement; what the catalog says beyond DDL stands in comments."""
    single = {key.columns[0]: key for key in relation.foreign_keys if len(key.columns) == 1}
    lines = [
        _column(column, relation, single.get(column.name), names) for column in relation.columns
    ]
    lines += [(text, "") for text in _table_keys(relation, single, names)]
    last = len(lines) - 1
    body = "".join(
        f"  {text}{',' if place < last else ''}{_note(note)}\n"
        for place, (text, note) in enumerate(lines)
    )
    head = f"CREATE {relation.kind.upper()} {names.of(relation.schema, relation.name)} ("
    return f"{head}{_note(clean(relation.comment))}\n{body});"


def columns(relation: Relation, names: Names) -> str:
    """Return one line: the relation and the names of its columns, as they must be written."""
    written = ", ".join(names.write(column.name) for column in relation.columns)
    return f"{names.of(relation.schema, relation.name)} ({written})"


def clean(comment: str | None) -> str:
    """Return the comment as one short line that can neither end nor fence anything."""
    text = _UNSEEN.sub(" ", comment or "").replace("```", "'''").strip()
    if len(text) > _COMMENT_CHARACTERS:
        text = text[: _COMMENT_CHARACTERS - 1].rstrip() + "…"
    return text


def estimate(text: str) -> int:
    """Estimate model tokens, on the high side: one per three bytes."""
    return len(text.encode()) // 3 + 1


def _note(text: str) -> str:
    return f" -- {text}" if text else ""


def _column(
    column: Column, relation: Relation, key: ForeignKey | None, names: Names
) -> tuple[str, str]:
    parts = [names.write(column.name), *filter(None, [_type(column.type)])]
    if relation.primary_key == (column.name,):
        parts.append("PRIMARY KEY")
    notes = [_labels(column), clean(column.comment)]
    if key is not None and key.declared:
        parts.append(_references(key, names))
    elif key is not None:
        target = names.of(key.target_schema, key.target)
        notes.insert(0, f"joins {target}.{names.write(key.target_columns[0])}")
    return " ".join(parts), "; ".join(filter(None, notes))


def _table_keys(relation: Relation, single: dict[str, ForeignKey], names: Names) -> Iterable[str]:
    if len(relation.primary_key) > 1:
        yield f"PRIMARY KEY ({_list(relation.primary_key, names)})"
    for key in relation.foreign_keys:
        if key not in single.values():
            yield f"FOREIGN KEY ({_list(key.columns, names)}) {_references(key, names)}"


def _references(key: ForeignKey, names: Names) -> str:
    return (
        f"REFERENCES {names.of(key.target_schema, key.target)} ({_list(key.target_columns, names)})"
    )


def _list(columns: Iterable[str], names: Names) -> str:
    return ", ".join(map(names.write, columns))


def _labels(column: Column) -> str:
    if not column.enum_labels:
        return ""
    more = ", ..." if len(column.enum_labels) > _LABELS else ""
    return "one of " + ", ".join(map(literal, column.enum_labels[:_LABELS])) + more


def _type(name: str) -> str:
    """Shorten the names that PostgreSQL spells out: they cost tokens in every column."""

    def short(found: re.Match[str]) -> str:
        whole = found[1] + (found[3] or "")
        return _SHORT.get(whole, whole) + (found[2] or "")

    return _LONG_TYPE.sub(short, name)
