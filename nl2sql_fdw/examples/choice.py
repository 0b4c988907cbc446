"""Choose the examples whose questions ask most alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log, sqrt

from nl2sql_fdw.examples.masking import mask, schema_words, sql_words
from nl2sql_fdw.names import keywords
from nl2sql_fdw.types import Example, Schema

_LEAST = 0.2
"""Less alike than this, an example shows nothing of use."""

Weights = Mapping[str, float]


def choose(
    question: str, schema: Schema, known: Sequence[Example], count: int
) -> tuple[Example, ...]:
    """Return at most `count` examples, the one most alike last: next to the question.

    Alike is the cosine of words and pairs of words, rare ones weighing more, after names
    and values are masked. Where the examples were taught on these tables, words count as
    they are as well. The examples are all taught, or all from the bank.
    """
    if count < 1 or not known:
        return ()
    terms = [_terms_of(example) for example in known]
    rarity = _rarity(terms)
    asked = _weigh(_terms(question, schema_words(schema), known[0].taught), rarity)
    scores = [_cosine(asked, _weigh(each, rarity)) for each in terms]
    order = sorted(range(len(known)), key=lambda n: (-scores[n], n))
    best = [known[n] for n in order[:count] if scores[n] >= _LEAST]
    return tuple(reversed(best))


@lru_cache(maxsize=2_000)
def _terms_of(example: Example) -> Counter[str]:
    return _terms(example.question, sql_words(example.sql) - keywords(), example.taught)


def _terms(question: str, names: Collection[str], whole: bool) -> Counter[str]:
    readings = [mask(question, names), *([mask(question, ())] if whole else [])]
    return Counter(
        term
        for masked in readings
        for term in (*masked, *(f"{a} {b}" for a, b in pairwise(masked)))
    )


def _rarity(documents: Sequence[Counter[str]]) -> Weights:
    counts = Counter(term for document in documents for term in document)
    return {term: log(1 + len(documents) / count) for term, count in counts.items()}


def _weigh(terms: Counter[str], rarity: Weights) -> Weights:
    most = max(rarity.values())
    return {term: (1 + log(n)) * rarity.get(term, most) for term, n in terms.items()}


def _cosine(one: Weights, other: Weights) -> float:
    shared = sum(weight * other.get(term, 0.0) for term, weight in one.items())
    length = sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return shared / length if length else 0.0
