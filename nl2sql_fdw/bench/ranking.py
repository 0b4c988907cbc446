"""Measure whether ranking finds the tables of a question among hundreds, without asking a model."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nl2sql_fdw.bench.confidence import interval
from nl2sql_fdw.bench.suites import Item
from nl2sql_fdw.prompt import Clock, build
from nl2sql_fdw.schema import rank
from nl2sql_fdw.schema.render import Names
from nl2sql_fdw.types import Profile, Schema

FIRST = (4, 8, 16)
_NOW = Clock("2024-05-15", "Wednesday", "UTC")


@dataclass
class Recall:
    """How often all tables of the gold are among the first so many, the times and the prompts."""

    n: int = 0
    found: dict[int, int] = field(default_factory=lambda: dict.fromkeys(FIRST, 0))
    milliseconds: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    prompted: int = 0

    def add(self, places: Sequence[int], wanted: set[int], spent_s: float) -> None:
        """Count one question whose gold needs `wanted`, and whose ranking is `places`."""
        self.n += 1
        for first in FIRST:
            self.found[first] += wanted <= set(places[:first])
        self.milliseconds.append(spent_s * 1000)

    def line(self, variant: str) -> str:
        """Return the figures as name=value; recall and its interval are shares of n."""
        low, high = interval(self.found[8], self.n)
        shares = " ".join(f"recall{first}={self.found[first] / self.n:.3f}" for first in FIRST)
        times = sorted(self.milliseconds)
        p90 = times[int(0.9 * (len(times) - 1))]
        told = ""
        if self.tokens:
            told = f" in_prompt={self.prompted / self.n:.3f} prompt_tokens_max={max(self.tokens)}"
        return (
            f"suite=ranking variant={variant} n={self.n} {shares} lo8={low:.3f} hi8={high:.3f}"
            f" median_ms={statistics.median(times):.1f} p90_ms={p90:.1f}{told}"
        )


def tables(item: Item, schema: Schema) -> set[int]:
    """Return the places of the relations that the gold names, found in the item's own schema.

    Raises KeyError where one is not there.
    """
    from pglast.visitors import referenced_relations

    places = {(r.schema, r.name): place for place, r in enumerate(schema.relations)}
    names = (name.replace('"', "").split(".")[-1] for name in referenced_relations(item.golds[0]))
    return {places[item.db, name] for name in names}


def measure(
    items: Sequence[Item], schema: Schema, ranking: rank.Ranking, profile: Profile | None = None
) -> Recall:
    """Rank the relations for each question; with a profile build the prompts too.

    The first question is ranked once before, so that no time is that of a cold start.
    """
    recall = Recall()
    rank.order(items[0].question, schema, ranking)
    for item in items:
        wanted = tables(item, schema)
        began = time.perf_counter()
        places = [place for place, _ in rank.order(item.question, schema, ranking)]
        recall.add(places, wanted, time.perf_counter() - began)
        if profile:
            prompt = build(item.question, schema, profile, _NOW, ranking=ranking)
            recall.tokens.append(prompt.estimated_tokens)
            recall.prompted += not wanted & _unsent(prompt.dropped, schema)
    return recall


def variants(ranking: rank.Ranking) -> Iterator[tuple[str, rank.Ranking]]:
    """Yield what is left when one part of the ranking is taken away, the whole last."""
    words, meaning, joined = ranking.weights
    plain = rank.Ranking(weights=ranking.weights)
    only = replace(plain, embed=ranking.embed)
    parts: Mapping[str, rank.Ranking] = {
        "words": replace(plain, weights=(words, 0, 0)),
        "words+neighbours": replace(plain, weights=(words, 0, joined)),
        "meaning": replace(only, weights=(0, meaning, 0)),
        "no-neighbours": replace(ranking, weights=(words, meaning, 0)),
        "no-values": only,
    }
    yield from parts.items()
    yield "all", ranking


def _unsent(dropped: Sequence[str], schema: Schema) -> set[int]:
    names = Names(schema)
    gone = set(dropped)
    return {n for n, r in enumerate(schema.relations) if names.of(r.schema, r.name) in gone}
