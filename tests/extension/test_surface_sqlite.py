"""What the extension adds to a connection, and that each part of it does its work."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import loading
import pytest
from loading import one

FUNCTIONS = {
    "nl2sql": ("sql: SELECT name, id FROM customer ORDER BY 2 LIMIT 1", [{"name": "Ann", "id": 1}]),
    "nl2sql_sql": ("sql: SELECT count(*) FROM customer", "SELECT count(*) FROM customer"),
    "nl2sql_ask": ("sql: SELECT 1 AS x", {"status": "answered", "sql": "SELECT 1 AS x",
                                          "row_count": 1, "rows": [{"x": 1}]}),
    "nl2sql_run": ("SELECT 1 AS a, 2 AS a", [{"a": 2}]),
    "nl2sql_check": ("DELETE FROM customer", {"allowed": False, "sqlstate": "N2001"}),
    "nl2sql_prompt": ("who bought most?", "who bought most?"),
}  # fmt: skip
MODULES = {"nl2sql", "nl2sql_rows"}


def names(connection: sqlite3.Connection, what: str) -> set[tuple[str, int]]:
    columns = "name, narg, flags & 0x80000, flags & 0x200000" if what == "function" else "name"
    return set(connection.execute(f"SELECT {columns} FROM pragma_{what}_list"))


def test_what_is_new_after_the_load(library: Path):
    """Functions of one and two arguments, DIRECTONLY and never INNOCUOUS; two modules."""
    with sqlite3.connect(":memory:") as plain:
        before = {what: names(plain, what) for what in ("function", "module")}
    plain.close()
    loaded = loading.load(library)
    new = {what: names(loaded, what) - before[what] for what in before}
    loaded.close()
    directonly, innocuous = 0x80000, 0
    assert new["function"] == {
        (name, count, directonly, innocuous) for name in FUNCTIONS for count in (1, 2)
    }
    assert new["module"] == {(name,) for name in MODULES}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_function(shop: sqlite3.Connection, function: str):
    subject, expected = FUNCTIONS[function]
    found = one(shop, f"SELECT {function}(?)", subject)
    if isinstance(expected, str):
        assert expected in found
    elif isinstance(expected, dict):
        assert expected.items() <= json.loads(found).items()
    else:
        assert json.loads(found) == expected
    assert one(shop, f"SELECT {function}(?, '')", subject)[:20] == found[:20]


def test_duplicate_names_survive_in_the_text(shop: sqlite3.Connection):
    assert one(shop, "SELECT nl2sql_run('SELECT 1 AS a, 2 AS a')") == '[{"a":1,"a":2}]'


def test_the_table_valued_function(shop: sqlite3.Connection):
    rows = shop.execute(
        "SELECT row, question FROM nl2sql_rows('sql: SELECT name FROM customer ORDER BY 1')"
    ).fetchall()
    assert [json.loads(row) for row, _ in rows] == [{"name": n} for n in ("Ann", "Bob", "Cy")]
    assert {question[:4] for _, question in rows} == {"sql:"}


def test_the_table_valued_function_joins(shop: sqlite3.Connection):
    found = shop.execute(
        "SELECT c.id, json_extract(r.row, '$.n') FROM customer c, nl2sql_rows("
        "'sql: SELECT count(*) AS n FROM customer WHERE id <= ' || c.id) AS r ORDER BY 1"
    ).fetchall()
    assert found == [(1, 1), (2, 2), (3, 3)]


def test_the_table_valued_function_without_a_question(shop: sqlite3.Connection):
    with pytest.raises(sqlite3.OperationalError, match="needs a question"):
        shop.execute("SELECT * FROM nl2sql_rows")


ALL = "sql: SELECT c.id, name, o.id, total, x'00ff' AS raw, NULL FROM customer c, \"order\" o " \
    "WHERE c.id = customer_id ORDER BY o.id"  # fmt: skip


def test_a_table_with_real_columns(shop: sqlite3.Connection):
    quoted = ALL.replace("'", "''")
    shop.execute(f"CREATE VIRTUAL TABLE temp.answer USING nl2sql('{quoted}')")
    columns = [(row[1], row[2]) for row in shop.execute("PRAGMA temp.table_info(answer)")]
    assert columns == [("id", "INTEGER"), ("name", "TEXT"), ("id_1", "INTEGER"),
                       ("total", "REAL"), ("raw", ""), ("NULL", "")]  # fmt: skip
    assert shop.execute("SELECT * FROM answer LIMIT 1").fetchall() == [
        (1, "Ann", 1, 10.5, b"\x00\xff", None)
    ]


def test_such_a_table_reads_what_is_there_now(shop: sqlite3.Connection):
    shop.execute("CREATE VIRTUAL TABLE temp.n USING nl2sql('sql: SELECT count(*) FROM customer')")
    shop.execute("INSERT INTO customer (name) VALUES ('Di')")
    assert one(shop, "SELECT * FROM n") == 4
    assert one(shop, "SELECT count(*) FROM n a, n b") == 1


def test_such_a_table_is_only_for_temp(shop: sqlite3.Connection):
    with pytest.raises(sqlite3.OperationalError, match="only a temp table"):
        shop.execute("CREATE VIRTUAL TABLE answer USING nl2sql('sql: SELECT 1')")


def test_a_file_that_holds_such_a_table_asks_nothing(library: Path, tmp_path: Path):
    file = tmp_path / "planted.db"
    loading.load(library, file).close()
    planted = sqlite3.connect(file)
    planted.executescript(
        "PRAGMA writable_schema = on; INSERT INTO sqlite_schema VALUES"
        " ('table', 'bait', 'bait', 0, 'CREATE VIRTUAL TABLE bait USING nl2sql(''hang'')')"
    )
    planted.close()
    opened = loading.load(library, file)
    with pytest.raises(sqlite3.OperationalError, match="made by another connection"):
        opened.execute("SELECT * FROM bait")
    opened.close()


@pytest.mark.parametrize("argument", ["", "hang", '"hang"', "'a' || 'b'", "'a', 'b', 'c'"])
def test_using_takes_one_or_two_texts(shop: sqlite3.Connection, argument: str):
    with pytest.raises(sqlite3.OperationalError, match="single quotes"):
        shop.execute(f"CREATE VIRTUAL TABLE temp.t USING nl2sql({argument})")


def test_such_a_table_outlives_a_rollback_and_goes_when_dropped(shop: sqlite3.Connection):
    make = "CREATE VIRTUAL TABLE temp.t USING nl2sql('sql: SELECT {}')"
    shop.execute("BEGIN")
    shop.execute(make.format(1))
    shop.execute("ROLLBACK")
    shop.execute(make.format(2))
    shop.execute("BEGIN")
    shop.execute("CREATE TEMP TABLE other (x)")
    shop.execute("ROLLBACK")
    assert one(shop, "SELECT * FROM t") == 2
    shop.execute("DROP TABLE t")
    shop.execute(make.format(3))
    assert one(shop, "SELECT * FROM t") == 3


def test_changed_tables_under_it_are_told(shop: sqlite3.Connection):
    shop.execute("CREATE VIRTUAL TABLE temp.c USING nl2sql('sql: SELECT * FROM customer')")
    shop.execute("ALTER TABLE customer ADD COLUMN extra")
    with pytest.raises(sqlite3.OperationalError, match="have changed"):
        shop.execute("SELECT * FROM c").fetchall()


def test_its_own_tables_cannot_be_asked_about_from_inside(shop: sqlite3.Connection):
    shop.execute("CREATE VIRTUAL TABLE temp.t USING nl2sql('sql: SELECT 1')")
    with pytest.raises(sqlite3.OperationalError, match=r"N2001|N2005"):
        one(shop, "SELECT nl2sql_run('SELECT * FROM t')")


@pytest.mark.parametrize("planted", [
    "CREATE VIEW v AS SELECT nl2sql('hang') AS x",
    "CREATE VIEW v AS SELECT row AS x FROM nl2sql_rows('hang')",
])  # fmt: skip
def test_no_view_of_a_file_calls_it(library: Path, tmp_path: Path, planted: str):
    file = tmp_path / "hostile.db"
    with sqlite3.connect(file) as maker:
        maker.execute(planted)
    maker.close()
    opened = loading.load(library, file)
    with pytest.raises(sqlite3.OperationalError, match="unsafe use of"):
        opened.execute("SELECT * FROM v")
    opened.close()


def test_no_trigger_of_a_file_calls_it(shop: sqlite3.Connection):
    shop.execute(
        "CREATE TRIGGER t AFTER INSERT ON customer BEGIN"
        " UPDATE customer SET city = nl2sql('hang') WHERE id = new.id; END"
    )
    with pytest.raises(sqlite3.OperationalError, match="unsafe use of"):
        shop.execute("INSERT INTO customer (name) VALUES ('Eve')")
