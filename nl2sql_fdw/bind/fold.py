"""Make SQLite's names like PostgreSQL's, so that one mechanism mends both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from nl2sql_fdw.types import Literal, Relation, Schema

Alike = Callable[[Sequence[Literal]], Mapping[Literal, tuple[tuple[str, str], ...]]]
"""Returns the (column, value) pairs of the literal's table that say the same, or nearly."""


def folded(schema: Schema) -> Schema:
    """Return the schema with every name in lower case.

    To SQLite case never matters; the mechanism reads a text by PostgreSQL's rules, under which a
    name without quotes is in lower case. Quotes are then written where PostgreSQL needs them,
    which SQLite takes too.
    """
    return replace(schema, relations=tuple(map(_relation, schema.relations)))


def asked_as_spelled(schema: Schema, alike: Alike) -> Alike:
    """Return an `alike` for literals of the folded schema, from one for those of the schema."""
    spelled = {(r.schema, r.name.lower()): r for r in schema.relations}

    def original(literal: Literal) -> Literal:
        relation = spelled[literal.relation.schema, literal.relation.name]
        names = {column.name.lower(): column.name for column in relation.columns}
        return Literal(relation, names[literal.column], literal.text)

    def ask(sought: Sequence[Literal]) -> Mapping[Literal, tuple[tuple[str, str], ...]]:
        asked = {each: original(each) for each in sought}
        found = alike(list(asked.values()))
        return {
            each: tuple((column.lower(), value) for column, value in found[spelt])
            for each, spelt in asked.items()
            if spelt in found
        }

    return ask


def _relation(relation: Relation) -> Relation:
    return replace(
        relation,
        name=relation.name.lower(),
        columns=tuple(replace(c, name=c.name.lower()) for c in relation.columns),
        primary_key=_lower(relation.primary_key),
        foreign_keys=tuple(
            replace(
                key,
                columns=_lower(key.columns),
                target=key.target.lower(),
                target_columns=_lower(key.target_columns),
            )
            for key in relation.foreign_keys
        ),
    )


def _lower(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)
