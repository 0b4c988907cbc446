"""What goes wrong: one clear error with SQLSTATE and hint, no traceback, the session as before."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time

import psycopg
import pytest
from fake_model import Script
from shipyard import ASKER, READER, Shipyard, session_state


def failure(connection: psycopg.Connection, sql: str, *values: object) -> psycopg.Error:
    """Run SQL that must fail; check that the error is one for a person, the session unchanged."""
    before = session_state(connection)
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(sql, values)
    said = caught.value.diag
    shown = " ".join(filter(None, (said.message_primary, said.message_detail, said.context)))
    assert "Traceback" not in shown and "plpy" not in shown and "spiexceptions" not in shown
    assert said.message_primary and said.message_detail and said.message_hint
    assert session_state(connection) == before
    return caught.value


ASK = "SELECT * FROM nl2sql(%s)"


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("hang", "N2004"), ("hang_midway", "N2004"), ("garbage", "N2004"), ("noise", "N2004"),
        ("broken_chunk", "N2004"), ("no_body", "N2004"), ("empty_object", "N2004"),
        ("blanks", "N2004"), ("missing", "N2004"), ("crash", "N2004"), ("drop", "N2004"),
        ("loading", "N2004"),
    ],
)  # fmt: skip
def test_a_model_server_that_misbehaves(ask, shipyard, fault, state):
    shipyard.profile(load_timeout_ms=600, answer_timeout_ms=600)
    shipyard.model.enqueue(*[Script("" if fault == "blanks" else "SELECT 1", fault=fault)] * 4)
    assert failure(ask, ASK, "how many ships?").sqlstate == state


def test_no_model_server_names_the_command_that_starts_one(ask, shipyard):
    """C5: connection refused."""
    shipyard.profile(model_url="http://127.0.0.1:9/v1", load_timeout_ms=500)
    error = failure(ask, ASK, "how many ships?")
    assert error.sqlstate == "N2004" and "nl2sql model serve" in error.diag.message_hint


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("", "N2004"),
        ("   \n", "N2004"),
        ("I lack a table about weather.", "N2008"),
        ("<think>maybe DROP TABLE ship?", "N2005"),
        ("DROP TABLE ship", "N2001"),
        ("SELECT 1; DELETE FROM ship", "N2001"),
        ("SELECT touch()", "N2001"),
        ("SELECT * FROM pg_authid", "N2001"),
        ("SELECT * FROM vault", "N2007"),
        ("SELECT nope FROM ship", "N2005"),
        ("SELECT 1/0 FROM ship", "N2005"),
        ("SELECT FROM FROM ship", "N2001"),
    ],
)
def test_a_reply_that_is_no_answer(ask, shipyard, reply, state):
    shipyard.model.default = reply
    error = failure(ask, ASK, "question")
    shipyard.model.default = None
    assert error.sqlstate == state
    assert shipyard.admin.execute("SELECT count(*) FROM ship").fetchone()[0] == 12


@pytest.mark.parametrize(
    ("question", "state"),
    [("", "N2011"), ("  \n\t", "N2011"), (None, "N2011"), ("x" * 100_000, "N2011"),
     ("ring \x07 bell", "N2011")],
)  # fmt: skip
def test_a_question_that_is_none(ask, shipyard, question, state):
    assert failure(ask, ASK, question).sqlstate == state
    assert shipyard.model.chats == []


@pytest.mark.parametrize(
    "question",
    [
        "which ship is named DROP TABLE ship; --?",
        "100 % of ships",
        'it\'s "quoted" $$ $1 %s {x} \\',
        "🚢 ships?",
        "¿cuántos?",
    ],
)
def test_any_other_question_reaches_the_model_as_it_is(ask, shipyard, question):
    shipyard.model.enqueue("SELECT count(*) FROM ship")
    assert ask.execute(ASK, [question]).fetchall() == [{"nl2sql": {"count": 12}}]
    assert question in shipyard.model.chats[0]["messages"][-1]["content"]


def test_unknown_profile_names_those_there_are(ask):
    error = failure(ask, "SELECT * FROM nl2sql('x', profile => 'nope')")
    assert error.sqlstate == "N2010" and "default" in error.diag.message_detail


def test_profile_for_other_roles(ask, shipyard):
    shipyard.profile("closed", allowed_roles=["pg_monitor"])
    error = failure(ask, "SELECT * FROM nl2sql_run('SELECT 1', profile => 'closed')")
    assert error.sqlstate == "N2007"


def test_database_without_a_readable_table(ask, shipyard):
    shipyard.profile(schemas=["nl2sql_none"])
    error = failure(ask, ASK, "how many ships?")
    assert error.sqlstate == "N2008" and shipyard.model.chats == []


def test_caller_without_select_gains_nothing(shipyard):
    """Reader AND caller: the reader may read ship, this caller may not."""
    shipyard.admin.execute(f"REVOKE SELECT ON harbour FROM {ASKER}")
    ask = shipyard.asker()
    error = failure(ask, "SELECT * FROM nl2sql_run('SELECT * FROM harbour')")
    shipyard.admin.execute(f"GRANT SELECT ON harbour TO {ASKER}")
    assert error.sqlstate == "N2007" and "harbour" in error.diag.message_primary


def test_caller_with_some_columns_gets_those_only(shipyard):
    shipyard.admin.execute(f"REVOKE SELECT ON ship FROM {ASKER}")
    shipyard.admin.execute(f"GRANT SELECT (id, name) ON ship TO {ASKER}")
    ask = shipyard.asker()
    try:
        assert ask.execute(
            "SELECT nl2sql_run('SELECT max(id), max(s.name) FROM ship s')"
        ).fetchall()
        for sql in ("SELECT secret FROM ship", "SELECT * FROM ship", "SELECT s FROM ship s",
                    "TABLE ship", "SELECT 1 FROM ship a NATURAL JOIN ship b",
                    "SELECT x.b FROM ship AS x(a, q, c, d, b)"):  # fmt: skip
            assert failure(ask, "SELECT nl2sql_run(%s)", sql).sqlstate == "N2007", sql
    finally:
        shipyard.admin.execute(f"GRANT SELECT ON ship TO {ASKER}")


def test_caller_is_the_role_that_was_set(shipyard):
    shipyard.admin.execute(f"SET ROLE {ASKER}")
    try:
        with pytest.raises(psycopg.Error) as caught:
            shipyard.admin.execute("SELECT nl2sql_run('SELECT * FROM vault')")
    finally:
        shipyard.admin.execute("RESET ROLE")
    assert caught.value.sqlstate == "N2007"


@pytest.mark.parametrize(
    ("planted", "sql"),
    [
        ("CREATE FUNCTION upper(int) RETURNS text LANGUAGE sql AS $$ SELECT touch()::text $$",
         "SELECT upper(id) FROM ship"),
        ("CREATE FUNCTION extra(ship) RETURNS int LANGUAGE sql AS $$ SELECT touch() $$",
         "SELECT s.extra FROM ship s"),
        ("CREATE FUNCTION eq(int, int) RETURNS bool LANGUAGE sql AS $$ SELECT touch() = 1 $$;"
         "CREATE OPERATOR <> (leftarg = int, rightarg = int, function = eq)",
         "SELECT id <> 1 FROM ship"),
        ("CREATE DOMAIN kilo AS int CHECK (touch() = 1)", "SELECT 1::kilo"),
        ("CREATE TYPE box3 AS (a int)", "SELECT ROW(1)::box3"),
    ],
)  # fmt: skip
def test_what_a_user_planted_in_the_path_is_never_called(ask, shipyard, planted, sql):
    with shipyard.admin.transaction():
        shipyard.admin.execute(planted)
    assert failure(ask, "SELECT nl2sql_run(%s)", sql).sqlstate == "N2001"


@pytest.mark.parametrize("sql", ["DELETE FROM ship", "SELECT touch()", "SELECT * FROM vault"])
def test_calling_the_executor_directly_gains_nothing(ask, shipyard, sql):
    row = ask.execute(
        f"SELECT header::json AS h, rows FROM nl2sql.execute_as_{READER}(%s, 'default', true)",
        [sql],
    ).fetchone()
    assert row["h"]["sqlstate"] in ("N2001", "N2007") and row["rows"] == []
    assert shipyard.admin.execute("SELECT count(*) FROM ship").fetchone()[0] == 12


def test_missing_executor_names_the_script(ask, shipyard):
    shipyard.profile(reader="nl2sql_test_absent")
    error = failure(ask, "SELECT * FROM nl2sql_run('SELECT 1')")
    assert error.sqlstate == "N2010" and "roles.sql" in error.diag.message_hint


def test_slow_query_is_cancelled_at_the_limit_and_the_session_goes_on(ask, shipyard):
    shipyard.profile(time_limit_ms=300, max_cost=1e12, max_plan_rows=1e15)
    slow = "SELECT count(*) FROM ship a, ship b, ship c, ship d, ship e, ship f, ship g, ship h"
    began = time.monotonic()
    error = failure(ask, "SELECT * FROM nl2sql_run(%s)", slow)
    assert error.sqlstate == "N2003" and time.monotonic() - began < 2
    assert slow in error.diag.message_detail
    assert ask.execute("SELECT nl2sql_run('SELECT 1 AS n') AS r").fetchone() == {"r": {"n": 1}}


def test_expensive_query_is_not_run(ask, shipyard):
    shipyard.profile(max_cost=10)
    error = failure(ask, "SELECT nl2sql_run('SELECT count(*) FROM ship a, ship b, ship c')")
    assert error.sqlstate == "N2002" and "limit 10" in error.diag.message_primary


def test_too_many_rows_is_an_error_or_a_flagged_cut(ask, shipyard):
    shipyard.profile(max_rows=5)
    assert failure(ask, "SELECT nl2sql_run('SELECT id FROM ship')").sqlstate == "N2009"
    shipyard.profile(max_rows=5, truncate=True)
    shipyard.model.enqueue("SELECT id FROM ship", "SELECT id FROM ship LIMIT 5")
    cut = ask.execute("SELECT * FROM nl2sql_ask('ships')").fetchone()
    assert (cut["row_count"], cut["truncated"]) == (5, True)
    whole = ask.execute("SELECT * FROM nl2sql_ask('ships')").fetchone()
    assert (whole["row_count"], whole["truncated"]) == (5, False)


def test_too_many_bytes_is_an_error(ask, shipyard):
    shipyard.profile(max_bytes=100)
    assert failure(ask, "SELECT nl2sql_run('SELECT * FROM ship')").sqlstate == "N2009"
    shipyard.profile(max_cell_bytes=20)
    assert failure(ask, "SELECT nl2sql_run('SELECT * FROM ship')").sqlstate == "N2009"


def test_ask_reports_instead_of_raising(ask, shipyard):
    shipyard.model.enqueue("DROP TABLE ship", "DROP TABLE ship")
    got = ask.execute("SELECT * FROM nl2sql_ask('drop it')").fetchone()
    assert (got["status"], got["sqlstate"], got["sql"]) == ("refused", "N2001", "DROP TABLE ship")
    assert got["message"] and got["detail"] and got["hint"]


# A call that waits on a model which never answers ----------------------------------------


def waiting(ask: psycopg.Connection, shipyard: Shipyard) -> tuple[threading.Thread, list]:
    """Start a call that hangs; return its thread and, once it has ended, [error, when]."""
    shipyard.profile(answer_timeout_ms=60_000, load_timeout_ms=60_000)
    shipyard.model.enqueue(Script(fault="hang"))
    ended: list = []

    def call() -> None:
        with pytest.raises(psycopg.Error) as caught:
            ask.execute(ASK, ["how many ships?"])
        ended.extend([caught.value, time.monotonic()])

    thread = threading.Thread(target=call)
    thread.start()
    deadline = time.monotonic() + 10
    while not shipyard.model.chats and time.monotonic() < deadline:
        time.sleep(0.02)
    assert shipyard.model.chats
    return thread, ended


@pytest.mark.parametrize("how", ["cancel request", "pg_cancel_backend"])
def test_cancel_ends_the_wait_within_half_a_second(ask, shipyard, how):
    before = session_state(ask)
    thread, ended = waiting(ask, shipyard)
    asked = time.monotonic()
    if how == "cancel request":
        ask.cancel()
    else:
        shipyard.admin.execute("SELECT pg_cancel_backend(%s)", [ask.info.backend_pid])
    thread.join(10)
    error, when = ended
    assert error.sqlstate == "57014" and "Traceback" not in str(error)
    assert when - asked < 0.5
    assert session_state(ask) == before
    shipyard.model.enqueue("SELECT count(*) FROM ship")
    assert ask.execute(ASK, ["again"]).fetchall() == [{"nl2sql": {"count": 12}}]


def test_statement_timeout_ends_the_wait(ask, shipyard):
    """C6: 300 ms, and the server never answers."""
    shipyard.profile(answer_timeout_ms=60_000, load_timeout_ms=60_000)
    ask.execute("SELECT nl2sql_prompt('warm the backend up')")
    shipyard.model.enqueue(Script(fault="hang"))
    ask.execute("SET statement_timeout = 300")
    began = time.monotonic()
    assert failure(ask, ASK, "how many ships?").sqlstate == "57014"
    assert time.monotonic() - began < 0.8
    deadline = time.monotonic() + 2
    while not shipyard.model.abandoned and time.monotonic() < deadline:
        time.sleep(0.02)
    assert shipyard.model.abandoned, "the connection to the model was left open"


def test_ctrl_c_in_psql_ends_the_wait(shipyard):
    shipyard.profile(answer_timeout_ms=60_000, load_timeout_ms=60_000)
    shipyard.model.enqueue(Script(fault="hang"))
    question = "SELECT * FROM nl2sql('how many ships?')"
    psql = subprocess.Popen(
        [*f"psql -X -U {ASKER} -d {shipyard.admin.info.dbname} -c".split(), question],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 10
    while not shipyard.model.chats and time.monotonic() < deadline:
        time.sleep(0.02)
    asked = time.monotonic()
    os.kill(psql.pid, signal.SIGINT)
    _, errors = psql.communicate(timeout=10)
    assert time.monotonic() - asked < 0.5
    assert "canceling statement" in errors and "Traceback" not in errors


def test_backend_survives_a_terminated_wait(shipyard):
    ask = shipyard.asker()
    thread, ended = waiting(ask, shipyard)
    shipyard.admin.execute("SELECT pg_terminate_backend(%s)", [ask.info.backend_pid])
    thread.join(10)
    assert ended[0].sqlstate == "57P01"
    assert shipyard.admin.execute("SELECT 1").fetchone() == (1,)


def test_package_that_cannot_be_imported_is_named_with_the_interpreter(shipyard):
    """Reported at timescale/pgai#65: the server's Python is not the one that pip used."""
    source = "SELECT pg_get_functiondef('nl2sql._call'::regproc)"
    good = shipyard.admin.execute(source).fetchone()[0]
    bad = re.sub(r"reversed\(\[.*?\]\)", "reversed(['/nowhere'])", good)
    assert bad != good
    shipyard.admin.execute(bad)
    ask = shipyard.asker()
    try:
        row = ask.execute("SELECT * FROM nl2sql_status()").fetchone()
        error = failure(ask, ASK, "how many ships?")
    finally:
        shipyard.admin.execute(good)
    assert (row["component"], row["status"]) == ("python", "missing")
    for part in ("nl2sql_fdw", "Python 3", "/nowhere"):
        assert part in row["detail"]
    assert "nl2sql pg install" in row["hint"]
    assert error.sqlstate == "N2010"
