"""Real columns: what each way sends is what the same SQL sends when it is run directly."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import psycopg
import pytest
from gallery import COLUMNS, GALLERY, SHAPES, Sent, sent
from shipyard import ASKER, Shipyard, session_state

CASES = {**{name: f"SELECT {name} FROM art.piece ORDER BY id" for name in COLUMNS}, **SHAPES}


@pytest.fixture(scope="module")
def gallery(shipyard_server: Shipyard) -> Shipyard:
    shipyard_server.admin.execute(GALLERY)
    shipyard_server.admin.execute(
        f"GRANT USAGE ON SCHEMA art TO {ASKER}, nl2sql_test_reader;"
        f"GRANT SELECT ON art.piece TO {ASKER}, nl2sql_test_reader"
    )
    return shipyard_server


@pytest.fixture
def asker(gallery: Shipyard, shipyard: Shipyard) -> psycopg.Connection:
    """The asker, with settings that would change a text on its way if they could."""
    connection = shipyard.asker()
    connection.execute(
        "SET intervalstyle = sql_standard; SET datestyle = 'SQL, DMY'; SET bytea_output = 'escape';"
        "SET TimeZone = 'Asia/Tokyo'; SET extra_float_digits = 0; SET xmloption = document"
    )
    return connection


def direct(asker: psycopg.Connection, sql: str) -> Sent:
    """The same SQL run directly, under the names that equal ones are given."""
    plain = sent(asker, sql)
    if "id_1" in sql:
        given = ["id", "id_2", "id_1", "mood"]
        columns = [(name, *of) for name, (_, *of) in zip(given, plain.columns, strict=True)]
        return replace(plain, columns=columns)
    return plain


def through_gexec(asker: psycopg.Connection) -> Sent:
    row = asker.execute("SELECT nl2sql_query('pieces?') AS q").fetchone()
    return sent(asker, row["q"])


def through_cursor(asker: psycopg.Connection) -> Sent:
    with asker.transaction():
        asker.execute("SELECT nl2sql_open('pieces?', name => 'My pieces')")
        return sent(asker, 'FETCH ALL FROM "My pieces"')


WAYS = {"gexec": through_gexec, "cursor": through_cursor}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_a_way_sends_what_the_sql_sends(asker, shipyard, case, way):
    shipyard.model.enqueue(CASES[case])
    assert WAYS[way](asker) == direct(asker, CASES[case])


@pytest.mark.parametrize("case", [name for name in CASES if not name.startswith("no column")])
def test_rows_of_a_type_are_what_the_sql_sends(asker, shipyard, case):
    names = ", ".join(f'"f{n}"' for n in range(len(direct(asker, CASES[case]).columns)))
    sql = CASES[case].rstrip("; ")
    shipyard.admin.execute(
        "DROP TABLE IF EXISTS art.fields;"
        f"CREATE TABLE art.fields AS SELECT * FROM (\n{sql}\n) AS q({names}) LIMIT 0"
    )
    shipyard.model.enqueue(CASES[case])
    got = sent(asker, "SELECT * FROM nl2sql_as(NULL::art.fields, 'pieces?')")
    wanted = direct(asker, CASES[case])
    assert got.rows == wanted.rows
    assert [column[1:] for column in got.columns] == [column[1:] for column in wanted.columns]


def fails(asker: psycopg.Connection, sql: str) -> psycopg.errors.Diagnostic:
    with pytest.raises(psycopg.Error) as caught:
        asker.execute(sql)
    assert caught.value.diag.message_hint
    return caught.value.diag


def as_type(shipyard: Shipyard, fields: str, reply: str) -> str:
    """Enqueue a reply, make a type, and return the question."""
    shipyard.admin.execute(f"DROP TYPE IF EXISTS art.line; CREATE TYPE art.line AS ({fields})")
    shipyard.model.enqueue(reply)
    return "SELECT * FROM nl2sql_as(NULL::art.line, 'pieces?')"


@pytest.mark.parametrize(
    ("fields", "reply", "rows"),
    [
        ("b text, a int", "SELECT 1 AS a, 'x' AS b", [("x", 1)]),
        ("a int, n int", "SELECT 'left out' AS z, 2 AS n, 1 AS a", [(1, 2)]),
        ("x int, b text", "SELECT 1 AS a, 'x' AS b", [(1, "x")]),
        ("n int", "SELECT count(*) FROM art.piece", [(3,)]),
        ("n numeric(6,2)", "SELECT sum(id) / 4.0 FROM art.piece", [(Decimal("1.50"),)]),
        ("n text", "SELECT point(1, 2)", [("(1,2)",)]),
        ("d date", "SELECT timestamp '2024-02-29 00:00'", [(date(2024, 2, 29),)]),
        ("j jsonb", """SELECT '{"a": 1}'::json""", [({"a": 1},)]),
        ("m art.mood", "SELECT 'so so'", [("so so",)]),
        ("n int", "SELECT id FROM art.piece WHERE false", []),
    ],
)
def test_fields_take_columns_by_name_then_by_position(asker, shipyard, fields, reply, rows):
    question = as_type(shipyard, fields, reply)
    assert [tuple(row.values()) for row in asker.execute(question)] == rows


@pytest.mark.parametrize(
    ("fields", "reply", "named"),
    [
        ("a int, b int", "SELECT 1 AS a", "no column for field b of art.line"),
        ("a int", "SELECT 1 AS x, 2 AS y", "no field for the answer's column y (integer)"),
        ("day date", "SELECT 1 AS day", "Field day of art.line is date, but column day is integer"),
        ("n int", "SELECT 1.5 AS n", "'1.5' of the answer would be changed"),
        (
            "n numeric(6,2)",
            "SELECT 1.005 AS n",
            "Field n of art.line is numeric(6,2), column n is numeric",
        ),
        (
            "d date",
            "SELECT timestamp '2024-02-29 00:01' AS d",
            "00:01:00' of the answer",
        ),
        ("t varchar(3)", "SELECT 'four' AS t", "'four' of the answer"),
        ("n smallint", "SELECT 70000 AS n", "smallint out of range"),
        ("b box", "SELECT circle(point(1, 2), 3) AS b", "Field b of art.line is box"),
        ('"%L$$\\" int', "SELECT 1.5", "Field %L$$\\ of art.line is integer"),
    ],
)
def test_what_does_not_fit_is_named(asker, shipyard, fields, reply, named):
    said = fails(asker, as_type(shipyard, fields, reply))
    assert named in said.message_primary + said.message_detail
    assert said.sqlstate[:2] in ("42", "22")


def test_a_scalar_type_takes_the_one_column(asker, shipyard):
    shipyard.model.enqueue("SELECT count(*) FROM art.piece", "SELECT 1, 2")
    got = asker.execute("SELECT nl2sql_as(NULL::int, 'how many?') AS n").fetchall()
    assert got == [{"n": 3}]
    said = fails(asker, "SELECT nl2sql_as(NULL::int, 'how many, and more?')")
    assert "no field for the answer's column" in said.message_primary


def test_a_domain_comes_as_the_type_under_it_and_no_code_of_its_owner_runs(asker, shipyard):
    shipyard.admin.execute(
        "CREATE FUNCTION art.spy(numeric) RETURNS boolean LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE 'run as %', current_user; END $$;"
        "CREATE DOMAIN art.trap AS numeric(5,2);"
        "CREATE TYPE art.holder AS (inner_value art.trap);"
        "CREATE TABLE art.bait AS SELECT 1.5::art.trap AS plain, ARRAY[1.5]::art.trap[] AS list,"
        " ROW(1.5)::art.holder AS held;"
        "ALTER DOMAIN art.trap ADD CHECK (art.spy(VALUE)) NOT VALID;"
        f"GRANT SELECT ON art.bait TO {ASKER}, nl2sql_test_reader"
    )
    shipyard.model.enqueue("SELECT * FROM art.bait")
    query = asker.execute("SELECT nl2sql_query('the bait?') AS q").fetchone()["q"]
    assert query.endswith("AS t(plain numeric(5,2), list text, held text)")
    assert [*asker.execute(query).fetchone().values()] == [Decimal("1.50"), "{1.50}", "(1.50)"]


def test_a_type_that_the_caller_may_not_name_comes_as_text(asker, shipyard):
    shipyard.admin.execute(
        "CREATE SCHEMA locked; CREATE TYPE locked.kind AS ENUM ('a');"
        "CREATE TABLE art.locked AS SELECT 'a'::locked.kind AS kind;"
        f"GRANT SELECT ON art.locked TO {ASKER}, nl2sql_test_reader"
    )
    shipyard.model.enqueue("SELECT kind, ROW(1, 'a b') AS r FROM art.locked")
    row = asker.execute("SELECT nl2sql_query('kinds?') AS q").fetchone()
    assert row["q"].endswith("AS t(kind text, r text)")
    assert asker.execute(row["q"]).fetchall() == [{"kind": "a", "r": '(1,"a b")'}]


def test_the_list_of_gexec_still_meets_the_guard(asker, shipyard):
    said = fails(asker, "SELECT * FROM nl2sql_rows('DELETE FROM ship') AS t(id int)")
    assert said.sqlstate == "N2001"


def test_another_list_than_the_sqls_own_is_an_error_that_tells_it(asker):
    said = fails(asker, "SELECT * FROM nl2sql_rows('SELECT 1 AS a, 2.5 AS b') AS t(a int, b int)")
    assert said.sqlstate == "42804" and "(a integer, b numeric)" in said.message_detail


@pytest.mark.parametrize(
    "reply",
    [
        "SELECT 'x''); DROP TABLE ship; --' AS a",
        r"SELECT E'\'); DROP TABLE ship; --' AS a",
        r"SELECT '\' AS a, '); DROP TABLE ship; --' AS b",
        "SELECT $q$'); DROP TABLE ship; --$q$ AS a",
        """SELECT 1 AS "a int); DROP TABLE ship; --" """,
        """SELECT 1 AS "a"" int); DROP TABLE ship; --" """,
    ],
)
@pytest.mark.parametrize("conforming", ["on", "off"])
def test_no_reply_leaves_its_literal(asker, shipyard, reply, conforming):
    """What gexec is given is one SELECT of one function, whatever the model wrote."""
    asker.execute(
        f"SET standard_conforming_strings = {conforming}; SET escape_string_warning = off"
    )
    shipyard.model.enqueue(reply)
    query = asker.execute("SELECT nl2sql_query('pieces?') AS q").fetchone()["q"]
    asker.execute("SET standard_conforming_strings = on")
    wanted = sent(asker, reply)
    asker.execute(f"SET standard_conforming_strings = {conforming}")
    assert sent(asker, query) == wanted
    assert asker.execute("SELECT count(*) AS n FROM ship").fetchone() == {"n": 12}


def test_a_cursor_holds_data_and_no_reader(asker, shipyard):
    """It outlives what the rows were read from, and what runs on it is the caller."""
    shipyard.model.enqueue("SELECT id, session_user::text, current_user::text FROM ship")
    with asker.transaction():
        name = asker.execute("SELECT nl2sql_open('ships?') AS c").fetchone()["c"]
        shipyard.admin.execute("SELECT 1 / (SELECT count(*) FROM ship)")
        statement = asker.execute("SELECT statement FROM pg_cursors WHERE name = %s", [name])
        assert "json_to_recordset" in statement.fetchone()["statement"]
        assert len(asker.execute(f'FETCH ALL FROM "{name}"').fetchall()) == 12
        asker.execute(f'MOVE BACKWARD ALL IN "{name}"')
        assert len(asker.execute(f'FETCH 5 FROM "{name}"').fetchall()) == 5


def test_a_name_that_is_taken_is_an_error_of_the_server(asker, shipyard):
    shipyard.model.default = "SELECT 1"
    with pytest.raises(psycopg.errors.DuplicateCursor), asker.transaction():
        asker.execute("SELECT nl2sql_open('a?', name => 'c'), nl2sql_open('b?', name => 'c')")
    shipyard.model.default = None


@pytest.mark.parametrize("way", ["nl2sql_open", "nl2sql_query"])
def test_a_refusal_is_raised_as_by_the_front_door(asker, shipyard, way):
    shipyard.model.enqueue("DROP TABLE ship")
    assert fails(asker, f"SELECT {way}('drop it?')").sqlstate == "N2001"


def test_the_session_is_as_it_was(asker, shipyard):
    before = session_state(asker)
    shipyard.model.enqueue("SELECT id FROM ship", "SELECT id FROM ship")
    through_gexec(asker)
    asker.execute("SELECT nl2sql_as(NULL::int, 'ids?')")
    assert session_state(asker) == before
