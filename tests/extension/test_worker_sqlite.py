"""The worker process: its death, its silence, its lies, and that none is left."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import loading
import pytest
from cluster import missing
from loading import children, one

ONE = "SELECT nl2sql_run('SELECT 1 AS x')"
CALLS = 10_000


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    gc.collect()
    before = set(children())
    yield
    gc.collect()
    assert set(children()) <= before


def worker_of(connection: sqlite3.Connection) -> int:
    before = set(children())
    one(connection, ONE)
    (pid,) = set(children()) - before
    return pid


def raw_worker(folder: Path, body: str) -> Path:
    """Write a worker that talks the protocol by itself: `wire` is there, and `link` over it."""
    script = folder / "raw.py"
    script.write_text(
        "import os, socket, sys, time\n"
        "from nl2sql_fdw.database.sqlite_link import Caps, Rules\n"
        "from nl2sql_fdw.database.sqlite_pipe import HungUp, PipeLink, Wire\n"
        "stream = socket.socket(fileno=0)\nwire = Wire(stream)\nlink = PipeLink(wire)\n"
        "caps = Caps(10, 10_000, 10_000, 1_000, 10**6)\n"
        f"try:\n  while True:\n    subject = wire.receive()[1].decode()\n    {body}\n"
        "except HungUp:\n  stream.close()\n"
    )
    return loading.program(folder, script)


@pytest.fixture
def raw(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made = []

    def make(body: str) -> sqlite3.Connection:
        monkeypatch.setenv("NL2SQL_WORKER", str(raw_worker(tmp_path, body)))
        made.append(loading.load(library))
        return made[-1]

    yield make
    for connection in made:
        connection.close()


def test_killed_in_the_middle_it_gives_one_error_and_the_next_call_works(
    library: Path, shop: sqlite3.Connection
):
    pid = worker_of(shop)
    timer = threading.Timer(0.5, os.kill, (pid, signal.SIGKILL))
    timer.start()
    with pytest.raises(sqlite3.OperationalError, match=r"N2010.*ended by signal 9"):
        one(shop, "SELECT nl2sql('hang')")
    timer.join()
    assert pid not in children()
    assert one(shop, ONE) == '[{"x":1}]'


def test_killed_between_calls_nobody_notices(shop: sqlite3.Connection):
    pid = worker_of(shop)
    others = set(children()) - {pid}
    os.kill(pid, signal.SIGKILL)
    while "Z" not in children()[pid]:
        time.sleep(0.01)
    assert one(shop, ONE) == '[{"x":1}]'
    assert len(set(children()) - others) == 1


def test_stopped_it_is_ended_by_an_interrupt(shop: sqlite3.Connection):
    pid = worker_of(shop)
    os.kill(pid, signal.SIGSTOP)
    timer = threading.Timer(0.3, shop.interrupt)
    timer.start()
    with pytest.raises(sqlite3.OperationalError, match=r"^interrupted$"):
        one(shop, ONE)
    timer.join()
    assert pid not in children()
    assert one(shop, ONE) == '[{"x":1}]'


def test_closing_ends_it_also_while_a_child_of_a_fork_lives(library: Path):
    connection = loading.load(library)
    pid = worker_of(connection)
    child = subprocess.Popen(["sleep", "30"], close_fds=False)
    connection.close()
    assert pid not in children()
    child.kill()
    child.wait()


def test_a_forked_child_gets_a_worker_of_its_own(library: Path, tmp_path: Path):
    code = f"""
import os, sys
sys.path.insert(0, {str(loading.ROOT / "tests" / "extension")!r})
import loading
from pathlib import Path
c = loading.load(Path({str(library)!r}))
first = loading.one(c, {ONE!r})
pid = os.fork()
if pid == 0:
    again = loading.one(c, {ONE!r}); c.close()
    os._exit(0 if again == first and not loading.children() else 1)
assert os.waitpid(pid, 0)[1] == 0
assert loading.one(c, {ONE!r}) == first
c.close()
assert not loading.children()
"""
    subprocess.run([os.sys.executable, "-c", code], check=True)


def test_the_host_may_wait_for_all_its_children(shop: sqlite3.Connection):
    pid = worker_of(shop)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert one(shop, ONE) == '[{"x":1}]'


def test_without_a_program_the_error_says_what_to_do(
    shop: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NL2SQL_WORKER", "/nowhere/nl2sql")
    with pytest.raises(sqlite3.OperationalError, match=r"N2010.*/nowhere/nl2sql: No such file"):
        one(shop, ONE)


def test_its_last_words_are_told(raw):
    connection = raw("sys.exit('no module named thinking')")
    with pytest.raises(sqlite3.OperationalError, match=r"status 1 (.|\n)*named thinking"):
        one(connection, ONE)


@pytest.mark.parametrize("noise", [
    "stream.sendall(b'HTTP/1.1 200 OK')",
    "stream.sendall((2**31).to_bytes(4, 'big'))",
    "wire.send()",
    "wire.send('done')",
    "wire.send('dance', 'now')",
    "wire.send('fetch')",
    "wire.send('fetch', 'SELECT 1', 99, 'x')",
    "stream.sendall(b'\\0\\0\\0\\4\\xff\\xff\\xff\\xff')",
])  # fmt: skip
def test_what_is_no_message_is_an_error(raw, noise: str):
    connection = raw(f"{noise}; time.sleep(0.2); break")
    with pytest.raises(sqlite3.OperationalError, match="N2010"):
        one(connection, ONE)
    connection.execute("CREATE TABLE still_here (x)")


@pytest.mark.parametrize(("allowed", "sql"), [
    ("load_extension", "SELECT load_extension('/tmp/x')"),
    ("zeroblob", "SELECT zeroblob(10)"),
    ("nl2sql", "SELECT nl2sql('x')"),
    ("count", "DELETE FROM customer"),
    ("count", "SELECT 1; SELECT 2"),
    ("count", "SELECT name FROM sqlite_schema"),
    ("count", "SELECT * FROM pragma_table_info('customer')"),
    ("count", "PRAGMA user_version"),
    ("count", "PRAGMA query_only = 1"),
    ("count", "ATTACH '/tmp/nl2sql-x.db' AS x"),
    ("count", "BEGIN"),
    ("count", "EXPLAIN SELECT 1"),
    ("count", "VACUUM INTO '/tmp/nl2sql-x.db'"),
    ("count", "SELECT 1 -- \0"),
])  # fmt: skip
def test_the_library_refuses_whatever_the_worker_says(raw, allowed: str, sql: str):
    connection = raw(
        f"try:\n      link.fetch(subject, Rules(frozenset([{allowed!r}])), caps)\n"
        "      wire.send('done', 'ok', 'it ran')\n"
        "    except Exception as error:\n      wire.send('done', 'error', str(error))"
    )
    with pytest.raises(
        sqlite3.OperationalError,
        match=r"not authorized|only (a query|reading)|one statement|prohibited|NUL|interrupted",
    ):
        one(connection, "SELECT nl2sql_run(?)", sql)
    assert not Path("/tmp/nl2sql-x.db").exists()


def test_ten_thousand_calls_take_no_more_memory(raw):
    connection = raw(
        "rows = link.fetch(subject, Rules(frozenset(['count'])), caps).rows\n"
        "    wire.send('done', 'ok', rows[0])"
    )
    ask = "SELECT nl2sql_run('SELECT name, count(*) FROM customer GROUP BY 1')"
    for _ in range(1_000):
        one(connection, ask)
    before, workers = resident(), set(children())
    for _ in range(CALLS):
        one(connection, ask)
    assert resident() - before < 5_000_000
    assert set(children()) == workers  # a zombie would be one more


def test_two_threads_with_a_connection_each(library: Path):
    found: list[str] = []

    def work() -> None:
        connection = loading.load(library)
        found.extend(one(connection, ONE) for _ in range(5))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ['[{"x":1}]'] * 10


def test_two_threads_on_one_connection(library: Path):
    connection = loading.load(library, check_same_thread=False)
    found: list[str] = []

    def work() -> None:
        found.extend(one(connection, ONE) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    connection.close()
    assert found == ['[{"x":1}]'] * 10


def test_two_connections_of_one_thread(library: Path):
    first, second = loading.load(library), loading.load(library)
    second.execute("DELETE FROM customer WHERE id > 1")
    count = "SELECT nl2sql_run('SELECT count(*) AS n FROM customer')"
    assert [one(c, count) for c in (first, second, first)] == [
        '[{"n":3}]',
        '[{"n":1}]',
        '[{"n":3}]',
    ]
    first.close()
    assert one(second, count) == '[{"n":1}]'
    second.close()


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_valgrind_finds_nothing(library: Path):
    if subprocess.run(["which", "valgrind"], capture_output=True, check=False).returncode:
        missing("no valgrind: apt-get install valgrind")
    script = f".load {library.with_suffix('')}\n" + loading.SHOP + (
        "SELECT nl2sql_run('SELECT * FROM customer');\nSELECT nl2sql_run('DROP TABLE customer');\n"
        "CREATE VIRTUAL TABLE temp.t USING nl2sql('sql: SELECT name, 1.5, null FROM customer');\n"
        "SELECT * FROM t;\nSELECT row FROM nl2sql_rows('sql: SELECT 1');\n"
        "SELECT nl2sql_sql('sql: SELECT count(*) FROM customer');\n"
    ) + "SELECT nl2sql_run('SELECT count(*) FROM customer');\n" * 20  # fmt: skip
    done = subprocess.run(
        ["valgrind", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite",
         "--trace-children=no", "sqlite3", ":memory:"],
        input=script, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "ERROR SUMMARY: 0 errors" in done.stderr, done.stderr
    assert "Ann|1.5|" in done.stdout
