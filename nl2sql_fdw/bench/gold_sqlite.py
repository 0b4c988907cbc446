"""Run gold SQL on the SQLite file that was asked."""

from __future__ import annotations

import sqlite3

from nl2sql_fdw.bench.compare import Rows
from nl2sql_fdw.bench.gold import join_rows
from nl2sql_fdw.database.sqlite_python import row_text, text


class SqliteJudge:
    """A read-only connection to the file."""

    failures = (sqlite3.Error,)
    closed = False

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.text_factory = text

    def close(self) -> None:
        self._connection.close()

    def rows(self, gold: str) -> Rows:
        """Return a gold's rows; its values take the way through JSON that the answer's took."""
        cursor = self._connection.execute(gold)
        names = [column[0] for column in cursor.description or ()]
        return join_rows([row_text(names, row) for row in cursor])

    def orders(self, gold: str) -> bool:
        """Tell whether a gold orders its result: ORDER BY at its top level."""
        from sqlglot import exp, parse_one

        tree = parse_one(gold, dialect="sqlite")
        while isinstance(tree, exp.Subquery):
            tree = tree.this
        return tree.args.get("order") is not None
