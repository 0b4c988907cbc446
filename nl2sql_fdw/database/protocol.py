"""What a stage may ask of a database; spi, dsn and sqlite each provide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from nl2sql_fdw.types import JsonText

Row = Mapping[str, Any]


class Database(Protocol):
    """One connection, seen from the pipeline. Every method raises errors.ServerError."""

    dialect: str

    def query(self, sql: str, *values: object) -> Sequence[Row]:
        """Run our own SQL (never a model's), with $1, $2 ... for the values.

        A value is None, bool, int, float, str, or a list of str or None.
        """

    def explain(self, sql: str, limit_ms: int) -> str:
        """Return the plan of one guarded SELECT as JSON text, without running it.

        The planner computes what is constant, so this too can take long: raises TimeLimit.
        """

    def describe(self, sql: str, limit_ms: int) -> tuple[tuple[str, str], ...]:
        """Return (name, type) of each column of one guarded SELECT, without running it.

        Raises TimeLimit, as explain does.
        """

    def fetch(
        self, sql: str, max_rows: int, max_bytes: int, limit_ms: int
    ) -> tuple[list[JsonText], bool]:
        """Run one guarded SELECT whose only column is JSON text.

        Returns at most that many rows and bytes, and whether that was all of them.
        Raises errors.TimeLimit when it ran longer than `limit_ms`.
        """

    def undone(self) -> AbstractContextManager[None]:
        """Run the body, then undo whatever it did: reading needs nothing to be kept.

        Written rows, assigned settings, messages to other sessions, locks of the transaction;
        not locks of the session, and not what a function did outside the database.
        """

    def bounded(self, memory_bytes: int) -> AbstractContextManager[None]:
        """Run the body with a bound on the memory it may take more; raises errors.MemoryLimit."""

    def within(self, limit_ms: int) -> AbstractContextManager[None]:
        """Run the body, which may go through the door; raises errors.TimeLimit when it is late.

        From outside the server the limit is that of each query of the body.
        """

    def stamps(self, names: Sequence[str]) -> Sequence[object]:
        """Return for each setting what is equal as long as nobody assigns it."""

    def poll(self) -> None:
        """Let a pending cancel or statement timeout take effect now."""

    def caller(self) -> str:
        """Return the role that asks: what SET ROLE made it, else the session's own."""

    def notice(self, text: str) -> None:
        """Tell the person who waits what is happening."""
