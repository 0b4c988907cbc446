"""The front door, on a real server: what each function gives for a good answer."""

from __future__ import annotations

import json
from dataclasses import fields

import psycopg
from shipyard import Shipyard, session_state

from nl2sql_fdw.types import Profile


def test_rows_keep_column_order_and_duplicate_names(ask, shipyard):
    shipyard.model.enqueue("SELECT tons, s.id, h.id FROM ship s JOIN harbour h ON h.id = 1 LIMIT 1")
    row = ask.execute("SELECT nl2sql::text AS r FROM nl2sql('which ship?')").fetchone()
    assert row["r"] == '{"tons":1.50,"id":1,"id":1}'


def test_ask_tells_everything_in_one_row(ask, shipyard):
    shipyard.model.enqueue("SELECT id, tons FROM ship ORDER BY id LIMIT 2")
    got = ask.execute("SELECT * FROM nl2sql_ask('first two ships')").fetchone()
    assert got["status"] == "answered"
    assert got["sql"] == "SELECT id, tons FROM ship ORDER BY id LIMIT 2"
    assert got["columns"] == [
        {"name": "id", "type": "integer"},
        {"name": "tons", "type": "numeric(10,2)"},
    ]
    assert (got["rows"], got["row_count"]) == ([{"id": 1, "tons": 1.5}, {"id": 2, "tons": 3.0}], 2)
    assert not got["truncated"] and got["message"] is None and got["sqlstate"] is None
    assert {"context", "call", "verdict", "cost", "rows"} <= set(got["timings"])
    assert got["tokens"]["calls"] == 1


def test_sql_is_returned_and_not_run(ask, shipyard):
    shipyard.model.enqueue("SELECT 1 / (id - id) FROM ship")
    assert (
        ask.execute("SELECT nl2sql_sql('boom') AS q").fetchone()["q"]
        == "SELECT 1 / (id - id) FROM ship"
    )


def test_other_peoples_sql_goes_through_the_same_door(ask):
    rows = ask.execute("SELECT nl2sql_run('SELECT count(*) FROM ship -- all') AS r").fetchall()
    assert rows == [{"r": {"count": 12}}]


def test_check_prices_without_running(ask):
    got = ask.execute("SELECT * FROM nl2sql_check('SELECT 1 / (id - id) FROM ship')").fetchone()
    assert got["allowed"] and got["cost"] > 0 and got["plan_rows"] == 12


def test_prompt_holds_schema_and_question_and_calls_no_model(ask, shipyard):
    text = ask.execute("SELECT nl2sql_prompt('how many ships?') AS p").fetchone()["p"]
    assert "ship" in text and "how many ships?" in text and "vault" not in text
    assert shipyard.model.chats == []


def test_status_is_all_ok(ask):
    found = {r["component"]: r for r in ask.execute("SELECT * FROM nl2sql_status()")}
    wrong = {name: row for name, row in found.items() if row["status"] != "ok"}
    assert not wrong
    assert {"interpreter", "sys.path", "reader", "executor", "model"} <= set(found)


def test_verbose_shows_each_stage_with_its_time(ask, shipyard):
    notices: list[str] = []
    ask.add_notice_handler(lambda notice: notices.append(notice.message_primary))
    ask.execute("""SET "nl2sql.verbose" = on""")
    shipyard.model.enqueue("SELECT id FROM ship")
    ask.execute("SELECT * FROM nl2sql('ships')")
    stages = [line.split()[1].rstrip(":") for line in notices]
    assert stages == ["context", "call", "call", "verdict", "cost", "rows"]
    assert all(line.endswith(" ms)") for line in notices if "asking" not in line)


def test_one_repair_is_given_the_servers_error_and_the_real_columns(ask, shipyard):
    shipyard.model.enqueue("SELECT sum(weight_in_kg) FROM ship", "SELECT sum(tons) FROM ship")
    got = ask.execute("SELECT * FROM nl2sql_ask('total weight')").fetchone()
    assert got["rows"] == [{"sum": 117.0}]
    assert [a["sqlstate"] for a in got["attempts"]] == ["N2005", None]
    told = shipyard.model.chats[1]["messages"][-1]["content"]
    assert 'column "weight_in_kg" does not exist' in told and "tons" in told


def test_no_survivor_gives_the_last_error_and_never_the_bad_rows(ask, shipyard):
    shipyard.model.enqueue("SELECT sum(wait) FROM ship", "SELECT sum(wayt) FROM ship")
    got = ask.execute("SELECT * FROM nl2sql_ask('total weight')").fetchone()
    assert (got["status"], got["sqlstate"], got["rows"]) == ("no_valid_sql", "N2005", None)
    assert "wayt" in got["message"] and len(shipyard.model.chats) == 2


def test_a_valid_answer_ends_the_work(ask, shipyard):
    """M9: a model that would go on for ever is asked once."""
    shipyard.model.default = "SELECT id FROM ship LIMIT 1"
    ask.execute("SELECT * FROM nl2sql('a ship')")
    shipyard.model.default = None
    assert len(shipyard.model.chats) == 1


def test_a_call_leaves_the_session_as_it_was(ask, shipyard):
    before = session_state(ask)
    shipyard.model.enqueue("SELECT * FROM ship")
    ask.execute("SELECT * FROM nl2sql('ships')")
    assert session_state(ask) == before


def test_a_call_works_in_a_read_only_transaction(ask, shipyard):
    shipyard.model.enqueue("SELECT count(*) FROM ship")
    with ask.transaction():
        ask.execute("SET TRANSACTION READ ONLY")
        assert ask.execute("SELECT * FROM nl2sql('how many')").fetchall()


def test_the_callers_own_writes_go_on_in_its_transaction(shipyard):
    shipyard.model.enqueue("SELECT count(*) FROM ship")
    with shipyard.admin.transaction(force_rollback=True):
        shipyard.admin.execute("DELETE FROM ship WHERE id = 1")
        seen = shipyard.admin.execute("SELECT nl2sql('how many') AS r").fetchone()[0]
        shipyard.admin.execute("DELETE FROM ship WHERE id = 2")
    assert seen == {"count": 11}


def test_columns_of_the_profile_table_are_the_fields_of_profile(shipyard: Shipyard):
    columns = shipyard.admin.execute(
        "SELECT array_agg(attname::text) FROM pg_attribute"
        " WHERE attrelid = 'nl2sql.profile'::regclass AND attnum > 0"
    ).fetchone()[0]
    assert sorted(columns) == sorted(field.name for field in fields(Profile))


def test_defaults_of_the_profile_table_are_those_of_profile(shipyard: Shipyard):
    shipyard.admin.execute("INSERT INTO nl2sql.profile (name) VALUES ('plain')")
    row = shipyard.admin.execute(
        "DELETE FROM nl2sql.profile WHERE name = 'plain' RETURNING row_to_json(profile)"
    ).fetchone()[0]
    want = {f.name: getattr(Profile(name="plain"), f.name) for f in fields(Profile)}
    assert row == json.loads(json.dumps(want))


def test_every_function_is_described_volatile_and_short(shipyard: Shipyard):
    rows = shipyard.admin.execute(
        """
        SELECT p.oid::regprocedure::text AS name, obj_description(p.oid) AS says, p.provolatile,
               p.proparallel, array_length(string_to_array(trim(p.prosrc, E'\\n'), E'\\n'), 1) AS n,
               p.proconfig::text AS config
        FROM pg_proc p WHERE p.pronamespace = 'nl2sql'::regnamespace OR p.proname ~ '^nl2sql'
        """
    ).fetchall()
    assert len(rows) >= 11
    for name, says, volatile, parallel, lines, config in rows:
        assert says, name
        assert (volatile, parallel) == ("v", "u"), name
        assert "search_path=pg_catalog, pg_temp" in config, name
        assert lines <= 20 or "create_executor" in name, (name, lines)


def test_nobody_may_ask_who_was_not_let_in(shipyard: Shipyard):
    shipyard.admin.execute("DROP ROLE IF EXISTS nl2sql_test_stranger")
    shipyard.admin.execute("CREATE ROLE nl2sql_test_stranger LOGIN")
    allowed = shipyard.admin.execute(
        "SELECT array_agg(p.oid::regprocedure::text) FROM pg_proc p"
        " WHERE (p.pronamespace = 'nl2sql'::regnamespace OR p.proname ~ '^nl2sql')"
        " AND has_function_privilege('nl2sql_test_stranger', p.oid, 'EXECUTE')"
    ).fetchone()[0]
    shipyard.admin.execute("DROP ROLE nl2sql_test_stranger")
    assert allowed is None


def test_explain_calls_no_model(ask: psycopg.Connection, shipyard: Shipyard):
    ask.execute("EXPLAIN SELECT * FROM nl2sql('how many ships?')")
    ask.execute("SELECT * FROM nl2sql('how many ships?') LIMIT 0")
    assert shipyard.model.chats == []
