"""What the SQL functions do that a Python program registers on its connection."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from nl2sql_fdw import pipeline, pipeline_sqlite
from nl2sql_fdw.database.sqlite import SqliteDatabase
from nl2sql_fdw.database.sqlite_python import PythonLink
from nl2sql_fdw.entry import outcome
from nl2sql_fdw.entry.sqlite_file import open_database
from nl2sql_fdw.errors import Nl2sqlError, ServerError
from nl2sql_fdw.guard import sqlite as guard
from nl2sql_fdw.model import connect
from nl2sql_fdw.types import Answer, JsonText, Profile, Result

Call = Callable[["str | None"], "str | None"]

_FILE = "SELECT file FROM pragma_database_list WHERE name = 'main'"

_log = logging.getLogger(__name__)


class Functions:
    """The functions of one connection."""

    def __init__(self, connection: sqlite3.Connection, profile: Profile, raises: bool) -> None:
        self._connection = connection
        self._profile = profile
        self._raises = raises
        self._error: str | None = None

    def listed(self) -> Mapping[str, Call]:
        """Return the functions of one argument by their names in SQL."""
        return {
            "nl2sql": partial(self._told, self._rows),
            "nl2sql_sql": partial(self._told, self._sql),
            "nl2sql_run": partial(self._told, self._run),
            "nl2sql_ask": partial(self._told, self._ask),
            "nl2sql_check": partial(self._told, self._check),
        }

    def last_error(self) -> str | None:
        """Return the words of the last failure, None where the last call had none."""
        return self._error

    def _told(
        self, call: Callable[[str, SqliteDatabase], JsonText], subject: str | None
    ) -> JsonText:
        """Make one call. Its words survive an error, which sqlite3 does not pass on."""
        self._error = None
        try:
            with self._database() as db:
                return call(str(subject or ""), db)
        except (Nl2sqlError, ServerError) as error:
            values = outcome.of_error(error)
        except Exception as error:
            _log.exception("nl2sql failed inside")
            values = outcome.of_fault(error)
            if self._raises:
                self._error = str(values["message"])
                raise
        self._error = f"[{values['sqlstate']}] {values['message']} {values['hint']}"
        if self._raises:
            raise RuntimeError(self._error)
        return outcome.text(values)

    def _rows(self, question: str, db: SqliteDatabase) -> JsonText:
        return _array(_answered(self._answer(question, db, fetch=True)).result)

    def _sql(self, question: str, db: SqliteDatabase) -> JsonText:
        return _answered(self._answer(question, db, fetch=False)).sql or ""

    def _ask(self, question: str, db: SqliteDatabase) -> JsonText:
        return outcome.of_answer(self._answer(question, db, fetch=True))

    def _run(self, sql: str, db: SqliteDatabase) -> JsonText:
        return _array(self._door(sql, db, fetch=True))

    def _check(self, sql: str, db: SqliteDatabase) -> JsonText:
        """Tell the door's verdict; the names are those of PostgreSQL's nl2sql_check."""
        try:
            found = outcome.header(self._door(sql, db, fetch=False))
            known = {key: found[key] for key in ("cost", "plan_rows")}
        except Nl2sqlError as error:
            said = outcome.of_error(error)
            known = {key: said[key] for key in ("message", "detail", "hint", "sqlstate")}
        return outcome.text({"allowed": "sqlstate" not in known, **known})

    def _answer(self, question: str, db: SqliteDatabase, fetch: bool) -> Answer:
        door = partial(self._door, db=db, fetch=fetch)
        look = partial(self._door, db=db, fetch=True)
        model = connect(self._profile)
        return pipeline.answer(question, db, model, self._profile, door, _untold, look)

    def _door(self, sql: str, db: SqliteDatabase, fetch: bool) -> Result:
        return pipeline_sqlite.run(sql, db, self._profile, _untold, fetch)

    @contextmanager
    def _database(self) -> Iterator[SqliteDatabase]:
        """Open the connection's file once more; where there is none, take the connection."""
        link = PythonLink(self._connection, memory_bytes=self._profile.max_memory_bytes)
        file = link.rows(_FILE)[0]["file"]
        if file:
            with open_database(Path(str(file)), self._profile) as db:
                yield db
        else:
            allowed = self._profile.allow_functions
            yield SqliteDatabase(link, guard.functions(), allowed=allowed)


def _answered(found: Answer) -> Answer:
    if found.error:
        raise found.error
    return found


def _array(result: Result | None) -> JsonText:
    return f"[{','.join(result.rows if result else ())}]"


def _untold(stage: str, text: str) -> None:
    """Say nothing: there is nobody to show progress to."""
