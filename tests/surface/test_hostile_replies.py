"""What a model wrote, or a row holds, that would end or confuse the code that weighs answers."""

from __future__ import annotations

import pytest
from shipyard import Shipyard

RATIO = "what is the ratio of heavy ships to all ships?"


@pytest.fixture
def auto(shipyard: Shipyard) -> Shipyard:
    shipyard.profile(strategy="auto", values=True)
    return shipyard


def ask(shipyard: Shipyard, question: str) -> dict[str, object]:
    return (
        shipyard.asker()
        .execute("SELECT status, detail, message, row_count FROM nl2sql_ask(%s)", [question])
        .fetchone()
    )


@pytest.mark.parametrize(
    "reply",
    [
        "SELECT 1 / 2" + " UNION SELECT 1" * 900,
        "SELECT " + "(" * 5_000 + "1 / 2" + ")" * 5_000,
        "SELECT " + "(SELECT 1 / " * 900 + "1" + ")" * 900,
        "SELECT 1 / 2 " + "+" * 30_000 + " 1",
    ],
    ids=["unions", "brackets", "subqueries", "signs"],
)
def test_no_parser_sees_a_reply_without_bounds(auto: Shipyard, reply: str):
    auto.model.enqueue(f"```sql\n{reply}\n```")
    got = ask(auto, RATIO)
    assert got["status"] == "refused" and "Layer: guard (size)" in got["detail"]
    assert auto.admin.execute("SELECT 1").fetchone() == (1,)  # a crash would end every session


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT repeat('9', 5000)::numeric AS n",
        "SELECT (repeat('[', 4000) || repeat(']', 4000))::json AS deep",
        "SELECT 'Infinity'::float8 AS a, 'NaN'::numeric AS b",
    ],
    ids=["digits", "depth", "no number"],
)
def test_values_that_are_hard_to_read_are_answers_like_others(auto: Shipyard, sql: str):
    auto.model.enqueue(sql)
    got = ask(auto, "what is the longest number?")
    assert (got["status"], got["row_count"]) == ("answered", 1), got["message"]
