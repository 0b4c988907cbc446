"""Sum up what a strategy did: its share right with an exact interval, its cost, its 'no'."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from nl2sql_fdw.bench.confidence import Paired, interval, paired
from nl2sql_fdw.bench.records import Record


@dataclass(frozen=True)
class Share:
    """k of n, with the exact 95 % interval; all None where n is 0."""

    k: int
    n: int

    @property
    def value(self) -> float | None:
        return self.k / self.n if self.n else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        return interval(self.k, self.n) if self.n else None


@dataclass(frozen=True)
class Summary:
    """One strategy on one suite. Only questions with a gold that runs count in `right`.

    `not_judged` is how many have a gold that does not. Tokens are totals, None where any
    call's count is unknown.
    """

    suite: str
    dialect: str
    strategy: str
    right: Share
    answered: Share
    right_of_answered: Share
    not_judged: int
    median_s: float | None
    p90_s: float | None
    calls: int
    tokens: Mapping[str, int | None]
    outcomes: Mapping[str, int]
    stages: Mapping[str, tuple[float, float]]
    declined: Share
    unanswered: Share
    declined_answerable: Share

    def line(self) -> str:
        """Return the closing line: for scripts, and for people."""
        low, high = self.right.bounds or (None, None)
        parts = {
            "suite": self.suite,
            "dialect": self.dialect,
            "strategy": self.strategy,
            "n": self.right.n,
            "ex": _figure(self.right.value),
            "lo": _figure(low),
            "hi": _figure(high),
            "answered": _figure(self.answered.value),
            "right_of_answered": _figure(self.right_of_answered.value),
            "median_s": _figure(self.median_s, 2),
            "p90_s": _figure(self.p90_s, 2),
            "calls": self.calls,
            **{f"tokens_{name}": _count(count) for name, count in self.tokens.items()},
        }
        return " ".join(f"{name}={value}" for name, value in parts.items())

    def refusal_line(self) -> str:
        """Return what became of the unanswerable questions."""
        low, high = self.declined.bounds or (None, None)
        return (
            f"unanswerable suite={self.suite} dialect={self.dialect} strategy={self.strategy}"
            f" n={self.declined.n} declined={_figure(self.declined.value)} lo={_figure(low)}"
            f" hi={_figure(high)} not_answered={_figure(self.unanswered.value)}"
            f" answerable_declined={_figure(self.declined_answerable.value)}"
        )


def summarise(records: Sequence[Record]) -> Summary:
    """Sum up the records of one strategy, of which there must be one at least.

    Latency, calls and tokens are those of questions that have a gold.
    """
    asked = [record for record in records if record.gold]
    others = [record for record in records if not record.gold]
    judged = [record for record in asked if record.right is not None]
    answered = [record for record in judged if record.answered]
    seconds = [record.seconds for record in asked]
    first = records[0]
    return Summary(
        suite=first.suite,
        dialect=first.dialect,
        strategy=first.strategy,
        right=_share(record.right for record in judged),
        answered=_share(record.answered for record in judged),
        right_of_answered=_share(record.right for record in answered),
        not_judged=len(asked) - len(judged),
        median_s=percentile(seconds, 50),
        p90_s=percentile(seconds, 90),
        calls=sum(record.calls for record in asked),
        tokens={
            "in": _sum(record.tokens_in for record in asked),
            "reused": _sum(record.tokens_reused for record in asked),
            "out": _sum(record.tokens_out for record in asked),
        },
        outcomes=Counter(outcome(record) for record in asked),
        stages=_stages(asked),
        declined=_share(record.declined for record in others),
        unanswered=_share(not record.answered for record in others),
        declined_answerable=_share(record.declined for record in asked),
    )


def compare(records: Mapping[str, Sequence[Record]]) -> Iterator[tuple[str, str, int, Paired]]:
    """Yield each two strategies' difference, on the questions that both have been judged on."""
    right = {
        name: {(r.id, r.question): r.right for r in found if r.right is not None}
        for name, found in records.items()
    }
    for first, second in combinations(records, 2):
        both = [each for each in right[first] if each in right[second]]
        if both:
            split = paired(
                [bool(right[first][each]) for each in both],
                [bool(right[second][each]) for each in both],
            )
            yield first, second, len(both), split


def paired_line(first: str, second: str, n: int, split: Paired) -> str:
    """Return one comparison for scripts: the difference is the first's share less the second's."""
    return (
        f"paired first={first} second={second} n={n} only_first={split.only_first}"
        f" only_second={split.only_second} difference={split.difference:+.4f}"
        f" p={split.p_value:.4f}"
    )


def outcome(record: Record) -> str:
    """Name what became of a question in a word or two: right, wrong, or why no answer."""
    if record.gold_error:
        return "gold failed"
    if record.right:
        return "right"
    return "wrong" if record.answered else record.status


def percentile(values: Sequence[float], percent: int) -> float | None:
    """Return the percentile by the nearest rank, the median as statistics has it."""
    if not values:
        return None
    if percent == 50:
        return statistics.median(values)
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]


def share_by_database(records: Sequence[Record]) -> dict[str, Share]:
    """Return the share right of each database, in the order of their names."""
    found: dict[str, list[bool]] = {}
    for record in records:
        if record.right is not None:
            found.setdefault(record.db, []).append(record.right)
    return {db: _share(found[db]) for db in sorted(found)}


def _stages(records: Sequence[Record]) -> dict[str, tuple[float, float]]:
    """Return median and p90 seconds by stage, over the questions that came to it."""
    by_stage: dict[str, list[float]] = {}
    for record in records:
        for stage, took in record.timings.items():
            by_stage.setdefault(stage, []).append(took / 1000)
    return {
        stage: (percentile(times, 50) or 0.0, percentile(times, 90) or 0.0)
        for stage, times in by_stage.items()
    }


def _share(flags: Iterable[bool | None]) -> Share:
    found = [bool(flag) for flag in flags]
    return Share(sum(found), len(found))


def _sum(counts: Iterable[int | None]) -> int | None:
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total


def _figure(value: float | None, places: int = 4) -> str:
    return "none" if value is None else f"{value:.{places}f}"


def _count(value: int | None) -> str:
    return "unknown" if value is None else str(value)
