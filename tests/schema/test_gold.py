"""Correct SQL stays as it is: published golds come through the mending unchanged."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from cluster import connect
from eval_load import eval_database, evaluation

from nl2sql_fdw.bind import bind
from nl2sql_fdw.types import Schema

__all__ = ["eval_database"]  # pytest finds the fixture by its name here

SPIDER = ["car_1", "concert_singer", "museum_visit", "world_1"]
DEFOG = ["academic", "atis", "ewallet", "geography"]


def golds_of(suite: str, db_id: str) -> list[str]:
    if suite == "defog":
        questions = json.loads((evaluation() / "defog" / "questions_pg.json").read_text())
        return [gold for q in questions if q["db_id"] == db_id for gold in q["golds"]]
    questions = json.loads((evaluation() / "spider" / "questions.json").read_text())
    return [q["gold_pg"] for q in questions if q["db_id"] == db_id and q["pg_clean"]]


@pytest.mark.parametrize(
    ("suite", "db_id"), [("spider", name) for name in SPIDER] + [("defog", name) for name in DEFOG]
)
def test_golds_stay_as_they_are(
    eval_database: Callable[[str, str], str],
    read_schema: Callable[..., Schema],
    suite: str,
    db_id: str,
) -> None:
    with connect(eval_database(suite, db_id)) as database:
        schemas = database.execute(
            "SELECT DISTINCT relnamespace::regnamespace::text FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace::regnamespace::text !~ '^(pg_|information_)'"
        ).fetchall()
        schema = read_schema(
            database, reader=database.info.user, schemas=tuple(name for (name,) in schemas)
        )
    golds = golds_of(suite, db_id)
    assert golds
    assert [gold for gold in golds if bind(gold, schema) != (gold, ())] == []
