"""The demo benchmark, on a stand-in for nl2sql_ask that answers from a table of SQL."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest
from rich.console import Console
from typer.testing import CliRunner

from nl2sql_fdw.bench import demo
from nl2sql_fdw.bench.demo import Question

STAND_IN = """
CREATE TABLE canned (question text PRIMARY KEY, sql text, status text, truncated boolean);
CREATE FUNCTION nl2sql_ask(
    question text,
    OUT status text, OUT sql text, OUT rows json, OUT truncated boolean, OUT message text)
LANGUAGE plpgsql AS $$
BEGIN
    message := 'a word about it';
    SELECT c.status, c.sql, c.truncated INTO STRICT status, sql, truncated
    FROM canned AS c WHERE c.question = nl2sql_ask.question;
    IF status = 'answered' THEN
        EXECUTE format('SELECT coalesce(json_agg(row_to_json(r)), ''[]'') FROM (%s) AS r', sql)
        INTO rows;
    END IF;
END $$;
CREATE TABLE gear (id int, name text, price numeric(8, 2), launched date, seen timestamptz);
INSERT INTO gear VALUES
    (1, 'tent', 310.50, '2024-03-01', '2024-03-01 10:00+00'), (2, 'mat', 85, NULL, NULL),
    (3, 'stove', 72.25, '2025-01-01', '2025-01-01 00:00+00');
"""
GOLD = "SELECT name, price FROM gear ORDER BY price DESC"


@pytest.fixture(scope="module")
def database(make_database) -> psycopg.Connection:
    return make_database(STAND_IN)


def score(
    database: psycopg.Connection,
    sql: str | None,
    gold: str = GOLD,
    *,
    ordered: bool = True,
    status: str = "answered",
    truncated: bool = False,
) -> demo.Score:
    database.execute("TRUNCATE canned")
    database.execute("INSERT INTO canned VALUES ('q', %s, %s, %s)", [sql, status, truncated])
    [found] = demo.measure([Question("q", gold, ordered)], database, database)
    return found


def test_the_gold_itself_is_right(database):
    found = score(database, GOLD)
    assert found.right and found.right_if_wider
    assert found.reply.rows == [("tent", Decimal("310.50")), ("mat", 85), ("stove", 72.25)]
    assert found.reply.seconds > 0


@pytest.mark.parametrize(
    ("sql", "right", "wider"),
    [
        ("SELECT price AS p, name AS p FROM gear ORDER BY 1 DESC", True, True),
        ("SELECT id, name, price FROM gear ORDER BY price DESC", False, True),
        ("SELECT name, price FROM gear ORDER BY price", False, False),
        ("SELECT name, price FROM gear ORDER BY price DESC LIMIT 2", False, False),
        ("SELECT name, price + 0.01 FROM gear ORDER BY price DESC", False, False),
        ("SELECT name FROM gear ORDER BY price DESC", False, False),
    ],
)
def test_answers_are_judged_by_rows(database, sql, right, wider):
    found = score(database, sql)
    assert (found.right, found.right_if_wider) == (right, wider)


def test_order_is_free_where_the_gold_has_none(database):
    backwards = "SELECT name, price FROM gear ORDER BY price"
    assert score(database, backwards, "SELECT name, price FROM gear", ordered=False).right


def test_dates_and_nulls_survive_the_way_through_json(database):
    gold = "SELECT launched, seen FROM gear"
    assert score(database, "SELECT launched::text, seen::text FROM gear", gold, ordered=False).right
    assert not score(
        database, "SELECT coalesce(launched, '2025-01-01'), seen FROM gear", gold, ordered=False
    ).right


def test_numerics_are_exact(database):
    gold = "SELECT 12345678901234567.25"
    assert score(database, "SELECT 12345678901234567.250", gold).right
    assert not score(database, "SELECT 12345678901234567.75", gold).right


def test_an_empty_answer_to_a_question_with_rows_is_wrong(database):
    assert not score(database, GOLD.replace("ORDER", "WHERE false ORDER")).right


@pytest.mark.parametrize(
    ("status", "truncated", "message"),
    [
        ("refused", False, "refused: a word about it"),
        ("answered", True, "only a part of the rows"),
    ],
)
def test_what_is_no_full_answer_is_wrong_and_says_why(database, status, truncated, message):
    found = score(database, GOLD, status=status, truncated=truncated)
    assert not found.right and not found.right_if_wider
    assert found.reply.message == message


def test_an_error_counts_as_wrong_and_the_next_question_is_asked(database):
    database.execute("TRUNCATE canned")
    database.execute("INSERT INTO canned VALUES ('q', %s, 'answered', false)", [GOLD])
    questions = [Question("unheard of", GOLD, True), Question("q", GOLD, True)]
    lost, found = demo.measure(questions, database, database)
    assert not lost.right and lost.reply.message.startswith("P0002: query returned no rows")
    assert found.right


def test_a_lost_connection_ends_the_run(database):
    with psycopg.connect(dbname=database.info.dbname, user=database.info.user) as asker:
        asker.execute("SELECT 1")
        database.execute("SELECT pg_terminate_backend(%s)", [asker.info.backend_pid])
        with pytest.raises(psycopg.OperationalError):
            list(demo.measure([Question("q", GOLD, True)], asker, database))


def test_a_gold_that_fails_is_our_fault_and_raises(database):
    with pytest.raises(psycopg.errors.UndefinedTable):
        score(database, GOLD, "SELECT * FROM nowhere")


def test_the_table_shows_the_sql_of_a_wrong_answer_as_it_is(database):
    wrong = score(database, "SELECT (ARRAY[name])[id], price FROM gear")
    console = Console(record=True, width=120)
    demo.show([wrong, score(database, GOLD)], console)
    shown = console.export_text()
    assert "(ARRAY[name])[id]" in shown
    assert GOLD not in shown
    assert re.search(r"\bno\b", shown) and re.search(r"\byes\b", shown)


def run(database: psycopg.Connection, *options: str):
    from typer import Typer

    app = Typer()
    app.command()(demo.main)
    dsn = f"dbname={database.info.dbname} user={database.info.user}"
    return CliRunner().invoke(app, ["--dsn", dsn, *options])


def test_all_twenty_gold_answers_are_right(make_database):
    database = make_database(STAND_IN)
    database.execute((demo.QUESTIONS.parent / "demo.sql").read_text())
    for entry in demo.load(demo.QUESTIONS):
        values = [entry.question, entry.gold]
        database.execute("INSERT INTO canned VALUES (%s, %s, 'answered', false)", values)
    database.execute(
        "UPDATE canned SET sql = 'SELECT 1' WHERE question = 'how many customers are there?'"
    )
    result = run(database, "--at-least", "19")
    assert result.exit_code == 0, result.output
    assert re.fullmatch(
        r"demo right=19 total=20 median_s=\d+\.\d\d", result.stdout.splitlines()[-1]
    )
    assert "share right 95 %, 95 % interval 75 % to 100 %; 19 right" in " ".join(
        result.stdout.replace("%", " %").split()
    )
    assert run(database, "--at-least", "20").exit_code == 1


def test_questions_of_ones_own(database, tmp_path: Path):
    mine = tmp_path / "mine.json"
    mine.write_text('[{"question": "q", "gold": "SELECT 1", "ordered": false}]')
    database.execute("TRUNCATE canned")
    database.execute("INSERT INTO canned VALUES ('q', 'SELECT 1.0', 'answered', false)")
    result = run(database, "--questions", str(mine))
    assert result.stdout.splitlines()[-1].startswith("demo right=1 total=1 ")
