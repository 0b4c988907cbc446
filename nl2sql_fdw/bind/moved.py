"""Ask the table that has the columns, where the one that is named has not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nl2sql_fdw.bind.bridge import reach
from nl2sql_fdw.bind.relations import write
from nl2sql_fdw.bind.scope import Source
from nl2sql_fdw.bind.spelling import same
from nl2sql_fdw.bind.text import Text
from nl2sql_fdw.explain.tree import every
from nl2sql_fdw.names import quote
from nl2sql_fdw.schema.guessed import names_key, singular
from nl2sql_fdw.types import Relation, Schema


def move(sql: str, statement: Any, schema: Schema) -> tuple[str, list[str]]:
    """Name another table in a SELECT from one table that lacks a column, where just one has all.

    Of several that have them all, the one of which the written name says something is meant.
    Returns the text and a note; both as they were where that is not plain.
    """
    from pglast import ast

    tables = [node for node in every(statement) if isinstance(node, ast.RangeVar)]
    if len(tables) != 1 or tables[0].schemaname is not None or statement.withClause is not None:
        return sql, []
    table: Any = tables[0]
    text = Text(sql)
    named = schema.named(table.relname)
    columns = _columns(statement, {table.relname, _alias(table)})
    spans = text.names(table.location, [table.relname])
    if len(named) != 1 or spans is None or columns is None or not _lacks(named[0], columns, schema):
        return sql, []
    others = [relation for relation in schema.relations if _has(relation, columns)]
    if len(others) > 1:
        others = [r for r in others if singular(r.name) in singular(named[0].name)]
    if len(others) != 1:
        return sql, []
    alias = "" if table.alias is not None else f" AS {quote(table.relname)}"
    text.replace(spans[0], write(others[0], schema) + alias, "read {old} as {new}")
    return text.mended(), list(text.notes)


def _lacks(relation: Relation, columns: set[str], schema: Schema) -> bool:
    """Tell whether a column is missing that no slip of the pen and no declared key leads to."""
    own = [column.name for column in relation.columns]
    declared = tuple(key for key in relation.foreign_keys if key.declared)
    source = Source(relation.name, tuple(own), replace(relation, foreign_keys=declared))
    return len(columns) > 1 and any(
        not same(name, own)
        and names_key(name, relation) is None
        and reach(name, [source], schema) is None
        for name in columns.difference(own)
    )


def _columns(statement: Any, qualifiers: set[str]) -> set[str] | None:
    """Return the columns that a statement names; None where one has another qualifier."""
    from pglast import ast

    made = {t.name for t in every(statement) if isinstance(t, ast.ResTarget) and t.name}
    found: set[str] = set()
    for node in every(statement):
        if not isinstance(node, ast.ColumnRef):
            continue
        fields: Any = node.fields
        names = [str(field.sval) for field in fields if isinstance(field, ast.String)]
        if len(names) > 2 or (len(fields) == 2 and names[0] not in qualifiers):
            return None
        if isinstance(fields[-1], ast.String) and names[-1] not in made:
            found.add(names[-1])
    return found


def _has(relation: Relation, columns: set[str]) -> bool:
    return bool(columns) and columns <= {column.name for column in relation.columns}


def _alias(table: Any) -> str:
    return str(table.alias.aliasname if table.alias is not None else table.relname)
