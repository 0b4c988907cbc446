"""A small database with the extension in it, an asker who is no superuser, and a scripted model."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import psycopg
from cluster import connect
from fake_model import FakeModel
from psycopg.rows import dict_row

ROOT = Path(__file__).parents[2]
ASKER = "nl2sql_test_asker"
READER = "nl2sql_test_reader"

SHIPS = """
CREATE TABLE harbour (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE ship (id int PRIMARY KEY, name text, tons numeric(10,2), built date, secret text,
                   harbour_id int REFERENCES harbour);
INSERT INTO harbour SELECT g, 'Harbour ' || g FROM generate_series(1, 3) g;
INSERT INTO ship SELECT g, 'Ship ' || g, g * 1.50, date '2020-01-01' + g, 's' || g, 1 + g % 3
FROM generate_series(1, 12) g;
CREATE TABLE vault (id int, gold numeric);
CREATE FUNCTION touch() RETURNS int LANGUAGE sql AS $$ INSERT INTO ship VALUES (99); SELECT 1 $$;
ANALYZE;
"""


def run_roles_script(database: psycopg.Connection) -> None:
    """Run sql/roles.sql as psql does: it is a psql script, so psql runs it."""
    command = (
        f"psql -X -q -v asker={ASKER} -v reader={READER} -v askers=nl2sql_test_askers"
        f" -d {database.info.dbname} -U {database.info.user} -f"
    )
    script = str(ROOT / "sql" / "roles.sql")
    subprocess.run([*command.split(), script], check=True, capture_output=True, text=True)


@dataclass
class Shipyard:
    """The database as its admin sees it, the scripted model, and connections as the asker."""

    admin: psycopg.Connection
    model: FakeModel
    opened: list[psycopg.Connection]

    def asker(self, user: str = ASKER) -> psycopg.Connection:
        connection = connect(
            self.admin.info.dbname, user, row_factory=dict_row, prepare_threshold=None
        )
        self.opened.append(connection)
        return connection

    def profile(self, name: str = "default", **settings: object) -> None:
        """Set columns of a profile, made from the defaults where it is new."""
        base = {"reader": READER, "model_url": self.model.url, "load_timeout_ms": 3000}
        values = {**base, "answer_timeout_ms": 3000, "cache_minutes": 0, "min_link": 0,
                  "strategy": "repair"}  # fmt: skip
        values.update(settings)
        self.admin.execute("DELETE FROM nl2sql.profile WHERE name = %s", [name])
        columns = ", ".join(["name", *values])
        marks = ", ".join(["%s"] * (len(values) + 1))
        self.admin.execute(
            f"INSERT INTO nl2sql.profile ({columns}) VALUES ({marks})",
            [name, *values.values()],
        )


def session_state(connection: psycopg.Connection) -> dict[str, object]:
    """Return everything of a session that a call must leave as it was."""
    one = connection.execute(
        """
        SELECT current_user::text, session_user::text, current_setting('role') AS role,
               current_setting('transaction_read_only') AS read_only,
               (SELECT json_object_agg(name, setting ORDER BY name) FROM pg_settings
                WHERE name NOT LIKE 'plpgsql.%') AS settings,  -- they come with the library
               (SELECT count(*) FROM pg_cursors WHERE name <> '') AS cursors,
               (SELECT count(*) FROM pg_prepared_statements) AS prepared,
               (SELECT count(*) FROM pg_class c WHERE relnamespace = pg_my_temp_schema()) AS temp,
               (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()
                AND locktype = 'advisory') AS advisory
        """
    ).fetchone()
    assert one
    return {**one, "transaction": connection.info.transaction_status}
