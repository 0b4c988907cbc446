"""The reported faults with names and schemas, from the server's catalog to SQL that runs.

Each follows one name: into the prompt, out of a careless reply, and back to the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from nl2sql_fdw import prompt
from nl2sql_fdw.bind import bind
from nl2sql_fdw.errors import NeedsClarification
from nl2sql_fdw.prompt import Clock
from nl2sql_fdw.types import Profile, Schema

SCRIPT = """
CREATE SCHEMA freight; CREATE SCHEMA a; CREATE SCHEMA b;
CREATE TABLE "HarbourLog" ("ShipID" int);
INSERT INTO "HarbourLog" VALUES (1), (2), (3);
CREATE TABLE "order" (id int, "group" text); INSERT INTO "order" VALUES (1, 'x');
CREATE TABLE "user" (id int); INSERT INTO "user" VALUES (1), (2);
CREATE MATERIALIZED VIEW mv_daily AS SELECT 7 AS n;
CREATE TABLE base (id int); CREATE VIEW exposed AS SELECT count(*) AS total FROM base;
CREATE TABLE freight.leg (id int); INSERT INTO freight.leg VALUES (1), (2), (3), (4);
CREATE TABLE a.ship (id int); CREATE TABLE b.ship (id int);
GRANT USAGE ON SCHEMA freight, a, b TO {reader};
GRANT SELECT ON ALL TABLES IN SCHEMA public, freight, a, b TO {reader};
REVOKE SELECT ON base FROM {reader};
"""


@pytest.fixture(scope="module")
def database(
    make_database: Callable[[str], psycopg.Connection], roles: tuple[str, str]
) -> Iterator[psycopg.Connection]:
    reader, _ = roles
    connection = make_database(SCRIPT.format(reader=reader))
    connection.execute(f"SET ROLE {reader}")
    yield connection
    connection.execute("RESET ROLE")
    connection.execute(f"DROP OWNED BY {reader}")


@pytest.fixture(scope="module")
def schema(
    database: psycopg.Connection, roles: tuple[str, str], read_schema: Callable[..., Schema]
) -> Schema:
    return read_schema(database, reader=roles[0])


@pytest.fixture(scope="module")
def sent(schema: Schema) -> str:
    """What the model is told of the schema."""
    return prompt.build("q", schema, Profile(), Clock("2026-01-02", "Friday", "UTC")).stable


@pytest.mark.parametrize(
    ("reply", "rows"),
    [
        pytest.param("SELECT count(*) FROM HarbourLog", [(3,)], id="S1-table"),
        pytest.param("SELECT max(h.ShipID) FROM HarbourLog h", [(3,)], id="S1-column"),
        pytest.param("SELECT id FROM order", [(1,)], id="S2-order"),
        pytest.param("SELECT count(*) FROM user", [(2,)], id="S2-user"),
        pytest.param("SELECT group FROM order GROUP BY group", [("x",)], id="S2-column"),
        pytest.param("SELECT n FROM MV_Daily", [(7,)], id="S4"),
        pytest.param("SELECT total FROM exposed", [(0,)], id="S5"),
        pytest.param("SELECT count(*) FROM leg", [(4,)], id="S6"),
        pytest.param("SELECT count(*) FROM public.leg", [(4,)], id="S9-assumes-public"),
    ],
)
def test_a_careless_reply_still_runs(
    database: psycopg.Connection, schema: Schema, reply: str, rows: list[tuple[object]]
) -> None:
    sql, _ = bind(reply, schema)
    assert database.execute(sql.encode()).fetchall() == rows


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('CREATE TABLE "HarbourLog" (', id="S1-table"),
        pytest.param('  "ShipID" integer', id="S1-column"),
        pytest.param('CREATE TABLE "order" (', id="S2-order"),
        pytest.param('CREATE TABLE "user" (', id="S2-user"),
        pytest.param('  "group" text', id="S2-column"),
        pytest.param("CREATE MATERIALIZED VIEW mv_daily (", id="S4"),
        pytest.param("CREATE VIEW exposed (", id="S5"),
        pytest.param("CREATE TABLE freight.leg (", id="S6"),
        pytest.param("CREATE TABLE a.ship (", id="S9-a"),
        pytest.param("CREATE TABLE b.ship (", id="S9-b"),
    ],
)
def test_the_prompt_writes_the_name_as_it_must_stand(sent: str, line: str) -> None:
    assert line in sent.splitlines()


def test_s5_the_revoked_base_is_not_shown(sent: str) -> None:
    assert "base" not in sent


def test_s9_never_guesses_between_two_schemas(schema: Schema) -> None:
    with pytest.raises(NeedsClarification, match=r"a\.ship or b\.ship"):
        bind("SELECT count(*) FROM ship", schema)


def test_s9_the_search_path_decides_what_the_profile_lists(
    database: psycopg.Connection, roles: tuple[str, str], read_schema: Callable[..., Schema]
) -> None:
    only_b = read_schema(database, reader=roles[0], schemas=("b",))
    assert bind("SELECT count(*) FROM ship", only_b) == ("SELECT count(*) FROM ship", ())
    assert only_b.search_path == ("b",)
