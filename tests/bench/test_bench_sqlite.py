"""The benchmark on SQLite files, with a scripted model: as the command runs it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fake_model import NAME, FakeModel, Script
from typer.testing import CliRunner

from nl2sql_fdw.bench.gold_sqlite import SqliteJudge
from nl2sql_fdw.entry.cli import app

SHIPS = """
CREATE TABLE Ship (ID INTEGER PRIMARY KEY, Name TEXT, Weight REAL);
INSERT INTO Ship VALUES (1, 'Ada', 10.5), (2, 'Bee', 7), (3, 'Cod', NULL);
"""
QUESTIONS = [
    {"id": 0, "db_id": "sea", "question": "How many ships?",
     "gold_sqlite": "SELECT count(*) FROM ship", "sqlite_clean": True},
    {"id": 1, "db_id": "sea", "question": "Which ship is heaviest?",
     "gold_sqlite": 'SELECT name FROM ship WHERE name = "Ada"', "sqlite_clean": True},
    {"id": 2, "db_id": "sea", "question": "Which have no gold?",
     "gold_sqlite": "SELECT nothing", "sqlite_clean": False},
]  # fmt: skip


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "sqlite").mkdir()
    with closing(sqlite3.connect(tmp_path / "sqlite" / "sea.sqlite")) as made:
        made.executescript(SHIPS)
    (tmp_path / "questions.json").write_text(json.dumps(QUESTIONS))
    return tmp_path


def test_the_answers_are_judged_by_the_gold_on_the_same_file(suite: Path):
    with FakeModel() as model:
        model.enqueue(Script("SELECT count(*) FROM Ship"), Script("SELECT Name FROM Ship"))
        told = ["bench", "spider", "--path", str(suite), "--out", str(suite / "out")]
        told += ["--dialect", "sqlite", "--model", NAME, "--model-url", model.url, "--no-warm-up"]
        done = CliRunner().invoke(app, told)
    assert done.exit_code == 0, done.output
    lines = (suite / "out" / "spider-sqlite.jsonl").read_text().splitlines()
    found = {line["id"]: line for line in map(json.loads, lines)}
    assert {n: line["right"] for n, line in found.items()} == {"0": True, "1": False}
    assert found["0"]["dialect"] == "sqlite"
    assert "dialect=sqlite strategy=single n=2 ex=0.5000" in done.output


def test_the_judge_cannot_write(suite: Path):
    from nl2sql_fdw.bench.places import FilePlace

    with closing(FilePlace(suite / "sqlite" / "sea.sqlite").judge()) as judge:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            judge.rows("DELETE FROM ship")
        assert judge.rows("SELECT count(*) FROM ship") == [(3,)]


@pytest.mark.parametrize(
    "sql, ordered",
    [
        ("SELECT a FROM b ORDER BY a", True),
        ("SELECT a FROM b UNION SELECT c FROM d ORDER BY 1", True),
        ("SELECT a FROM b", False),
        ("SELECT * FROM (SELECT a FROM b ORDER BY a) AS x", False),
        ("SELECT a FROM b WHERE c = 'x ORDER BY y'", False),
    ],
)
def test_only_order_by_at_the_top_orders(sql, ordered):
    with closing(sqlite3.connect(":memory:")) as connection:
        assert SqliteJudge(connection).orders(sql) is ordered
