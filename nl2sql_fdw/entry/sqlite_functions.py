"""The SQL functions that a Python program registers on its connection."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from nl2sql_fdw.database.sqlite import SqliteDatabase
from nl2sql_fdw.database.sqlite_link import Link
from nl2sql_fdw.database.sqlite_python import PythonLink
from nl2sql_fdw.entry import outcome, sqlite_options
from nl2sql_fdw.entry.sqlite_calls import Calls, Field
from nl2sql_fdw.entry.sqlite_file import connection as opened
from nl2sql_fdw.errors import Nl2sqlError, ServerError
from nl2sql_fdw.guard import sqlite as guard
from nl2sql_fdw.types import JsonText, Profile

_Action = Callable[[Calls, str, SqliteDatabase, Profile], Sequence[Field]]

_ACTIONS: Mapping[str, _Action] = {
    "nl2sql": Calls.array,
    "nl2sql_sql": Calls.sql,
    "nl2sql_ask": Calls.ask,
    "nl2sql_run": Calls.run,
    "nl2sql_check": Calls.check,
    "nl2sql_prompt": Calls.prompt,
}
_FILE = "SELECT file FROM pragma_database_list WHERE name = 'main'"

_log = logging.getLogger(__name__)


class Functions:
    """The functions of one connection."""

    def __init__(
        self, connection: sqlite3.Connection, profile: Profile | None, raises: bool
    ) -> None:
        self._connection = connection
        self._profile = profile
        self._raises = raises
        self._error: str | None = None

    def listed(self) -> Mapping[str, Callable[..., JsonText]]:
        """Return the functions of a text, with options behind it or not, by their names in SQL."""
        return {name: partial(self._told, action) for name, action in _ACTIONS.items()}

    def last_error(self) -> str | None:
        """Return the words of the last failure, None where the last call had none."""
        return self._error

    def _told(self, action: _Action, subject: str | None, options: str | None = None) -> JsonText:
        """Make one call. Its words survive an error, which sqlite3 does not pass on."""
        self._error = None
        try:
            return self._call(action, str(subject or ""), str(options or ""))
        except (Nl2sqlError, ServerError) as error:
            values = outcome.of_error(error)
        except Exception as error:  # noqa: BLE001  the edge: sqlite3 would tell nobody
            _log.exception("nl2sql failed inside")
            values = outcome.of_fault(error)
        self._error = f"[{values['sqlstate']}] {values['message']} {values['hint']}"
        if self._raises:
            raise RuntimeError(self._error)
        return outcome.text(values)

    def _call(self, action: _Action, subject: str, options: str) -> JsonText:
        host = PythonLink(self._connection)
        profile = sqlite_options.profile(host, options, self._profile)
        with _own(host, profile) as link:
            allowed = profile.allow_functions
            db = SqliteDatabase(link, guard.functions(), allowed=allowed)
            return str(action(Calls(link), subject, db, profile)[0])


@contextmanager
def _own(host: PythonLink, profile: Profile) -> Iterator[Link]:
    """Open the connection's file once more; where there is none, take the connection."""
    file = host.rows(_FILE)[0]["file"]
    if not file:
        yield host
        return
    with closing(opened(Path(str(file)))) as connection:
        yield PythonLink(connection, memory_bytes=profile.max_memory_bytes)
