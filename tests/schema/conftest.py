"""A Database over psycopg with what the schema stage needs of it, and roles to read as."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from nl2sql_fdw.schema import catalog
from nl2sql_fdw.types import Profile, Schema

ReadSchema = Callable[..., Schema]


class Reading:
    """Answers `query` on a psycopg connection; $n becomes %s in the order of the numbers."""

    dialect = "postgres"

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def query(self, sql: str, *values: object) -> Sequence[dict[str, Any]]:
        named = {f"p{n}": value for n, value in enumerate(values, 1)}
        text = re.sub(r"\$(\d+)", r"%(p\1)s", sql.replace("%", "%%"))
        with self.connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(text, named if named else None).fetchall()


@pytest.fixture(scope="module")
def roles(server: psycopg.Connection) -> Iterator[tuple[str, str]]:
    """The names of a new reader role and of a new caller, dropped afterwards."""
    suffix = uuid.uuid4().hex[:8]
    names = (f"reader_{suffix}", f"caller_{suffix}")
    for name in names:
        server.execute(f"CREATE ROLE {name}")
    yield names
    for name in names:
        server.execute(f"DROP ROLE {name}")


@pytest.fixture(scope="session")
def read_schema() -> ReadSchema:
    """Return a function: connection and fields of the profile -> Schema."""

    def read(connection: psycopg.Connection, **profile: object) -> Schema:
        return catalog.read(Reading(connection), Profile(**profile))

    return read


@pytest.fixture(scope="session")
def reading() -> Callable[[psycopg.Connection], Reading]:
    """Return what makes a Database of a connection."""
    return Reading
