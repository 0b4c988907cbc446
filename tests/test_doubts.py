"""Doubts: what speaks against a text that ran, and what does not."""

from __future__ import annotations

import pytest

from nl2sql_fdw import doubts
from nl2sql_fdw.types import Column, Plan, Relation, Reply, Result, Schema

SHIP = Relation(
    1, "public", "ship", "table",
    tuple(Column(n, t) for n, t in (("id", "integer"), ("flag", "text"), ("built", "date"))),
    ("id",),
)  # fmt: skip
SCHEMA = Schema((SHIP,), ("public",))
FOUND = Result((("a", "integer"),), ('{"a": 1}',), plan=Plan(1, 1))


def found(question: str, sql: str, result: Result = FOUND, least: float | None = None):
    return doubts.find(question, sql, result, Reply("", least_logprob=least), SCHEMA, True)


@pytest.mark.parametrize(
    ("rows", "empty"),
    [
        ((), True),
        (('{"a": 0}',), True),
        (('{"a": null, "b": 0}',), True),
        (('{"a": 0}', '{"a": 0}'), False),
        (('{"a": "x", "b": null}',), False),
    ],
)
def test_an_answer_that_says_nothing_is_doubted(rows: tuple[str, ...], empty: bool):
    doubt = found("how many ships", "SELECT count(*) FROM ship", Result((), rows))
    assert ("empty" in doubt) == empty


def test_a_word_that_the_model_gave_little_chance_is_a_doubt():
    assert "unsure" in found("ships", "SELECT id FROM ship", least=-3.0)
    assert "unsure" not in found("ships", "SELECT id FROM ship", least=-0.1)


@pytest.mark.parametrize(
    ("question", "sql", "unasked"),
    [
        ("how many ships?", "SELECT count(*) FROM ship WHERE flag = 'Panama'", True),
        ("how many ships from Panama?", "SELECT count(*) FROM ship WHERE flag = 'Panama'", False),
        ("panamanian ships", "SELECT id FROM ship WHERE flag ILIKE '%Panama%'", False),
        ("ships under the Dutch flag", "SELECT id FROM ship WHERE flag = 'NL'", False),
        ("how many ships?", "SELECT id FROM ship WHERE flag IN ('Malta', 'Chile')", True),
        ("how many ships?", "SELECT id FROM ship WHERE built >= '2026-11-30'", True),
        ("ships built last month", "SELECT id FROM ship WHERE built >= '2026-10-01'", False),
        ("ships built in 2025", "SELECT id FROM ship WHERE built >= '2025-01-01'", False),
        ("ships by month", "SELECT date_trunc('quarter', built) FROM ship", False),
        ("\u5148\u6708\u306e\u8239", "SELECT id FROM ship WHERE built > '2026-10-01'", False),
    ],
)  # fmt: skip
def test_a_filter_that_nobody_asked_for_is_a_doubt(question: str, sql: str, unasked: bool):
    assert ("unasked" in found(question, sql)) == unasked


def test_logic_is_checked_and_a_dialects_own_text_is_not():
    assert "limit_unordered" in found("ships", "SELECT id, flag FROM ship LIMIT 3")
    assert found("ships", "SELECT [id] FROM ship LIMIT 3") == ()
