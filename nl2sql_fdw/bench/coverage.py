"""How right the answers are when only the surest are given: the coverage curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nl2sql_fdw.bench.records import Record
from nl2sql_fdw.bench.summary import Share

SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)


@dataclass(frozen=True)
class Point:
    """The answers of at least `threshold` confidence: their share of all, and how many are right.

    Answers of one confidence are given or held back together, so `answered` may be over the
    share that was aimed at.
    """

    threshold: float
    answered: Share
    right: Share


def curve(records: Sequence[Record]) -> Iterator[Point]:
    """Yield a point for each of SHARES that the answers reach, of the questions with a gold."""
    judged = [record for record in records if record.right is not None]
    given = sorted(
        (record for record in judged if record.answered and record.confidence is not None),
        key=lambda record: -(record.confidence or 0.0),
    )
    for share in SHARES:
        count = round(share * len(judged))
        if not 0 < count <= len(given):
            continue
        threshold = given[count - 1].confidence or 0.0
        kept = [record for record in given if (record.confidence or 0.0) >= threshold]
        right = Share(sum(record.right is True for record in kept), len(kept))
        yield Point(threshold, Share(len(kept), len(judged)), right)


def lines(strategy: str, records: Sequence[Record]) -> Iterator[str]:
    """Yield a line of figures for each point of a strategy's curve."""
    for point in curve(records):
        low, high = point.right.bounds or (0.0, 1.0)
        yield (
            f"coverage strategy={strategy} answered={point.answered.value:.3f}"
            f" min_confidence={point.threshold} right={point.right.value:.3f}"
            f" lo={low:.3f} hi={high:.3f}"
        )
