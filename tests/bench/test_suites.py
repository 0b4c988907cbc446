"""The forms of the suites, and the sample that is drawn from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nl2sql_fdw.bench import suites
from nl2sql_fdw.errors import BadSetup


def write(folder: Path, name: str, entries: object) -> Path:
    (folder / name).write_text(json.dumps(entries))
    return folder


def spider(n: int, db: str = "sea", clean: bool = True) -> dict:
    return {
        "id": n, "db_id": db, "question": f"Question {n}?", "gold_pg": f"SELECT {n}",
        "gold_sqlite": "SELECT 0", "pg_clean": clean, "sqlite_clean": True,
    }  # fmt: skip


def test_spider_leaves_out_golds_that_do_not_run_on_postgresql(tmp_path):
    write(tmp_path, "questions.json", [spider(0), spider(1, clean=False)])
    [item] = suites.load("spider", tmp_path)
    assert (item.id, item.db, item.golds) == ("0", "sea", ("SELECT 0",))
    assert item.dump == tmp_path / "pg" / "sea.sql"
    assert not item.wide


def test_spider_train_tells_by_its_own_mark(tmp_path):
    entry = {"db_id": "sea", "question": "Q?", "gold_pg": "SELECT 1"}
    write(tmp_path, "questions.json", [{**entry, "pg": "empty"}, {**entry, "pg": "ok"}])
    assert [item.id for item in suites.load("spider_train", tmp_path)] == ["1"]


def test_defog_has_several_golds_instructions_and_unanswerable_questions(tmp_path):
    entry = {"id": 7, "db_id": "sea", "question": "Which?", "instructions": "", "golds": ["A", "B"]}
    told = {**entry, "id": 8, "instructions": "Match exactly."}
    write(tmp_path, "questions_pg.json", [entry, told])
    write(tmp_path, "unanswerable.json", [{"db_id": "sea", "question": "Why?", "category": "x"}])
    plain, instructed, unanswerable = suites.load("defog", tmp_path)
    assert plain.golds == ("A", "B") and plain.wide and plain.answerable
    assert instructed.question == "Which?\nMatch exactly."
    assert unanswerable.id == "u0" and not unanswerable.answerable


def test_a_users_own_questions_need_no_dump_and_take_birds_names(tmp_path):
    own = {"question": "Own?", "gold": "SELECT 1"}
    bird = {"question": "Bird?", "SQL": "SELECT 2", "evidence": "2 is two", "db_id": "b"}
    no = {"question": "No?", "unanswerable": True}
    write(tmp_path, "questions.json", [own, bird, no])
    first, second, third = suites.load("questions", tmp_path)
    assert (first.db, first.dump, first.golds) == ("", None, ("SELECT 1",))
    assert (second.question, second.golds) == ("Bird?\n2 is two", ("SELECT 2",))
    assert not third.answerable


@pytest.mark.parametrize("entries", [[{"question": "No gold?"}], {"question": "Q?"}, [1], []])
def test_a_file_of_another_form_is_refused(tmp_path, entries):
    write(tmp_path, "questions.json", entries)
    with pytest.raises(BadSetup):
        suites.load("questions", tmp_path)


def test_two_questions_of_one_id_are_refused(tmp_path):
    write(tmp_path, "questions.json", [spider(1), spider(2), spider(1)])
    with pytest.raises(BadSetup) as refused:
        suites.load("spider", tmp_path)
    assert "two questions have the id 1" in refused.value.detail


def test_a_folder_without_the_file_is_refused(tmp_path):
    with pytest.raises(BadSetup, match="spider cannot be read"):
        suites.load("spider", tmp_path)


def items(answerable: int, unanswerable: int) -> list[suites.Item]:
    return [
        suites.Item("s", str(n), f"db{n % 3}", f"Q{n}", ("G",) if n < answerable else (), None)
        for n in range(answerable + unanswerable)
    ]


def test_a_sample_keeps_the_share_of_unanswerable_questions():
    drawn = suites.sample(items(40, 20), 10, seed=3)
    assert sum(item.answerable for item in drawn) == 10
    assert sum(not item.answerable for item in drawn) == 5


def test_the_same_seed_draws_the_same_questions_and_another_does_not():
    every = items(40, 20)
    assert suites.sample(every, 10, 1) == suites.sample(every, 10, 1)
    assert suites.sample(every, 10, 1) != suites.sample(every, 10, 2)


def test_questions_come_by_database_and_as_filed_within_it():
    drawn = suites.sample(items(12, 0), None, 0)
    assert [int(item.id) for item in drawn] == [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]
