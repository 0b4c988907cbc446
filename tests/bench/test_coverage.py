"""The coverage curve: which answers are given at a threshold, and how many are right."""

from __future__ import annotations

from nl2sql_fdw.bench import coverage
from nl2sql_fdw.bench.records import Record


def record(number: int, confidence: float | None, right: bool | None) -> Record:
    status = "no_valid_sql" if confidence is None else "answered"
    return Record(
        "s", "postgres", "auto", "m", str(number), "d", "q", ["SELECT 1"], status, 1.0,
        right=right, confidence=confidence,
    )  # fmt: skip


def test_the_surest_are_given_first():
    found = [record(n, 1 - n / 10, right=n < 5) for n in range(10)]
    points = {round(p.answered.value, 1): p for p in coverage.curve(found)}
    assert set(points) == {1.0, 0.9, 0.8, 0.7, 0.6, 0.5}
    assert (points[0.5].right.k, points[0.5].right.n) == (5, 5)
    assert (points[1.0].right.k, points[1.0].threshold) == (5, 1 - 0.9)


def test_equals_are_given_together_and_failures_never():
    found = [record(n, 0.5, right=True) for n in range(6)]
    found += [record(n, None, right=False) for n in range(6, 10)]
    found.append(record(11, 0.9, right=None))
    assert [(p.answered.k, p.answered.n) for p in coverage.curve(found)] == [(6, 10), (6, 10)]
    assert all(p.right.k == 6 for p in coverage.curve(found))


def test_a_line_has_every_figure():
    line = next(coverage.lines("auto", [record(1, 0.75, right=True)]))
    assert line == (
        "coverage strategy=auto answered=1.000 min_confidence=0.75 right=1.000 lo=0.025 hi=1.000"
    )


def test_answers_that_tell_nothing_have_no_curve():
    assert list(coverage.curve([record(1, None, right=False)])) == []
