"""The script that fills a new container's database, run on a real server."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from cluster import connect, missing
from fake_model import FakeModel

from nl2sql_fdw.bench import demo

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docker" / "initdb" / "10-nl2sql.sh"
PASSWORD = "it's a \\ secret"


def run(database: psycopg.Connection, **changes: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "POSTGRES_USER": database.info.user,
        "POSTGRES_DB": database.info.dbname,
        "NL2SQL_SCRIPTS": str(ROOT / "sql"),
        **changes,
    }
    return subprocess.run([SCRIPT], capture_output=True, text=True, env=environment)


@pytest.fixture(scope="module")
def analyst(server) -> Iterator[str]:
    name = f"nl2sql_test_{uuid.uuid4().hex[:12]}"
    yield name
    server.execute(f'DROP ROLE IF EXISTS "{name}"')


@pytest.fixture(scope="module")
def filled(analyst, server, make_database) -> Iterator[psycopg.Connection]:
    """A database that the script has filled, as its superuser."""
    if not server.execute(
        "SELECT FROM pg_available_extensions WHERE name = 'nl2sql' LIMIT 1"
    ).fetchall():
        missing("the extension nl2sql is not installed in this server")
    database = make_database()
    done = run(database, NL2SQL_ASKER=analyst, ANALYST_PASSWORD=PASSWORD)
    assert done.returncode == 0, done.stderr
    yield database
    database.execute(f'DROP OWNED BY "{analyst}"')


def test_the_analyst_reads_through_the_front_door(filled, analyst):
    with connect(filled.info.dbname, analyst, password=PASSWORD) as asking:
        rows = asking.execute("SELECT * FROM nl2sql_run('SELECT count(*) FROM shop.customer')")
        assert rows.fetchone() == ({"count": 3000},)


@pytest.mark.parametrize("column", ["email", "phone", "*"])
def test_personal_data_is_for_neither_the_analyst_nor_the_reader(filled, analyst, column):
    query = f"SELECT {column} FROM shop.customer"
    with connect(filled.info.dbname, analyst, password=PASSWORD) as asking:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            asking.execute(query)
        with pytest.raises(psycopg.Error) as refused:
            asking.execute("SELECT * FROM nl2sql_run(%s)", [query])
        assert refused.value.sqlstate == "N2007"
    assert filled.execute(
        "SELECT has_column_privilege('nl2sql_reader', 'shop.customer', 'email', 'SELECT'),"
        " has_column_privilege('nl2sql_reader', 'shop.customer', 'city', 'SELECT'),"
        " has_table_privilege('nl2sql_reader', 'warehouse.stock', 'SELECT'),"
        " has_table_privilege('nl2sql_reader', 'shop.customer', 'INSERT')"
    ).fetchone() == (False, True, True, False)


def test_a_model_that_writes_the_gold_answers_all_twenty_questions(filled, analyst):
    questions = demo.load(demo.QUESTIONS)
    with (
        FakeModel() as model,
        connect(filled.info.dbname, analyst, password=PASSWORD) as asking,
    ):
        filled.execute("UPDATE nl2sql.profile SET model_url = %s", [model.url])
        model.enqueue(*(f"```sql\n{entry.gold};\n```" for entry in questions))
        scores = list(demo.measure(questions, asking, asking))
    wrong = [(score.question.question, score.reply.message) for score in scores if not score.right]
    assert wrong == []
    assert len(model.chats) == 20


def test_grants_can_be_run_again(filled, analyst):
    command = ["psql", "-X", "-q", "-U", filled.info.user, "-d", filled.info.dbname]
    again = [*command, "-v", f"role={analyst}", "-f", ROOT / "sql" / "demo_grants.sql"]
    assert subprocess.run(again, capture_output=True).returncode == 0
    assert filled.execute(
        "SELECT has_column_privilege(%s::name, 'shop.customer', 'phone', 'SELECT')", [analyst]
    ).fetchone() == (False,)


def test_a_missing_password_stops_before_anything_is_made(server):
    database = connect("postgres")
    done = run(database, ANALYST_PASSWORD="")
    database.close()
    assert done.returncode != 0
    assert "choose the password" in done.stderr
    assert server.execute("SELECT to_regnamespace('shop')").fetchone() == (None,)


def test_the_shell_script_is_executable_and_clean():
    assert os.access(SCRIPT, os.X_OK)
    if not shutil.which("shellcheck"):
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(["shellcheck", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
