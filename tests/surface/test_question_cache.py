"""The question cache: one model call for a question, its own asker's alone, and never unguarded."""

from __future__ import annotations

import psycopg
import pytest
from shipyard import ASKER, READER, Shipyard, session_state

BOTH = f"{ASKER}, {READER}"
OTHER = "nl2sql_test_other_asker"
COUNT = "SELECT count(*) FROM ship"
ASK = "SELECT status, sql, rows, notes, tokens FROM nl2sql_ask(%s)"


@pytest.fixture
def cached(shipyard: Shipyard) -> Shipyard:
    """The shipyard with the cache on and nothing in it."""
    shipyard.profile(cache_minutes=60)
    shipyard.admin.execute("DELETE FROM nl2sql.question_cache; DELETE FROM nl2sql.audit")
    return shipyard


@pytest.fixture
def asker(cached: Shipyard) -> psycopg.Connection:
    """A new backend, whose memory is empty."""
    return cached.asker()


@pytest.fixture
def other(cached: Shipyard) -> psycopg.Connection:
    cached.admin.execute(
        f"DO $$ BEGIN CREATE ROLE {OTHER} LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;"
        f"GRANT nl2sql_test_askers, {ASKER} TO {OTHER}; GRANT SELECT ON ship, harbour TO {OTHER}"
    )
    return cached.asker(OTHER)


def ask(connection: psycopg.Connection, question: str = "how many ships?") -> dict[str, object]:
    row = connection.execute(ASK, [question]).fetchone()
    assert row
    return row


def calls(shipyard: Shipyard) -> int:
    return len(shipyard.model.chats)


def test_a_second_time_asks_no_model(cached, asker):
    cached.model.enqueue(COUNT)
    first, second = ask(asker), ask(asker)
    assert first["sql"] == second["sql"] == COUNT
    assert first["rows"] == second["rows"] == [{"count": 12}]
    assert calls(cached) == 1 and second["tokens"]["calls"] == 0
    assert "cached" in second["notes"][0] and first["notes"] == []


def test_rows_are_read_anew(cached, asker):
    cached.model.enqueue(COUNT)
    ask(asker)
    cached.admin.execute("INSERT INTO ship (id) VALUES (500)")
    got = ask(asker)
    cached.admin.execute("DELETE FROM ship WHERE id = 500")
    assert got["rows"] == [{"count": 13}] and calls(cached) == 1


def test_another_backend_finds_it_in_the_table(cached, asker):
    cached.model.enqueue(COUNT)
    ask(asker)
    assert ask(cached.asker())["rows"] == [{"count": 12}]
    assert calls(cached) == 1


@pytest.mark.parametrize("twin", ["  how many\n ships ", "how many ships", "how many ships?!"])
def test_white_space_and_the_final_mark_do_not_count(cached, asker, twin):
    cached.model.enqueue(COUNT)
    ask(asker)
    ask(asker, twin)
    assert calls(cached) == 1


def test_other_letters_do(cached, asker):
    cached.model.enqueue(COUNT, COUNT)
    ask(asker, "how many of type a?")
    ask(asker, "how many of type A?")
    assert calls(cached) == 2


@pytest.mark.parametrize(
    ("change", "undo"),
    [
        ("ALTER TABLE ship ADD extra int", "ALTER TABLE ship DROP extra"),
        ("ALTER TABLE ship RENAME tons TO mass", "ALTER TABLE ship RENAME mass TO tons"),
        ("COMMENT ON COLUMN ship.tons IS 'empty'", "COMMENT ON COLUMN ship.tons IS NULL"),
        (f"GRANT SELECT ON vault TO {BOTH}", f"REVOKE SELECT ON vault FROM {BOTH}"),
        ("UPDATE nl2sql.profile SET model_name = 'other'", "SELECT 1"),
        ("UPDATE nl2sql.profile SET retries = 3", "SELECT 1"),
        ("UPDATE nl2sql.profile SET cache_minutes = 0", "SELECT 1"),
        ("UPDATE nl2sql.question_cache SET at = now() - interval '61 minutes'", "SELECT 1"),
    ],
)  # fmt: skip
def test_what_changes_the_prompt_or_the_profile_asks_anew(cached, asker, change, undo):
    cached.model.enqueue(COUNT, COUNT)
    ask(asker)
    cached.admin.execute(change)
    try:
        ask(cached.asker())
    finally:
        cached.admin.execute(undo)
    assert calls(cached) == 2


def test_another_time_zone_asks_anew_what_the_clock_is_told_for(cached, asker):
    cached.model.enqueue(COUNT, COUNT)
    ask(asker, "how many ships were built today?")
    asker.execute("SET TimeZone = 'Pacific/Kiritimati'")
    ask(asker, "how many ships were built today?")
    assert calls(cached) == 2


def test_sql_that_is_refused_by_now_is_dropped_and_asked_anew(cached, asker):
    cached.admin.execute("CREATE VIEW fleet AS SELECT id FROM ship")
    cached.admin.execute(f"GRANT SELECT ON fleet TO {BOTH}")
    cached.model.enqueue("SELECT count(id) FROM fleet", COUNT)
    ask(asker)
    cached.admin.execute(
        "UPDATE nl2sql.question_cache SET sql = 'DELETE FROM ship'"
    )  # as a hand in the table could
    got = ask(cached.asker())
    cached.admin.execute("DROP VIEW fleet")
    assert (got["status"], got["sql"], calls(cached)) == ("answered", COUNT, 2)
    left = cached.admin.execute("SELECT sql FROM nl2sql.question_cache").fetchall()
    assert left == [(COUNT,)]


def test_a_failure_is_not_kept(cached, asker):
    cached.model.enqueue("CANNOT ANSWER: no", COUNT)
    assert ask(asker)["status"] != "answered"
    assert ask(asker)["status"] == "answered"


def test_memory_serves_a_read_only_transaction_and_a_rollback(cached, asker):
    cached.model.enqueue(COUNT)
    with asker.transaction():
        asker.execute("SET TRANSACTION READ ONLY")
        ask(asker)
    with asker.transaction(force_rollback=True):
        ask(asker)
    ask(asker)
    assert calls(cached) == 1


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_a_snapshot_is_served_and_writes_nothing(cached, asker, level):
    cached.model.enqueue(COUNT)
    with asker.transaction():
        asker.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        ask(asker)
        ask(asker)
    assert calls(cached) == 1
    assert cached.admin.execute("SELECT count(*) FROM nl2sql.question_cache").fetchone() == (0,)


def test_another_login_asks_for_itself(cached, asker, other):
    cached.model.enqueue(COUNT, COUNT, COUNT)
    ask(asker)
    ask(other)
    assert calls(cached) == 2
    other.execute(f"SET ROLE {ASKER}")  # the same role, but another login
    ask(other)
    assert calls(cached) == 3


def test_nobody_puts_words_into_anothers_cache(cached, asker, other):
    """A key can be worked out, and the socket called by hand: it writes under one's own name."""
    cached.model.enqueue(COUNT)
    ask(asker)
    key = cached.admin.execute("SELECT key FROM nl2sql.question_cache").fetchone()[0]
    for role in ("none", ASKER):
        other.execute(f"SET ROLE {role}")
        other.execute("SELECT nl2sql._remember('default', %s, 'SELECT 666')", [key])
        other.execute("SELECT nl2sql._forget(NULL)")
        other.execute("SELECT nl2sql._remember('default', %s, 'SELECT 666')", [key])
    assert ask(cached.asker())["rows"] == [{"count": 12}]


def test_nobody_learns_of_anothers_questions(cached, asker, other):
    cached.model.enqueue(COUNT)
    ask(asker)
    key = cached.admin.execute("SELECT key FROM nl2sql.question_cache").fetchone()[0]
    for role in ("none", ASKER):
        other.execute(f"SET ROLE {role}")
        row = other.execute("SELECT nl2sql._recall('default', %s) AS sql", [key]).fetchone()
        assert row == {"sql": None}
    for command in ("SELECT * FROM nl2sql.question_cache", "DELETE FROM nl2sql.question_cache"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            other.execute(command)


def test_one_session_that_changes_roles_mixes_nothing(cached, other):
    cached.model.enqueue(COUNT, COUNT)
    ask(other)
    other.execute(f"SET ROLE {ASKER}")
    ask(other)
    assert calls(cached) == 2
    other.execute("RESET ROLE")
    ask(other)
    assert calls(cached) == 2


def test_the_table_is_bounded_for_each_role_and_by_age(cached, asker):
    cached.admin.execute(
        "INSERT INTO nl2sql.question_cache (at, login, caller, profile, key, sql) SELECT"
        " now() - interval '2 hours', 'x', 'x', p, 'k', 'SELECT 1'"
        " FROM unnest('{default,gone}'::text[]) AS p"
    )
    asker.execute(
        "SELECT nl2sql._remember('default', g::text, 'SELECT 1') FROM generate_series(1, 300) g"
    )
    kept = cached.admin.execute("SELECT count(*), count(DISTINCT login) FROM nl2sql.question_cache")
    assert kept.fetchone() == (200, 1)
    with pytest.raises(psycopg.errors.CheckViolation):
        asker.execute("SELECT nl2sql._remember('default', 'k', repeat('x', 100001))")


def test_forget_asks_anew(cached, asker):
    cached.model.enqueue(COUNT, COUNT)
    ask(asker)
    assert asker.execute("SELECT nl2sql_forget() AS n").fetchone() == {"n": 1}
    ask(asker)
    assert calls(cached) == 2


def test_the_audit_says_cached(cached, asker):
    cached.model.enqueue(COUNT)
    ask(asker)
    ask(asker)
    rows = cached.admin.execute("SELECT cached, sql FROM nl2sql.audit ORDER BY at").fetchall()
    assert rows == [(False, COUNT), (True, COUNT)]


def test_the_session_is_as_it_was(cached, asker):
    before = session_state(asker)
    cached.model.enqueue(COUNT)
    ask(asker)
    ask(asker)
    assert session_state(asker) == before


def test_what_was_only_written_is_run_from_the_cache(cached, asker):
    cached.model.enqueue("SELECT 1 / (id - id) FROM ship", COUNT)
    asker.execute("SELECT nl2sql_sql('how many ships?')")
    assert ask(asker)["rows"] == [{"count": 12}]
    assert calls(cached) == 2
