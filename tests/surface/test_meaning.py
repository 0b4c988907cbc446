"""What the question means: each reported case (Q1 ... Q8), by its number, on a live server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from cluster import missing
from shipyard import ASKER, READER, Shipyard

from nl2sql_fdw import prompt
from nl2sql_fdw.database.dsn import DsnDatabase
from nl2sql_fdw.errors import ModelUnavailable
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.extract import extract
from nl2sql_fdw.model.probe import probe
from nl2sql_fdw.prompt import Clock
from nl2sql_fdw.schema import catalog
from nl2sql_fdw.types import Profile, Schema

SALES = f"""
CREATE TYPE stage AS ENUM ('Open', 'Shipped');
CREATE TABLE sale (id int PRIMARY KEY, amount int NOT NULL, sold_at timestamptz NOT NULL,
                   status text, stage stage);
INSERT INTO sale VALUES (1, 1, '2024-01-31 23:59:59Z', 'Open', 'Open'),
    (2, 10, '2024-02-01 00:00Z', 'Shipped', 'Shipped'),
    (3, 100, '2024-02-29 23:59:59.5Z', 'Shipped', 'Shipped'),
    (4, 1000, '2024-03-01 00:00Z', 'Open', 'Open'),
    (5, 10000, '2024-05-01 23:30Z', 'Open', 'Open');
GRANT SELECT ON sale TO {ASKER}, {READER};
ANALYZE sale;
"""
TWINS = [
    ("ship", "count", "how many ships are there?", "¿cuántos barcos hay?"),
    ("sale", "amount", "sales last month?", "先月の売上は?"),
]


@pytest.fixture
def sales(shipyard: Shipyard) -> Iterator[Shipyard]:
    shipyard.admin.execute(SALES)
    yield shipyard
    shipyard.admin.execute("DROP TABLE sale; DROP TYPE stage")


def schema_of(shipyard: Shipyard) -> Schema:
    info = shipyard.admin.info
    with closing(DsnDatabase(f"dbname={info.dbname} user={info.user}")) as db:
        return catalog.read(db, Profile(reader=READER))


def written(question: str, today: str, zone: str = "UTC") -> str:
    """Return the end of the prompt for a question that is asked on a day."""
    made = prompt.build(question, Schema((), ("public",)), Profile(), Clock(today, "?", zone))
    return made.tail


@pytest.fixture
def writes(sales: Shipyard) -> Callable[..., str]:
    """Return a function: question, day, tables -> the SQL of the model that is served here."""
    url = os.environ.get("NL2SQL_MODEL_URL", Profile.model_url)
    profile = Profile(model_url=url, answer_timeout_ms=300_000)
    try:
        probe(profile, 60)
    except ModelUnavailable as error:
        missing(f"{error.message} {error.hint}")
    schema = schema_of(sales)

    def write(question: str, today: str, *tables: str) -> str:
        shown = replace(schema, relations=tuple(r for r in schema.relations if r.name in tables))
        made = prompt.build(question, shown, profile, Clock(today, "Friday", "UTC"))
        return extract(connect(profile).complete(made, lambda: None).text)

    return write


@pytest.mark.parametrize(
    ("today", "period"),
    [
        ("2026-01-02", '"last month" is from 2025-12-01 until before 2026-01-01'),
        ("2024-03-01", '"last month" is from 2024-02-01 until before 2024-03-01'),
    ],
)
def test_q1_last_month_is_a_half_open_range_of_the_clock(today: str, period: str) -> None:
    tail = written("sales last month", today, "Asia/Tokyo")
    assert today in tail and "Asia/Tokyo" in tail and period in tail


def test_q1_the_prompt_has_the_servers_own_date_and_zone(sales: Shipyard) -> None:
    connection = sales.asker()
    connection.execute("SET TimeZone = 'Asia/Tokyo'")
    today = connection.execute("SELECT to_char(now(), 'YYYY-MM-DD') AS d").fetchone()["d"]
    text = connection.execute("SELECT nl2sql_prompt('sales last month') AS p").fetchone()["p"]
    assert f"{today}, time zone Asia/Tokyo" in text


def test_q1_the_served_model_takes_the_range(writes, sales) -> None:
    """The training data ends long before: on 1 March 2024 last month is February, its 29th too."""
    sql = writes("What were the total sales last month?", "2024-03-01", "sale", "ship")
    connection = sales.asker()
    connection.execute("SET TimeZone = 'UTC'")
    (row,) = connection.execute("SELECT nl2sql_run(%s) AS r", [sql]).fetchall()
    assert list(row["r"].values()) == [110], sql


@pytest.mark.parametrize(("zone", "day"), [("Asia/Tokyo", "2024-05-02"), ("UTC", "2024-05-01")])
def test_q2_a_day_is_that_of_the_sessions_zone(sales: Shipyard, zone: str, day: str) -> None:
    sales.model.enqueue("SELECT sold_at::date AS day FROM sale WHERE id = 5")
    connection = sales.asker()
    connection.execute(f"SET TimeZone = '{zone}'")
    found = connection.execute(f"SELECT nl2sql('day of sale 5 in {zone}') AS r").fetchone()
    assert found["r"] == {"day": day}


def test_q2_bounds_of_a_range_are_of_the_sessions_zone(sales: Shipyard) -> None:
    sql = "SELECT count(*) FROM sale WHERE sold_at >= '2024-05-02' AND sold_at < '2024-05-03'"
    connection = sales.asker()
    for zone, count in (("Asia/Tokyo", 1), ("UTC", 0)):
        connection.execute(f"SET TimeZone = '{zone}'")
        assert connection.execute("SELECT nl2sql_run(%s) AS r", [sql]).fetchone()["r"] == {
            "count": count
        }


@pytest.mark.parametrize("column", ["status", "stage"])
def test_q3_a_value_is_compared_as_it_is_stored(sales: Shipyard, column: str) -> None:
    sales.profile(values=True, values_limit_ms=5000)
    sales.model.enqueue(f"SELECT id FROM sale WHERE {column} = 'shipped'")
    got = sales.asker().execute("SELECT * FROM nl2sql_ask('shipped sales')").fetchone()
    assert got["sql"].endswith("= 'Shipped'") and got["row_count"] == 2


def test_q3_the_model_is_told_of_the_value_and_of_the_labels(sales: Shipyard) -> None:
    sales.profile(values=True, values_limit_ms=5000)
    text = sales.asker().execute("SELECT nl2sql_prompt('shipped sales') AS p").fetchone()["p"]
    assert "'Shipped' is a value of sale.status" in text
    assert "'Open', 'Shipped'" in text


def test_q5_rows_that_policies_hide_are_not_no_data(sales: Shipyard) -> None:
    sales.admin.execute("ALTER TABLE sale ENABLE ROW LEVEL SECURITY")
    sales.admin.execute("CREATE POLICY none ON sale USING (false)")
    sales.model.enqueue("SELECT count(*) FROM sale")
    got = sales.asker().execute("SELECT * FROM nl2sql_ask('how many sales?')").fetchone()
    assert got["rows"] == [{"count": 0}]
    assert got["notes"] == [
        f"public.sale: 0 rows visible to role {READER} (row security active), asked for {ASKER}"
    ]


@pytest.mark.parametrize("question", ["先月の売上は?", "¿cuántos barcos?", "сколько кораблей 🚢?"])
def test_q6_a_question_reaches_the_model_as_it_was_asked(sales: Shipyard, question: str) -> None:
    sales.model.enqueue("SELECT count(*) FROM ship")
    sales.asker().execute("SELECT * FROM nl2sql(%s)", [question]).fetchall()
    (chat,) = sales.model.chats
    assert f"Question: {question}" in chat["messages"][-1]["content"]


def test_q6_a_twin_is_told_the_same_period(sales: Shipyard) -> None:
    for today in ("2026-01-02", "2024-03-01"):
        english, twin = (written(q, today) for q in TWINS[1][2:])
        assert english.split('"last month" ')[1] == twin.split('"先月" ')[1]


@pytest.mark.parametrize(("table", "column", "english", "twin"), TWINS)
def test_q6_the_served_model_means_the_same_rows(writes, sales, table, column, english, twin):
    """Whether "sales" lists amounts or rows the model says otherwise; which, it may not."""
    connection = sales.asker()
    found = []
    for question in (english, twin):
        sql = writes(question, "2024-03-01", table)
        rows = connection.execute("SELECT nl2sql_run(%s) AS r", [sql]).fetchall()
        found.append(sorted(row["r"][column] for row in rows))
    assert found[0] == found[1] != []


def test_q8_a_request_to_write_is_declined(sales: Shipyard) -> None:
    got = sales.asker().execute("SELECT * FROM nl2sql_ask('delete all cancelled orders')")
    row = got.fetchone()
    assert row["sqlstate"] == "N2001" and "only reads" in row["message"]
    assert sales.model.chats == []
