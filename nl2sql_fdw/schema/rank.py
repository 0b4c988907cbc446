"""Keep the relations that a question is about, where the whole schema is too long to send."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.schema.render import Names, define, estimate
from nl2sql_fdw.types import Column, Relation, Schema

if TYPE_CHECKING:
    from nl2sql_fdw.schema.relevance import Embed, Index

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


@dataclass(frozen=True)
class Ranking:
    """How relations are told apart: `embed` makes, when first needed, what turns texts to vectors.

    `said` tells how much of what a question names each relation holds, by its place. The
    weights of words, meaning and joined tables count by their ratios. Without vectors words
    stand for meaning too.
    """

    embed: Callable[[], Embed | None] = lambda: None
    said: Callable[[str, Schema], Mapping[int, float]] = lambda question, schema: {}
    weights: tuple[float, float, float] = (0.35, 0.45, 0.2)


BY_WORDS = Ranking()
_last: list[Any] = []


def select(
    question: str, schema: Schema, names: Names, budget: int, ranking: Ranking = BY_WORDS
) -> Selection:
    """Return all relations where their DDL fits in `budget` tokens, else the best of them.

    A relation takes at most half of the budget: a wider one keeps its keys and the columns
    that fit. Raises BadSetup where not even one fits.
    """
    sizes = [_size(relation, names) for relation in schema.relations]
    if sum(sizes) <= budget:
        return Selection(schema.relations)
    budget = min(budget, _CUT_TOKENS)
    kept: dict[int, Relation] = {}
    left = budget
    embed = ranking.embed()
    for place, fits in order(question, schema, ranking):
        if not fits and left < budget * (1 - _UNMATCHED_SHARE):
            break
        relation = schema.relations[place]
        if sizes[place] > budget * _LARGEST_SHARE:
            relation = _narrow(question, relation, names, int(budget * _LARGEST_SHARE), embed)
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


def order(question: str, schema: Schema, ranking: Ranking) -> list[tuple[int, bool]]:
    """Return (place, whether anything of the question fits it) of the relations, best first."""
    return _index(schema, ranking.embed(), ranking.weights).order(
        question, ranking.said(question, schema)
    )


def _index(schema: Schema, embed: Embed | None, weights: tuple[float, float, float]) -> Index:
    """Return what the relations are compared by; the last one is kept for the next question."""
    from nl2sql_fdw.schema.relevance import Index  # needs numpy, which a small schema never loads

    made_of = (schema.relations, embed, weights)
    if not _last or _last[0] != made_of:
        _last[:] = [made_of, Index(schema, embed, weights)]
    index: Index = _last[1]
    return index


def _narrow(
    question: str, relation: Relation, names: Names, budget: int, embed: Embed | None
) -> Relation:
    """Cut the relation to its keys and best columns, in their own order, within the budget."""
    from nl2sql_fdw.schema.relevance import column_scores

    keys = set(relation.primary_key).union(*(key.columns for key in relation.foreign_keys))
    scores = column_scores(question, relation, embed)
    places = sorted(
        range(len(scores)), key=lambda n: (relation.columns[n].name not in keys, -scores[n], n)
    )
    left = budget - _size(replace(relation, columns=()), names)
    kept: set[int] = set()
    for place in places:
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
