"""Throw-away databases for a benchmark, and the role that asks: it may read them, and no more.

What is made for a run is named nl2sql_bench_*, and dropped when the run ends, however it ends.
"""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from nl2sql_fdw.bench.gold import PostgresJudge
from nl2sql_fdw.entry import remote
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import Answer, Profile

_GOLD_LIMIT_MS = 60_000
_OWN_SCHEMAS = """
SELECT DISTINCT n.nspname::text FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid
WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'nl2sql')
  AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1
"""


@dataclass(frozen=True)
class ServerPlace:
    """A database of a server: how the asker connects, as which role it reads, and what it sees.

    The golds' unqualified names are looked for in `path`, where that is given, else in `schemas`.
    """

    dsn: str
    reader: str
    schemas: tuple[str, ...] | None
    path: tuple[str, ...] = ()

    dialect = "postgres"
    asks_here = True

    def ask(
        self, question: str, profile: Profile, fetch: bool = True, model: Model | None = None
    ) -> Answer:
        return remote.ask(question, self.dsn, profile, fetch, model=model)

    def judge(self) -> PostgresJudge:
        """Connect for the golds: as the asker, read-only, unqualified names in the schemas."""
        path = ", ".join(_quoted(name) for name in (*(self.path or self.schemas or ()), "public"))
        connection = _connect(self.dsn)
        for name, value in (
            ("search_path", path),
            ("default_transaction_read_only", "on"),
            ("statement_timeout", str(_GOLD_LIMIT_MS)),
        ):
            connection.execute("SELECT set_config(%s, %s, false)", [name, value])
        return PostgresJudge(connection)


class Sandbox:
    """A server in which databases may be made for the length of a run; close() clears up."""

    def __init__(self, dsn: str) -> None:
        """Make the asking role. Raises BadSetup unless `dsn` may create roles and databases."""
        self._dsn = dsn
        self._role = f"nl2sql_bench_{secrets.token_hex(4)}"
        self._password = secrets.token_urlsafe(18)
        self._made = 0
        self._admin = _connect(dsn)
        make = sql.SQL(
            "CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION"
            " PASSWORD {}"
        )
        with _allowed():
            self._admin.execute(make.format(sql.Identifier(self._role), self._password))

    def close(self) -> None:
        with closing(self._admin):
            self._admin.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(self._role)))

    @contextmanager
    def database(self, *dumps: Path) -> Iterator[ServerPlace]:
        """Load dumps into a database of their own, let the asker read it, drop it afterwards.

        A dump runs with the rights of `dsn`: load none that you would not run in psql.
        """
        self._made += 1
        name = sql.Identifier(f"{self._role}_{self._made}")
        with _allowed():
            self._admin.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            conninfo = make_conninfo(self._dsn, dbname=f"{self._role}_{self._made}")
            load_dump(conninfo, *dumps)
            yield self._open(conninfo)
        finally:
            self._admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def _open(self, conninfo: str) -> ServerPlace:
        """Let the asker read what a dump made, and nobody else in."""
        role = sql.Identifier(self._role)
        with closing(_connect(conninfo)) as database:
            name = sql.Identifier(database.info.dbname)
            schemas = tuple(row[0] for row in database.execute(_OWN_SCHEMAS))
            grants: list[sql.Composed | sql.SQL] = [
                sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name),
                sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, role),
                sql.SQL("REVOKE CREATE ON SCHEMA public FROM PUBLIC"),
            ]
            for schema in map(sql.Identifier, schemas):
                grants += [
                    sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, role),
                    sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA {} TO {}").format(schema, role),
                ]
            for grant in grants:
                database.execute(grant)
        own = make_conninfo(conninfo, user=self._role, password=self._password)
        return ServerPlace(own, self._role, schemas)


def live(dsn: str, reader: str, schemas: tuple[str, ...] | None) -> ServerPlace:
    """Return a database that is there already, to be asked as it is.

    Raises BadSetup where `dsn` connects as a superuser: a measure of what a user gets is
    taken as a user.
    """
    with closing(_connect(dsn)) as connection:
        row = connection.execute(
            "SELECT rolname::text, rolsuper OR rolbypassrls FROM pg_roles"
            " WHERE rolname = session_user"
        ).fetchone()
    if row is None or row[1]:
        raise BadSetup(
            "A database of your own is not asked as a superuser.",
            hint="Connect as a role that may only read: --dsn 'user=analyst dbname=...'.",
        )
    return ServerPlace(dsn, reader, schemas)


def load_dump(conninfo: str, *dumps: Path) -> None:
    """Run dumps (psql's form, with COPY data) in a database, all of it or nothing; ANALYZE.

    Raises BadSetup, with the server's reason, where it does not load.
    """
    password = str(conninfo_to_dict(conninfo).get("password") or "")
    shown = make_conninfo(conninfo, password=None) if password else conninfo
    command = ["psql", "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-d", shown, "-o", os.devnull]
    secret = {"PGPASSWORD": password} if password else {}
    done = subprocess.run(
        [*command, *(part for dump in dumps for part in ("-f", dump)), "-c", "ANALYZE"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **secret},
    )
    if done.returncode != 0:
        shown = ", ".join(map(str, dumps[:3]))
        raise BadSetup(f"{shown} does not load: {done.stderr.strip()}")


def _connect(conninfo: str) -> psycopg.Connection[Any]:
    try:
        return psycopg.connect(conninfo, autocommit=True)
    except psycopg.OperationalError as error:
        raise BadSetup(
            "The database cannot be reached.",
            detail=str(error).strip(),
            hint="The role made for the run logs in with a password: name a host whose"
            " pg_hba.conf line takes one (host=127.0.0.1), or trusts.",
        ) from error


@contextmanager
def _allowed() -> Iterator[None]:
    """Raise BadSetup in place of the server's refusal to make what a run needs."""
    try:
        yield
    except psycopg.errors.InsufficientPrivilege as error:
        raise BadSetup(
            "The benchmark makes databases and a role, and --dsn may not.",
            detail=str(error).strip(),
            hint="Connect as an administrator of a test server: --dsn 'user=postgres'.",
        ) from error


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
