"""The functions on a connection of Python's, with a scripted model on a real socket."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from fake_model import NAME, FakeModel
from typer.testing import CliRunner

from nl2sql_fdw import sqlite as nl2sql
from nl2sql_fdw.entry.cli import app
from nl2sql_fdw.types import Profile

SHIPS = """
CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, weight REAL, picture BLOB);
INSERT INTO ship VALUES (9223372036854775807, 'Ada "A"', 0.1, x'00ff'), (2, 'Bee', 9e999, NULL);
"""


@pytest.fixture
def model() -> Iterator[FakeModel]:
    with FakeModel() as fake:
        yield fake


@pytest.fixture
def profile(model: FakeModel) -> Profile:
    return Profile(model_url=model.url, model_name=NAME)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "sea.db")) as made:
        made.executescript(SHIPS)
    return tmp_path / "sea.db"


@pytest.fixture(params=["file", "memory"])
def host(request, file: Path, profile: Profile) -> Iterator[sqlite3.Connection]:
    where = file if request.param == "file" else ":memory:"
    with closing(sqlite3.connect(where)) as connection:
        if request.param == "memory":
            connection.executescript(SHIPS)
        nl2sql.register(connection, profile)
        yield connection


def one(host: sqlite3.Connection, sql: str, *values: object):
    return host.execute(sql, values).fetchone()[0]


def test_a_question_gives_rows_with_every_value_exact(host, model):
    model.enqueue("SELECT id, id, name, weight, picture FROM ship")
    text = one(host, "SELECT nl2sql('all ships')")
    assert [[list(p) for p in row] for row in json.loads(text, object_pairs_hook=list)] == [
        [["id", 2], ["id", 2], ["name", "Bee"], ["weight", "Infinity"], ["picture", None]],
        [["id", 2**63 - 1], ["id", 2**63 - 1], ["name", 'Ada "A"'], ["weight", 0.1],
         ["picture", "\\x00ff"]],
    ]  # fmt: skip


def test_each_function_does_its_part(host, model):
    model.enqueue("SELECT name FROM ship", "SELECT count(*) AS n FROM ship")
    assert one(host, "SELECT nl2sql_sql('names')") == "SELECT name FROM ship"
    asked = json.loads(one(host, "SELECT nl2sql_ask('how many')"))
    assert (asked["status"], asked["rows"]) == ("answered", [{"n": 2}])
    assert one(host, "SELECT nl2sql_run('SELECT 1 AS x')") == '[{"x":1}]'
    assert json.loads(one(host, "SELECT nl2sql_check('SELECT * FROM ship')"))["allowed"]
    said = json.loads(one(host, "SELECT nl2sql_check('DELETE FROM ship')"))
    assert (said["allowed"], said["sqlstate"]) == (False, "N2001")
    assert one(host, "SELECT nl2sql_error()") is None


def test_a_refusal_raises_and_its_words_are_kept(host):
    with pytest.raises(sqlite3.OperationalError, match="user-defined function raised"):
        host.execute("SELECT nl2sql_run('DELETE FROM ship')")
    assert "[N2001] Refused: The SQL would run DELETE." in one(host, "SELECT nl2sql_error()")
    assert one(host, "SELECT count(*) FROM ship") == 2


def test_nothing_of_ours_stands_in_the_lists_of_what_a_question_may_call(host, model):
    model.default = "SELECT nl2sql('again')"
    said = json.loads(one(host, "SELECT nl2sql_ask('loop')"))
    assert said["status"] == "refused"


def test_it_may_be_called_inside_a_statement_that_reads_the_same_table(host, model):
    model.default = "SELECT count(*) AS n FROM ship"
    rows = host.execute("SELECT name, nl2sql('how many') FROM ship ORDER BY name").fetchall()
    assert rows == [('Ada "A"', '[{"n":2}]'), ("Bee", '[{"n":2}]')]


def test_the_hosts_connection_is_left_as_it_was(file: Path, profile: Profile, model: FakeModel):
    asked: list[int] = []
    ticks: list[int] = []
    with closing(sqlite3.connect(file)) as host:
        nl2sql.register(host, profile)
        host.row_factory = sqlite3.Row
        host.text_factory = bytes
        host.set_authorizer(lambda action, *more: asked.append(action) or sqlite3.SQLITE_OK)
        host.set_progress_handler(lambda: ticks.append(1), 10)
        host.execute("BEGIN")
        host.execute("INSERT INTO ship VALUES (3, 'Cod', 1, NULL)")
        model.enqueue("SELECT count(*) AS n FROM ship")
        assert one(host, "SELECT nl2sql('how many')") == b'[{"n":2}]'
        before = len(asked), len(ticks)
        assert one(host, "SELECT count(*) FROM ship WHERE weight > 0 OR 1") == 3
        assert len(asked) > before[0] and len(ticks) > before[1]
        assert host.in_transaction
        host.rollback()


def test_an_authorizer_of_the_host_has_its_say_where_it_is_known(model: FakeModel):
    from nl2sql_fdw.database.sqlite_link import Rules
    from nl2sql_fdw.database.sqlite_python import PythonLink
    from nl2sql_fdw.errors import ServerError

    def forbids(action, first, *more):
        return sqlite3.SQLITE_DENY if first == "ship" else sqlite3.SQLITE_OK

    with closing(sqlite3.connect(":memory:")) as host:
        host.executescript(SHIPS)
        host.set_authorizer(forbids)
        link = PythonLink(host, authorizer=forbids)
        with pytest.raises(ServerError, match="prohibited"):
            link.prepare("SELECT name FROM ship", Rules(frozenset()))
        with pytest.raises(sqlite3.DatabaseError, match="prohibited"):
            host.execute("SELECT name FROM ship")


def test_two_threads_with_a_connection_each(file: Path, profile: Profile, model: FakeModel):
    model.default = "SELECT count(*) AS n FROM ship"
    found: list[str] = []

    def ask() -> None:
        with closing(sqlite3.connect(file)) as host:
            nl2sql.register(host, profile)
            found.extend(one(host, "SELECT nl2sql('how many')") for _ in range(3))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ['[{"n":2}]'] * 6


def test_without_a_model_the_words_say_what_to_do(file: Path, profile: Profile):
    with closing(sqlite3.connect(file)) as host:
        nl2sql.register(host, replace(profile, model_url="http://127.0.0.1:9/v1"), raises=False)
        said = json.loads(one(host, "SELECT nl2sql('how many')"))
    assert said["status"] == "model_unavailable" and said["hint"]


def test_the_command_asks_a_file(file: Path, model: FakeModel):
    model.enqueue("SELECT name FROM ship WHERE id = 2")
    told = ["ask", str(file), "Which ship is 2?", "--model", NAME, "--model-url", model.url]
    done = CliRunner().invoke(app, told)
    assert done.exit_code == 0 and "Bee" in done.output, done.output
    shown = CliRunner().invoke(app, [*told, "--show", "prompt"])
    assert "CREATE TABLE ship" in shown.output and "SQLite" in shown.output
    missing = CliRunner().invoke(app, ["ask", str(file) + "x", "Which?"])
    assert "cannot be opened" in str(missing.exception)
