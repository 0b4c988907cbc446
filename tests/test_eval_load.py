"""The evaluation databases load whole: published golds run on them and find rows."""

from __future__ import annotations

import json

import pytest
from cluster import connect
from eval_load import eval_database, evaluation, fill

from nl2sql_fdw.errors import BadSetup

__all__ = ["eval_database"]  # pytest finds the fixture by its name here


@pytest.mark.parametrize("db_id", ["concert_singer", "cre_Doc_Template_Mgt"])
def test_spider_golds_run_and_find_rows(eval_database, db_id):
    questions = json.loads((evaluation() / "spider" / "questions.json").read_text())
    golds = [q["gold_pg"] for q in questions if q["db_id"] == db_id and q["pg_clean"]]
    with connect(eval_database("spider", db_id)) as database:
        empty = [gold for gold in golds if not database.execute(gold.encode()).fetchall()]
    assert golds
    assert empty == []


@pytest.mark.parametrize("db_id", ["restaurants", "ewallet"])
def test_defog_golds_run(eval_database, db_id):
    questions = json.loads((evaluation() / "defog" / "questions_pg.json").read_text())
    golds = [gold for q in questions if q["db_id"] == db_id for gold in q["golds"]]
    with connect(eval_database("defog", db_id)) as database:
        found = [database.execute(gold.encode()).fetchall() for gold in golds]
    assert golds
    assert any(found)


def test_a_database_is_loaded_once(eval_database):
    first = eval_database("spider", "concert_singer")
    assert eval_database("spider", "concert_singer") == first
    assert eval_database("spider", "museum_visit") != first


def test_a_dump_that_fails_is_an_error_with_its_reason(tmp_path, make_database):
    dump = tmp_path / "broken.sql"
    dump.write_text("CREATE TABLE fine (id int);\nCREATE TABLE broken (id nonsense);\n")
    database = make_database()
    with pytest.raises(BadSetup, match=r'broken\.sql does not load.*"nonsense" does not exist'):
        fill(database.info.dbname, dump)
    assert database.execute("SELECT to_regclass('fine')").fetchone() == (None,)
