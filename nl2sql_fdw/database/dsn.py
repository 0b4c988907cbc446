"""The database seen from outside, over psycopg: for the CLI, benchmarks and plain servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, cast

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row

from nl2sql_fdw.database import caps
from nl2sql_fdw.database.protocol import Row
from nl2sql_fdw.errors import BadSetup, ServerError, TimeLimit
from nl2sql_fdw.types import JsonText, Profile

_PARAMETER = re.compile(r"\$(\d+)")
_SETTINGS = {
    "row_security": "on",
    "standard_conforming_strings": "on",
    "work_mem": "16MB",
    "lock_timeout": "5s",
    "datestyle": "ISO",
    "intervalstyle": "postgres",
    "bytea_output": "hex",
    "jit": "off",
    "backslash_quote": "safe_encoding",
    "transform_null_equals": "off",
    "extra_float_digits": "1",
    "temp_tablespaces": "",
    "max_parallel_workers_per_gather": "0",
    "cursor_tuple_fraction": "1",
    "hypopg.enabled": "off",
}
"""What the executor pins by its SET clauses, less what no caller's session can have changed."""


class DsnDatabase:
    """One connection of its own, in autocommit; nothing else may use it meanwhile."""

    dialect = "postgres"

    def __init__(self, conninfo: str, notify: Any = None) -> None:
        """Connect; `notify` is called with each line of progress (default: dropped)."""
        self._notify = notify or (lambda text: None)
        self._ceiling_ms: int | None = None
        try:
            self._connection = psycopg.connect(
                conninfo, autocommit=True, row_factory=cast(Any, dict_row)
            )
        except psycopg.OperationalError as error:
            raise BadSetup(
                "The database cannot be reached.",
                detail=str(error).strip(),
                hint="Check --dsn, or the PGHOST, PGPORT, PGUSER and PGDATABASE of the shell.",
            ) from error
        with self._errors():
            self._connection.execute("SET search_path = pg_catalog, pg_temp")
        self._caller = str(self.query("SELECT session_user::text AS name")[0]["name"])

    def close(self) -> None:
        self._connection.close()

    def query(self, sql: str, *values: object) -> Sequence[Row]:
        text, order = _client_style(sql)
        with self._errors():
            cursor = self._connection.execute(text, [values[i] for i in order] or None)
            return cast(Sequence[Row], cursor.fetchall() if cursor.description else [])

    def explain(self, sql: str, limit_ms: int) -> str:
        import json

        with self._limited(limit_ms):
            row = self._run(f"EXPLAIN (FORMAT JSON)\n{sql}\n").fetchone()
        return json.dumps(cast(Row, row)["QUERY PLAN"])

    def describe(self, sql: str, limit_ms: int) -> tuple[tuple[str, str], ...]:
        with self._limited(limit_ms):
            columns = self._run(f"SELECT * FROM (\n{sql}\n) AS q LIMIT 0").description or []
        named = self.query(
            "SELECT format_type(t::oid, NULL) AS name"
            " FROM unnest($1::text[]) WITH ORDINALITY AS x(t, n) ORDER BY n",
            [str(column.type_code) for column in columns],
        )
        return tuple((c.name, str(row["name"])) for c, row in zip(columns, named, strict=True))

    def fetch(
        self, sql: str, max_rows: int, max_bytes: int, limit_ms: int
    ) -> tuple[list[JsonText], bool]:
        with self._limited(limit_ms):
            return self._read(sql, max_rows, max_bytes)

    def undone(self) -> AbstractContextManager[None]:
        """Do nothing here: `restricted` rolls the whole transaction back, whatever came of it."""
        return nullcontext()

    def bounded(self, memory_bytes: int) -> AbstractContextManager[None]:
        """Do nothing here: the memory is the server's, which nothing outside can bound."""
        return nullcontext()

    @contextmanager
    def within(self, limit_ms: int) -> Iterator[None]:
        self._ceiling_ms = limit_ms
        try:
            yield
        finally:
            self._ceiling_ms = None

    def stamps(self, names: Sequence[str]) -> Sequence[object]:
        """Return the values: from outside, a value that was put back cannot be told."""
        return [self.query("SELECT current_setting($1, true) AS v", name)[0]["v"] for name in names]

    def poll(self) -> None:
        """Do nothing: Ctrl-C reaches the CLI as KeyboardInterrupt by itself."""

    def caller(self) -> str:
        return self._caller

    def notice(self, text: str) -> None:
        self._notify(text)

    def reader(self, wanted: str) -> str:
        """Return the role to read as: `wanted` where we may become it, else our own.

        Raises BadSetup where our own may do more than read.
        """
        row = self.query(
            "SELECT coalesce((SELECT pg_has_role(r.oid, 'MEMBER') FROM pg_roles r"
            " WHERE r.rolname = $1), false) AS member, rolsuper OR rolbypassrls AS unsafe"
            " FROM pg_roles WHERE rolname = session_user",
            wanted,
        )[0]
        if row["member"]:
            return wanted
        if row["unsafe"]:
            raise BadSetup(
                f"Role {self._caller} is a superuser or bypasses row security, and there is no "
                f"reader role {wanted} to become.",
                detail="Layer: identity.",
                hint="Connect as an ordinary role, or create the reader: "
                f"CREATE ROLE {wanted} NOLOGIN; GRANT SELECT ON ... TO {wanted}.",
            )
        return self._caller

    @contextmanager
    def restricted(self, profile: Profile) -> Iterator[None]:
        """Hold a read-only transaction as the profile's reader; always rolled back."""
        with self._errors():
            self._connection.execute("BEGIN READ ONLY")
        try:
            for name, value in _SETTINGS.items():
                self.query("SELECT set_config($1, $2, true)", name, value)
            if profile.reader != self._caller:
                self.query("SELECT set_config('role', $1, true)", profile.reader)
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def _run(self, sql: str) -> psycopg.Cursor[Any]:
        """Run by the extended protocol, which takes one statement only; binary asks for it."""
        return self._connection.execute(sql, binary=True)

    def _read(self, sql: str, max_rows: int, max_bytes: int) -> tuple[list[JsonText], bool]:
        self._run(f"DECLARE nl2sql_rows NO SCROLL CURSOR FOR\n{sql}\n")
        try:
            return caps.take(
                lambda n: self._run(f"FETCH {n} FROM nl2sql_rows").fetchall(), max_rows, max_bytes
            )
        finally:
            if self._connection.info.transaction_status != TransactionStatus.INERROR:
                self._run("CLOSE nl2sql_rows")

    @contextmanager
    def _limited(self, limit_ms: int) -> Iterator[None]:
        limit_ms = min(limit_ms, self._ceiling_ms or limit_ms)
        self.query("SELECT set_config('statement_timeout', $1, true)", str(limit_ms))
        try:
            with self._errors():
                yield
        except ServerError as error:
            if error.canceled and "statement timeout" in error.message:
                raise TimeLimit(f"The query ran longer than {limit_ms} ms.") from error
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            said = error.diag
            raise ServerError(
                said.message_primary or str(error),
                error.sqlstate or "08000",
                said.message_detail or "",
                said.message_hint or "",
                int(said.statement_position or 0),
            ) from error


def _client_style(sql: str) -> tuple[str, list[int]]:
    """Turn $1 into psycopg's %s, and tell which value each stands for."""
    order = [int(match) - 1 for match in _PARAMETER.findall(sql)]
    text = _PARAMETER.sub("%s", sql.replace("%", "%%")) if order else sql
    return text, order
