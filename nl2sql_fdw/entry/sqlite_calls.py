"""What each function on SQLite does, over a Link; the surface is in C, or of sqlite3."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from nl2sql_fdw import pipeline, pipeline_sqlite
from nl2sql_fdw.database.sqlite import SqliteDatabase
from nl2sql_fdw.database.sqlite_link import Link
from nl2sql_fdw.entry import outcome
from nl2sql_fdw.errors import Nl2sqlError
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import ALL_LAYERS, Answer, Layers, Profile, Result

Field = bytes | str | int


class Calls:
    """The actions, with what tests may put in: another way to a model, fewer layers."""

    def __init__(
        self,
        link: Link,
        connect: Callable[[Profile], Model] = connect,
        layers: Layers = ALL_LAYERS,
    ) -> None:
        self._link = link
        self._connect = connect
        self._layers = layers

    def rows(self, question: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        rows = self._result(question, db, profile).rows
        return [len(rows), *(f"t{row}" for row in rows)]

    def array(self, question: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        return [_array(self._result(question, db, profile))]

    def sql(self, question: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        return [_answered(self._answer(question, db, profile, fetch=False)).sql or ""]

    def ask(self, question: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        return [outcome.of_answer(self._answer(question, db, profile, fetch=True))]

    def run(self, sql: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        return [_array(self._door(sql, db, profile, fetch=True))]

    def check(self, sql: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        """Tell the door's verdict; the names are those of PostgreSQL's nl2sql_check."""
        try:
            found = outcome.header(self._door(sql, db, profile, fetch=False))
            known = {key: found[key] for key in ("cost", "plan_rows")}
        except Nl2sqlError as error:
            said = outcome.of_error(error)
            known = {key: said[key] for key in ("message", "detail", "hint", "sqlstate")}
        return [outcome.text({"allowed": "sqlstate" not in known, **known})]

    def prompt(self, question: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        look = partial(self._door, db=db, profile=profile, fetch=True)
        turns = pipeline.show(question, db, profile, look).messages()
        return ["\n\n".join(f"[{turn['role']}]\n{turn['content']}" for turn in turns)]

    def table(self, question: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        """Return the SQL, and the columns of a table for its rows: unique names, affinities."""
        found = _answered(self._answer(question, db, profile, fetch=False))
        sql = found.sql or ""
        names = _unique([name for name, _ in db.prepare(sql).columns])
        kinds = [affinity(kind) for _, kind in db.prepare(sql).columns]
        columns = [part for pair in zip(names, kinds, strict=True) for part in pair]
        return [sql, len(names), *columns]

    def again(self, sql: str, db: SqliteDatabase, profile: Profile) -> Sequence[Field]:
        """Run the SQL of such a table; the extension keeps the values that it fetched last."""
        found = self._door(sql, db, profile, fetch=True)
        return [len(found.rows), len(found.columns)]

    def _result(self, question: str, db: SqliteDatabase, profile: Profile) -> Result:
        found = _answered(self._answer(question, db, profile, fetch=True))
        return found.result or Result()

    def _answer(self, question: str, db: SqliteDatabase, profile: Profile, fetch: bool) -> Answer:
        door = partial(self._door, db=db, profile=profile, fetch=fetch)
        look = partial(self._door, db=db, profile=profile, fetch=True)
        model = self._connect(profile)
        return pipeline.answer(question, db, model, profile, door, _untold, look, fetch)

    def _door(self, sql: str, db: SqliteDatabase, profile: Profile, fetch: bool) -> Result:
        return pipeline_sqlite.run(sql, db, profile, _untold, fetch, layers=self._layers)


ACTIONS: Mapping[str, Callable[[Calls, str, SqliteDatabase, Profile], Sequence[Field]]] = {
    "nl2sql": Calls.array,
    "nl2sql_sql": Calls.sql,
    "nl2sql_ask": Calls.ask,
    "nl2sql_run": Calls.run,
    "nl2sql_check": Calls.check,
    "nl2sql_prompt": Calls.prompt,
    "nl2sql_rows": Calls.rows,
    "nl2sql_table": Calls.table,
    "nl2sql_again": Calls.again,
}


def words(error: Mapping[str, str]) -> str:
    """Write an error as the one text that SQLite has for it."""
    return (
        f"[{error['sqlstate']}] {error['message']}\n"
        f"DETAIL: {error['detail']}\nHINT: {error['hint']}"
    )


def affinity(declared: str) -> str:
    """Return the affinity of a declared type by SQLite's rules; "" for none."""
    kind = declared.upper()
    for parts, name in (
        (("INT",), "INTEGER"),
        (("CHAR", "CLOB", "TEXT"), "TEXT"),
        (("BLOB",), ""),
        (("REAL", "FLOA", "DOUB"), "REAL"),
    ):
        if any(part in kind for part in parts):
            return name
    return "NUMERIC" if kind else ""


def _unique(names: Sequence[str]) -> list[str]:
    """Put a number behind a name that was there, whatever its case: id, id_1."""
    taken: set[str] = set()
    found = []
    for name in names:
        tried, number = name, 0
        while tried.lower() in taken:
            number += 1
            tried = f"{name}_{number}"
        taken.add(tried.lower())
        found.append(tried)
    return found


def _answered(found: Answer) -> Answer:
    if found.error:
        raise found.error
    return found


def _array(result: Result) -> str:
    return f"[{','.join(result.rows)}]"


def _untold(stage: str, text: str) -> None:
    """Say nothing: SQLite has no way to show progress."""
