"""Where a benchmark asks: a database of a server (sandbox.py) or a file of SQLite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nl2sql_fdw.bench.gold import Judge
from nl2sql_fdw.bench.gold_sqlite import SqliteJudge
from nl2sql_fdw.entry import sqlite_file
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import Answer, Profile


class Place(Protocol):
    """A database to ask: the role that reads it, and the schemas that it sees."""

    dialect: str

    @property
    def reader(self) -> str: ...

    @property
    def schemas(self) -> tuple[str, ...] | None: ...

    def ask(
        self, question: str, profile: Profile, fetch: bool = True, model: Model | None = None
    ) -> Answer:
        """Answer one question through the pipeline, as a user would be answered."""

    def judge(self) -> Judge:
        """Open what the golds are run on: the same data, for reading only."""


@dataclass(frozen=True)
class FilePlace:
    """A SQLite file."""

    path: Path
    reader: str = ""
    schemas: tuple[str, ...] | None = None

    dialect = "sqlite"

    def ask(
        self, question: str, profile: Profile, fetch: bool = True, model: Model | None = None
    ) -> Answer:
        return sqlite_file.ask(question, self.path, profile, fetch, model=model)

    def judge(self) -> Judge:
        return SqliteJudge(sqlite_file.connection(self.path))
