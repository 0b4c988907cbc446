"""The plugin of Datasette: the functions of nl2sql in every database that it serves.

Whoever may run SQL there may then ask the model. Datasette ends a query after its setting
sql_time_limit_ms, one second by default, and an answer takes longer: raise it.
"""

from __future__ import annotations

import sqlite3

from datasette import hookimpl

from nl2sql_fdw.sqlite import register


@hookimpl  # type: ignore[untyped-decorator]
def prepare_connection(conn: sqlite3.Connection, database: str) -> None:
    """Register the functions; a failure is told as JSON, since sqlite3 cannot pass its words."""
    if database != "_internal":
        register(conn, raises=False)
