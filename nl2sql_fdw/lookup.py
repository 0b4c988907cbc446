"""Look up, for one question, what the data says in its words: through the door, and never kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from functools import partial
from typing import TypeVar

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import CapReached, Nl2sqlError
from nl2sql_fdw.schema import searchable, values
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import JsonText, Literal, Profile, Result, Schema

_Found = TypeVar("_Found", bound=Sized)


class Lookup:
    """The columns that one question's words may be looked up in, and the door to them."""

    def __init__(
        self,
        question: str,
        schema: Schema,
        db: Database,
        profile: Profile,
        door: Callable[[str], Result],
        watch: Watch,
    ) -> None:
        self._question = question
        self._db = db
        self._limit_ms = profile.values_limit_ms
        self._door = door
        self._watch = watch
        self._places = searchable.places(db, question, schema, profile.redact)

    def hits(self) -> tuple[values.Hit, ...]:
        """Return the values that the question names."""
        return self._tried(partial(values.find, self._question, self._places), ())

    def alike(self, sought: Sequence[Literal]) -> Mapping[Literal, tuple[tuple[str, str], ...]]:
        """Return the values that the texts of a query may mean; see values.alike."""
        return self._tried(partial(values.alike, sought, self._places), {})

    def _tried(self, ask: Callable[[values.Look], _Found], nothing: _Found) -> _Found:
        """Ask within the time limit; a lookup that fails leaves the answer without its help."""
        with self._watch("values") as step:
            try:
                with self._db.within(self._limit_ms):
                    found = ask(self._rows)
            except Nl2sqlError as error:
                step.says(f"nothing was looked up: {error}")
                return nothing
            step.says(f"{len(found)} found in {len(self._places)} columns")
            return found

    def _rows(self, sql: str) -> Sequence[JsonText]:
        result = self._door(sql)
        if result.truncated:
            raise CapReached("There are more values than the profile allows rows.")
        return result.rows
