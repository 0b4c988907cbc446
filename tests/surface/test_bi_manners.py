"""A tool that probes, describes and fetches costs one model call, whatever it wraps around."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import tuple_row
from shipyard import Shipyard

TOOLS = json.loads(Path(__file__).with_name("bi_statements.json").read_text("utf-8"))
ASKED = "SELECT * FROM nl2sql('how many ships are there?')"
COUNT = "SELECT count(*) FROM ship"
NOTHING_RUNS = [
    "{asked} LIMIT 0",
    "SELECT * FROM ({asked}) AS q WHERE false",
    "SELECT * FROM ({asked}) AS q WHERE 1 = 0 LIMIT 1",
    "EXPLAIN {asked}",
    "EXPLAIN (VERBOSE, FORMAT JSON) SELECT * FROM ({asked}) AS q",
    "PREPARE probe AS {asked}",
    "describe {asked}",
    "CREATE TEMP VIEW probe AS {asked}",
]


@pytest.fixture
def cached(shipyard: Shipyard) -> Shipyard:
    shipyard.profile(cache_minutes=60)
    shipyard.admin.execute("DELETE FROM nl2sql.question_cache")
    shipyard.model.default = COUNT
    yield shipyard
    shipyard.model.default = None


def send(connection: psycopg.Connection, statement: str) -> list[tuple[object, ...]]:
    """Send one statement: `describe` by Parse and Describe alone, `execute` by both and Execute."""
    word, _, rest = statement.partition(" ")
    if word == "describe":
        assert connection.pgconn.prepare(b"", rest.encode()).error_message == b""
        assert connection.pgconn.describe_prepared(b"").nfields == 1
        return []
    with connection.cursor(row_factory=tuple_row) as cursor:
        if word == "execute":
            cursor.execute(rest, prepare=True, binary=True)
        else:
            cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


@pytest.mark.parametrize("statement", NOTHING_RUNS)
def test_a_probe_calls_no_model(cached, statement):
    send(cached.asker(), statement.format(asked=ASKED))
    assert cached.model.chats == []


@pytest.mark.parametrize("tool", TOOLS)
def test_the_statements_of_a_tool_cost_one_call(cached, tool):
    connection = cached.asker()
    for statement in TOOLS[tool]:
        send(connection, statement.replace("{asked}", ASKED))
    assert len(cached.model.chats) == 1


@pytest.mark.parametrize("tool", TOOLS)
def test_they_do_where_each_statement_meets_another_backend(cached, tool):
    """As behind a pooler: only the table is common to them. One transaction stays together."""
    connection, together = cached.asker(), False
    for statement in TOOLS[tool]:
        together = together or statement.startswith(("BEGIN", "PREPARE"))
        if not together:
            connection = cached.asker()
        send(connection, statement.replace("{asked}", ASKED))
    assert len(cached.model.chats) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT total() AS n",
        "SELECT (nl2sql ->> 'count')::bigint AS n FROM answered",
        f"WITH a AS ({ASKED}) SELECT (nl2sql ->> 'count')::bigint AS n FROM a",
        f"SELECT (nl2sql ->> 'count')::bigint AS n FROM (SELECT count(*) FROM ship) s, ({ASKED}) q",
    ],
)
def test_it_is_right_inside_a_function_a_view_a_cte_and_where_plans_are_parallel(cached, statement):
    asker = cached.asker()
    asker.execute(
        "CREATE FUNCTION pg_temp.total() RETURNS bigint LANGUAGE plpgsql AS"
        f" $$ BEGIN RETURN (SELECT (nl2sql ->> 'count')::bigint FROM ({ASKED}) q); END $$;"
        f"CREATE TEMP VIEW answered AS {ASKED};"
        "SET force_parallel_mode = on; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;"
        "SET min_parallel_table_scan_size = 0"
    )
    assert send(asker, statement.replace("total()", "pg_temp.total()")) == [(12,)]
    assert len(cached.model.chats) == 1


def test_a_query_without_a_column_list_needs_none(cached):
    """R7: no 'a column definition list is required'."""
    assert send(cached.asker(), ASKED) == [({"count": 12},)]
