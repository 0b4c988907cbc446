"""What the planner keeps of values tells which of many tables is meant, and nobody too much."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from nl2sql_fdw.database.dsn import DsnDatabase
from nl2sql_fdw.schema import catalog, frequent
from nl2sql_fdw.types import PERSONAL, Profile

SEA = """
CREATE TABLE ship (id int, name text, login text);
CREATE TABLE berth (id int, name text);
CREATE TABLE secret (id int, name text);
CREATE TABLE veiled (id int, name text);
INSERT INTO ship VALUES (1, 'Aurora', 'Zelda'), (2, 'New Venture', 'Zorro');
INSERT INTO berth VALUES (1, 'North Quay'), (2, 'ship');
INSERT INTO secret VALUES (1, 'Aurora'), (2, 'Polaris');
INSERT INTO veiled VALUES (1, 'Aurora'), (2, 'Polaris');
ANALYZE;
ALTER TABLE veiled ENABLE ROW LEVEL SECURITY;
"""
Said = Callable[..., dict[str, float]]


@pytest.fixture(scope="module")
def said(
    make_database: Callable[[str], psycopg.Connection], roles: tuple[str, str]
) -> Iterator[Said]:
    """Return a function: question -> how much each table's values say of it, for the caller."""
    reader, caller = roles
    grant = f"GRANT SELECT ON ship, berth, veiled TO {reader}, {caller}; GRANT SELECT ON secret TO "
    admin = make_database(SEA + grant + reader)
    conninfo = make_conninfo(admin.info.dsn, options=f"-c role={caller}")
    with closing(DsnDatabase(conninfo)) as db:
        schema = catalog.read(db, Profile(reader=reader, schemas=("public",)))

        def ask(question: str, redact: tuple[str, ...] = PERSONAL) -> dict[str, float]:
            found = frequent.said(question, db, schema, redact)
            return {schema.relations[place].name: much for place, much in found.items()}

        yield ask
    admin.execute(f"DROP OWNED BY {reader}, {caller}")


def test_a_value_that_is_marked_as_one_tells_the_table(said: Said) -> None:
    assert said("When did Aurora leave?") == {"ship": 1}
    assert said('Who lies at "north quay"?') == {"berth": 1}


def test_the_longest_value_is_meant(said: Said) -> None:
    assert said("Where is the New Venture?") == {"ship": 1}


def test_several_words_count_less_unmarked_and_a_single_one_nothing(said: Said) -> None:
    assert said("where is new venture?") == {"ship": 0.5}
    assert said("how many a ship?") == {}


def test_neither_a_hidden_table_nor_one_with_row_security_tells(said: Said) -> None:
    assert said("Where is Polaris?") == {}


def test_a_redacted_column_tells_nothing(said: Said) -> None:
    assert said("Who is Zelda?") == {}
    assert said("Who is Zelda?", ()) == {"ship": 1}
