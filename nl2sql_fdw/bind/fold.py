"""Make SQLite's names like PostgreSQL's, so that one mechanism mends both."""

from __future__ import annotations

from dataclasses import replace

from nl2sql_fdw.types import Relation, Schema


def folded(schema: Schema) -> Schema:
    """Return the schema with every name in lower case.

    To SQLite case never matters; the mechanism reads a text by PostgreSQL's rules, under which a
    name without quotes is in lower case. Quotes are then written where PostgreSQL needs them,
    which SQLite takes too.
    """
    return replace(schema, relations=tuple(map(_relation, schema.relations)))


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
