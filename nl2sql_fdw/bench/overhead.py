"""What the product costs around the model: `python -m nl2sql_fdw.bench.overhead`.

Asks through the SQL surface of the connected database, against a model server of our own
that answers at once, and prints one `name=value unit` a line. Needs an admin connection,
to make a profile for the time of the run.
"""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import psycopg
import typer

_PROFILE = "bench_overhead"
_REPLY = "SELECT count(*) AS tables_asked FROM {relation}"


class _Instant(BaseHTTPRequestHandler):
    """Speaks just enough of the OpenAI protocol to answer every question with one SELECT."""

    protocol_version = "HTTP/1.1"
    reply = ""

    def log_message(self, *args: object) -> None:
        """Say nothing: standard output is the report."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        piece = {"choices": [{"delta": {"content": self.reply}, "finish_reason": "stop"}]}
        body = f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def _model(reply: str) -> Iterator[str]:
    handler = type("Handler", (_Instant,), {"reply": reply})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _profile(admin: psycopg.Connection, url: str) -> Iterator[None]:
    admin.execute("DELETE FROM nl2sql.profile WHERE name = %s", [_PROFILE])
    admin.execute(
        "INSERT INTO nl2sql.profile (name, reader, model_url, cache_minutes)"
        " SELECT %s, reader, %s, 0 FROM nl2sql.profile WHERE name = 'default'",
        [_PROFILE, url],
    )
    try:
        yield
    finally:
        admin.execute("DELETE FROM nl2sql.profile WHERE name = %s", [_PROFILE])


def _resident_mb(pid: int) -> float:
    """Return a process's resident memory in MB (Linux)."""
    line = next(
        row for row in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmRSS" in row
    )
    return int(line.split()[1]) / 1024


def _overhead_ms(connection: psycopg.Connection) -> float:
    """Return the wall time of one call less the time that it waited for the model."""
    began = time.perf_counter()
    row = connection.execute(
        "SELECT status, timings, message FROM nl2sql_ask('how many are there?', %s)", [_PROFILE]
    ).fetchone()
    took = (time.perf_counter() - began) * 1000
    if row is None or row[0] != "answered":
        raise typer.BadParameter(f"the call failed: {row}")
    return float(took - row[1]["call"])


def main(
    admin: Annotated[str, typer.Option(envvar="NL2SQL_ADMIN", help="superuser's name")],
    dsn: Annotated[str, typer.Option(help="connection of the asker")] = "",
    path: Annotated[Path | None, typer.Option(help="evaluation files, for the guard")] = None,
    calls: Annotated[int, typer.Option(min=1)] = 40,
) -> None:
    """Print first-call and later overhead, memory of a backend, and the guard's time."""
    owner = psycopg.connect(dsn, user=admin, autocommit=True)
    asker = psycopg.connect(dsn, autocommit=True)
    with owner, asker:
        row = asker.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables"
            " WHERE schemaname !~ '^(pg_|information_schema$|nl2sql$)'"
            " AND has_schema_privilege(schemaname, 'USAGE') AND has_table_privilege("
            "   format('%I.%I', schemaname, tablename), 'SELECT') ORDER BY 1 LIMIT 1"
        ).fetchone()
        if row is None:
            raise typer.BadParameter("the asker may read no table")
        with _model(_REPLY.format(relation=row[0])) as url, _profile(owner, url):
            _report(dsn, calls)
            _report_saved(dsn, calls, _REPLY.format(relation=row[0]))
    if path:
        from nl2sql_fdw.bench.guard_acceptance import timings

        _line("guard_median", statistics.median(timings(path)), "ms")


def _report(dsn: str, calls: int) -> None:
    firsts, memory = [], []
    for _ in range(5):
        with psycopg.connect(dsn, autocommit=True) as fresh:
            before = _resident_mb(fresh.info.backend_pid)
            firsts.append(_overhead_ms(fresh))
            memory.append(_resident_mb(fresh.info.backend_pid) - before)
    _line("first_call_overhead", statistics.median(firsts), "ms")
    _line("first_call_memory", statistics.median(memory), "MB")
    with psycopg.connect(dsn, autocommit=True) as warm:
        _overhead_ms(warm)
        later = [_overhead_ms(warm) for _ in range(calls)]
    _line("later_call_overhead", statistics.median(later), "ms")
    _line("later_call_overhead_p90", sorted(later)[int(len(later) * 0.9)], "ms")


def _report_saved(dsn: str, calls: int, sql: str) -> None:
    """Time reading a saved question's view against the same SQL run directly."""
    with psycopg.connect(dsn, autocommit=True, prepare_threshold=None) as asker:
        asker.execute(
            "SELECT nl2sql_save('pg_temp.asked', 'how many are there?', profile => %s)", [_PROFILE]
        )
        view = _median_ms(asker, "SELECT * FROM pg_temp.asked", calls)
        _line("saved_question_overhead", view - _median_ms(asker, sql, calls), "ms")


def _median_ms(connection: psycopg.Connection, sql: str, calls: int) -> float:
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        connection.execute(sql).fetchall()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def _line(name: str, value: float, unit: str) -> None:
    print(f"{name}={value:.2f} {unit}")  # the report is read by scripts


if __name__ == "__main__":
    typer.run(main)
