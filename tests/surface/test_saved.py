"""Saved questions: views with real columns that need no model, and that tell when they drift."""

from __future__ import annotations

import subprocess

import psycopg
import pytest
from gallery import COLUMNS, SHAPES, sent
from shipyard import ASKER, READER, ROOT, Shipyard, session_state
from test_real_columns import direct, gallery  # noqa: F401  the fixture

SHIPS = "SELECT id, tons FROM ship WHERE id < 4 ORDER BY id"
SAVED = "SELECT view::text, version, style, status, detail FROM nl2sql_saved()"


@pytest.fixture
def asker(shipyard: Shipyard) -> psycopg.Connection:
    """The asker, with a schema to save in."""
    shipyard.admin.execute(
        f"DROP SCHEMA IF EXISTS mine CASCADE; CREATE SCHEMA mine AUTHORIZATION {ASKER}"
    )
    connection = shipyard.asker()
    connection.execute("SET search_path = mine, public")
    return connection


def save(asker, shipyard, reply: str = SHIPS, style: str = "guarded") -> None:
    shipyard.model.enqueue(reply)
    asker.execute("SELECT nl2sql_save('light', 'light ships?', style => %s)", [style])


def status(asker: psycopg.Connection) -> list[tuple[object, ...]]:
    return [tuple(row.values())[1:] for row in asker.execute(SAVED)]


@pytest.mark.parametrize("style", ["guarded", "invoker"])
@pytest.mark.parametrize("case", [*SHAPES, "every column"])
def test_a_saved_view_sends_what_the_sql_sends(gallery, asker, shipyard, case, style):  # noqa: F811
    sql = SHAPES.get(case, f"SELECT {', '.join(COLUMNS)} FROM art.piece ORDER BY id")
    save(asker, shipyard, sql, style)
    assert sent(asker, "SELECT * FROM light") == direct(asker, sql)


def test_it_is_read_without_a_model(asker, shipyard):
    save(asker, shipyard)
    shipyard.admin.execute("UPDATE nl2sql.profile SET model_url = 'http://127.0.0.1:9/v1'")
    assert sent(shipyard.asker(), "SELECT * FROM mine.light") == sent(asker, SHIPS)
    assert len(shipyard.model.chats) == 1
    assert status(asker) == [(1, "guarded", "ok", None)]


def test_its_comment_carries_the_question(asker, shipyard):
    save(asker, shipyard)
    row = asker.execute("SELECT obj_description('light'::regclass) AS c").fetchone()
    assert row["c"].startswith("light ships?\n\nnl2sql {")


def test_guard_and_limits_hold_for_each_reader_of_it(asker, shipyard):
    save(asker, shipyard)
    shipyard.profile(max_rows=2)
    with pytest.raises(psycopg.Error) as caught:
        asker.execute("SELECT * FROM light")
    assert caught.value.sqlstate == "N2009"


def test_it_is_made_as_the_caller_and_nobody_else(asker, shipyard):
    shipyard.model.enqueue(SHIPS, SHIPS)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        asker.execute("SELECT nl2sql_save('nl2sql.light', 'light ships?')")
    asker.execute("SELECT nl2sql_save('light', 'light ships?')")
    owner = shipyard.admin.execute(
        "SELECT tableowner FROM (SELECT viewowner AS tableowner FROM pg_views"
        " WHERE viewname = 'light') x"
    ).fetchone()
    assert owner == (ASKER,)


@pytest.mark.parametrize("name", ["x; DROP TABLE ship", 'x" AS SELECT 1; --', "a.b.c", ""])
def test_a_name_is_a_name(asker, shipyard, name):
    shipyard.model.enqueue(SHIPS)
    with pytest.raises(psycopg.Error):
        asker.execute("SELECT nl2sql_save(%s, 'light ships?')", [name])
    assert asker.execute("SELECT count(*) AS n FROM ship").fetchone() == {"n": 12}


@pytest.mark.parametrize("style", ["guarded", "invoker"])
@pytest.mark.parametrize(
    ("change", "undo", "names"),
    [
        ("ALTER TABLE ship ADD extra int", "ALTER TABLE ship DROP extra", "public.ship"),
        ("ALTER TABLE ship ADD more text, ADD most text",
         "ALTER TABLE ship DROP more, DROP most", "public.ship"),
    ],
)  # fmt: skip
def test_drift_is_told(asker, shipyard, style, change, undo, names):
    save(asker, shipyard, style=style)
    shipyard.admin.execute(change)
    shipyard.admin.execute("SELECT 1")
    found = status(asker)
    shipyard.admin.execute(undo)
    assert found[0][2] == "drifted" and names in found[0][3]


def test_a_column_of_another_type_is_told_and_refreshed_with_its_grants(asker, shipyard):
    save(asker, shipyard)
    asker.execute("GRANT SELECT ON light TO PUBLIC")
    shipyard.admin.execute("ALTER TABLE ship ALTER id TYPE bigint")
    try:
        assert status(asker)[0][2:] == (
            "drifted",
            "The columns are now (id bigint, tons numeric(10,2)):"
            " nl2sql_refresh() takes them over.",
        )
        with pytest.raises(psycopg.errors.DatatypeMismatch) as caught:
            asker.execute("SELECT * FROM light")
        assert "nl2sql_refresh" in caught.value.diag.message_hint
        shipyard.model.enqueue(SHIPS)
        row = asker.execute("SELECT * FROM nl2sql_refresh('light')").fetchone()
        assert row == {"version": 2, "sql": SHIPS, "changed": True, "recreated": True}
        assert sent(asker, "SELECT * FROM light") == sent(asker, SHIPS)
        assert status(asker) == [(2, "guarded", "ok", None)]
        granted = "SELECT has_table_privilege('nl2sql_test_reader', 'mine.light', 'SELECT')"
        assert shipyard.admin.execute(granted).fetchone() == (True,)
    finally:
        shipyard.admin.execute("ALTER TABLE ship ALTER id TYPE int")


def test_sql_that_no_longer_passes_is_broken(asker, shipyard):
    save(asker, shipyard)
    shipyard.admin.execute("ALTER TABLE ship RENAME tons TO mass")
    found = status(asker)
    shipyard.admin.execute("ALTER TABLE ship RENAME mass TO tons")
    assert found[0][2] == "broken" and "tons" in found[0][3]


def test_refresh_keeps_earlier_sql_and_counts(asker, shipyard):
    save(asker, shipyard)
    other = SHIPS.replace("4", "6")
    shipyard.model.enqueue(other, other)
    row = asker.execute("SELECT * FROM nl2sql_refresh('light')").fetchone()
    assert row == {"version": 2, "sql": other, "changed": True, "recreated": False}
    again = asker.execute("SELECT version, changed FROM nl2sql_refresh('light')").fetchone()
    assert again == {"version": 2, "changed": False}
    comment = asker.execute("SELECT obj_description('light'::regclass) AS c").fetchone()["c"]
    assert comment.count("id < 4") == 1


def test_what_depends_on_it_keeps_it(asker, shipyard):
    save(asker, shipyard)
    asker.execute("CREATE VIEW upon AS SELECT * FROM light")
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        asker.execute("SELECT nl2sql_drop('light')")
    asker.execute("DROP VIEW upon; SELECT nl2sql_drop('light')")
    assert status(asker) == []


@pytest.mark.parametrize("function", ["nl2sql_drop", "nl2sql_refresh"])
def test_only_a_saved_question_is_dropped_or_refreshed(asker, function):
    asker.execute("CREATE VIEW other AS SELECT 1; COMMENT ON VIEW other IS E'x\\n\\nnl2sql {}'")
    with pytest.raises(psycopg.Error) as caught:
        asker.execute(f"SELECT {function}('other')")
    assert caught.value.sqlstate == "N2010"


@pytest.mark.parametrize("note", ["{", "[" * 50_000, '{"version": "x"}', "null", '{"sql": 1}'])
def test_a_comment_written_by_hand_breaks_no_list(asker, shipyard, note):
    asker.execute(
        f"CREATE VIEW other AS SELECT 1; COMMENT ON VIEW other IS E'x\\n\\nnl2sql {note}'"
    )
    assert status(asker) == []


def test_a_view_put_in_its_place_is_told(asker, shipyard):
    save(asker, shipyard)
    asker.execute("CREATE OR REPLACE VIEW light AS SELECT 1 AS id, 2::numeric(10,2) AS tons")
    assert status(asker)[0][2] == "altered"


def test_a_question_may_not_ask_a_saved_question(asker, shipyard):
    save(asker, shipyard)
    asker.execute(f"GRANT USAGE ON SCHEMA mine TO {READER}; GRANT SELECT ON light TO {READER}")
    with pytest.raises(psycopg.Error) as caught:
        asker.execute("SELECT nl2sql_run('SELECT * FROM mine.light')")
    assert caught.value.sqlstate in ("N2001", "N2007")


def test_an_unknown_style_is_an_error(asker, shipyard):
    with pytest.raises(psycopg.Error) as caught:
        save(asker, shipyard, style="owner")
    assert caught.value.sqlstate == "N2010" and "guarded" in caught.value.diag.message_hint


def test_the_session_is_as_it_was(asker, shipyard):
    before = session_state(asker)
    save(asker, shipyard)
    assert session_state(asker) == before


def test_the_shortcuts_of_psql(shipyard):
    shipyard.model.enqueue(SHIPS, SHIPS)
    script = f"\\i {ROOT}/sql/psql/ask.psql\n:ask\nthe 'light' ships; \\q :x\n:sql\n"
    command = f"psql -X -q -t -A -U {ASKER} -d {shipyard.admin.info.dbname}"
    done = subprocess.run(command.split(), input=script, capture_output=True, text=True)
    assert done.stderr in ("", "question: ")
    assert done.stdout.split("\n") == ["1|1.50", "2|3.00", "3|4.50", SHIPS, ""]
    asked = shipyard.model.chats[0]["messages"][-1]["content"]
    assert "the 'light' ships; \\q :x" in asked
