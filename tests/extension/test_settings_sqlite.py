"""Where settings come from, and that neither a file nor an argument can loosen any."""

from __future__ import annotations

import sqlite3

import pytest
from loading import one

THREE = "SELECT nl2sql_run('SELECT id FROM customer'{})"


def settings(connection: sqlite3.Connection, schema: str, **values: object) -> None:
    connection.execute(f"CREATE TABLE {schema}.nl2sql_settings (name TEXT PRIMARY KEY, value)")
    connection.executemany(
        f"INSERT INTO {schema}.nl2sql_settings VALUES (?, ?)", values.items()
    )  # fmt: skip


def test_an_argument_tightens(shop: sqlite3.Connection):
    with pytest.raises(sqlite3.OperationalError, match=r"N2009.*more than 2 rows"):
        one(shop, THREE.format(""", '{"max_rows": 2}'"""))
    assert one(shop, THREE.format("")).count("id") == 3


def test_an_argument_never_loosens(shop: sqlite3.Connection):
    settings(shop, "temp", max_rows=2)
    with pytest.raises(sqlite3.OperationalError, match="more than 2 rows"):
        one(shop, THREE.format(""", '{"max_rows": 1000000}'"""))


@pytest.mark.parametrize("name", ["model_url", "model_key_file", "truncate", "allow_functions"])
def test_an_argument_cannot_name(shop: sqlite3.Connection, name: str):
    with pytest.raises(sqlite3.OperationalError, match="N2010"):
        one(shop, "SELECT nl2sql('hang', json_object(?, 'x'))", name)


@pytest.mark.parametrize("options", ["x", "[]", '{"max_rows": "many"}', '{"max_rows": -1}',
                                     '{"max_cost": "nan"}', '{"max_rows": null}'])  # fmt: skip
def test_what_is_no_option(shop: sqlite3.Connection, options: str):
    with pytest.raises(sqlite3.OperationalError, match="N2010"):
        one(shop, "SELECT nl2sql('hang', ?)", options)


def test_a_table_in_temp_sets(shop: sqlite3.Connection):
    settings(shop, "temp", max_rows=2, truncate="true")
    assert one(shop, THREE.format("")).count("id") == 2


def test_a_table_in_the_file_is_never_looked_at(shop: sqlite3.Connection):
    settings(shop, "main", max_rows=0, no_such_setting=1)
    assert one(shop, THREE.format("")).count("id") == 3


def test_no_trigger_of_the_file_writes_the_table_in_temp(shop: sqlite3.Connection):
    settings(shop, "temp", max_rows=2)
    shop.execute(
        "CREATE TRIGGER main.t AFTER INSERT ON customer BEGIN"
        " UPDATE nl2sql_settings SET value = 1000; END"
    )
    with pytest.raises(sqlite3.OperationalError, match=r"no such table: main\.nl2sql_settings"):
        shop.execute("INSERT INTO customer (name) VALUES ('Eve')")
    assert one(shop, "SELECT value FROM temp.nl2sql_settings") == 2
