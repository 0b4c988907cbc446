"""The database seen from inside one of its own backends, through PL/Python's plpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from nl2sql_fdw.database import caps, memory, settings, timer
from nl2sql_fdw.database.protocol import Row
from nl2sql_fdw.errors import MemoryLimit, ServerError, TimeLimit
from nl2sql_fdw.types import JsonText

_OUT_OF_MEMORY = "53200"
_TYPE_NAMES = """
SELECT CASE WHEN pg_type_is_visible(e.oid) AND s.nspname <> 'pg_catalog'
            THEN quote_ident(s.nspname) || '.' ELSE '' END || format_type(x.t, x.m) AS name
FROM unnest($1::text[]::oid[], $2::text[]::int[]) WITH ORDINALITY AS x(t, m, n)
JOIN pg_type t ON t.oid = x.t
JOIN pg_type e ON e.oid = CASE t.typcategory WHEN 'A' THEN coalesce(nullif(t.typelem, 0), t.oid)
                               ELSE t.oid END
JOIN pg_namespace s ON s.oid = e.typnamespace
ORDER BY n
"""
"""With its schema, since whoever reads the name has another search path."""

_plans: dict[tuple[str, tuple[str, ...]], Any] = {}
"""Prepared statements of this backend: they live as long as it does."""


class SpiDatabase:
    """`plpy` is the module that PL/Python gives a function; it is passed in, never imported."""

    dialect = "postgres"

    def __init__(self, plpy: Any) -> None:
        self._plpy = plpy

    def query(self, sql: str, *values: object) -> Sequence[Row]:
        types = tuple(map(_type_of, values))
        with self._errors():
            if (sql, types) not in _plans:
                _plans[sql, types] = self._plpy.prepare(sql, types)
            return list(self._plpy.execute(_plans[sql, types], values))

    def explain(self, sql: str, limit_ms: int) -> str:
        with self._limited(limit_ms):
            rows = self._plpy.execute(f"EXPLAIN (FORMAT JSON)\n{sql}\n")
        return str(rows[0]["QUERY PLAN"])

    def describe(self, sql: str, limit_ms: int) -> tuple[tuple[str, str], ...]:
        with self._limited(limit_ms):
            probe = self._plpy.execute(f"SELECT * FROM (\n{sql}\n) AS q LIMIT 0")
        names, types = probe.colnames(), probe.coltypes()
        named = self.query(
            _TYPE_NAMES,
            [str(oid) for oid in types],
            [str(modifier) for modifier in probe.coltypmods()],
        )
        return tuple(zip(names, (row["name"] for row in named), strict=True))

    def fetch(
        self, sql: str, max_rows: int, max_bytes: int, limit_ms: int
    ) -> tuple[list[JsonText], bool]:
        with self._limited(limit_ms):
            return self._read(sql, max_rows, max_bytes)

    @contextmanager
    def undone(self) -> Iterator[None]:
        try:
            with self._plpy.subtransaction():
                yield
                raise _Undo
        except _Undo:
            return

    @contextmanager
    def bounded(self, memory_bytes: int) -> Iterator[None]:
        too_large = f"The query takes more than {memory_bytes // 1_000_000} MB of memory."
        try:
            with memory.bounded(memory_bytes):
                yield
        except MemoryError as error:
            raise MemoryLimit(too_large) from error
        except ServerError as error:
            if error.sqlstate != _OUT_OF_MEMORY:
                raise
            raise MemoryLimit(too_large) from error

    def within(self, limit_ms: int) -> AbstractContextManager[None]:
        return self._limited(limit_ms)

    def stamps(self, names: Sequence[str]) -> Sequence[object]:
        return [settings.stamp(name) for name in names]

    def poll(self) -> None:
        with self._errors():
            self._plpy.execute("SELECT 1")

    def caller(self) -> str:
        row = self.query(
            "SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text"
            " ELSE current_setting('role') END AS name"
        )
        return str(row[0]["name"])

    def notice(self, text: str) -> None:
        self._plpy.notice(text)

    def _read(self, sql: str, max_rows: int, max_bytes: int) -> tuple[list[JsonText], bool]:
        """Fetch in batches; the flag tells whether that was all.

        The cursor is let go, and so closed, at once: an error that somebody keeps would keep
        this frame, and a cursor that is alive when the statement ends fails it.
        """
        cursor = self._plpy.cursor(sql)
        try:
            return caps.take(cursor.fetch, max_rows, max_bytes)
        finally:
            del cursor

    def _absorb_late_cancel(self) -> None:
        """Take the cancel that came after the query had ended, so that nothing else meets it."""
        try:
            self.poll()
        except ServerError as error:
            if not error.canceled:
                raise

    @contextmanager
    def _limited(self, limit_ms: int) -> Iterator[None]:
        with timer.running(limit_ms) as alarm:
            try:
                with self._errors():
                    yield
            except ServerError as error:
                if error.canceled and alarm.stop():
                    raise TimeLimit(f"The query ran longer than {limit_ms} ms.") from error
                raise
            finally:  # after another error too: the cancel may have come beside it
                if alarm.stop():
                    self._absorb_late_cancel()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._plpy.SPIError as error:
            raise _server_error(error) from error


class _Undo(Exception):
    """Ends a subtransaction whose work is done, and is to be forgotten."""


def _type_of(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "bigint"
    if isinstance(value, float):
        return "double precision"
    return "text[]" if isinstance(value, list) else "text"


def _server_error(error: Any) -> ServerError:
    """Read the fields that PL/Python keeps in SPIError.spidata (plpy_spi.c)."""
    code, detail, hint, _query, position = (*getattr(error, "spidata", ()), *[None] * 5)[:5]
    return ServerError(
        str(error), _unpack_sqlstate(code or 0), detail or "", hint or "", position or 0
    )


def _unpack_sqlstate(code: int) -> str:
    """Undo MAKE_SQLSTATE of elog.h: five characters of six bits each."""
    return "".join(chr((code >> 6 * i & 0x3F) + ord("0")) for i in range(5))
