"""Votes: what counts as the same finding, who wins, and when no more are needed."""

from __future__ import annotations

import pytest

from nl2sql_fdw import confidence, strategies
from nl2sql_fdw.errors import BadSetup, CannotAnswer, NoValidSql
from nl2sql_fdw.types import Plan, Result
from nl2sql_fdw.vote import Candidate, choose, same, settled


def ran(sql: str, *rows: str, doubts: tuple[str, ...] = (), cost: float = 1.0) -> Candidate:
    columns = (("a", "integer"),)
    return Candidate(sql, Result(columns, rows, plan=Plan(cost, 1)), doubts=doubts)


FAILED = Candidate("SELECT x", error=NoValidSql("no column x"))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (['{"a": 1, "b": "x"}'], ['{"n": "x", "m": 1}']),
        (['{"a": 1}', '{"a": 2}'], ['{"a": 2}', '{"a": 1}']),
        (['{"a": 1}'], ['{"a": 1.0}']),
        (['{"a": 1, "a": 2}'], ['{"x": 2, "y": 1}']),
        (['{"a": [1, {"b": 2}]}'], ['{"z": [1, {"b": 2}]}']),
        ([], []),
    ],
)
def test_names_and_order_do_not_tell_findings_apart(left, right):
    assert same(left) == same(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (['{"a": 1}'], ['{"a": 2}']),
        (['{"a": 1}'], ['{"a": "1"}']),
        (['{"a": 1}', '{"a": 1}'], ['{"a": 1}']),
        (['{"a": 1, "b": 2}', '{"a": 2, "b": 1}'], ['{"a": 1, "b": 1}', '{"a": 2, "b": 2}']),
        (['{"a": null}'], []),
    ],
)
def test_values_and_counts_do(left, right):
    assert same(left) != same(right)


def test_the_heaviest_group_wins_and_a_doubted_vote_weighs_less():
    one, two = ran("SELECT 1", '{"a": 1}'), ran("SELECT 2", '{"a": 2}')
    assert choose([one, two, ran("SELECT 2 AS b", '{"a": 2}')]).sql == "SELECT 2"
    assert choose([ran("SELECT 0", doubts=("empty",)), two]) == two
    assert choose([FAILED, one]) == one
    assert choose([FAILED]) is None


def test_of_equals_the_cheaper_wins():
    dear, cheap = ran("SELECT 1", '{"a": 1}', cost=9), ran("SELECT 1 + 0", '{"a": 1}', cost=2)
    assert choose([dear, cheap]) == cheap


def test_no_is_a_finding_of_its_own():
    no = Candidate(None, error=CannotAnswer("no such thing"))
    assert choose([ran("SELECT 1", '{"a": 1}'), no, no]).error is no.error


def test_one_vote_without_a_doubt_suffices_and_a_lead_out_of_reach():
    good, other = ran("SELECT 1", '{"a": 1}'), ran("SELECT 2", '{"a": 2}')
    assert settled([good]) and not settled([FAILED])
    assert not settled([ran("SELECT 1", doubts=("empty",))])
    assert not settled([good, other])
    assert settled([good, ran("SELECT 1 AS b", '{"a": 1}')])
    assert not settled([good, good, other], to_come=1)
    assert settled([good, good, good, other], to_come=1)


def test_texts_that_were_only_checked_agree_by_their_words():
    texts = ("SELECT  1", "select 1", "SELECT 2")
    seen = [Candidate(sql, Result(plan=Plan(1, 1)), ran=False) for sql in texts]
    assert choose(seen).sql in ("SELECT  1", "select 1")


def test_confidence_falls_with_doubts_and_with_disagreement():
    good, other = ran("SELECT 1", '{"a": 1}'), ran("SELECT 2", '{"a": 2}')
    doubted = ran("SELECT 1", '{"a": 1}', doubts=("empty", "unsure"))
    alone = confidence.of(good, [good])
    assert 0 < confidence.of(doubted, [doubted]) < alone < 1
    assert confidence.of(good, [good, other]) < confidence.of(good, [good, good, other]) < 1


def test_a_strategy_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(BadSetup, match="strategy sideways") as error:
        strategies.choose("sideways")
    assert "auto" in error.value.hint


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("9007199254740993", "9007199254740992", False),
        ("1" + "0" * 5_000, "1" + "0" * 4_999 + "1", False),
        ("0.00001", "0", True),
        ("1e500", "1e500", True),
        ("[" * 20_000 + "]" * 20_000, "[" * 20_000 + "]" * 20_000, True),
        ("[[1]]", "[[1.5]]", False),
    ],
)
def test_numbers_are_compared_exactly_and_depth_is_no_error(left: str, right: str, equal: bool):
    assert (same([f'{{"a": {left}}}']) == same([f'{{"a": {right}}}'])) == equal
