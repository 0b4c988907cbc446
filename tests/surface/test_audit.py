"""What is kept of each call, by whom it can be read, and what becomes of it."""

from __future__ import annotations

import json

import psycopg
import pytest
from audit_lines import logged
from layered import make_door, through
from shipyard import ASKER, READER, Shipyard

ASK = "SELECT * FROM nl2sql_ask(%s)"
RUN = "SELECT nl2sql_run(%s)"


def kept(shipyard: Shipyard) -> list[dict[str, object]]:
    rows = shipyard.admin.execute("SELECT to_json(a) FROM nl2sql.audit a ORDER BY at").fetchall()
    return [row[0] for row in rows]


@pytest.fixture(autouse=True)
def empty(shipyard: Shipyard) -> None:
    shipyard.admin.execute("DELETE FROM nl2sql.audit")


def test_an_answer_is_kept_with_who_what_and_how_long(ask, shipyard: Shipyard):
    shipyard.model.enqueue("SELECT nope FROM ship", "SELECT name FROM ship WHERE id < 3")
    ask.execute(ASK, ["first two ships"])
    (row,) = kept(shipyard)
    assert (row["login"], row["caller"], row["action"]) == (ASKER, ASKER, "ask")
    assert (row["profile"], row["question"]) == ("default", "first two ships")
    assert (row["sql"], row["status"]) == ("SELECT name FROM ship WHERE id < 3", "answered")
    assert (row["row_count"], row["bytes"]) == (2, len('{"name":"Ship 1"}') * 2)
    assert {"context", "call", "verdict", "cost", "rows"} <= set(row["timings"])
    assert row["tokens"]["calls"] == 2
    assert row["attempts"] == [{"sql": "SELECT nope FROM ship", "sqlstate": "N2005"}]
    assert "Ship 1" not in json.dumps(row), "no value of a result is kept"


@pytest.mark.parametrize(
    ("sql", "layer", "state"),
    [
        ("DELETE FROM ship", "guard (statement)", "N2001"),
        ("SELECT * FROM vault", "identity", "N2007"),
        ("SELECT nope FROM ship", "server (42703)", "N2005"),
        ("SELECT name::int FROM ship", "server (22P02)", "N2005"),
    ],
)
def test_a_refusal_is_kept_with_its_layer(ask, shipyard: Shipyard, sql, layer, state):
    got = ask.execute("SELECT * FROM nl2sql._call('run', %s, 'default')", [sql]).fetchone()
    (row,) = kept(shipyard)
    assert (row["sql"], row["layer"], row["sqlstate"]) == (sql, layer, state)
    assert got["_call"]["sqlstate"] == state and "Ship 1" not in json.dumps(row)


def test_a_raised_error_loses_its_row_and_leaves_a_line(ask, shipyard: Shipyard):
    with logged(ask) as lines, pytest.raises(psycopg.Error):
        ask.execute(RUN, ["DELETE FROM ship\n-- \u2028 twice"])
    assert kept(shipyard) == []
    (line,) = lines
    assert (line["login"], line["status"], line["layer"]) == (ASKER, "refused", "guard (statement)")
    assert line["sql"] == "DELETE FROM ship\n-- \u2028 twice"


def test_a_read_only_transaction_leaves_a_line_only(ask, shipyard: Shipyard):
    with logged(ask) as lines, ask.transaction():
        ask.execute("SET TRANSACTION READ ONLY")
        ask.execute(RUN, ["SELECT count(*) FROM ship"])
    assert kept(shipyard) == [] and [line["row_count"] for line in lines] == [1]


def test_an_executor_called_directly_leaves_a_line(ask, shipyard: Shipyard):
    with logged(ask) as lines:
        ask.execute(f"SELECT nl2sql.execute_as_{READER}('SELECT 1', 'default', true)")
        ask.execute(RUN, ["SELECT 2"])
    assert [(line["action"], line["sql"]) for line in lines] == [("execute", "SELECT 1")]
    assert [row["sql"] for row in kept(shipyard)] == ["SELECT 2"]


def test_the_caller_is_the_role_that_was_set(shipyard: Shipyard):
    with shipyard.admin.transaction():
        shipyard.admin.execute(f"SET LOCAL ROLE {ASKER}")
        shipyard.admin.execute(RUN, ["SELECT 1"])
    (row,) = kept(shipyard)
    assert (row["login"], row["caller"]) == (shipyard.admin.info.user, ASKER)


def test_nobody_else_reads_changes_or_removes_it(ask, shipyard: Shipyard):
    ask.execute(RUN, ["SELECT 1"])
    for sql in (
        "TABLE nl2sql.audit",
        "UPDATE nl2sql.audit SET sql = ''",
        "DELETE FROM nl2sql.audit",
        "SELECT nl2sql.prune_audit()",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ask.execute(sql)
    with pytest.raises(psycopg.Error) as caught:
        ask.execute(RUN, ["SELECT * FROM nl2sql.audit"])
    assert caught.value.sqlstate == "N2001"
    make_door(shipyard.admin, READER, off="guard identity views cost")
    assert through(ask, "SELECT * FROM nl2sql.audit")[0]["sqlstate"] == "N2007"


def test_an_entry_made_up_by_hand_bears_its_authors_name(ask, shipyard: Shipyard):
    made_up = {"login": "postgres", "caller": "postgres", "action": "ask", "profile": "x",
               "status": "answered", "sql": "y" * 30_000}  # fmt: skip
    ask.execute("SELECT nl2sql._record(%s::json)", [json.dumps(made_up)])
    (row,) = kept(shipyard)
    assert (row["login"], row["caller"], len(row["sql"])) == (ASKER, ASKER, 20_010)


def test_a_text_that_no_column_holds_is_kept_as_far_as_it_goes(ask, shipyard: Shipyard):
    shipyard.model.enqueue("SELECT 'a\ud800b\0c' AS v")
    got = ask.execute(ASK, ["what?"]).fetchone()
    ask.execute(RUN, [f"SELECT '{'long' * 6_000}' AS v"])
    first, second = kept(shipyard)
    assert (got["status"], first["status"]) == ("answered", "answered")
    assert first["sql"] == "SELECT 'a?b\ufffdc' AS v" and len(second["sql"]) == 20_004


def test_the_profile_may_turn_it_off(ask, shipyard: Shipyard):
    shipyard.profile(audit=False)
    with logged(ask) as lines:
        ask.execute(RUN, ["SELECT 1"])
        with pytest.raises(psycopg.Error):
            ask.execute(RUN, ["DELETE FROM ship"])
    assert kept(shipyard) == [] and lines == []


def test_without_the_audit_nothing_is_answered(ask, shipyard: Shipyard):
    shipyard.admin.execute("ALTER TABLE nl2sql.audit RENAME TO gone")
    try:
        with pytest.raises(psycopg.Error) as caught:
            ask.execute(RUN, ["SELECT 1"])
    finally:
        shipyard.admin.execute("ALTER TABLE nl2sql.gone RENAME TO audit")
    assert caught.value.sqlstate == "N2010" and "audit" in str(caught.value)


def test_old_rows_go_by_the_days_of_their_profile(shipyard: Shipyard):
    shipyard.profile("short", audit_days=1)
    shipyard.admin.execute(
        "INSERT INTO nl2sql.audit (at, login, caller, action, profile, status)"
        " SELECT now() - make_interval(days => days), 'x', 'x', 'run', p, days::text"
        " FROM (VALUES (2, 'short'), (0, 'short'), (2, 'default'), (91, 'default'), (91, 'gone'),"
        " (89, 'gone')) v(days, p)"
    )
    ask = shipyard.asker()  # the first call of a session removes what is old
    ask.execute(RUN, ["SELECT 1"])
    left = [(row["profile"], row["status"]) for row in kept(shipyard)]
    assert left == [("gone", "89"), ("default", "2"), ("short", "0"), ("default", "answered")]
    shipyard.profile("short", audit_days=0)
    assert shipyard.admin.execute("SELECT nl2sql.prune_audit()").fetchone() == (1,)


def test_a_sequence_of_the_callers_is_left_alone(ask, shipyard: Shipyard):
    ask.execute("CREATE TEMP SEQUENCE mine")
    ask.execute("SELECT nextval('mine'), setseed(0.5)")
    ask.execute(RUN, ["SELECT 1"])
    assert ask.execute("SELECT lastval() AS v, random() AS r").fetchone() == {
        "v": 1,
        "r": ask.execute("SELECT setseed(0.5), random() AS r").fetchone()["r"],
    }
