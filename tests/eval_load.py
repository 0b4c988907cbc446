"""Published evaluation databases in the test cluster: each loaded once a session, then dropped.

The data is no part of the project. It is looked for in $NL2SQL_EVAL, then in
../shared/eval beside the checkout; without it, tests that need it skip.
To use the fixture, import it: `from eval_load import eval_database`.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import psycopg
import pytest
from cluster import connect
from psycopg import sql
from psycopg.conninfo import make_conninfo

from nl2sql_fdw.bench.sandbox import load_dump

Suite = Literal["spider", "spider_train", "defog"]
BESIDE = Path(__file__).parents[2] / "shared" / "eval"


def evaluation() -> Path:
    """Return the folder of the evaluation data, or skip with the reason."""
    folder = Path(os.environ.get("NL2SQL_EVAL") or BESIDE)
    if not folder.is_dir():
        pytest.skip(f"no evaluation data in {folder} (set NL2SQL_EVAL)")
    return folder


@pytest.fixture(scope="session")
def eval_database(server: psycopg.Connection) -> Iterator[Callable[[Suite, str], str]]:
    """Return a function: suite and database id -> name of a database that holds its data.

    Spider keeps each in a schema of its own, and its golds name tables without it: new
    sessions have that schema in their search_path.
    """
    made: dict[tuple[Suite, str], str] = {}

    def load(suite: Suite, db_id: str) -> str:
        if (suite, db_id) not in made:
            dump = evaluation() / suite / "pg" / f"{db_id}.sql"
            name = f"nl2sql_test_{uuid.uuid4().hex[:12]}"
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            made[suite, db_id] = name
            fill(name, dump)
        return made[suite, db_id]

    yield load
    for name in made.values():
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def fill(name: str, dump: Path) -> None:
    """Run a dump (psql's form, with COPY data) in the database, all of it or nothing."""
    admin = os.environ.get("NL2SQL_ADMIN", "postgres")
    load_dump(make_conninfo(user=admin, dbname=name), dump)
    with connect(name) as database:
        schema = dump.stem.lower()
        if database.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [schema]).fetchone():
            path = sql.SQL("ALTER DATABASE {} SET search_path = {}, public")
            database.execute(path.format(sql.Identifier(name), sql.Identifier(schema)))
