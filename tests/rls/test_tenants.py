"""No tenant reads another's rows, whichever way they are kept apart, and whatever SQL is run."""

from __future__ import annotations

from contextlib import closing
from typing import NamedTuple

import hostile
import psycopg
import pytest
from layered import make_door, through
from tenants import POOL, READER, A, B, Tenancy, run, who_and_where

from nl2sql_fdw import pipeline
from nl2sql_fdw.database.dsn import DsnDatabase
from nl2sql_fdw.types import Profile


class Way(NamedTuple):
    """One way to keep tenants apart: its table, its profile, and how tenant a comes in."""

    table: str
    key: str
    profile: str
    login: str
    first: tuple[str, ...]
    secret: str


TENANT_A = ("SET app.tenant = 'a'",)
WAYS = {
    "session_user": Way("tenancy.invoice", "tenant", "default", A, (), "customer of b"),
    "setting": Way("tenancy.ticket", "tenant", "setting", A, TENANT_A, "trouble of b"),
    "setting, pooled": Way("tenancy.ticket", "tenant", "setting", POOL, TENANT_A, "trouble of b"),
    "current_user": Way("tenancy.memo", "author", "caller", A, (), "thought of b"),
    "current_user, pooled": Way(
        "tenancy.memo", "author", "caller", POOL, (f"SET ROLE {A}",), "thought of b"
    ),
}
GUARDLESS = ["session_user", "setting", "setting, pooled"]


def filled(sql: str, way: Way) -> str:
    return hostile.fill(sql, way.table, way.key, B if way.key == "author" else "b")


@pytest.mark.parametrize("name", WAYS)
def test_each_tenant_reads_its_own_ten_rows(tenancy: Tenancy, name: str):
    way = WAYS[name]
    rows = run(tenancy.login(way.login, *way.first), f"SELECT * FROM {way.table}", way.profile)
    other = ["RESET ROLE", *(step.replace("'a'", "'b'").replace(A, B) for step in way.first)]
    login = B if way.login == A else way.login
    theirs = run(tenancy.login(login, *other), f"SELECT * FROM {way.table}", way.profile)
    assert (len(rows), len(theirs)) == (10, 10)
    assert way.secret not in str(rows) and way.secret in str(theirs)


@pytest.mark.parametrize("name", WAYS)
def test_hostile_sql_through_the_whole_door(tenancy: Tenancy, name: str):
    way = WAYS[name]
    connection = tenancy.login(way.login, *way.first)
    before = who_and_where(connection)
    ran = 0
    for sql in hostile.ALL:
        try:
            rows = run(connection, filled(sql, way), way.profile)
            ran += 1
        except psycopg.Error as error:
            assert error.sqlstate in ("N2001", "N2005", "N2007"), sql
            rows = [{"said": str(error)}]
        assert way.secret not in str(rows) and "division" not in str(rows), sql
        assert who_and_where(connection) == before, sql
    assert ran == len(hostile.PLAIN), "only what assigns nothing runs"


@pytest.mark.parametrize("name", GUARDLESS)
def test_hostile_sql_with_the_guard_switched_off(tenancy: Tenancy, name: str):
    way = WAYS[name]
    make_door(tenancy.admin, READER, off="guard identity views cost")
    connection = tenancy.login(way.login, "SET app.tenant = ''", *way.first)
    before = who_and_where(connection)
    ran = 0
    for sql in hostile.ALL:
        header, rows = through(connection, filled(sql, way), way.profile)
        if way.profile == "default":
            connection.execute("RESET app.tenant")  # this profile does not watch it
        ran += "sqlstate" not in header
        assert way.secret not in str(rows) and "division" not in str(header), sql
        assert who_and_where(connection) == before, sql
    assert ran > len(hostile.PLAIN), "some of the attacks must have run"


@pytest.mark.parametrize("sql", hostile.ASSIGN)
def test_the_tripwire_is_what_holds_a_setting(tenancy: Tenancy, sql: str):
    """With the guard off, each assignment is voided by the tripwire and reads b without it."""
    way = WAYS["setting"]
    connection = tenancy.login(way.login, *way.first)
    make_door(tenancy.admin, READER, off="guard identity views cost")
    header, rows = through(connection, filled(sql, way), way.profile)
    assert (header["sqlstate"], rows) == ("N2001", []) and "tripwire" in header["detail"]
    make_door(tenancy.admin, READER, off="guard identity views cost tripwire")
    header, rows = through(connection, filled(sql, way), way.profile)
    assert "sqlstate" not in header and way.secret in str(rows)


@pytest.mark.parametrize("sql", hostile.STACKED)
def test_stacked_statements_fail_and_leave_the_setting(tenancy: Tenancy, sql: str):
    way = WAYS["setting"]
    connection = tenancy.login(way.login, *way.first)
    make_door(tenancy.admin, READER, off="guard identity views cost")
    header, rows = through(connection, filled(sql, way), way.profile)
    assert (header["sqlstate"], rows) == ("N2005", [])
    assert connection.execute("SHOW app.tenant").fetchone() == ("a",)


def test_a_setting_that_was_never_set_shows_no_row(tenancy: Tenancy):
    assert run(tenancy.login(A), "SELECT * FROM tenancy.ticket", "setting") == []


def test_a_pooled_role_is_not_forged_in_the_readers_executor(tenancy: Tenancy):
    """The `role` setting in place of session_user: one login, SET ROLE, the guard off."""
    who = "coalesce(nullif(current_setting('role'), 'none'), session_user)"
    tenancy.admin.execute(f"ALTER POLICY own_rows ON tenancy.member USING (login = {who})")
    make_door(tenancy.admin, READER, off="guard identity views cost")
    connection = tenancy.login(POOL, f"SET ROLE {A}")
    way = WAYS["session_user"]
    try:
        assert len(through(connection, "SELECT * FROM tenancy.invoice")[1]) == 10
        for sql in hostile.ALL:
            assert way.secret not in str(through(connection, filled(sql, way))[1]), sql
            assert connection.execute("SELECT current_user").fetchone() == (A,)
    finally:
        tenancy.admin.execute(
            "ALTER POLICY own_rows ON tenancy.member USING (login = session_user)"
        )


def test_running_as_the_caller_is_not_for_who_passes_policies_by(tenancy: Tenancy):
    for first in ((), (f"SET ROLE {A}",)):
        connection = tenancy.login(tenancy.admin.info.user, *first)
        with pytest.raises(psycopg.Error) as caught:
            run(connection, "SELECT * FROM tenancy.memo", "caller")
        assert caught.value.sqlstate == "N2007" and "runs as the caller" in str(caught.value)


def test_each_executor_refuses_the_other_kind_of_profile(tenancy: Tenancy):
    connection = tenancy.login(A)
    for executor, profile in ((f"execute_as_{READER}", "caller"), ("execute_as_caller", "default")):
        header = connection.execute(
            f"SELECT header::json FROM nl2sql.{executor}('SELECT 1', %s, true)", [profile]
        ).fetchone()[0]
        assert header["sqlstate"] == "N2010", executor


def test_inside_a_definer_function_running_as_the_caller_is_refused(tenancy: Tenancy):
    tenancy.admin.execute(
        "CREATE OR REPLACE FUNCTION public.lend() RETURNS SETOF json LANGUAGE sql SECURITY DEFINER"
        " AS $$ SELECT nl2sql_run('SELECT * FROM tenancy.memo', profile => 'caller') $$"
    )
    with pytest.raises(psycopg.Error) as caught:
        tenancy.login(A).execute("SELECT public.lend()")
    assert caught.value.sqlstate == "N2010"


def test_writing_as_the_caller_is_refused_with_the_guard_off(tenancy: Tenancy):
    """In caller mode too the transaction is read-only, whoever asks."""
    tenancy.admin.execute(f"GRANT INSERT, UPDATE, DELETE ON tenancy.memo TO {A}")
    make_door(tenancy.admin, READER, off="guard identity views cost", security="INVOKER")
    tenancy.admin.execute("CREATE OR REPLACE FUNCTION public.wipe() RETURNS int LANGUAGE sql AS"
                          " $$ DELETE FROM tenancy.memo; SELECT 1 $$")  # fmt: skip
    connection = tenancy.login(A)
    for sql in (
        "SELECT public.wipe()",
        "SELECT 1) q; DELETE FROM tenancy.memo; SELECT * FROM (SELECT 1",
    ):
        header, _ = through(connection, sql, "caller")
        assert header["sqlstate"] == "N2001" and "read-only" in header["message"], sql
    tenancy.admin.execute(f"REVOKE INSERT, UPDATE, DELETE ON tenancy.memo FROM {A}")
    assert tenancy.admin.execute("SELECT count(*) FROM tenancy.memo").fetchone() == (20,)


def test_an_answer_says_that_policies_hide_every_row(tenancy: Tenancy):
    """Q5: nothing is visible to this tenant, which is not the same as nothing there."""
    for sql in ("SELECT count(*) FROM tenancy.ticket", "SELECT * FROM tenancy.ticket WHERE id > 3"):
        tenancy.model.enqueue(sql)
        notes = ask_for_notes(tenancy.login(A))
        assert notes == [
            f"tenancy.ticket: 0 rows visible to role {READER} (row security active), asked for {A}"
        ]


def test_no_such_note_where_rows_are_visible(tenancy: Tenancy):
    tenancy.model.enqueue("SELECT * FROM tenancy.ticket WHERE subject = 'none of this'")
    assert ask_for_notes(tenancy.login(A, *TENANT_A)) == []


def test_the_note_comes_from_outside_the_server_too(tenancy: Tenancy):
    db = DsnDatabase(f"dbname={tenancy.admin.info.dbname} user={tenancy.admin.info.user}")
    profile = Profile(reader=READER, schemas=("tenancy",))
    sql = (
        "SELECT (SELECT count(*) FROM tenancy.ticket) + (SELECT count(*) FROM tenancy.invoice) AS n"
    )
    with closing(db), db.restricted(profile):
        found = pipeline.run(sql, db, profile, lambda stage, text: None)
    assert found.rows == ('{"n":0}',)
    assert [note.split(":")[0] for note in found.notes] == ["tenancy.invoice", "tenancy.ticket"]


def ask_for_notes(connection: psycopg.Connection) -> list[str]:
    row = connection.execute(
        "SELECT status, notes FROM nl2sql_ask('how many tickets?', profile => 'setting')"
    ).fetchone()
    assert row[0] == "answered"
    return row[1]
