"""Keep the relations that a question is about, where the whole schema is too long to send."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.schema.render import Names, define, estimate
from nl2sql_fdw.types import Column, Relation, Schema

Score = Callable[[str, Sequence[Sequence[str]]], Sequence[float]]
"""(question, one list of words per document) -> how well each document fits, 0 for not at all."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_NAME_WEIGHT = 3
_NEIGHBOUR_SHARE = 0.4
_LARGEST_SHARE = 0.5
_CUT_TOKENS = 3_000
"""A schema that has to be cut is cut to this: a cut differs from question to question, so the
model reads all of it anew. On 147 questions over 699 tables all that were needed were kept in
91 % with 1,500 tokens, 95 % with 3,000 and 97 % with 6,000, which takes twice as long to read."""

_UNMATCHED_SHARE = 1 / 3
"""Of the budget: how far relations that share no word with the question may fill it."""


@dataclass(frozen=True)
class Selection:
    """What is sent, in catalog order, and in words what is not."""

    relations: tuple[Relation, ...]
    dropped: tuple[str, ...] = ()


def by_words(question: str, documents: Sequence[Sequence[str]]) -> Sequence[float]:
    """Score by BM25 over words."""
    import bm25s  # type: ignore[import-untyped]  # heavy, and needed only for a large schema

    asked = words(question)
    if not asked:
        return [0.0] * len(documents)
    index = bm25s.BM25()
    index.index([list(document) for document in documents], show_progress=False)
    return [float(score) for score in index.get_scores(asked)]


def select(
    question: str, schema: Schema, names: Names, budget: int, score: Score = by_words
) -> Selection:
    """Return all relations where their DDL fits in `budget` tokens, else the best of them.

    A relation takes at most half of the budget: a wider one keeps its keys and the columns
    that match. Raises BadSetup where not even one fits.
    """
    sizes = [_size(relation, names) for relation in schema.relations]
    if sum(sizes) <= budget:
        return Selection(schema.relations)
    budget = min(budget, _CUT_TOKENS)
    kept: dict[int, Relation] = {}
    left = budget
    for place, matches in _order(question, schema, score):
        if not matches and left < budget * (1 - _UNMATCHED_SHARE):
            break
        relation = schema.relations[place]
        if sizes[place] > budget * _LARGEST_SHARE:
            relation = _narrow(question, relation, names, int(budget * _LARGEST_SHARE), score)
        size = _size(relation, names)
        if size <= left and relation.columns:
            kept[place] = relation
            left -= size
    if not kept:
        raise BadSetup(
            f"The schema does not fit in the model's context: {budget} tokens are left for it.",
            hint="Raise context_tokens in nl2sql.profile (and at the model server), "
            "or list fewer schemas.",
        )
    return Selection(tuple(kept[place] for place in sorted(kept)), _dropped(schema, kept, names))


def words(text: str) -> list[str]:
    """Split identifiers and prose into lower-case words, plurals cut to singulars."""
    return [_singular(found.lower()) for found in _WORD.findall(_HUMP.sub(" ", text))]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _order(question: str, schema: Schema, score: Score) -> list[tuple[int, bool]]:
    """Return (place, whether it matches at all) of the relations, best first.

    Ties go to the better joined, then to catalog order. A relation gains from the best
    relation it is joined to by a foreign key, so that the table between two that match
    comes along.
    """
    own = score(question, [_document(relation) for relation in schema.relations])
    near = _neighbours(schema)
    total = [
        own[place] + _NEIGHBOUR_SHARE * max((own[other] for other in near[place]), default=0.0)
        for place in range(len(own))
    ]
    order = sorted(range(len(own)), key=lambda place: (-total[place], -len(near[place]), place))
    return [(place, total[place] > 0) for place in order]


def _neighbours(schema: Schema) -> list[set[int]]:
    places = {(r.schema, r.name): place for place, r in enumerate(schema.relations)}
    near: list[set[int]] = [set() for _ in schema.relations]
    for place, relation in enumerate(schema.relations):
        for key in relation.foreign_keys:
            other = places.get((key.target_schema, key.target))
            if other is not None and other != place:
                near[place].add(other)
                near[other].add(place)
    return near


def _document(relation: Relation) -> list[str]:
    text = [relation.name] * _NAME_WEIGHT + [relation.schema, relation.comment or ""]
    return words(" ".join(text)) + [
        word for column in relation.columns for word in _column_document(column)
    ]


def _column_document(column: Column) -> list[str]:
    return words(" ".join((column.name, column.comment or "", *column.enum_labels)))


def _narrow(question: str, relation: Relation, names: Names, budget: int, score: Score) -> Relation:
    """Cut the relation to its keys and best columns, in their own order, within the budget."""
    keys = set(relation.primary_key).union(*(key.columns for key in relation.foreign_keys))
    scores = score(question, [_column_document(column) for column in relation.columns])
    order = sorted(
        range(len(scores)), key=lambda n: (relation.columns[n].name not in keys, -scores[n], n)
    )
    left = budget - _size(replace(relation, columns=()), names)
    kept: set[int] = set()
    for place in order:
        alone = replace(relation, columns=(relation.columns[place],), comment=None, foreign_keys=())
        left -= _size(alone, names)
        if left < 0:
            break
        kept.add(place)
    return _only(relation, tuple(relation.columns[place] for place in sorted(kept)))


def _only(relation: Relation, columns: tuple[Column, ...]) -> Relation:
    """Keep these columns, and the keys that they cover."""
    shown = {column.name for column in columns}
    return replace(
        relation,
        columns=columns,
        primary_key=relation.primary_key if shown.issuperset(relation.primary_key) else (),
        foreign_keys=tuple(k for k in relation.foreign_keys if shown.issuperset(k.columns)),
    )


def _dropped(schema: Schema, kept: dict[int, Relation], names: Names) -> tuple[str, ...]:
    dropped = []
    for place, relation in enumerate(schema.relations):
        name = names.of(relation.schema, relation.name)
        lost = len(relation.columns) - len(kept[place].columns if place in kept else ())
        if place not in kept:
            dropped.append(name)
        elif lost:
            dropped.append(f"{name} ({lost} of {len(relation.columns)} columns)")
    return tuple(dropped)


def _size(relation: Relation, names: Names) -> int:
    return estimate(define(relation, names) + "\n\n")
