"""Tell whether a question is about a database at all: how much of it the names there cover."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nl2sql_fdw.errors import CannotAnswer
from nl2sql_fdw.periods import is_english
from nl2sql_fdw.schema.words import telling, words
from nl2sql_fdw.types import Profile, Schema

_ENOUGH = 1 / 3
"""The share of words that are names here, letter by letter, at which meaning is not asked."""

_FEWEST = 3
"""Words below which a share says nothing."""

_PROPER = re.compile(r"(?<=[\w,;:] )[A-Z]\w+|\"[^\"]*\"|'[^']*'")
"""What may be a value rather than a thing: a capital inside a sentence, a quotation."""

Embed = Callable[[Sequence[str]], Any]
"""Texts -> one vector of length one for each."""


def is_weak(
    question: str, schema: Schema, profile: Profile, embedder: Callable[[], Embed | None]
) -> bool:
    """Tell whether less of the question than `min_link` fits a name of the schema.

    Synonyms can be further apart than any threshold, so this alone declines nothing. It never
    holds of a question in another language, of too few words, or where there are no vectors to
    compare meanings by.
    """
    if profile.min_link <= 0:
        return False
    found = strength(question, schema, embedder)
    return found is not None and found < profile.min_link


def decline(schema: Schema, profile: Profile, why: str) -> CannotAnswer:
    """Return the no to a question of which nothing is known here, and nothing was found."""
    return CannotAnswer(
        "The question seems to be about something that this database does not hold.",
        detail=f"Layer: link. None of its words is near a name in the database, and {why}"
        f" The tables: {_listed(schema)}.",
        hint="Ask in the words of the tables and columns. The owner may lower min_link of "
        f"profile {profile.name}.",
    )


def strength(question: str, schema: Schema, embedder: Callable[[], Embed | None]) -> float | None:
    """Return how well the question's words fit the schema's, from 0 to 1; None where unknown."""
    asked = telling(_PROPER.sub(" ", question))
    if len(asked) < _FEWEST or not is_english(question) or not schema.relations:
        return None
    names = sorted(set(_names(schema)))
    said = set(names).intersection(asked)
    if len(said) >= len(asked) * _ENOUGH:
        return 1.0
    embed = embedder()
    if embed is None:
        return None
    nearest = (embed(asked) @ embed(names).T).max(axis=1)
    fits = (1.0 if word in said else float(fit) for word, fit in zip(asked, nearest, strict=True))
    return sum(fits) / len(asked)


def _names(schema: Schema) -> Iterable[str]:
    for relation in schema.relations:
        for text in (relation.name, relation.comment, relation.schema):
            yield from words(text or "")
        for column in relation.columns:
            for text in (column.name, column.comment, *column.enum_labels):
                yield from words(text or "")


def _listed(schema: Schema) -> str:
    names = [relation.name for relation in schema.relations]
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
