"""The tenant demo in a database of its own, and connections as its roles."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from cluster import connect
from fake_model import FakeModel

ROOT = Path(__file__).parents[2]
READER = "nl2sql_test_reader"
A, B, POOL = (f"nl2sql_test_tenant_{name}" for name in ("a", "b", "pool"))


def run_script(database: psycopg.Connection, name: str, **variables: str) -> None:
    """Run one of the psql scripts of sql/ with the test's roles."""
    variables = {"reader": READER, "askers": "nl2sql_test_askers", **variables}
    settings = [word for item in variables.items() for word in ("-v", "=".join(item))]
    info, script = database.info, ROOT / "sql" / name
    subprocess.run(
        ["psql", "-X", "-q", *settings, "-d", info.dbname, "-U", info.user, "-f", script],
        check=True,
        capture_output=True,
        text=True,
    )  # fmt: skip


@dataclass
class Tenancy:
    """The database as its admin sees it, the scripted model, and connections as tenants."""

    admin: psycopg.Connection
    model: FakeModel
    opened: list[psycopg.Connection] = field(default_factory=list)

    def login(self, role: str, *first: str) -> psycopg.Connection:
        """Connect as a role, and run the statements that an application would run first."""
        connection = connect(self.admin.info.dbname, role, prepare_threshold=None)
        self.opened.append(connection)
        for statement in first:
            connection.execute(statement)
        return connection


def run(connection: psycopg.Connection, sql: str, profile: str) -> list[dict[str, object]]:
    """Return the rows of nl2sql_run."""
    query = "SELECT nl2sql_run(%s, profile => %s)::text"
    return [json.loads(row[0]) for row in connection.execute(query, [sql, profile])]


def who_and_where(connection: psycopg.Connection) -> tuple[object, ...]:
    """Return what a query must not have changed: roles, and every setting."""
    return connection.execute(
        "SELECT current_user::text, session_user::text, current_setting('app.tenant', true),"
        " current_setting('transaction_read_only'), (SELECT json_object_agg(name, setting)::text"
        " FROM (SELECT * FROM pg_settings WHERE name NOT LIKE 'plpgsql.%%' ORDER BY name) s)",
        prepare=False,
    ).fetchone()
