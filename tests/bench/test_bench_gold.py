"""Judging by golds that are run on a real server."""

from __future__ import annotations

import pytest

from nl2sql_fdw.bench.gold import GoldFailed, PostgresJudge, is_right, join_rows, orders

SHIPS = """
CREATE TABLE ship (id int, name text, weight numeric(8, 2));
INSERT INTO ship VALUES (1, 'Ada', 10.50), (2, 'Bee', 7), (3, 'Cod', NULL);
"""


@pytest.fixture(scope="module")
def judge(make_database):
    return make_database(SHIPS)


def answer(judge, sql: str):
    rows = judge.execute(f"SELECT row_to_json(q)::text FROM ({sql}) AS q".encode())
    return join_rows([row[0] for row in rows])


@pytest.mark.parametrize(
    "sql, wide, right",
    [
        ("SELECT name, weight FROM ship ORDER BY id DESC", False, True),
        ("SELECT weight AS w, name AS n FROM ship", False, True),
        ("SELECT name FROM ship", False, False),
        ("SELECT id, name, weight FROM ship", False, False),
        ("SELECT id, name, weight FROM ship", True, True),
        ("SELECT name, weight FROM ship LIMIT 2", False, False),
        ("SELECT name, weight + 0.01 FROM ship", False, False),
    ],
)
def test_an_answer_is_right_by_its_rows(judge, sql, wide, right):
    gold = "SELECT name, weight FROM ship"
    assert is_right(PostgresJudge(judge), [gold], answer(judge, sql), wide) is right


def test_any_gold_counts(judge):
    golds = ["SELECT id FROM ship", "SELECT name FROM ship"]
    assert is_right(PostgresJudge(judge), golds, answer(judge, "SELECT name FROM ship"), False)
    assert is_right(PostgresJudge(judge), golds, answer(judge, "SELECT id FROM ship"), False)
    assert not is_right(
        PostgresJudge(judge), golds, answer(judge, "SELECT weight FROM ship"), False
    )


def test_order_counts_where_the_gold_orders(judge):
    gold = ["SELECT name FROM ship ORDER BY name DESC"]
    assert is_right(
        PostgresJudge(judge), gold, answer(judge, "SELECT name FROM ship ORDER BY 1 DESC"), False
    )
    assert not is_right(
        PostgresJudge(judge), gold, answer(judge, "SELECT name FROM ship ORDER BY 1"), False
    )


@pytest.mark.parametrize("end", [";", " ;; ", " -- all of them", "; \n"])
def test_a_gold_may_end_as_people_end_sql(judge, end):
    found = answer(judge, "SELECT 1 AS one")
    assert is_right(PostgresJudge(judge), [f"SELECT 1 AS one{end}"], found, False)


def test_a_percent_sign_and_a_name_twice_are_taken_as_they_are(judge):
    sql = "SELECT name, name FROM ship WHERE name LIKE 'A%'"
    assert is_right(PostgresJudge(judge), [sql], answer(judge, sql), False)


def test_a_gold_that_fails_is_passed_by_where_another_runs(judge):
    found = answer(judge, "SELECT 1 AS one")
    assert is_right(PostgresJudge(judge), ["SELECT nothing FROM nowhere", "SELECT 1"], found, False)


@pytest.mark.parametrize("rows", [None, [(1,)]])
def test_without_a_gold_that_runs_there_is_no_judgement(judge, rows):
    with pytest.raises(GoldFailed, match="nowhere"):
        is_right(PostgresJudge(judge), ["SELECT nothing FROM nowhere"], rows, False)


def test_no_answer_is_wrong_even_where_the_gold_is_empty(judge):
    assert not is_right(PostgresJudge(judge), ["SELECT 1 WHERE false"], None, False)
    assert is_right(PostgresJudge(judge), ["SELECT 1 WHERE false"], [], False)


@pytest.mark.parametrize(
    "sql, ordered",
    [
        ("SELECT a FROM b ORDER BY a", True),
        ("(SELECT a FROM b ORDER BY a)", True),
        ("SELECT a FROM b UNION SELECT c FROM d ORDER BY 1", True),
        ("WITH x AS (SELECT 1) SELECT * FROM x ORDER BY 1 LIMIT 3", True),
        ("SELECT a FROM b", False),
        ("SELECT * FROM (SELECT a FROM b ORDER BY a) AS x", False),
        ("SELECT row_number() OVER (ORDER BY a) FROM b", False),
        ("SELECT 'x ORDER BY y'", False),
    ],
)
def test_only_order_by_at_the_top_orders(sql, ordered):
    assert orders(sql) is ordered
