"""The demo database is what README promises, and each demo question has one right answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest

SQL = Path(__file__).parent.parent / "sql"
SCRIPT = (SQL / "demo.sql").read_text()
QUESTIONS: list[dict[str, Any]] = json.loads((SQL / "demo_questions.json").read_text())
TODAY = "current_date"
LEAP_DAY_AFTER = "date '2024-03-01'"
NEW_YEAR = "date '2025-01-01'"


def on_day(sql: str, day: str) -> str:
    """Return the SQL as it would read on that day; only the clock's two names are replaced."""
    if day == TODAY:
        return sql
    return sql.replace("now()", f"({day} + time '12:00')").replace("current_date", day)


@pytest.fixture(scope="module", params=[TODAY, LEAP_DAY_AFTER, NEW_YEAR])
def demo(request, make_database) -> tuple[psycopg.Connection, str]:
    day = request.param
    return make_database(on_day(SCRIPT, day)), day


def ask(demo: tuple[psycopg.Connection, str], sql: str) -> list[tuple[Any, ...]]:
    connection, day = demo
    return connection.execute(on_day(sql, day)).fetchall()


TABLES = """
    SELECT oid::regclass::text FROM pg_class
    WHERE relnamespace IN ('shop'::regnamespace, 'warehouse'::regnamespace)
      AND relkind IN ('r', 'p') AND NOT relispartition
"""
UNRELATED = """
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f'
                      AND pg_class.oid IN (conrelid, confrelid))
"""


def test_it_is_big_and_related_enough(demo):
    tables = [name for (name,) in ask(demo, TABLES)]
    rows = sum(ask(demo, f"SELECT count(*) FROM {table}")[0][0] for table in tables)
    assert len(tables) >= 10
    assert rows >= 50_000
    assert ask(demo, TABLES + UNRELATED) == []


def test_it_has_each_kind_of_thing_a_catalog_can_hold(demo):
    kinds = ask(
        demo,
        "SELECT DISTINCT relkind::text FROM pg_class"
        " WHERE relnamespace IN ('shop'::regnamespace, 'warehouse'::regnamespace)",
    )
    enums = ask(demo, "SELECT count(*) FROM pg_type WHERE typtype = 'e'")[0][0]
    assert {"r", "p", "v", "m"} <= {kind for (kind,) in kinds}
    assert enums >= 5


def test_every_table_and_view_has_a_comment(demo):
    bare = ask(
        demo,
        "SELECT relname FROM pg_class WHERE relnamespace IN ('shop'::regnamespace,"
        " 'warehouse'::regnamespace) AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition"
        " AND obj_description(oid, 'pg_class') IS NULL",
    )
    assert bare == []


def test_dates_end_today_and_never_later(demo):
    last_order, last_visit, last_join, last_review, last_return, last_ship = ask(
        demo,
        'SELECT (SELECT max(ordered_at) FROM shop."order")::date - current_date,'
        " (SELECT max(visited_at) FROM shop.web_visit)::date - current_date,"
        " (SELECT max(joined_on) FROM shop.customer) - current_date,"
        " (SELECT max(posted_on) FROM shop.review) - current_date,"
        ' (SELECT max(greatest("OpenedOn", "ClosedOn")) FROM shop."ReturnRequest") - current_date,'
        " (SELECT max(greatest(shipped_on, delivered_on)) FROM warehouse.shipment) - current_date",
    )[0]
    assert last_order == last_visit == last_join == 0
    assert last_review <= 0 and last_return <= 0 and last_ship <= 0


def test_nothing_happens_before_it_can(demo):
    early = ask(
        demo,
        'SELECT count(*) FILTER (WHERE joined_on > ordered_at::date) FROM shop."order"'
        " JOIN shop.customer ON customer.id = customer_id"
        " UNION ALL SELECT count(*) FILTER (WHERE launched_on > ordered_at::date)"
        " FROM shop.sales JOIN shop.product ON product.id = product_id"
        " UNION ALL SELECT count(*) FILTER (WHERE shipped_on < ordered_at::date)"
        ' FROM warehouse.shipment JOIN shop."order" ON "order".id = order_id'
        " UNION ALL SELECT count(*) FILTER (WHERE paid_at < ordered_at)"
        ' FROM shop.payment JOIN shop."order" ON "order".id = order_id',
    )
    assert early == [(0,)] * 4


def test_every_order_has_lines_and_is_paid_in_full(demo):
    wrong = ask(
        demo,
        'SELECT count(*) FROM shop."order"'
        " LEFT JOIN (SELECT order_id, sum(amount) AS due FROM shop.order_line GROUP BY 1) AS line"
        ' ON line.order_id = "order".id'
        " LEFT JOIN (SELECT order_id, sum(amount) AS paid FROM shop.payment GROUP BY 1) AS money"
        ' ON money.order_id = "order".id'
        " WHERE due IS NULL OR CASE WHEN status IN ('placed', 'cancelled') THEN paid IS NOT NULL"
        " ELSE paid IS DISTINCT FROM due + shipping_fee END",
    )
    assert wrong == [(0,)]


def test_no_two_customers_share_a_name(demo):
    assert (
        ask(
            demo,
            "SELECT first_name, last_name FROM shop.customer GROUP BY 1, 2 HAVING count(*) > 1",
        )
        == []
    )


def test_there_are_twenty_questions_no_two_alike():
    assert len({entry["question"].lower() for entry in QUESTIONS}) == 20
    assert {frozenset(entry) for entry in QUESTIONS} == {frozenset({"question", "ordered", "gold"})}
    assert "how many customers are there?" in [entry["question"] for entry in QUESTIONS]


@pytest.mark.parametrize("entry", QUESTIONS, ids=lambda entry: entry["question"][:40])
def test_gold_gives_rows_with_values(demo, entry):
    rows = ask(demo, entry["gold"])
    assert rows
    assert all(value is not None for row in rows for value in row)
    assert any(value != 0 for row in rows for value in row)


@pytest.mark.parametrize("entry", QUESTIONS, ids=lambda entry: entry["question"][:40])
def test_ordered_says_whether_gold_orders(entry):
    assert entry["ordered"] == ("ORDER BY" in entry["gold"])


TOP_N = [entry for entry in QUESTIONS if "LIMIT" in entry["gold"]]


@pytest.mark.parametrize("entry", TOP_N, ids=lambda entry: entry["question"][:40])
def test_top_n_has_no_tie_that_would_make_two_answers_right(demo, entry):
    unlimited, limit = re.fullmatch(r"(.*) LIMIT (\d+)", entry["gold"]).groups()
    measures = [row[-1] for row in ask(demo, unlimited)[: int(limit) + 1]]
    assert len(measures) == int(limit) + 1
    assert measures == sorted(set(measures), reverse=True)


def test_a_second_run_gives_the_same_rows_and_settings(make_database):
    fingerprint = (
        "SELECT md5(string_agg(l::text, '' ORDER BY order_id, line_no)) FROM shop.order_line l"
    )
    connection = make_database(SCRIPT)
    before = connection.execute(fingerprint).fetchone()
    with psycopg.connect(dbname=connection.info.dbname, user=connection.info.user) as again:
        path = again.execute("SHOW search_path").fetchone()[0]
        again.execute(SCRIPT)
        assert again.execute(fingerprint).fetchone() == before
    with psycopg.connect(dbname=connection.info.dbname, user=connection.info.user) as later:
        assert later.execute("SHOW search_path").fetchone() == (path,)
        assert later.execute("SELECT count(*) FROM category").fetchone() == (15,)


def test_a_schema_of_somebody_elses_is_left_alone(make_database):
    connection = make_database("CREATE SCHEMA shop; CREATE TABLE shop.till (id int)")
    with pytest.raises(psycopg.errors.RaiseException, match='schema "shop" exists'):
        connection.execute(SCRIPT)
    connection.execute("ROLLBACK")
    assert connection.execute("SELECT count(*) FROM shop.till").fetchone() == (0,)
    assert connection.execute("SELECT to_regnamespace('warehouse')").fetchone() == (None,)
