"""The connection afterwards is as it was, and the host's own handlers have their say meanwhile."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import loading
import pytest
from fake_model import FakeModel, Script
from loading import one

ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"


def deny_cities(action: int, a: str | None, b: str | None, c: str | None, d: str | None) -> int:
    return sqlite3.SQLITE_DENY if (a, b) == ("customer", "city") else sqlite3.SQLITE_OK


def blank_cities(action: int, a: str | None, b: str | None, c: str | None, d: str | None) -> int:
    return sqlite3.SQLITE_IGNORE if (a, b) == ("customer", "city") else sqlite3.SQLITE_OK


def test_the_hosts_authorizer_is_asked_and_stays(shop: sqlite3.Connection):
    shop.set_authorizer(deny_cities)
    assert "Ann" in one(shop, "SELECT nl2sql_run('SELECT name FROM customer')")
    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError, match="prohibited"):
            one(shop, "SELECT nl2sql_run('SELECT city FROM customer')")
        with pytest.raises(sqlite3.DatabaseError, match="prohibited"):
            shop.execute("SELECT city FROM customer")


def test_what_the_hosts_authorizer_blanks_is_blank(shop: sqlite3.Connection):
    shop.set_authorizer(blank_cities)
    for _ in range(2):
        assert one(shop, "SELECT nl2sql_run('SELECT DISTINCT city FROM customer')") == \
            '[{"city":null}]'  # fmt: skip
        assert one(shop, "SELECT city FROM customer") is None


def test_without_an_authorizer_there_is_none_afterwards(shop: sqlite3.Connection):
    one(shop, "SELECT nl2sql_run('SELECT 1')")
    shop.execute("CREATE TABLE made_afterwards (x)")
    shop.execute("PRAGMA user_version = 7")


def test_the_hosts_progress_handler_stops_a_query_and_stays(shop: sqlite3.Connection):
    calls = []
    ends = time.monotonic() + 1

    def late() -> bool:
        calls.append(1)
        return time.monotonic() > ends

    shop.set_progress_handler(late, 500)
    with pytest.raises(sqlite3.OperationalError, match=r"^interrupted$"):
        one(shop, "SELECT nl2sql_run(?)", ENDLESS)
    before = len(calls)
    with pytest.raises(sqlite3.OperationalError, match=r"^interrupted$"):
        shop.execute(ENDLESS)
    assert len(calls) > before


def test_the_hosts_progress_handler_ends_the_wait_for_a_model(shop: sqlite3.Connection):
    ends = time.monotonic() + 1
    shop.set_progress_handler(lambda: time.monotonic() > ends, 1_000)
    with pytest.raises(sqlite3.OperationalError, match=r"^interrupted$"):
        one(shop, "SELECT nl2sql('hang')")


def test_without_a_progress_handler_there_is_none_afterwards(shop: sqlite3.Connection):
    with pytest.raises(sqlite3.OperationalError, match="N2003"):
        one(shop, """SELECT nl2sql_run(?, '{"time_limit_ms": 50}')""", ENDLESS)
    big = ENDLESS.replace("FROM r)", "FROM r WHERE n < 300000)")
    assert one(shop, big) == 300_000


def test_limits_are_as_before(shop: sqlite3.Connection):
    kinds = range(sqlite3.SQLITE_LIMIT_LENGTH, sqlite3.SQLITE_LIMIT_WORKER_THREADS + 1)
    before = [shop.getlimit(kind) for kind in kinds]
    one(shop, "SELECT nl2sql_run('SELECT name FROM customer')")
    with pytest.raises(sqlite3.OperationalError):
        one(shop, "SELECT nl2sql_run('SELECT nothing FROM customer')")
    assert [shop.getlimit(kind) for kind in kinds] == before


def test_no_transaction_and_no_lock_is_left(library: Path, tmp_path: Path):
    file = tmp_path / "shop.db"
    asking = loading.load(library, file)
    one(asking, "SELECT nl2sql_run('SELECT * FROM customer')")
    with pytest.raises(sqlite3.OperationalError, match="N2009"):
        one(asking, """SELECT nl2sql_run('SELECT * FROM customer', '{"max_rows": 1}')""")
    assert not asking.in_transaction
    other = sqlite3.connect(file, timeout=0, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    other.execute("DROP TABLE customer")
    other.execute("COMMIT")
    other.close()
    asking.close()


def test_a_transaction_of_the_host_goes_on(shop: sqlite3.Connection):
    shop.execute("BEGIN")
    shop.execute("INSERT INTO customer (name) VALUES ('Di')")
    assert one(shop, "SELECT nl2sql_run('SELECT count(*) AS n FROM customer')") == '[{"n":4}]'
    shop.execute("ROLLBACK")
    assert one(shop, "SELECT count(*) FROM customer") == 3


def test_interrupting_the_connection_ends_the_wait(shop: sqlite3.Connection):
    timer = threading.Timer(1.5, shop.interrupt)
    timer.start()
    with pytest.raises(sqlite3.OperationalError, match=r"^interrupted$"):
        one(shop, "SELECT nl2sql('hang')")
    timer.join()
    assert one(shop, "SELECT nl2sql_run('SELECT 1 AS x')") == '[{"x":1}]'


def test_the_shell_loads_it_and_leaves_nothing(library: Path, tmp_path: Path):
    script = f".load {library.with_suffix('')}\n.headers on\n" + loading.SHOP + (
        "SELECT * FROM nl2sql_rows('sql: SELECT count(*) AS n FROM customer');\n"
        "SELECT nl2sql_run('DROP TABLE customer');\n"
    )  # fmt: skip
    done = subprocess.run(
        ["sqlite3", ":memory:"], input=script, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["row", '{"n":3}']
    assert "[N2001] Refused" in done.stderr


def test_ctrl_c_in_the_shell_ends_the_wait(library: Path, tmp_path: Path, monkeypatch):
    """As a terminal sends it: to the whole group, the worker too, while a real server hangs."""
    script = tmp_path / "real_worker.py"
    script.write_text("from nl2sql_fdw.entry.sqlite_worker import main\nmain()\n")
    pids = tmp_path / "pids"
    worker = tmp_path / "worker"
    worker.write_text(f'#!/bin/sh\necho $$ >>"{pids}"\nexec "{sys.executable}" "{script}"\n')
    worker.chmod(0o755)
    monkeypatch.setenv("NL2SQL_WORKER", str(worker))
    with FakeModel() as model:
        monkeypatch.setenv("NL2SQL_MODEL_URL", model.url)
        model.enqueue(Script("", fault="hang"))
        shell = subprocess.Popen(
            ["sqlite3", ":memory:"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        shell.stdin.write(f".load {library.with_suffix('')}\n{loading.SHOP}")
        shell.stdin.write("SELECT nl2sql('how many customers?');\n")
        shell.stdin.flush()
        ends = time.monotonic() + 30
        while not model.chats and time.monotonic() < ends:
            time.sleep(0.02)
        os.killpg(shell.pid, signal.SIGINT)
        output, errors = shell.communicate(timeout=30)
    assert (output, errors) == ("", "Runtime error near line 7: interrupted (9)\n")
    assert len(pids.read_text().split()) == 1
    for pid in pids.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
