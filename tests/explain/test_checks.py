"""The logic checks: each finds its fault, and leaves the sound twin of it alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from pglast.parser import parse_sql

from nl2sql_fdw.database.dsn import DsnDatabase
from nl2sql_fdw.explain import checks
from nl2sql_fdw.schema import catalog
from nl2sql_fdw.types import Profile, Schema

SHOP = """
CREATE TABLE customer (id int PRIMARY KEY, name text, city text, joined_at timestamptz, age text,
                       credit int, born date);
CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer, total numeric,
                     status text, placed_at timestamp NOT NULL, parcels int NOT NULL);
CREATE TABLE item (order_id int REFERENCES orders, line int, product_id int, price numeric,
                   PRIMARY KEY (order_id, line));
CREATE TABLE product (id int PRIMARY KEY, name text, orders_sold int);
CREATE TABLE review (id int PRIMARY KEY, customer_id int REFERENCES customer, stars int);
"""


def cases() -> list[tuple[str, str, str]]:
    blocks = Path(__file__).with_name("faults.sql").read_text().strip().split("\n\n")[1:]
    parts = [block.removeprefix("-- ").split("\n", 1) for block in blocks]
    return [(code, *text.removesuffix(";").split(";\n")) for code, text in parts]


@pytest.fixture(scope="module")
def shop(make_database: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    return make_database(SHOP)


@pytest.fixture(scope="module")
def schema(shop: psycopg.Connection) -> Schema:
    user = shop.info.user
    with closing(DsnDatabase(f"dbname={shop.info.dbname} user={user}")) as db:
        return catalog.read(db, Profile(reader=user, schemas=("public",)))


def codes(sql: str, schema: Schema) -> list[str]:
    return [finding.code for finding in checks.find(parse_sql(sql)[0], schema)]


@pytest.mark.parametrize(("code", "faulty", "sound"), cases())
def test_a_fault_is_found_and_its_sound_twin_left_alone(code, faulty, sound, shop, schema):
    for sql in (faulty, sound):
        shop.execute(f"EXPLAIN {sql}".encode())  # honest SQL, as the server sees it
    assert code in codes(faulty, schema)
    assert code not in codes(sound, schema)


def test_every_check_has_a_case():
    assert {code for code, _, _ in cases()} == set(checks.CODES)


def test_a_fault_inside_a_subquery_or_a_branch_is_found(schema):
    inner = "SELECT id FROM orders WHERE status = NULL"
    for sql in (
        f"SELECT name FROM customer WHERE id IN ({inner})",
        f"WITH x AS ({inner}) SELECT * FROM x",
        f"SELECT 1 UNION ALL {inner}",
        f"SELECT (SELECT max(id) FROM ({inner}) y)",
    ):
        assert codes(sql, schema).count("equals_null") == 1


def test_a_fault_is_told_once_and_the_gravest_first(schema):
    sql = "SELECT name FROM customer WHERE credit = NULL OR age = NULL LIMIT 1"
    found = checks.find(parse_sql(sql)[0], schema)
    assert [f.severity for f in found] == ["error", "warning"]
    assert [f.code for f in found] == ["equals_null", "limit_unordered"]


def test_words_name_the_columns(schema):
    sql = "SELECT c.name FROM customer c JOIN orders o ON c.credit = o.parcels"
    (found,) = checks.find(parse_sql(sql)[0], schema)
    assert found.words == (
        "c.credit = o.parcels follows no foreign key; there is one on customer_id to customer(id)."
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM nowhere n JOIN elsewhere e ON n.a = e.b",
        "SELECT x.* FROM unnest(ARRAY[1]) x",
        "VALUES (1), (2)",
        "SELECT",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 9) TABLE t",
        "SELECT (c).name FROM customer c",
        "SELECT c FROM customer c GROUP BY ROLLUP (c)",
        "SELECT name FROM customer NATURAL JOIN product",
    ],
)
def test_what_is_not_known_is_not_judged(sql, schema):
    assert codes(sql, schema) == []


def test_what_is_no_select_or_too_deep_has_no_findings(schema):
    assert checks.find(parse_sql("DELETE FROM orders")[0], schema) == []
    deep = parse_sql("SELECT " + "(" * 300 + "1" + ")" * 300)[0]
    assert checks.find(deep, schema) == []
    assert list(checks.find(parse_sql("SELECT 1" + " UNION SELECT 1" * 900)[0], schema)) == []
