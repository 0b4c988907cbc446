"""The closing lines, figure by figure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2sql_fdw.bench.records import Record
from nl2sql_fdw.bench.summary import (
    compare,
    outcome,
    paired_line,
    percentile,
    share_by_database,
    summarise,
)

BASE = Record(
    suite="defog", dialect="postgres", strategy="single", model="m", id="0", db="sea",
    question="Q?", gold=["G"], status="answered", seconds=1.0, right=True, calls=1,
    tokens_in=100, tokens_reused=80, tokens_out=10, timings={"call": 900.0},
)  # fmt: skip
WRONG = replace(BASE, id="1", right=False, seconds=2.0, db="lake")
FAILED = replace(BASE, id="2", right=False, status="no_valid_sql", seconds=9.0, calls=2)
NO_GOLD = replace(BASE, id="3", right=None, gold_error="gone", seconds=3.0)
DECLINED = replace(BASE, id="u0", gold=[], right=None, status="cannot_answer", seconds=50.0)
SLIPPED = replace(BASE, id="u1", gold=[], right=None, status="answered", calls=7)
BROKEN = replace(BASE, id="u2", gold=[], right=None, status="no_valid_sql")


def test_the_line_counts_only_judged_questions_in_its_shares():
    line = summarise([BASE, WRONG, FAILED, NO_GOLD, DECLINED, SLIPPED]).line()
    assert line == (
        "suite=defog dialect=postgres strategy=single n=3 ex=0.3333 lo=0.0084 hi=0.9057"
        " answered=0.6667 right_of_answered=0.5000 median_s=2.50 p90_s=9.00 calls=5"
        " tokens_in=400 tokens_reused=320 tokens_out=40"
    )


def test_golds_that_fail_are_counted_apart():
    assert summarise([BASE, NO_GOLD]).not_judged == 1


@pytest.mark.parametrize("name", ["in", "reused", "out"])
def test_a_count_that_is_missing_is_unknown_and_not_zero(name):
    line = summarise([BASE, replace(WRONG, **{f"tokens_{name}": None})]).line()
    assert f"tokens_{name}=unknown" in line
    assert line.count("unknown") == 1


def test_the_unanswerable_are_declined_only_with_a_reason():
    line = summarise(
        [BASE, replace(WRONG, status="needs_clarification"), DECLINED, SLIPPED, BROKEN]
    )
    assert line.refusal_line() == (
        "unanswerable suite=defog dialect=postgres strategy=single n=3 declined=0.3333 lo=0.0084"
        " hi=0.9057 not_answered=0.6667 answerable_declined=0.5000"
    )


def test_without_a_judged_question_there_is_no_share():
    line = summarise([DECLINED]).line()
    assert "n=0 ex=none lo=none hi=none answered=none right_of_answered=none median_s=none" in line


def test_strategies_are_compared_on_the_questions_both_have():
    other = [replace(each, strategy="repair") for each in (BASE, FAILED, WRONG)]
    mended = [other[0], replace(other[1], right=True)]
    [(first, second, n, split)] = compare(
        {"repair": mended, "single": [BASE, WRONG, FAILED, NO_GOLD]}
    )
    assert (first, second, n) == ("repair", "single", 2)
    assert (split.only_first, split.only_second, split.difference) == (1, 0, 0.5)
    assert paired_line(first, second, n, split) == (
        "paired first=repair second=single n=2 only_first=1 only_second=0 difference=+0.5000"
        " p=1.0000"
    )


def test_strategies_without_a_common_question_are_not_compared():
    assert list(compare({"a": [BASE], "b": [WRONG]})) == []


@pytest.mark.parametrize(
    "values, percent, found",
    [([4, 1, 3, 2], 50, 2.5), (range(1, 11), 90, 9), (range(1, 12), 90, 10), ([5], 90, 5)],
)
def test_percentiles(values, percent, found):
    assert percentile(list(values), percent) == found


@pytest.mark.parametrize(
    "record, word",
    [(BASE, "right"), (WRONG, "wrong"), (FAILED, "no_valid_sql"), (NO_GOLD, "gold failed")],
)
def test_an_outcome_has_one_name(record, word):
    assert outcome(record) == word


def test_stages_are_timed_over_the_questions_that_came_to_them():
    slow = replace(WRONG, timings={"call": 2900.0, "rows": 10.0})
    assert summarise([BASE, slow]).stages == {"call": (1.9, 2.9), "rows": (0.01, 0.01)}


def test_databases_have_their_own_share():
    shares = share_by_database([BASE, WRONG, FAILED, NO_GOLD, DECLINED])
    assert {db: (share.k, share.n) for db, share in shares.items()} == {
        "lake": (0, 1),
        "sea": (1, 2),
    }
