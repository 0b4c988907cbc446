"""Values looked up in a SQLite file, through its door."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from nl2sql_fdw import bind, pipeline_sqlite
from nl2sql_fdw.entry.sqlite_file import open_database
from nl2sql_fdw.lookup import Lookup
from nl2sql_fdw.schema import catalog_sqlite
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import Profile, Schema

LAND = """
CREATE TABLE Country (Code CHAR(3) PRIMARY KEY, Name TEXT, Continent VARCHAR(20), Region TEXT,
                      Email TEXT, Head REAL);
INSERT INTO Country VALUES ('NOR', 'Norway', 'Europe', 'Nordic Countries', 'a@b.no', 1.5),
  ('KEN', 'Kenya', 'Africa', 'Eastern Africa', 'c@d.ke', 2.5),
  ('O''N', 'O''Neill''s Land', 'North America', 'Caribbean', 'e@f.on', NULL);
"""
PROFILE = Profile(values=True, values_limit_ms=30_000)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[tuple[Lookup, Schema]]:
    with closing(sqlite3.connect(tmp_path / "land.db")) as file:
        file.executescript(LAND)
    with open_database(tmp_path / "land.db", PROFILE) as db:
        schema = catalog_sqlite.read(db)
        look = partial(pipeline_sqlite.run, db=db, profile=PROFILE, trace=lambda *told: None)
        question = "Which countries are in north_america or in Africa, and who is a@b.no?"
        watch = Watch(lambda *told: None)
        yield Lookup(question, schema, db, PROFILE, look, watch), schema


def test_what_the_question_names_is_found_and_what_is_personal_is_not(made):
    lookup, _ = made
    found = {(hit.place.column, hit.text) for hit in lookup.hits()}
    assert found == {("Continent", "North America"), ("Continent", "Africa")}


@pytest.mark.parametrize(
    "sql, mended",
    [
        ("SELECT Name FROM Country WHERE Continent = 'europe'", "Continent = 'Europe'"),
        ("SELECT Name FROM Country WHERE Region = 'Africa'", "continent = 'Africa'"),
        ("SELECT c.Name FROM COUNTRY AS c WHERE c.Name = 'Norwai'", "c.Name = 'Norway'"),
        ("SELECT Code FROM Country WHERE Name = \"norway\"", "Name = 'Norway'"),
        ("SELECT Code FROM Country WHERE Name = 'o''neill''s land'", "'O''Neill''s Land'"),
        ("SELECT Code FROM Country WHERE Name = 'Mars'", "Name = 'Mars'"),
        ("SELECT Code FROM Country WHERE Email = 'A@b.no'", "Email = 'A@b.no'"),
    ],
)  # fmt: skip
def test_texts_are_mended_by_the_data(made, sql, mended):
    lookup, schema = made
    named, _ = bind.bind(sql, schema)
    assert bind.mend_literals(named, schema, lookup.alike)[0].endswith(mended)
