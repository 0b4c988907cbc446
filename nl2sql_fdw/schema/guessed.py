"""Guess the keys that join tables where the database declares none, by their names alone.

Many warehouses declare no foreign keys. A column `order_id` beside a table `orders` with an `id`
leaves little doubt all the same; where two tables could be meant, none is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nl2sql_fdw.types import Column, ForeignKey, Relation, Schema

_ENDINGS = ("id", "code", "key", "no", "num", "number", "name")
_GENERIC = frozenset({"id", "name", "code", "key", "no", "number", "title", "type", "status"})
"""Names that say nothing of the table that they are in."""

_Named = Mapping[str, Sequence[tuple[Relation, Column]]]
"""The relations that a column's name may mean, folded, with their keys."""


def with_keys(schema: Schema) -> Schema:
    """Return the schema with a guessed key for each column that has none and plainly names one."""
    named: dict[str, list[tuple[Relation, Column]]] = {}
    for relation in schema.relations:
        if (found := key(relation)) is not None:
            for form in _forms(relation, found):
                named.setdefault(form, []).append((relation, found))
    return replace(schema, relations=tuple(_with_keys(r, named) for r in schema.relations))


def without(schema: Schema) -> Schema:
    """Return the schema with the keys that the database declares, and no others."""
    return replace(
        schema,
        relations=tuple(
            replace(r, foreign_keys=tuple(k for k in r.foreign_keys if k.declared))
            for r in schema.relations
        ),
    )


def key(relation: Relation) -> Column | None:
    """Return the column that tells a relation's rows apart: declared, else by its name."""
    if len(relation.primary_key) == 1:
        return _column(relation, relation.primary_key[0])
    if relation.primary_key:
        return None
    stem = singular(relation.name)
    names = ["id", *(stem + ending for ending in _ENDINGS), stem[:1] + "id"]
    folded = {_fold(column.name): column for column in relation.columns}
    return next((folded[name] for name in names if name in folded), None)


def singular(name: str) -> str:
    """Return a table's name folded, without its plural."""
    name = _fold(name)
    for ending, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("s", "")):
        if name.endswith(ending) and len(name) > len(ending) + 1 and not name.endswith("ss"):
            return name[: -len(ending)] + one
    return name


def names_key(written: str, relation: Relation) -> Column | None:
    """Return the relation's key where a name of this form means it: in orders order_id is id."""
    found = key(relation)
    if found is None or _fold(written) not in _forms(relation, found):
        return None
    return found


def _forms(relation: Relation, found: Column) -> frozenset[str]:
    """Return the names under which other tables hold a relation's key."""
    stem, own = singular(relation.name), _fold(found.name)
    ends = {"id", own} if own == stem[:1] + "id" else {own}
    forms = {stem + end for end in ends if end in _ENDINGS or end in ("id", own)}
    return frozenset(forms if own in _GENERIC else {*forms, own})


def _with_keys(relation: Relation, named: _Named) -> Relation:
    declared = {name for key in relation.foreign_keys for name in key.columns}
    own = key(relation)
    free = (c for c in relation.columns if c.name not in declared and c is not own)
    guessed = tuple(found for column in free if (found := _guessed(relation, column, named)))
    return replace(relation, foreign_keys=relation.foreign_keys + guessed) if guessed else relation


def _guessed(relation: Relation, column: Column, named: _Named) -> ForeignKey | None:
    """Return the key to the one relation that the column's name means, None where it is unclear."""
    targets = [
        (other, theirs)
        for other, theirs in named.get(_fold(column.name), ())
        if other.oid != relation.oid
        and other.schema == relation.schema
        and _kind(theirs.type) == _kind(column.type)
    ]
    if len(targets) != 1:
        return None
    other, theirs = targets[0]
    return ForeignKey((column.name,), other.schema, other.name, (theirs.name,), declared=False)


def _column(relation: Relation, name: str) -> Column | None:
    return next((column for column in relation.columns if column.name == name), None)


def _fold(name: str) -> str:
    return re.sub(r"[_\s-]", "", name).lower()


def _kind(kind: str) -> str:
    """Return what two types that may be compared have in common."""
    text = kind.lower()
    if re.match(r"(small|big)?int|(big)?serial|numeric|decimal|number", text):
        return "number"
    return "text" if re.match(r"(var)?char|text|character|n?varchar|uuid", text) else text
