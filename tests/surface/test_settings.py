"""What a caller's session may have SET has no hold on the executor."""

from __future__ import annotations

import psycopg
import pytest
from shipyard import READER, Shipyard

from nl2sql_fdw.database import dsn

EXECUTOR = f"nl2sql.execute_as_{READER}(text, text, boolean, boolean)"
COSTS = "seq_page_cost random_page_cost cpu_tuple_cost cpu_index_tuple_cost cpu_operator_cost"


def settings(shipyard: Shipyard, name: str) -> dict[str, str]:
    rows = shipyard.admin.execute(
        "SELECT unnest(proconfig) FROM pg_proc WHERE oid = %s::regprocedure", [name]
    ).fetchall()
    pairs = (row[0].split("=", 1) for row in rows)
    return {setting.lower(): value for setting, value in pairs}


def test_a_free_planner_does_not_open_the_cost_gate(ask, shipyard: Shipyard):
    sql = "SELECT * FROM nl2sql_check('SELECT count(*) FROM ship a, ship b, ship c')"
    before = ask.execute(sql).fetchone()["cost"]
    for name in COSTS.split():
        ask.execute(f"SET {name} = 0")
    assert ask.execute("EXPLAIN SELECT FROM ship").fetchone()["QUERY PLAN"].count("cost=0.00..0.00")
    assert ask.execute(sql).fetchone()["cost"] == before > 10


@pytest.mark.parametrize(
    ("setting", "sql", "shown"),
    [
        ("extra_float_digits = -15", "SELECT 1.0::float8 / 3 AS v", 0.3333333333333333),
        ("transform_null_equals = on", "SELECT count(*) AS v FROM ship WHERE NULL = id", 0),
        ("standard_conforming_strings = off", r"SELECT length('\n') AS v", 2),
        ("bytea_output = escape", r"SELECT '\x00ff'::bytea AS v", "\\x00ff"),
        ("row_security = off", "SELECT count(*) AS v FROM ship", 12),
    ],
)
def test_a_value_is_the_same_to_every_caller(ask, setting: str, sql: str, shown: object):
    ask.execute(f"SET {setting}")
    assert ask.execute("SELECT nl2sql_run(%s) AS r", [sql]).fetchone()["r"] == {"v": shown}


def test_the_executor_pins_all_that_the_connection_of_the_cli_does(shipyard: Shipyard):
    pinned = settings(shipyard, EXECUTOR)
    # A list setting with no item is kept as one empty item: '""'.
    found = {name: pinned.get(name, "").replace('""', "") for name in dsn._SETTINGS}
    assert found == dsn._SETTINGS


def test_both_kinds_of_executor_pin_the_same(shipyard: Shipyard):
    reader, caller = (
        settings(shipyard, EXECUTOR),
        settings(shipyard, "nl2sql.execute_as_caller(text, text, boolean, boolean)"),
    )
    assert {k: v for k, v in reader.items() if k != "temp_file_limit"} == caller
    assert reader["transaction_read_only"] == "on" and set(COSTS.split()) <= set(reader)


def test_temporary_files_are_bounded(ask, shipyard: Shipyard):
    if shipyard.admin.info.server_version < 150000:
        pytest.skip("temp_file_limit cannot be granted before PostgreSQL 15")
    assert settings(shipyard, EXECUTOR)["temp_file_limit"] == "1GB"
    sql = (
        "SELECT max(a) FROM (SELECT g::text || repeat('x', 100) AS a"
        " FROM generate_series(1, 200000) g ORDER BY 1 DESC OFFSET 1) q"
    )
    run = "SELECT nl2sql_run(%s)"
    assert ask.execute(run, [sql]).fetchone()
    shipyard.admin.execute(f"ALTER FUNCTION {EXECUTOR} SET temp_file_limit = '1MB'")
    try:
        with pytest.raises(psycopg.Error) as caught:
            ask.execute(run, [sql])
    finally:
        shipyard.admin.execute(f"SELECT nl2sql.create_executor('{READER}')")
    assert caught.value.sqlstate == "53400"
    assert ask.execute(run, [sql]).fetchone()


def test_the_reader_may_not_be_called_caller(shipyard: Shipyard):
    with pytest.raises(psycopg.Error) as caught:
        shipyard.admin.execute("SELECT nl2sql.create_executor('caller')")
    assert caught.value.sqlstate == "N2010"
