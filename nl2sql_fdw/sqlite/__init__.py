"""nl2sql for Python programs that hold a SQLite connection: `register(connection)`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.types import Profile

__all__ = ["extension_path", "register"]


def register(
    connection: sqlite3.Connection, profile: Profile | None = None, raises: bool = True
) -> None:
    """Give a connection nl2sql, nl2sql_sql, nl2sql_ask, nl2sql_run, nl2sql_check, nl2sql_prompt.

    Each takes a text, and options that tighten limits as a JSON object where they are wanted.
    Without a profile the environment and the table temp.nl2sql_settings say what the model is.

    They ask about the file that is `main`, through a read-only connection of their own that is
    opened for each call: the host's authorizer, progress handler, limits and transaction are not
    touched, and what the host has not committed is not seen. A database without a file is asked on
    the connection itself, whose authorizer and progress handler are off after each call, because
    sqlite3 has no way to read and put them back.

    sqlite3 has no way either to say why a function failed: its error is always "user-defined
    function raised exception". The function nl2sql_error() has the words of the last failure.
    With `raises` false nl2sql, nl2sql_sql and nl2sql_run return a JSON object with status,
    message, detail and hint instead.
    """
    from nl2sql_fdw.entry.sqlite_functions import Functions

    functions = Functions(connection, profile, raises)
    for name, call in functions.listed().items():
        connection.create_function(name, -1, call)
    connection.create_function("nl2sql_error", 0, functions.last_error)


def extension_path() -> str:
    """Return the path of the loadable extension, for load_extension() of whatever loads one.

    Raises BadSetup where the package was installed without it.
    """
    folder = Path(__file__).parents[1] / "extension"
    for name in ("nl2sql0.so", "nl2sql0.dylib"):
        if (folder / name).is_file():
            return str(folder / name)
    raise BadSetup(
        "nl2sql was installed without its SQLite extension.",
        hint="It is built where a C compiler and sqlite3ext.h are there: on Debian "
        "apt-get install gcc libsqlite3-dev, then install nl2sql again.",
    )
