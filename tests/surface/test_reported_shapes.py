"""What users of such tools reported of the shape of results; R7 and R9 are in test_bi_manners."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import psycopg
import pytest
from shipyard import Shipyard


def asked(connection: psycopg.Connection, shipyard: Shipyard, reply: str) -> psycopg.Cursor:
    """Ask, and run what nl2sql_query gives for it."""
    shipyard.model.enqueue(reply)
    query = connection.execute("SELECT nl2sql_query('ships?') AS q").fetchone()
    assert query
    return connection.execute(query["q"])


def test_r1_equal_names_both_survive(ask, shipyard):
    sql = "SELECT a.id, b.id FROM ship a JOIN harbour b ON b.id = 3 WHERE a.id = 1"
    assert asked(ask, shipyard, sql).fetchall() == [{"id": 1, "id_1": 3}]
    shipyard.model.enqueue(sql)
    row = ask.execute("SELECT nl2sql::text AS r FROM nl2sql('ships?')").fetchone()
    assert row == {"r": '{"id":1,"id":3}'}


def test_r3_values_are_exact(ask, shipyard):
    sql = r"SELECT 1.50::numeric AS n, now() AS t, interval '1 day' AS i, '\x00ff'::bytea AS b"
    with ask.transaction():  # one transaction, one now()
        row = asked(ask, shipyard, sql).fetchone()
        now = ask.execute("SELECT now() AS t").fetchone()["t"]
    assert row == {"n": Decimal("1.50"), "t": now, "i": timedelta(days=1), "b": b"\x00\xff"}
    assert str(row["n"]) == "1.50"


@pytest.mark.parametrize(
    ("case", "reply"),
    [
        ("R4", "SELECT * FROM ship -- all ships"),
        ("R4", "SELECT * FROM ship /* all */ -- ships"),
        ("R5", "SELECT id FROM ship ;"),
        ("R5", "SELECT id FROM ship ; ; "),
    ],
)
def test_r4_r5_comments_and_semicolons_end_nothing_and_caps_hold(ask, shipyard, case, reply):
    shipyard.profile(max_rows=5, truncate=True)
    assert len(asked(ask, shipyard, reply).fetchall()) == 5
    shipyard.model.enqueue(reply)
    assert len(ask.execute("SELECT nl2sql('ships?')").fetchall()) == 5
