"""Names mended against the catalog; what is unclear stays as it was."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from nl2sql_fdw.bind import bind
from nl2sql_fdw.errors import NeedsClarification
from nl2sql_fdw.types import Column, ForeignKey, Relation, Schema


def relation(name: str, *columns: str, **keys: tuple[str, str, str]) -> Relation:
    """Make a relation; `keys` are column = (schema, relation, column) that it points at."""
    schema, _, short = name.rpartition(".")
    made = tuple(Column(column, "int") for column in columns)
    foreign = tuple(ForeignKey((own,), at[0], at[1], (at[2],)) for own, at in keys.items())
    return Relation(0, schema or "public", short, "table", made, foreign_keys=foreign)


SCHEMA = Schema(
    (
        relation("HarbourLog", "ShipID", "arrived_at"),
        relation("Order Details", "OrderID", "UnitPrice"),
        relation("order", "id", "group", "customer_id"),
        relation("user", "id", "name"),
        relation("customers", "id", "full_name", "country", "city"),
        relation("orders", "id", "customer_id", "total", "placed_on"),
        relation("freight.leg", "id", "länge", "origin"),
        relation("a.ship", "id", "name"),
        relation("b.ship", "id", "name"),
        relation("region", "id", "county"),
        relation(
            "trip",
            "id",
            "leg_id",
            "captain",
            "mate",
            leg_id=("freight", "leg", "id"),
            captain=("public", "sailor", "id"),
            mate=("public", "sailor", "id"),
        ),
        relation(
            "sailor",
            "id",
            "Nickname",
            "boss",
            "ship_id",
            boss=("public", "sailor", "id"),
            ship_id=("a", "ship", "id"),
        ),
        relation("login", "id", "user"),
        relation("sales_2024", "id", "amount"),
        relation("sales_2025", "id", "amount"),
    ),
    ("public",),
)

SCRIPT = """
CREATE SCHEMA freight;
CREATE TABLE "HarbourLog" ("ShipID" int, arrived_at int);
CREATE TABLE "Order Details" ("OrderID" int, "UnitPrice" int);
CREATE TABLE "order" (id int, "group" int, customer_id int);
CREATE TABLE "user" (id int, name int);
CREATE TABLE customers (id int, full_name int, country int, city int);
CREATE TABLE orders (id int, customer_id int, total int, placed_on int);
CREATE TABLE freight.leg (id int, "länge" int, origin int);
CREATE SCHEMA a; CREATE TABLE a.ship (id int, name int);
CREATE TABLE trip (id int, leg_id int, captain int, mate int);
CREATE TABLE login (id int, "user" int);
CREATE TABLE sailor (id int, "Nickname" int, boss int, ship_id int);
"""

MENDED = [
    # names in another case, and without their quotes (S1)
    ("SELECT count(*) FROM HarbourLog", 'SELECT count(*) FROM "HarbourLog"'),
    ("SELECT ShipID FROM HarbourLog", 'SELECT "ShipID" FROM "HarbourLog"'),
    (
        "SELECT HarbourLog.ShipID FROM HarbourLog",
        'SELECT "HarbourLog"."ShipID" FROM "HarbourLog"',
    ),
    ("SELECT h.shipid FROM harbour_log AS h", 'SELECT h."ShipID" FROM "HarbourLog" AS h'),
    ('SELECT "Full_Name" FROM "Customers"', "SELECT full_name FROM customers"),
    ("SELECT d.UnitPrice FROM order_details d", 'SELECT d."UnitPrice" FROM "Order Details" d'),
    (
        "SELECT ShipID FROM HarbourLog a JOIN HarbourLog b USING (ShipID)",
        'SELECT "ShipID" FROM "HarbourLog" a JOIN "HarbourLog" b USING ("ShipID")',
    ),
    (
        'SELECT count(*) AS "N" FROM orders GROUP BY customer_id ORDER BY N',
        'SELECT count(*) AS "N" FROM orders GROUP BY customer_id ORDER BY "N"',
    ),
    # reserved words (S2)
    ("SELECT * FROM order", 'SELECT * FROM "order"'),
    ("SELECT * FROM user", 'SELECT * FROM "user"'),
    ("SELECT u.name FROM user u", 'SELECT u.name FROM "user" u'),
    (
        "SELECT order.id FROM orders JOIN order ON order.id = orders.id",
        'SELECT "order".id FROM orders JOIN "order" ON "order".id = orders.id',
    ),
    (
        "SELECT group, count(*) FROM order GROUP BY group",
        'SELECT "group", count(*) FROM "order" GROUP BY "group"',
    ),
    ("SELECT max(group) FROM public.order", 'SELECT max("group") FROM public.order'),
    (
        "SELECT user, count(*) FROM login l WHERE USER > 1 GROUP BY user",
        'SELECT "user", count(*) FROM login l WHERE "user" > 1 GROUP BY "user"',
    ),
    # schemas (S6, and the model that assumes public)
    ("SELECT id FROM leg", "SELECT id FROM freight.leg"),
    ("SELECT leg.id FROM public.leg", "SELECT leg.id FROM freight.leg"),
    ("SELECT leg.id FROM leg", "SELECT leg.id FROM freight.leg"),
    ("SELECT id FROM Freight.Leg", "SELECT id FROM Freight.Leg"),
    # spelling
    ("SELECT id FROM customer", "SELECT id FROM customers"),
    ("SELECT customer.id FROM customer", "SELECT customers.id FROM customers"),
    ("SELECT cuontry FROM customers", "SELECT country FROM customers"),
    ("SELECT c.fullname FROM customers c", "SELECT c.full_name FROM customers c"),
    # the wrong alias
    (
        "SELECT o.full_name FROM orders o JOIN customers c ON c.id = o.customer_id",
        "SELECT c.full_name FROM orders o JOIN customers c ON c.id = o.customer_id",
    ),
    (
        "SELECT x.full_name FROM orders o JOIN customers c ON c.id = o.customer_id",
        "SELECT c.full_name FROM orders o JOIN customers c ON c.id = o.customer_id",
    ),
    (
        "SELECT customers.full_name FROM customers c",
        "SELECT c.full_name FROM customers c",
    ),
    (
        "SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM customers c"
        " WHERE c.id = o.customer_id AND o.country = 1)",
        "SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM customers c"
        " WHERE c.id = o.customer_id AND o.country = 1)",
    ),
    # one foreign key away
    (
        "SELECT t.origin, count(*) FROM trip t GROUP BY t.origin ORDER BY t.origin",
        "SELECT {0}, count(*) FROM trip t GROUP BY {0} ORDER BY {0}".format(
            "(SELECT leg.origin FROM freight.leg WHERE leg.id = t.leg_id)"
        ),
    ),
    (
        "SELECT id FROM trip WHERE origin = 1",
        "SELECT id FROM trip WHERE"
        " (SELECT leg.origin FROM freight.leg WHERE leg.id = trip.leg_id) = 1",
    ),
    (  # the key is another table's than the one it was asked of
        "SELECT o.origin FROM orders o JOIN trip t ON t.id = o.id",
        "SELECT (SELECT leg.origin FROM freight.leg WHERE leg.id = t.leg_id)"
        " FROM orders o JOIN trip t ON t.id = o.id",
    ),
    (
        "SELECT name FROM sailor s",
        "SELECT (SELECT ship.name FROM a.ship WHERE ship.id = s.ship_id) FROM sailor s",
    ),
    # a string in the quotes of a name
    (
        """SELECT id FROM customers WHERE country::text = "It's Peru" AND city = "country\"""",
        """SELECT id FROM customers WHERE country::text = 'It''s Peru' AND city = "country\"""",
    ),
    (
        'SELECT id FROM customers c WHERE c.city::text NOT IN ("b", "c d")',
        "SELECT id FROM customers c WHERE c.city::text NOT IN ('b', 'c d')",
    ),
    # nested, and in every clause
    (
        "WITH big AS (SELECT Customer_ID, sum(Total) AS s FROM Orders GROUP BY 1)"
        " SELECT c.Full_Name FROM big JOIN customer c ON c.id = big.customerid WHERE s > 1",
        "WITH big AS (SELECT Customer_ID, sum(Total) AS s FROM Orders GROUP BY 1)"
        " SELECT c.Full_Name FROM big JOIN customers c ON c.id = big.customer_id WHERE s > 1",
    ),
    (
        "SELECT q.shipid FROM (SELECT ShipID FROM HarbourLog) q ORDER BY q.shipid",
        'SELECT q."ShipID" FROM (SELECT "ShipID" FROM "HarbourLog") q ORDER BY q."ShipID"',
    ),
    (
        "SELECT id FROM orders UNION ALL SELECT shipid FROM harbourlog ORDER BY 1",
        'SELECT id FROM orders UNION ALL SELECT "ShipID" FROM "HarbourLog" ORDER BY 1',
    ),
    (
        "SELECT c.id, l.total FROM customers c, LATERAL (SELECT total FROM orders o"
        " WHERE o.customerid = c.id LIMIT 1) l",
        "SELECT c.id, l.total FROM customers c, LATERAL (SELECT total FROM orders o"
        " WHERE o.customer_id = c.id LIMIT 1) l",
    ),
    ("SELECT HarbourLog.* FROM HarbourLog", 'SELECT "HarbourLog".* FROM "HarbourLog"'),
    # text that is not ASCII, and comments, stay in their places
    (
        "SELECT 'é𝄞', /* ü */ l.\"Länge\" FROM leg l -- ö",
        "SELECT 'é𝄞', /* ü */ l.länge FROM freight.leg l -- ö".replace("länge", '"länge"'),
    ),
    ("SELECT id FROM customer;", "SELECT id FROM customers;"),
]


@pytest.mark.parametrize(("written", "mended"), MENDED)
def test_mends(written: str, mended: str) -> None:
    sql, notes = bind(written, SCHEMA)
    assert sql == mended
    assert bool(notes) == (written != mended)
    assert bind(sql, SCHEMA)[0] == sql


@pytest.fixture(scope="module")
def database(make_database: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    return make_database(SCRIPT)


@pytest.mark.parametrize(
    "mended", sorted({mended for written, mended in MENDED if written != mended})
)
def test_the_server_takes_what_was_mended(database: psycopg.Connection, mended: str) -> None:
    database.execute(mended.encode())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM customers WHERE country = 1",
        "WITH orders AS (SELECT 1 AS shipid) SELECT shipid FROM orders",  # a CTE hides a table
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5)"
        " SELECT n FROM t",
        "SELECT x.totl FROM generate_series(1, 3) AS x(totl)",
        "SELECT county FROM customers",  # a column of another table, not a slip for country
        "SELECT id FROM sales_2026",  # digits are never slips
        "SELECT o.id FROM orders o JOIN customers c ON o.customer_id = c.id WHERE x.id = 1",
        "SELECT ctid FROM orders",
        "SELECT user, current_user FROM orders, login AS l (id, name)",
        "SELECT oid FROM pg_class",
        "SELECT 1 FROM information_schema.tables",
        "SELECT nothing_like_it FROM orders",
        'SELECT "Nothing Like It" FROM orders',  # not compared with anything
        "SELECT id FROM orders WHERE total = nothing",
        "SELECT ship_id FROM trip",  # two keys lead there
        "SELECT sailor.leg_id FROM sailor",  # the key leads the other way
        "SELECT * FROM weather",
        "SELECT c FROM customers c",  # the whole row
        "SELECT count(*) AS cuontry FROM customers ORDER BY cuontry",
        "SELECT id FROM ONLY orders",
        "SELECT j.x FROM (orders o JOIN customers c ON true) AS j",
        "SELECT full_nam FROM customers, json_each('{}') AS e",  # anything may come out of e
        "VALUES (1), (2)",
        "TABLE orders",
        # not one SELECT, or not SQL at all: the guard answers
        "DELETE FROM customer",
        "SELECT id FROM customer; SELECT 1",
        "SELECT FROM WHERE",
        "I lack a table about weather.",
        "SELECT 'open",
        "",
        "SELECT " + "-(1+" * 3000 + "1" + ")" * 3000,
        "SELECT id FROM customer -- " + "x" * 30_000,
    ],
)
def test_leaves_alone(sql: str) -> None:
    assert bind(sql, SCHEMA) == (sql, ())


@pytest.mark.parametrize("sql", ["SELECT * FROM ship", "SELECT * FROM public.ship"])
def test_asks_which_of_two_schemas(sql: str) -> None:
    with pytest.raises(NeedsClarification, match=r"a\.ship or b\.ship"):
        bind(sql, SCHEMA)


def test_tells_of_a_namesake() -> None:
    sql, notes = bind("SELECT id FROM a.ship", SCHEMA)
    assert sql == "SELECT id FROM a.ship"
    assert notes == ("a.ship was used; the same name is in b",)


def test_notes_say_what_was_read() -> None:
    _, notes = bind("SELECT o.full_name FROM orders o, customer c", SCHEMA)
    assert notes == ("read customer as customers", "read o.full_name as c.full_name")


def test_names_with_braces_are_only_names():
    far = relation("kind{0}", "id", "label{x}")
    near = relation("item", "id", "kind_id", kind_id=("public", "kind{0}", "id"))
    sql, notes = bind('SELECT i."label{x}" FROM item i', Schema((far, near), ("public",)))
    assert "kind{0}" in sql and any("kind{0}" in note for note in notes)
