"""Fixtures for tests: a real PostgreSQL (from .local/env.sh) and throw-away databases in it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator

import psycopg
import pytest
from cluster import connect, missing


def pytest_report_header() -> list[str]:
    if "PGHOST" not in os.environ:
        return ["postgres: none (run `. .local/env.sh`)"]
    with connect("postgres") as server:
        version = server.execute("SHOW server_version").fetchone()[0]
        plpython = server.execute(
            "SELECT count(*) FROM pg_available_extensions WHERE name IN ('plpython3u', 'nl2sql')"
        ).fetchone()[0]
    return [f"postgres: {version} at {os.environ['PGHOST']}, extensions found: {plpython} of 2"]


@pytest.fixture(scope="session")
def server() -> Iterator[psycopg.Connection]:
    """A superuser's connection to the cluster's maintenance database."""
    if "PGHOST" not in os.environ:
        missing("no test cluster: run `make up`, then `. .local/env.sh`")
    with connect("postgres") as connection:
        yield connection


@pytest.fixture(scope="module")
def make_database(server: psycopg.Connection) -> Iterator[Callable[[str], psycopg.Connection]]:
    """Return a function: SQL script -> superuser's connection to a new database that ran it."""
    made: list[psycopg.Connection] = []

    def make(script: str = "") -> psycopg.Connection:
        name = f"nl2sql_test_{uuid.uuid4().hex[:12]}"
        server.execute(f'CREATE DATABASE "{name}"')
        database = connect(name)
        made.append(database)
        if script:
            database.execute(script)
        return database

    yield make
    for database in made:
        name = database.info.dbname
        database.close()
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
