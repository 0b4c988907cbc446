"""Asking back: where several readings are to be had, and not where one is plainly meant."""

from __future__ import annotations

import pytest

from nl2sql_fdw import clarify
from nl2sql_fdw.schema.searchable import Place
from nl2sql_fdw.schema.values import Hit
from nl2sql_fdw.types import Column, Relation, Schema


def table(table_name: str, within: str = "public", **columns: str) -> Relation:
    made = (Column("id", "integer"), *(Column(n, kind) for n, kind in columns.items()))
    return Relation(1, within, table_name, "table", made, ("id",))


ORDERS = table("orders", placed_at="timestamp", shipped_at="date", total="numeric")
PLAYER = table("player", goals="integer", salary="numeric", name="text")
SITE = table("site", region="text", city="text")
SCHEMA = Schema((ORDERS, PLAYER, SITE), ("public",))
TWO = Schema((table("ship", "navy", name="text"), table("ship", "trade", name="text")), ())


def asked(question: str, schema: Schema = SCHEMA, **more: object) -> str | None:
    found = clarify.find(question, schema, **more)
    return found.question if found else None


@pytest.mark.parametrize(
    ("question", "schema", "back"),
    [
        ("how many ships are there?", TWO, "Which ship is meant: navy.ship or trade.ship?"),
        ("orders last month", SCHEMA,
         'By which date is "last month" meant: placed_at or shipped_at?'),
        ("pedidos (orders) del mes pasado", SCHEMA,
         'By which date is "mes pasado" meant: placed_at or shipped_at?'),
        ("the top 3 players", SCHEMA, "Top 3 players by what: goals or salary?"),
        ("who is the best player?", SCHEMA, "Best player by what: goals or salary?"),
    ],
)  # fmt: skip
def test_several_readings_are_asked_back(question, schema, back):
    assert asked(question, schema) == back


@pytest.mark.parametrize(
    ("question", "schema"),
    [
        ("how many ships are in the navy?", TWO),
        ("how many harbours are there?", TWO),
        ("orders placed last month", SCHEMA),
        ("orders shipped last month", SCHEMA),
        ("total of the orders", SCHEMA),
        ("the top 3 players by salary", SCHEMA),
        ("the best player with the most goals", SCHEMA),
        ("top 5 cities", SCHEMA),
        ("players and orders of last month", SCHEMA),
        ("", SCHEMA),
        ("top " * 800, SCHEMA),
    ],
)
def test_one_reading_is_not(question, schema):
    assert asked(question, schema) is None


def hits(*columns: str, relation: str = "site") -> list[Hit]:
    return [Hit(Place("public", relation, column, True), "Delta") for column in columns]


def test_a_value_in_two_columns_is_asked_back_unless_one_is_named():
    two = hits("region", "city")
    back = "What is delta: the region of site or the city of site?"
    assert asked("sites in Delta", hits=two) == back
    assert asked("sites in the region Delta", hits=two) is None
    assert asked("sites in Delta", hits=hits("city")) is None
    assert asked("sites in Delta", hits=[*hits("city"), *hits("name", relation="player")]) is None


def test_candidates_that_agree_on_it_leave_nothing_to_ask():
    placed = "SELECT count(*) FROM orders WHERE placed_at >= '2026-01-01'"
    shipped = "SELECT count(*) FROM orders o WHERE o.shipped_at >= '2026-01-01'"
    other = "SELECT sum(total) FROM orders WHERE placed_at >= '2026-01-01'"
    question = "orders last month"
    assert asked(question, candidates=[placed, other]) is None
    assert asked(question, candidates=[placed, shipped]) is not None
    assert asked(question, candidates=["DROP TABLE x", "nonsense ("]) is None


def test_a_clarification_lists_its_readings():
    found = clarify.find("how many ships are there?", TWO)
    assert found is not None and found.readings == ("navy.ship", "trade.ship")
