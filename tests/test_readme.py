"""The README's examples, run: each `sql` block by psql, each `$ psql` line on the demo database."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import psycopg
import pytest
from cluster import connect, missing

from nl2sql_fdw import install

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


def psql(database: str, user: str, text: str, *options: str) -> str:
    """Run a script by psql from sql/, where `\\i roles.sql` finds its file."""
    done = subprocess.run(
        ["psql", "-X", "-v", "ON_ERROR_STOP=1", "-d", database, "-U", user, *options],
        input=text,
        cwd=ROOT / "sql",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{text}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def demo() -> str:
    """The demo database's name, where there is one with a model behind it."""
    name = os.environ.get("PGDATABASE", "")
    if name != "demo":
        missing("no demo database: run `make up`, then `. .local/env.sh`")
    with connect(name) as database:
        status = dict(database.execute("SELECT component, status FROM nl2sql_status()").fetchall())
    if status.get("model") != "ok":
        missing("no model server: run `make up`")
    return name


def test_both_commands_stand_in_the_first_forty_lines():
    top = README.splitlines()[:40]
    assert any("make demo" in line for line in top) and any("make test" in line for line in top)


def test_sql_blocks_run_in_order(demo, make_database):
    database: psycopg.Connection = make_database()
    database.execute((ROOT / "sql" / "demo.sql").read_text("utf-8").replace("BEGIN;", "", 1))
    admin, found = database.info.user, blocks("sql")
    assert len(found) >= 4
    for block in found:
        psql(database.info.dbname, admin, block, "-v", "schemas=shop,warehouse")


def test_psql_lines_print_what_the_readme_shows(demo):
    shown = re.findall(r'^\$ psql -c "([^\n]*)"\n(.*?\(1 row\))', blocks("console")[0], re.M | re.S)
    assert len(shown) == 2
    for command, output in shown:
        got = psql(demo, os.environ["PGUSER"], command)
        assert got.split() == output.split()


def test_make_targets_named_are_there():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"[`\n]make ([a-z-]+)", README)) <= targets


def test_functions_named_are_those_of_the_extension():
    script = install.sources()[install.SCRIPT]
    made = set(re.findall(r"CREATE FUNCTION @extschema@\.(\w+)", script))
    assert set(re.findall(r"^\| `(\w+)\(", README, re.M)) == made


def test_error_codes_named_are_those_of_the_package():
    from nl2sql_fdw.errors import BY_SQLSTATE

    assert set(re.findall(r"N2\d{3}", README)) == set(BY_SQLSTATE)
