"""The demo database: the extension, the demo's tables, and the role that asks."""

from __future__ import annotations

import subprocess
from pathlib import Path

from nl2sql_fdw.servers import Server
from scripts.local import steps
from scripts.local.cluster import PORT, SUPERUSER
from scripts.local.package import fingerprint
from scripts.local.place import Place

NAME = "demo"
ASKER = "analyst"
READER = "nl2sql_reader"
SCHEMAS = ("shop", "warehouse")

_MADE_FROM = f"SELECT description FROM pg_shdescription JOIN pg_database d ON objoid = d.oid \
WHERE datname = '{NAME}'"


def ensure(place: Place, server: Server) -> None:
    """Create the demo database, anew when the SQL that it is made of has changed."""
    marker = f"nl2sql demo {fingerprint(_scripts(place.checkout))}"
    found = _ask(place, server, _MADE_FROM)
    if found == marker:
        return
    if found:
        print(f"The SQL behind the database {NAME} has changed: it is made anew.")
    _run(place, server, "postgres", f"Database {NAME}", *_commands(_DATABASE))
    _run(place, server, NAME, "Extension nl2sql", *_commands(_EXTENSION))
    sql = place.checkout / "sql"
    _run(place, server, NAME, "Demo tables and rows", "-f", sql / "demo.sql")
    roles = ["-v", f"asker={ASKER}", "-v", f"schemas={','.join(SCHEMAS)}"]
    _run(place, server, NAME, "Roles: who asks, who reads", *roles, "-f", sql / "roles.sql")
    for role in (READER, ASKER):
        grants = ["-v", f"role={role}", "-f", sql / "demo_grants.sql"]
        _run(place, server, NAME, f"Grants to {role}, without e-mail and phone", *grants)
    finish = (f"COMMENT ON DATABASE {NAME} IS '{marker}'",)
    _run(place, server, NAME, "Ready", *_commands(finish))


_DATABASE = (
    f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)",
    f"CREATE DATABASE {NAME}",
    f"DO $$ BEGIN CREATE ROLE {ASKER} LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
)
_EXTENSION = ("CREATE EXTENSION plpython3u", "CREATE EXTENSION nl2sql")


def _scripts(checkout: Path) -> list[Path]:
    scripts = [*sorted((checkout / "extension" / "sql").glob("*.sql"))]
    names = ("demo.sql", "roles.sql", "demo_grants.sql")
    return [*scripts, *(checkout / "sql" / name for name in names), Path(__file__)]


def _commands(statements: tuple[str, ...]) -> list[str]:
    return [part for statement in statements for part in ("-c", statement)]


def _psql(place: Place, server: Server, database: str) -> list[str]:
    return [
        str(server.bindir / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1",
        "-h", str(place.sockets), "-p", PORT, "-U", SUPERUSER, "-d", database,
    ]  # fmt: skip


def _run(place: Place, server: Server, database: str, title: str, *options: object) -> None:
    log = place.logs / "database.log"
    steps.run(title, [*_psql(place, server, database), *options], log)


def _ask(place: Place, server: Server, sql: str) -> str:
    command = [*_psql(place, server, "postgres"), "-At", "-c", sql]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise SystemExit(f"The private cluster does not answer: {answer.stderr.strip()}")
    return answer.stdout.strip()
