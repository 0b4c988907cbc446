"""What SQLite logic needs of a connection: a few primitives, over Python's sqlite3 or over pipes.

`Link` is implemented twice: on a Python connection (sqlite_python.py), and by the worker of
the loadable extension, which sends each call to C code on the calling connection. All thinking
(catalog, guard, prices, words of errors) is done on this side of the Link; the other side only
prepares, authorizes, counts and copies.

Three rules hold for every method that is given `rules`:

1. It runs under an authorizer, installed before the text is prepared and taken away after the
   last step. What SQLite asks it, and the answer:
     SQLITE_SELECT, SQLITE_RECURSIVE   yes
     SQLITE_FUNCTION                   yes where the lower-case name is in rules.functions
     SQLITE_READ                       no where it names a database other than main, and for a
                                       table whose name begins with sqlite_ or pragma_; else yes
                                       where rules.tables is None or has its lower-case name
     SQLITE_PRAGMA data_version        yes, without a value: full-text search asks for it
     everything else                   no (SQLITE_DENY), other PRAGMAs and ATTACH included
   A host's own authorizer, where the link knows it, is asked too, and its no is a no.
2. The text is one statement, nothing but spaces, comments and semicolons behind it, that
   sqlite3_stmt_readonly calls read-only. Else ServerError of SQLSTATE 42601 or 25006.
3. Whatever comes of it, the connection is left as it was: authorizer, progress handler, limits,
   no statement open, no transaction begun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nl2sql_fdw.errors import CapReached, MemoryLimit, Nl2sqlError, ServerError, TimeLimit
from nl2sql_fdw.types import JsonText

Scalar = None | bool | int | float | str

SYSTEM_PREFIXES = ("sqlite_", "pragma_")
"""Of the names of tables that no question may read: the schema tables, and PRAGMAs as functions."""


@dataclass(frozen=True)
class Rules:
    """What the authorizer lets through, in lower case; `tables` None is any but SQLite's own."""

    functions: frozenset[str]
    tables: frozenset[str] | None = None


@dataclass(frozen=True)
class Caps:
    """The bounds of one run.

    `max_bytes` is of all rows as JSON text in UTF-8. `max_cell_bytes` is set as SQLITE_LIMIT_LENGTH
    while the statement is prepared and run. `limit_ms` and `max_steps` (instructions of SQLite's
    machine) are watched by the progress handler.
    """

    max_rows: int
    max_bytes: int
    max_cell_bytes: int
    limit_ms: int
    max_steps: int


@dataclass(frozen=True)
class Prepared:
    """What SQLite says of a text without running it.

    `columns` are (name, declared type); the type is "" where SQLite, or the link, knows none.
    `reads` are the (database, table, column) of each SQLITE_READ that was asked, as given, in
    order, each once; the database is "" where SQLite names none, as for a WITH query; the column
    is "" where only rows are counted. `functions` are the names of each SQLITE_FUNCTION. Views
    are followed: the tables under them are in `reads` too.
    """

    columns: tuple[tuple[str, str], ...]
    reads: tuple[tuple[str, str, str], ...]
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Rows:
    """Rows as JSON objects, and whether they are all. `columns` is as in Prepared."""

    columns: tuple[tuple[str, str], ...]
    rows: list[JsonText]
    complete: bool


class Link(Protocol):
    """One connection. Errors of SQLite are raised as `error_of` makes them."""

    def rows(self, sql: str, values: Sequence[Scalar] = ()) -> list[Mapping[str, Any]]:
        """Run our own read-only SQL (never a model's), with ? for the values; no authorizer.

        The keys are the names of the columns; integers, reals, texts and NULL as they are.
        """

    def prepare(self, sql: str, rules: Rules) -> Prepared:
        """Prepare one statement and finalize it; no row is read."""

    def plan(self, sql: str, rules: Rules) -> list[Mapping[str, Any]]:
        """Return EXPLAIN QUERY PLAN of one statement: id, parent and detail of each line."""

    def fetch(self, sql: str, rules: Rules, caps: Caps) -> Rows:
        """Run one statement, and stop at the first row that is over the caps.

        A row is a JSON object in the order of its columns, names that occur twice included:
        integers exact, reals in the fewest digits that read back as the same (with a point or an
        exponent), infinities "Infinity" and "-Infinity", NULL null, text as it is (bytes that
        are no UTF-8 become U+FFFD), a blob as the text "\\x" and its bytes in lower-case hex.
        Raises TimeLimit after limit_ms or max_steps, CapReached for a cell over max_cell_bytes.
        """

    def poll(self) -> None:
        """Raise ServerError 57014 where the user has interrupted the connection."""


SQLITE_PERM, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY = 3, 5, 6, 7, 8
SQLITE_INTERRUPT, SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_AUTH, SQLITE_NOTADB = 9, 11, 18, 23, 26

_SQLSTATES = {
    SQLITE_PERM: "42501",
    SQLITE_BUSY: "55P03",
    SQLITE_LOCKED: "55P03",
    SQLITE_READONLY: "25006",
    SQLITE_INTERRUPT: "57014",
    SQLITE_CORRUPT: "XX001",
    SQLITE_AUTH: "42501",
    SQLITE_NOTADB: "XX001",
}
_SAID = (
    ("syntax error", "42601"),
    ("incomplete input", "42601"),
    ("unrecognized token", "42601"),
    ("one statement at a time", "42601"),
    ("no such table", "42P01"),
    ("no such column", "42703"),
    ("ambiguous column", "42702"),
    ("no such function", "42883"),
    ("wrong number of arguments", "42883"),
    ("misuse of", "42803"),
    ("not authorized", "42501"),
    ("prohibited", "42501"),
)
"""How SQLite's messages begin or what they hold: most of its errors share one code."""


def error_of(code: int, message: str, stopped: str = "") -> Nl2sqlError | ServerError:
    """Return the error for a primary or extended result code of SQLite and its message.

    `stopped` says what our own progress handler ended the statement for: "time", "steps",
    "memory", "disk", or "" where it did not, so that an interrupt is the user's.
    """
    code &= 0xFF
    if code == SQLITE_INTERRUPT and stopped in ("memory", "disk"):
        return MemoryLimit(f"The query took more {stopped} than its limit.", "Layer: memory limit.")
    if code == SQLITE_INTERRUPT and stopped:
        what = "longer than its time limit" if stopped == "time" else "more steps than its budget"
        return TimeLimit(f"The query ran {what}.", detail="Layer: time limit.")
    if code == SQLITE_TOOBIG:
        return CapReached(
            "The query makes or reads a value that is over the limit.",
            detail="Layer: result caps.",
            hint="Leave the long column out. The owner may raise max_cell_bytes.",
        )
    if code == SQLITE_NOMEM:
        return MemoryLimit("The query took more memory than there is.")
    said = next(
        (state for part, state in _SAID if part in message), "58000" if code > 1 else "42000"
    )
    return ServerError(message, _SQLSTATES.get(code, said))
