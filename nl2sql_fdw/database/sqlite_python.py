"""A Link over a connection of Python's sqlite3 module, which may be the host's own."""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from nl2sql_fdw.database import growth
from nl2sql_fdw.database.sqlite_link import (
    SQLITE_NOMEM,
    SYSTEM_PREFIXES,
    Caps,
    Prepared,
    Rows,
    Rules,
    Scalar,
    error_of,
)
from nl2sql_fdw.errors import Nl2sqlError, ServerError
from nl2sql_fdw.types import JsonText, Profile

Authorizer = Callable[[int, "str | None", "str | None", "str | None", "str | None"], int]

_LOOK_S = 0.005
_TICK = 1_000
"""Instructions between two looks at the clock: about 20 microseconds."""

_PRICING = Caps(max_rows=0, max_bytes=0, max_cell_bytes=1_000_000, limit_ms=5_000, max_steps=10**8)
"""For statements that only tell about a statement; the planner alone may take long."""

_WRITES = frozenset({"AutoCommit", "Savepoint", "Checkpoint", "Vacuum", "JournalMode", "OpenWrite"})
_LIMITS = {
    "SQLITE_LIMIT_SQL_LENGTH": 100_000,
    "SQLITE_LIMIT_EXPR_DEPTH": 500,
    "SQLITE_LIMIT_COMPOUND_SELECT": 200,
    "SQLITE_LIMIT_LIKE_PATTERN_LENGTH": 1_000,
    "SQLITE_LIMIT_ATTACHED": 0,
    "SQLITE_LIMIT_WORKER_THREADS": 0,
}
_READS_FREELY = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE}


class PythonLink:
    """One connection. What sqlite3 cannot tell of it, the host says: its authorizer, its handler.

    sqlite3 shows neither the authorizer nor the progress handler that a host has set, so that a
    Link can only put back what it is given; without, both are off after each call.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        authorizer: Authorizer | None = None,
        progress_handler: tuple[Callable[[], int | None], int] | None = None,
        memory_bytes: int = Profile.max_memory_bytes,
    ) -> None:
        """Take the connection; a query may add `memory_bytes` to the process, or to its files."""
        self._connection = connection
        self._memory_bytes = memory_bytes
        self._host_authorizer = authorizer
        self._host_progress = progress_handler

    def rows(self, sql: str, values: Sequence[Scalar] = ()) -> list[Mapping[str, Any]]:
        with self._own_factories() as cursor:
            cursor.execute(sql, values)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def prepare(self, sql: str, rules: Rules) -> Prepared:
        """Prepare by EXPLAIN, whose program also tells a statement that writes.

        sqlite3 gives no columns of a statement that has not run: `columns` is empty.
        """
        with self._restricted(rules, _PRICING) as run, self._own_factories() as cursor:
            program = cursor.execute(f"EXPLAIN\n{sql}").fetchall()
        _require_reading(program)
        return Prepared((), tuple(run.reads), tuple(run.functions))

    def plan(self, sql: str, rules: Rules) -> list[Mapping[str, Any]]:
        with self._restricted(rules, _PRICING), self._own_factories() as cursor:
            lines = cursor.execute(f"EXPLAIN QUERY PLAN\n{sql}").fetchall()
        return [{"id": line[0], "parent": line[1], "detail": line[3]} for line in lines]

    def fetch(self, sql: str, rules: Rules, caps: Caps) -> Rows:
        self.prepare(sql, rules)
        with self._restricted(rules, caps), self._own_factories() as cursor:
            cursor.execute(sql)
            return _take(cursor, caps)

    def poll(self) -> None:
        """Do nothing: Ctrl-C reaches Python as KeyboardInterrupt by itself."""

    @contextmanager
    def _own_factories(self) -> Iterator[sqlite3.Cursor]:
        """Give a cursor of plain tuples and texts; close it, and put the host's factory back."""
        before = self._connection.text_factory
        self._connection.text_factory = text
        cursor = self._connection.cursor()
        cursor.row_factory = None
        try:
            yield cursor
        finally:
            cursor.close()
            self._connection.text_factory = before

    @contextmanager
    def _restricted(self, rules: Rules, caps: Caps) -> Iterator[_Run]:
        run = _Run(rules, caps, self._host_authorizer, self._memory_bytes)
        before = self._set_limits({**_LIMITS, "SQLITE_LIMIT_LENGTH": caps.max_cell_bytes})
        self._connection.set_authorizer(run.authorize)
        self._connection.set_progress_handler(run.watch, _TICK)
        try:
            yield run
        except MemoryError as error:
            raise error_of(SQLITE_NOMEM, "out of memory") from error
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            if run.raised is not None:
                raise run.raised from error
            raise _translated(error, run.stopped) from error
        finally:
            self._connection.set_progress_handler(*(self._host_progress or (None, 0)))
            self._connection.set_authorizer(self._host_authorizer)
            self._set_limits(before)

    def _set_limits(self, wanted: Mapping[str, int]) -> dict[str, int]:
        """Lower limits, or put them back; return those that were. Python 3.10 has none."""
        if not hasattr(self._connection, "setlimit"):
            return {}
        return {
            name: self._connection.setlimit(getattr(sqlite3, name), value)
            for name, value in wanted.items()
        }


class _Run:
    """One statement under the authorizer: what it asked for, and why it was stopped."""

    def __init__(
        self, rules: Rules, caps: Caps, host: Authorizer | None, memory_bytes: int
    ) -> None:
        self.reads: dict[tuple[str, str, str], None] = {}
        self.functions: dict[str, None] = {}
        self.stopped = ""
        self.raised: BaseException | None = None
        self._rules = rules
        self._host = host
        self._ends = time.monotonic() + caps.limit_ms / 1000
        self._ticks = caps.max_steps // _TICK
        self._began = growth.measure()
        self._looks_again = 0.0
        self._limit_bytes = memory_bytes

    def authorize(
        self,
        action: int,
        first: str | None,
        second: str | None,
        database: str | None,
        inside: str | None,
    ) -> int:
        if not self._allows(action, first, second, database):
            return sqlite3.SQLITE_DENY
        if self._host is not None:
            return self._host(action, first, second, database, inside)
        return sqlite3.SQLITE_OK

    def _allows(
        self, action: int, first: str | None, second: str | None, database: str | None
    ) -> bool:
        if action in _READS_FREELY:
            return True
        if action == sqlite3.SQLITE_FUNCTION:
            self.functions[second or ""] = None
            return (second or "").lower() in self._rules.functions
        if action == sqlite3.SQLITE_READ:
            self.reads[database or "", first or "", second or ""] = None
            return database in (None, "", "main") and self._may_read((first or "").lower())
        return action == sqlite3.SQLITE_PRAGMA and (first, second) == ("data_version", None)

    def _may_read(self, table: str) -> bool:
        if table.startswith(SYSTEM_PREFIXES):
            return False
        return self._rules.tables is None or table in self._rules.tables

    def watch(self) -> int:
        """Return 1 to stop; an exception, Ctrl-C for one, is kept for after the statement."""
        try:
            self._ticks -= 1
            if self._ticks < 0:
                self.stopped = "steps"
            elif (now := time.monotonic()) > self._ends:
                self.stopped = "time"
            elif now > self._looks_again:
                self._looks_again = now + _LOOK_S
                self.stopped = growth.over(self._began, self._limit_bytes)
        except BaseException as error:  # noqa: BLE001 - sqlite3 would swallow it
            self.raised = error
            return 1
        return 1 if self.stopped else 0


def _require_reading(program: Sequence[Sequence[Any]]) -> None:
    """Raise ServerError unless sqlite3_stmt_readonly would say yes of the same program."""
    for line in program:
        opcode, second = line[1], line[3]
        if opcode in _WRITES or (opcode == "Transaction" and second):
            raise ServerError(f"the statement is not read-only ({opcode})", "25006")


def _take(cursor: sqlite3.Cursor, caps: Caps) -> Rows:
    names = [column[0] for column in cursor.description or ()]
    columns = tuple((column[0], "") for column in cursor.description or ())
    rows: list[JsonText] = []
    size = 0
    for values in cursor:
        row = row_text(names, values)
        size += len(row.encode())
        if len(rows) == caps.max_rows or size > caps.max_bytes:
            return Rows(columns, rows, complete=False)
        rows.append(row)
    return Rows(columns, rows, complete=True)


def row_text(names: Sequence[str], values: Sequence[object]) -> JsonText:
    """Return one row as a JSON object, as Link.fetch describes it."""
    pairs = zip(names, values, strict=True)
    return "{" + ",".join(f"{json.dumps(n, ensure_ascii=False)}:{_json(v)}" for n, v in pairs) + "}"


def _json(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    if isinstance(value, float) and math.isinf(value):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    return json.dumps(value, ensure_ascii=False)


def text(data: bytes) -> str:
    """Decode a text of the database; SQLite lets it hold any bytes."""
    return data.decode("utf-8", "replace")


def _translated(error: Exception, stopped: str) -> Nl2sqlError | ServerError:
    code = getattr(error, "sqlite_errorcode", None)  # Python 3.11
    message = str(error)
    if code is None and isinstance(error, sqlite3.DatabaseError):
        guessed = {"interrupted": 9, "not authorized": 23, "string or blob too big": 18}
        code = guessed.get(message, 1)
    if code is None and isinstance(error, ValueError):
        return ServerError(f"not a text that SQLite takes: {message}", "42601")
    return error_of(code or 1, message, stopped)
