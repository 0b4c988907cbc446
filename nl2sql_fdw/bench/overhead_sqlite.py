"""Time what the SQLite extension adds: a call whose worker does nothing, and one whole door.

    python -m nl2sql_fdw.bench.overhead_sqlite

The first figure is the library, the socket and one query on the connection; the second is
nl2sql_run with guard, catalog and cost gate, for comparison.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

from nl2sql_fdw.database.sqlite_link import Caps, Rules
from nl2sql_fdw.database.sqlite_pipe import HungUp, PipeLink, Wire

CALLS = 2_000
_EXTENSION = Path(__file__).parents[1] / "extension" / "nl2sql0"
_ASK = "SELECT nl2sql_run('SELECT count(*) AS n FROM t')"


def echo() -> None:
    """Be a worker that runs whatever it is given, and thinks nothing."""
    with socket.socket(fileno=0) as stream, suppress(HungUp):
        wire = Wire(stream)
        link, caps = PipeLink(wire), Caps(10, 10_000, 10_000, 1_000, 10**6)
        while True:
            sql = wire.receive()[1].decode()
            rows = link.fetch(sql, Rules(frozenset({"count"})), caps).rows
            wire.send("done", "ok", f"[{','.join(rows)}]")


def measure(calls: int) -> tuple[float, float]:
    """Return the milliseconds of the first call, and the median of those after it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.enable_load_extension(True)
        connection.load_extension(str(_EXTENSION))
        connection.execute("CREATE TABLE t AS SELECT 1 AS x")
        took = []
        for _ in range(calls + 1):
            began = time.perf_counter()
            connection.execute(_ASK).fetchone()
            took.append((time.perf_counter() - began) * 1000)
    return took[0], statistics.median(took[1:])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        worker = Path(folder) / "echo"
        worker.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {__spec__.name} echo\n')
        worker.chmod(0o700)
        os.environ["NL2SQL_WORKER"] = str(worker)
        first, later = measure(CALLS)
        print(f"extension, instant worker: first {first:.0f} ms, then {later:.2f} ms a call")
    del os.environ["NL2SQL_WORKER"]
    first, later = measure(CALLS // 20)
    print(f"extension, the whole door: first {first:.0f} ms, then {later:.2f} ms a call")


if __name__ == "__main__":
    echo() if sys.argv[1:] == ["echo"] else main()
