"""What users of such tools reported, as they wrote it, through the front door of a live server.

The ids are those of the cases in the guard's files (tests/guard/*.sql), where the guard's
own words on each are tested.
"""

from __future__ import annotations

import psycopg
import pytest
from shipyard import Shipyard

REFUSED = [
    ("G1", "COMMIT; CREATE TABLE pwn()", "2 statements"),
    ("G2", "/* hi */ SET TRANSACTION READ WRITE; DELETE FROM ship", "2 statements"),
    ("G3", "SELECT 1; INSERT INTO ship VALUES (9)", "2 statements"),
    ("G4", "-- note\nTRUNCATE ship", "TRUNCATE"),
    ("G7", "WITH z AS (UPDATE ship SET id=0 RETURNING 1) SELECT count(*) FROM z", "UPDATE"),
    ("G7", "WITH z AS (MERGE INTO ship USING harbour h ON true WHEN MATCHED THEN DELETE"
           " RETURNING 1) SELECT 1", "MERGE"),
    ("G8", "EXPLAIN ANALYZE WITH z AS (DELETE FROM ship RETURNING 1) TABLE z", "EXPLAIN"),
    ("G10", "SELECT query_to_xml('SELECT pg_sleep(9)',false,false,'')", "query_to_xml"),
    ("G10", "SELECT table_to_xml('ship',false,false,'')", "table_to_xml"),
    ("G10", "SELECT cursor_to_xml('c',1,false,false,'')", "cursor_to_xml"),
    ("G10", "SELECT * FROM crosstab('SELECT 1,2,3') AS t(a int, b int)", "crosstab"),
    ("G10", "SELECT * FROM ts_stat('SELECT to_tsvector(''x'')')", "ts_stat"),
    ("G11", "SELECT dblink_exec('dbname=x','DELETE FROM ship')", "dblink_exec"),
    ("G13", "SELECT pg_notify('c','x')", "pg_notify"),
    ("G13", "SELECT pg_advisory_lock(1)", "pg_advisory_lock"),
    ("G13", "SELECT set_config('role','none',false)", "set_config"),
    ("G13", "SELECT pg_stat_reset()", "pg_stat_reset"),
    ("G13", "SELECT pg_logical_emit_message(false,'a','b')", "pg_logical_emit_message"),
    ("G15", "ANALYZE DELETE FROM ship", "parser does not know"),
    ("G17", "SELECT * FROM (SELECT * FROM ship FOR UPDATE) x", "FOR UPDATE"),
    ("G17", "SELECT 1 INTO tmp9", "INTO"),
    ("G18", "sElEcT $a$;$a$;deLETE from ship", "2 statements"),
    ("G19", "ATTACH 'x.db' AS x", "parser does not know"),
    ("G19", "PRAGMA writable_schema=1", "parser does not know"),
    ("G19", "WITH a AS (SELECT 1) DELETE FROM ship", "DELETE"),
    ("G19", "SELECT load_extension('x')", "load_extension"),
    ("G21", "SELECT * FROM pg_authid", "pg_authid"),
    ("G21", "SELECT query FROM pg_stat_activity", "pg_stat_activity"),
    ("G21", "SELECT * FROM pg_settings", "pg_settings"),
    ("G21", "SELECT * FROM nl2sql.audit", "nl2sql.audit"),
    ("G22", "SELECT count(*) FROM generate_series(1,1e10)", "generate_series"),
    ("A8", "SELECT id FROM ship QUALIFY row_number() OVER () = 1", "parser does not know"),
]  # fmt: skip

ALLOWED = [
    ("G6", "SELECT 1 --", 1),
    ("A1", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY tons) FROM ship", 1),
    ("A1", "SELECT count(*) FILTER (WHERE id > 3) FROM ship", 1),
    ("A1", "SELECT sum(tons) OVER (ORDER BY id ROWS 2 PRECEDING) FROM ship", 12),
    ("A1", "SELECT harbour_id, sum(tons) FROM ship GROUP BY GROUPING SETS ((harbour_id), ())", 4),
    ("A3", "SELECT replace(name,'a','b'), 'please delete; drop', built AS update_date"
           " -- comment\nFROM ship", 12),
    ("A4", "WITH a AS (SELECT 1) SELECT * FROM a", 1),
    ("A4", "VALUES (1)", 1),
    ("A4", "TABLE ship", 12),
    ("A4", "(SELECT 1) UNION ALL (SELECT 2)", 2),
    ("A5", "SELECT 'pg_catalog' AS a FROM (SELECT 1 AS pg_catalog) x WHERE pg_catalog = 1", 1),
    ("A7", "SELECT now() AT TIME ZONE 'UTC', '{\"a\": 1}'::jsonb ->> 'a',"
           " '{\"a\": 1}'::jsonb @> '{}', '{\"a\": [1]}'::jsonb #> '{a,0}'", 1),
    ("A7", "SELECT h.name, x.n FROM harbour h, LATERAL (SELECT count(*) AS n FROM ship s"
           " WHERE s.harbour_id = h.id) x", 3),
    ("A7", "SELECT DISTINCT ON (harbour_id) harbour_id, E'a\\nb', $q$it's$q$ FROM ship", 3),
]  # fmt: skip


@pytest.mark.parametrize(("case", "sql", "named"), REFUSED)
def test_is_refused_by_name_and_nothing_runs(
    ask: psycopg.Connection, shipyard: Shipyard, case: str, sql: str, named: str
) -> None:
    with pytest.raises(psycopg.Error) as caught:
        ask.execute("SELECT nl2sql_run(%s)", [sql])
    assert caught.value.sqlstate == "N2001"
    assert named in caught.value.diag.message_primary
    left = shipyard.admin.execute(
        "SELECT (SELECT count(*) FROM ship WHERE id BETWEEN 1 AND 12), to_regclass('pwn'),"
        " to_regclass('tmp9')"
    ).fetchone()
    assert left == (12, None, None)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM ship a, ship b, ship c, ship d, ship e, ship f, ship g, ship h",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t",
    ],
)
def test_what_is_cheap_to_write_and_long_to_run_is_ended(ask, shipyard, sql) -> None:
    """G22: by the plan's price where the planner sees it, else by the time limit."""
    shipyard.profile(time_limit_ms=300)
    with pytest.raises(psycopg.Error) as caught:
        ask.execute("SELECT nl2sql_run(%s)", [sql])
    assert caught.value.sqlstate in ("N2002", "N2003")
    assert "limit" in caught.value.diag.message_primary + caught.value.diag.message_detail


@pytest.mark.parametrize(("case", "sql", "count"), ALLOWED)
def test_is_answered(ask: psycopg.Connection, case: str, sql: str, count: int) -> None:
    assert len(ask.execute("SELECT nl2sql_run(%s)", [sql]).fetchall()) == count
