"""A SQLite database, seen from the pipeline, over a Link."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from nl2sql_fdw.database.protocol import Row
from nl2sql_fdw.database.sqlite_link import Caps, Link, Prepared, Rows, Rules, Scalar
from nl2sql_fdw.errors import ServerError
from nl2sql_fdw.types import JsonText

_OF_THE_HOST = "SELECT DISTINCT name FROM pragma_function_list WHERE builtin = 0"
_SHADOWS = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"


class SqliteDatabase:
    """One connection; whoever opened it may read all of it: SQLite knows no roles."""

    dialect = "sqlite"

    def __init__(
        self,
        link: Link,
        functions: frozenset[str],
        notify: Callable[[str], None] = lambda text: None,
        allowed: Sequence[str] = (),
    ) -> None:
        """Take the connection; the authorizer lets through calls of `functions` only.

        One of them that the host has replaced by its own is refused, unless it is among those
        that the owner has `allowed`, which may be functions of the host.
        """
        self._link = link
        self._reviewed = functions
        self._allowed = frozenset(name.lower() for name in allowed)
        self._known: frozenset[str] | None = None
        self._notify = notify
        self._ceiling_ms: int | None = None

    def query(self, sql: str, *values: object) -> Sequence[Row]:
        return self._link.rows(sql, [_scalar(value) for value in values])

    def prepare(self, sql: str) -> Prepared:
        """Return what SQLite says that one statement reads; nothing is run.

        Raises ServerError where it names a table in which a virtual table keeps its own.
        """
        prepared = self._link.prepare(sql, self._rules())
        shadows = {name.lower() for name in self.shadows()}
        for _, table, _ in prepared.reads:
            if table.lower() in shadows:
                raise ServerError(f"access to {table} is prohibited", "42501")
        return prepared

    def shadows(self) -> list[str]:
        """Return the tables in which virtual tables keep their own."""
        return [str(row["name"]) for row in self._link.rows(_SHADOWS)]

    def explain(self, sql: str, limit_ms: int) -> str:
        return json.dumps([dict(line) for line in self._link.plan(sql, self._rules())])

    def describe(self, sql: str, limit_ms: int) -> tuple[tuple[str, str], ...]:
        return self.prepare(sql).columns

    def fetch(
        self, sql: str, max_rows: int, max_bytes: int, limit_ms: int
    ) -> tuple[list[JsonText], bool]:
        caps = Caps(max_rows, max_bytes, max_bytes, limit_ms, 2**40)
        found = self.read(sql, None, caps)
        return found.rows, found.complete

    def read(self, sql: str, tables: frozenset[str] | None, caps: Caps) -> Rows:
        """Run one statement, which reads no other tables than these, within the caps."""
        if tables is None:
            self.prepare(sql)
        limit_ms = min(caps.limit_ms, self._ceiling_ms or caps.limit_ms)
        within = Caps(caps.max_rows, caps.max_bytes, caps.max_cell_bytes, limit_ms, caps.max_steps)
        return self._link.fetch(sql, self._rules(tables), within)

    def undone(self) -> AbstractContextManager[None]:
        """Do nothing: a statement that SQLite calls read-only leaves nothing to undo."""
        return nullcontext()

    def bounded(self, memory_bytes: int) -> AbstractContextManager[None]:
        """Do nothing: the Link bounds each value, and its progress handler the whole."""
        return nullcontext()

    @contextmanager
    def within(self, limit_ms: int) -> Iterator[None]:
        """Bound each statement of the body."""
        before, self._ceiling_ms = self._ceiling_ms, limit_ms
        try:
            yield
        finally:
            self._ceiling_ms = before

    def stamps(self, names: Sequence[str]) -> Sequence[object]:
        """Return nothing to compare: a SELECT assigns no setting of SQLite."""
        return [None for _ in names]

    def poll(self) -> None:
        self._link.poll()

    def caller(self) -> str:
        return "the owner of the connection"

    def notice(self, text: str) -> None:
        self._notify(text)

    def _rules(self, tables: frozenset[str] | None = None) -> Rules:
        if self._known is None:
            replaced = {str(row["name"]).lower() for row in self._link.rows(_OF_THE_HOST)}
            self._known = self._reviewed - replaced | self._allowed
        return Rules(self._known, tables)


def _scalar(value: object) -> Scalar:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"no value of SQLite: {type(value).__name__}")
