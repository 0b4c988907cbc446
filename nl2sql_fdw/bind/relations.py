"""Mend one relation name of a FROM clause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nl2sql_fdw.bind.spelling import near, same
from nl2sql_fdw.bind.text import Text
from nl2sql_fdw.errors import NeedsClarification
from nl2sql_fdw.names import quote
from nl2sql_fdw.types import Relation, Schema

_SYSTEM = ("pg_catalog", "information_schema")


class RelationMender:
    """Mends the relation names of one statement."""

    def __init__(self, text: Text, schema: Schema) -> None:
        self._text = text
        self._schema = schema
        self._names = {relation.name for relation in schema.relations}

    def mend(self, var: Any) -> Relation | None:
        """Return the relation that the name stands for, the text mended; None where unclear.

        Raises NeedsClarification where the name is that of several relations.
        """
        system = var.schemaname in _SYSTEM or var.relname.startswith("pg_")
        if var.catalogname is not None or system:
            return None
        candidates = self._candidates(var)
        if len(candidates) > 1:
            raise _which(var.relname, candidates)
        if not candidates:
            return None
        self._write(var, candidates[0])
        self._tell_of_namesakes(candidates[0])
        return candidates[0]

    def _candidates(self, var: Any) -> Sequence[Relation]:
        """Return the relations that may be meant: in the schema that is written, then in any."""
        if var.schemaname is not None:
            within = [r for r in self._schema.relations if r.schema == var.schemaname]
            name = self._choose(var.relname, {relation.name for relation in within})
            if name is not None:
                return [relation for relation in within if relation.name == name]
        name = self._choose(var.relname, self._names)
        return () if name is None else self._schema.named(name)

    def _choose(self, written: str, names: set[str]) -> str | None:
        if written in names:
            return written
        return same(written, names) or near(written, names, self._names)

    def _write(self, var: Any, relation: Relation) -> None:
        parts = [part for part in (var.schemaname, var.relname) if part is not None]
        spans = self._text.names(var.location, parts)
        if spans is None or parts == [relation.schema, relation.name]:
            return
        bare = var.schemaname is None and relation.schema in self._schema.search_path
        if bare and var.relname == relation.name:
            return
        new = quote(relation.name) if bare else _full(relation)
        self._text.replace((spans[0][0], spans[-1][1]), new, "read {old} as {new}")

    def _tell_of_namesakes(self, relation: Relation) -> None:
        others = [r for r in self._schema.named(relation.name) if r != relation]
        if others:
            self._text.notes[
                f"{_full(relation)} was used; the same name is in "
                + ", ".join(other.schema for other in others)
            ] = None


def write(relation: Relation, schema: Schema) -> str:
    """Return the relation's name, with its schema unless the search path leads to it alone."""
    alone = relation.schema in schema.search_path and len(schema.named(relation.name)) == 1
    return quote(relation.name) if alone else _full(relation)


def _which(name: str, candidates: Sequence[Relation]) -> NeedsClarification:
    listed = " or ".join(_full(relation) for relation in candidates)
    return NeedsClarification(
        f"Which {name} is meant: {listed}?",
        hint="Name the schema in the question, or list fewer schemas in the profile.",
    )


def _full(relation: Relation) -> str:
    return f"{quote(relation.schema)}.{quote(relation.name)}"
