"""Code of the caller's own never runs as the reader; his ordinary tables are asked about.

The attacks themselves are in tests/attacks/corpus/read_beyond_the_caller.sql.
"""

from __future__ import annotations

import json

import psycopg
import pytest
from shipyard import ASKER, READER, Shipyard

PLAIN = """
CREATE TYPE desk.state AS ENUM ('open', 'shut');
CREATE DOMAIN desk.mark AS int CHECK (VALUE >= 0);
CREATE TABLE desk.task (id int PRIMARY KEY, state desk.state, mark desk.mark CHECK (mark < 9),
                        title text NOT NULL DEFAULT 'x', tags desk.state[]);
CREATE INDEX ON desk.task (lower(title)) WHERE length(title) > 3;
CREATE STATISTICS desk.task_kinds ON id, title FROM desk.task;
CREATE VIEW desk.open_task WITH (security_invoker = true) AS
    SELECT id, upper(title) AS title FROM desk.task WHERE state = 'open';
CREATE VIEW desk.fleet WITH (security_invoker = true) AS SELECT id, name FROM public.ship;
INSERT INTO desk.task VALUES (1, 'open', 3, 'first', '{open}');
"""


@pytest.fixture(scope="module")
def desk(shipyard_server: Shipyard) -> Shipyard:
    shipyard_server.admin.execute(f"CREATE SCHEMA desk AUTHORIZATION {ASKER}")
    with psycopg.connect(
        dbname=shipyard_server.admin.info.dbname, user=ASKER, autocommit=True
    ) as own:
        own.execute(PLAIN)
        own.execute(f"GRANT USAGE ON SCHEMA desk TO {READER}")
        own.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA desk TO {READER}")
    return shipyard_server


def run(connection: psycopg.Connection, sql: str) -> dict:
    row = connection.execute("SELECT nl2sql._call('run', %s, 'default')::text AS r", [sql])
    return json.loads(row.fetchone()["r"])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id, state, mark, title, tags FROM desk.task WHERE state = 'open'",
        "SELECT t FROM desk.task t",
        "SELECT title FROM desk.open_task",
        "SELECT max(name) FROM desk.fleet",
        "SELECT 'open'::desk.state",
    ],
)
def test_the_caller_asks_about_tables_and_views_of_his_own(desk, ask, sql):
    assert run(ask, sql)["row_count"] == 1


def test_a_policy_of_his_own_would_run_as_the_reader(desk, ask):
    ask.execute("ALTER TABLE desk.task ENABLE ROW LEVEL SECURITY")
    ask.execute("CREATE POLICY p ON desk.task USING (id IN (SELECT v.id FROM public.vault v))")
    try:
        got = run(ask, "SELECT id FROM desk.task")
        assert got["sqlstate"] == "N2001" and "desk.task" in got["message"]
        desk.profile(allow_views=["desk.task", "desk.open_task"])
        assert run(ask, "SELECT id FROM desk.task")["row_count"] == 0
    finally:
        ask.execute("DROP POLICY p ON desk.task")
        ask.execute("ALTER TABLE desk.task DISABLE ROW LEVEL SECURITY")


def test_a_cast_of_his_own_from_text_harms_no_table_with_texts(desk, ask):
    ask.execute("CREATE TYPE desk.hook AS ENUM ('x')")
    ask.execute(
        "CREATE FUNCTION desk.pull(text) RETURNS desk.hook LANGUAGE sql"
        " AS $$ SELECT 'x'::desk.hook $$"
    )
    ask.execute("CREATE CAST (text AS desk.hook) WITH FUNCTION desk.pull(text)")
    assert run(ask, "SELECT name FROM ship WHERE id = 1")["row_count"] == 1
    assert run(ask, "SELECT name::desk.hook FROM ship WHERE id = 1")["sqlstate"] == "N2001"


def test_the_owner_of_the_profile_may_open_a_function_of_an_index(desk, ask):
    ask.execute(
        "CREATE FUNCTION desk.norm(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'"
    )
    ask.execute("CREATE INDEX normed ON desk.task (desk.norm(title))")
    try:
        got = run(ask, "SELECT id FROM desk.task")
        assert got["sqlstate"] == "N2001" and "desk.norm" in got["message"]
        desk.profile(allow_functions=["desk.norm"])
        assert run(ask, "SELECT id FROM desk.task")["row_count"] == 1
    finally:
        ask.execute("DROP INDEX desk.normed")


@pytest.mark.parametrize(
    "view",
    [
        "SELECT gold FROM public.vault",
        "SELECT count(*) FROM public.vault",
        "SELECT v::text FROM public.vault v",
    ],
)
def test_an_invokers_view_asks_for_the_callers_right_to_its_tables(desk, ask, view):
    desk.admin.execute(f"GRANT SELECT ON vault TO {READER}")
    ask.execute(f"CREATE VIEW desk.hoard WITH (security_invoker = true) AS {view}")
    ask.execute(f"GRANT SELECT ON desk.hoard TO {READER}")
    try:
        got = run(ask, "SELECT * FROM desk.hoard")
        assert got["sqlstate"] == "N2007" and "public.vault" in got["message"]
    finally:
        ask.execute("DROP VIEW desk.hoard")
        desk.admin.execute(f"REVOKE SELECT ON vault FROM {READER}")


def test_an_invokers_view_of_whole_rows_asks_for_every_column(desk, ask):
    desk.admin.execute(f"GRANT SELECT (id) ON vault TO {ASKER}")
    desk.admin.execute(f"GRANT SELECT ON vault TO {READER}")
    ask.execute("CREATE VIEW desk.rows WITH (security_invoker = on) AS SELECT v::text FROM vault v")
    ask.execute(f"GRANT SELECT ON desk.rows TO {READER}")
    try:
        assert run(ask, "SELECT * FROM desk.rows")["sqlstate"] == "N2007"
    finally:
        ask.execute("DROP VIEW desk.rows")
        desk.admin.execute(f"REVOKE ALL ON vault FROM {READER}")
        desk.admin.execute(f"REVOKE ALL (id) ON vault FROM {ASKER}")


def test_nothing_temporary_is_read(desk, ask):
    ask.execute("CREATE TEMP TABLE mine (id int)")
    ask.execute("GRANT SELECT ON mine TO PUBLIC")
    assert run(ask, "SELECT id FROM mine")["sqlstate"] == "N2001"


def test_a_superuser_has_no_need_of_tricks(desk, ask):
    row = desk.admin.execute(
        "SELECT nl2sql._call('run', 'SELECT id FROM desk.task', 'default')::text"
    ).fetchone()
    assert json.loads(row[0])["row_count"] == 1
