"""SQL that tries to read the other tenant's rows; {table}, {key} and the roles are filled in."""

from __future__ import annotations

from tenants import B

SET_TENANT = "set_config('app.tenant', 'b', {local})"
BACK = "set_config('app.tenant', 'a', {local})"
READ = "SELECT q::text AS r FROM {table} q"


def _variants(template: str) -> list[str]:
    return [template.replace("{local}", flag) for flag in ("true", "false")]


PLAIN = [
    "SELECT * FROM {table}",
    "SELECT * FROM {table} WHERE {key} = '{other}' OR true",
    "SELECT count(*) AS n, min(q::text) AS r FROM {table} q",
    "SELECT * FROM {table} WHERE 1 / (CASE WHEN {key} = '{other}' THEN 0 ELSE 1 END) = 1",
    "SELECT q FROM {table} q TABLESAMPLE SYSTEM (100)",
    "SELECT a.* FROM {table} a FULL JOIN {table} b ON a.id = b.id",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 30)"
    " SELECT q FROM r JOIN {table} q ON q.id = r.n",
]

ASSIGN = [
    *_variants(f"SELECT {SET_TENANT} AS r UNION ALL {READ}"),
    *_variants(f"SELECT q.* FROM {{table}} q WHERE {SET_TENANT} = 'b'"),
    *_variants(f"WITH s AS MATERIALIZED (SELECT {SET_TENANT} AS t) SELECT q.* FROM s, {{table}} q"),
    *_variants(f"SELECT {SET_TENANT} AS r UNION ALL ({READ}) UNION ALL SELECT {BACK}"),
    *_variants(f"SELECT q.* FROM (SELECT {SET_TENANT} AS t OFFSET 0) s, LATERAL"
               " (SELECT q.* FROM {table} q WHERE s.t = 'b') q"),
    *_variants(f"SELECT query_to_xml($$SELECT {SET_TENANT}, query_to_xml('SELECT * FROM {{table}}',"
               f" true, true, ''), {BACK}$$, true, true, '')::text AS r"),
]  # fmt: skip

STACKED = [
    "SELECT 1) q; SET LOCAL app.tenant = 'b'; SELECT * FROM (SELECT * FROM {table}",
    "SELECT 1) q; SET app.tenant = 'b'; SELECT * FROM (SELECT * FROM {table}",
    "SELECT 1) q; SELECT set_config('app.tenant', 'b', false); SELECT * FROM ({read}",
]
"""More than one statement: the texts that describe a result run them, a cursor refuses them."""

BECOME = [
    f"SELECT set_config('role', '{B}', true) AS r UNION ALL {READ}",
    f"SELECT set_config('role', 'none', true) AS r UNION ALL {READ}",
    f"SELECT set_config('session_authorization', '{B}', true) AS r UNION ALL {READ}",
    f"SELECT set_config('row_security', 'off', true) AS r UNION ALL {READ}",
    f"SELECT 1) q; SET ROLE {B}; SELECT * FROM (SELECT * FROM {{table}}",
    "SELECT 1) q; RESET ROLE; SELECT * FROM (SELECT * FROM {table}",
    f"SELECT 1) q; SET SESSION AUTHORIZATION {B}; SELECT * FROM (SELECT * FROM {{table}}",
    "SELECT 1) q; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY; SELECT * FROM (SELECT 1",
    "SELECT 1) q; UPDATE tenancy.member SET tenant = 'b'; SELECT * FROM (SELECT 1",
    "SELECT most_common_vals::text AS r FROM pg_stats WHERE schemaname = 'tenancy'",
    "SELECT histogram_bounds::text AS r FROM pg_stats WHERE schemaname = 'tenancy'",
    "SELECT query_to_xml('TABLE {table}', true, true, '')::text AS r",
    "SELECT table_to_xml('{table}'::regclass, true, true, '')::text AS r",
]

ALL = [*PLAIN, *ASSIGN, *STACKED, *BECOME]


def fill(sql: str, table: str, key: str, other: str) -> str:
    for name, value in (("read", READ), ("table", table), ("key", key), ("other", other)):
        sql = sql.replace("{" + name + "}", value)
    return sql
