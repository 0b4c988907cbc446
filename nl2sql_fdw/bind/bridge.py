"""Reach a column that is one foreign key away from where the text looks for it."""

from __future__ import annotations

from collections.abc import Sequence

from nl2sql_fdw.bind.relations import write
from nl2sql_fdw.bind.scope import Source
from nl2sql_fdw.names import quote
from nl2sql_fdw.types import ForeignKey, Relation, Schema


def reach(column: str, sources: Sequence[Source], schema: Schema) -> tuple[str, str] | None:
    """Return a subquery for the column of a referenced relation, and what to call it in a note.

    A scalar subquery along a foreign key changes neither the number of rows nor the meaning
    of any other name, as a join could. None unless exactly one key leads to such a column.
    """
    ways = [
        (source, key, target)
        for source in sources
        if source.relation is not None
        for key in source.relation.foreign_keys
        for target in _targets(key, column, schema)
        if set(key.columns) <= set(source.columns or ())
    ]
    if len(ways) != 1 or ways[0][0].name == ways[0][2].name:
        return None
    source, key, target = ways[0]
    here, there = quote(source.name), quote(target.name)
    on = " AND ".join(
        f"{there}.{quote(theirs)} = {here}.{quote(own)}"
        for own, theirs in zip(key.columns, key.target_columns, strict=True)
    )
    wanted = f"{there}.{quote(column)}"
    return f"(SELECT {wanted} FROM {write(target, schema)} WHERE {on})", wanted


def _targets(key: ForeignKey, column: str, schema: Schema) -> list[Relation]:
    return [
        relation
        for relation in schema.named(key.target)
        if relation.schema == key.target_schema and any(c.name == column for c in relation.columns)
    ]
