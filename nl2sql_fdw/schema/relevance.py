"""Tell how well each relation, and each column, fits a question: by words, meaning and joins.

Every telling word of the question looks for the name that fits it best, so that a table is
judged by how much of the question it covers, not by how long it is. A word that fits few
relations weighs more. Words fit when they are the same; vectors, one for each name, tell how
near they are where they are not. Then a relation gains from what it is joined to, and from
what its schema covers: tables that cover the question together beat scattered single ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from nl2sql_fdw.arrays import np
from nl2sql_fdw.schema.words import telling, words
from nl2sql_fdw.types import Column, Relation, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"
Embed = Callable[[Sequence[str]], Floats]
"""Texts -> one vector of length one for each."""

_COLUMN_SHARE = 0.8
"""What a word is worth that a column's name fits, where the table's own name is worth 1."""

_NOTE_SHARE = 0.6
"""The same where it is in a comment, or a label of an enum."""

_PRECISION = 0.3
"""What a table gains whose whole name the question says: orders, over order_items."""

_CONTEXT = 1.0
"""What the table's schema covers of the question, in shares of what the table itself covers."""

_VALUE = 0.3
"""What a table gains that holds a value which the question names."""

_FAR = 0.35
"""A cosine up to which two words have nothing in common: half of all pairs of words are under
0.1, synonyms are at 0.5 to 0.9."""


class Index:
    """What is compared with a question, made ready once for a schema."""

    def __init__(self, schema: Schema, embed: Embed | None, weights: Sequence[float]) -> None:
        """Take the weights of words, meaning and joined tables; only their ratios matter."""
        relations = schema.relations
        self._embed = embed
        by_word, by_meaning, joined = weights
        self._by_meaning = by_meaning / (by_word + by_meaning) if embed else 0.0
        self._joined = joined / (by_word + by_meaning)
        self._tables = _Names([relation.name for relation in relations], embed)
        self._notes = _Names([_notes(relation) for relation in relations], None)
        columns = [[column.name for column in r.columns] or [""] for r in relations]
        self._columns = _Names(list(chain.from_iterable(columns)), embed)
        self._first = np.cumsum([0, *map(len, columns[:-1])])
        near = _neighbours(schema)
        self._degrees = [len(those) for those in near]
        self._edges = np.array([(a, b) for a, those in enumerate(near) for b in those])
        places: dict[str, int] = {}
        self._space = np.array([places.setdefault(r.schema, len(places)) for r in relations])

    def order(self, question: str, said: Mapping[int, float]) -> list[tuple[int, bool]]:
        """Return (place, whether anything of the question fits it) of the relations, best first.

        `said` tells by place how much of what the question names a relation holds. Ties go
        to the better joined, then to catalog order.
        """
        own, score = self._scores(question, said)
        places = np.lexsort((np.negative(self._degrees), -score))
        return [(int(place), bool(own[place] > 0)) for place in places]

    def _scores(self, question: str, said: Mapping[int, float]) -> tuple[Floats, Floats]:
        """Return what each relation covers itself, with those it is joined to, and all in all."""
        asked = _Asked(question, self._embed, self._by_meaning)
        names = self._tables.fit(asked)
        columns = np.maximum.reduceat(self._columns.fit(asked), self._first, axis=1)
        notes = self._notes.fit(asked)
        fit = np.maximum(np.maximum(names, _COLUMN_SHARE * columns), _NOTE_SHARE * notes)
        weight = _rarity(fit)
        own = weight @ fit + _PRECISION * self._tables.said(asked) * (weight @ names)
        held = np.zeros_like(own)
        held[list(said)] = [_VALUE * much for much in said.values()]
        own = own + self._joined * self._beside(own) + held
        return own, own + _CONTEXT * (self._around(fit, weight) + self._best_around(held))

    def _beside(self, own: Floats) -> Floats:
        """Return the best score that each relation is joined to by a foreign key."""
        best = np.zeros_like(own)
        if len(self._edges):
            np.maximum.at(best, self._edges[:, 0], own[self._edges[:, 1]])
        return best

    def _best_around(self, held: Floats) -> Floats:
        """Return the most that a relation of each one's schema holds."""
        best = np.zeros(int(self._space.max()) + 1, np.float32)
        np.maximum.at(best, self._space, held)
        most: Floats = best[self._space]
        return most

    def _around(self, fit: Floats, weight: Floats) -> Floats:
        """Return how much of the question the relations of each one's schema cover together."""
        best = np.zeros((int(self._space.max()) + 1, len(weight)), np.float32)
        np.maximum.at(best, self._space, fit.T)
        covered: Floats = (best @ weight)[self._space]
        return covered


def column_scores(question: str, relation: Relation, embed: Embed | None) -> Sequence[float]:
    """Return one score per column of a relation: how much of the question its name covers."""
    asked = _Asked(question, embed, 0.5 if embed else 0.0)
    names = _Names([column.name for column in relation.columns], embed).fit(asked)
    notes = _Names([_note(column) for column in relation.columns], None).fit(asked)
    fit = np.maximum(names, _NOTE_SHARE * notes)
    return [float(score) for score in _rarity(fit) @ fit]


class _Asked:
    """The telling words of a question, with their vectors."""

    def __init__(self, question: str, embed: Embed | None, by_meaning: float) -> None:
        self.words = telling(question)
        self.vectors = embed(self.words) if embed else None
        self.by_meaning = by_meaning


class _Names:
    """Texts as lists of numbered words, laid end to end, and as vectors."""

    def __init__(self, texts: Sequence[str], embed: Embed | None) -> None:
        self._numbers: dict[str, int] = {"": 0}
        listed = [words(text) or [""] for text in texts]
        numbers = [self._numbers.setdefault(w, len(self._numbers)) for each in listed for w in each]
        self._words = np.array(numbers)
        self._sizes = np.array([len(each) for each in listed])
        self._first = np.cumsum(self._sizes) - self._sizes
        self._vectors = embed([" ".join(each) for each in listed]) if embed else None

    def fit(self, asked: _Asked) -> Floats:
        """Return how well each word (a row) fits each text (a column), between 0 and 1."""
        exact = np.maximum.reduceat(self._same(asked)[:, self._words], self._first, axis=1)
        if self._vectors is None or asked.vectors is None:
            return exact
        near = np.clip((asked.vectors @ self._vectors.T - _FAR) / (1 - _FAR), 0, 1)
        fit: Floats = (1 - asked.by_meaning) * exact + asked.by_meaning * near
        return fit

    def said(self, asked: _Asked) -> Floats:
        """Return the share of each text's words that the question says."""
        said = self._same(asked).max(axis=0, initial=0)[self._words]
        share: Floats = np.add.reduceat(said, self._first) / self._sizes
        return share

    def _same(self, asked: _Asked) -> Floats:
        """Return 1 where a word of the question (a row) is a word of the texts (a column)."""
        same = np.zeros((len(asked.words), len(self._numbers)), np.float32)
        for row, word in enumerate(asked.words):
            if number := self._numbers.get(word):
                same[row, number] = 1.0
        return same


def _rarity(fit: Floats) -> Floats:
    """Return what each word weighs, in all 1: one that fits few relations weighs more."""
    weight = np.log1p(fit.shape[1] / (1 + fit.sum(axis=1)))
    shares: Floats = (weight / (weight.sum() or 1)).astype(np.float32)
    return shares


def _notes(relation: Relation) -> str:
    return " ".join([relation.comment or "", *map(_note, relation.columns)])


def _note(column: Column) -> str:
    return " ".join((column.comment or "", *column.enum_labels))


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
