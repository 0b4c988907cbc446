"""Texts in the model's SQL as the data has them, on a real server."""

from __future__ import annotations

import pytest
from haven import A, Haven


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        (
            "SELECT id FROM site WHERE city = 'rotterdam'",
            "SELECT id FROM site WHERE city = 'Rotterdam'",
        ),
        (
            "SELECT id FROM site WHERE 'rotterdam' = city",
            "SELECT id FROM site WHERE 'Rotterdam' = city",
        ),
        (
            "SELECT id FROM site WHERE city = 'Roterdam'",
            "SELECT id FROM site WHERE city = 'Rotterdam'",
        ),
        (
            "SELECT id FROM site WHERE city IN ('LAGOS', 'rotterdam', 'Paris')",
            "SELECT id FROM site WHERE city IN ('Lagos', 'Rotterdam', 'Paris')",
        ),
        (
            "SELECT id FROM site WHERE city NOT IN ('LAGOS', 'Leeds')",
            "SELECT id FROM site WHERE city NOT IN ('Lagos', 'Leeds')",
        ),
        (
            "SELECT s.id FROM site s WHERE s.region = 'Africa'",
            "SELECT s.id FROM site s WHERE s.continent = 'Africa'",
        ),
        (
            "SELECT count(*) FROM site WHERE region <> 'africa'",
            "SELECT count(*) FROM site WHERE continent <> 'Africa'",
        ),
        (
            "SELECT id FROM site WHERE region IN ('Africa', 'oceania') -- 'africa'",
            "SELECT id FROM site WHERE continent IN ('Africa', 'Oceania') -- 'africa'",
        ),
        (
            """SELECT id FROM "Order" WHERE "Status" = 'shipped' OR stage = 'on hold'""",
            """SELECT id FROM "Order" WHERE "Status" = 'Shipped' OR stage = 'on_hold'""",
        ),
        (
            """SELECT id FROM "Order" WHERE sea IN ('rough', 'Calm')""",
            """SELECT id FROM "Order" WHERE sea IN ('Rough', 'calm')""",
        ),
        (
            """SELECT id FROM "Order" WHERE note = 'o''neil'""",
            """SELECT id FROM "Order" WHERE note = 'O''Neil'""",
        ),
        (
            "SELECT id FROM site WHERE id IN (SELECT x.id FROM site x WHERE x.city = 'lagos')",
            "SELECT id FROM site WHERE id IN (SELECT x.id FROM site x WHERE x.city = 'Lagos')",
        ),
        (
            "WITH w AS (SELECT * FROM site WHERE city = 'lagos') SELECT id FROM w",
            "WITH w AS (SELECT * FROM site WHERE city = 'Lagos') SELECT id FROM w",
        ),
        (
            "SELECT 'é' AS é, count(*) FILTER (WHERE city = 'lagos') FROM site HAVING true",
            "SELECT 'é' AS é, count(*) FILTER (WHERE city = 'Lagos') FROM site HAVING true",
        ),
    ],
)  # fmt: skip
def test_a_text_becomes_the_one_value_it_can_mean(haven: Haven, written: str, mended: str):
    got = haven.ask(written)
    assert got["status"] == "answered", got["message"]
    assert got["sql"] == mended
    assert got["rows"]
    assert any(note.startswith("read ") for note in got["notes"])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM site WHERE city = 'Rotterdam'",
        "SELECT id FROM site WHERE city = 'Atlantis'",
        "SELECT id FROM site WHERE city = 'Delta'",  # a name, and a region
        "SELECT id FROM \"Order\" WHERE kind = 'Ab'",  # ab, and AB
        "SELECT id FROM site WHERE city IN ('Africa', 'Lagos')",  # one here, one there
        "SELECT id FROM site WHERE city IN ('Africa', 'Paris')",
        "SELECT id FROM site WHERE city LIKE 'rotterdam'",
        "SELECT id FROM site WHERE city > 'rotterdam'",
        "SELECT id FROM site WHERE city = 'rotterdam'::text",
        "SELECT id FROM site WHERE city = 'rotter' || 'dam'",
        "SELECT id FROM site WHERE city = E'rotterdam'",
        "SELECT id FROM site WHERE lower(city) = 'rotterdam'",
        "SELECT id FROM site AS s(id, region, city) WHERE s.city = 'rotterdam'",
        "SELECT a.id FROM site a, (SELECT city AS c FROM site) b WHERE b.c = 'rotterdam'",
        "SELECT id FROM person WHERE email = 'Secretmail'",  # redacted
        "SELECT id FROM person WHERE name = 'secretmail'",
        "SELECT id FROM person WHERE name = 'secretcaller'",
        "SELECT title FROM file WHERE title = 'merlin'",  # of another tenant
    ],
)
def test_what_is_right_unclear_or_closed_stays_as_it_is(haven: Haven, sql: str):
    got = haven.ask(sql)
    assert (got["status"], got["sql"]) == ("answered", sql), got["message"]
    assert not any(note.startswith("read ") for note in got["notes"])


def test_a_tenant_is_helped_with_its_own_values(haven: Haven):
    got = haven.ask("SELECT title FROM file WHERE title = 'falcon'", role=A)
    assert (got["sql"], got["rows"]) == (
        "SELECT title FROM file WHERE title = 'Falcon'",
        [{"title": "Falcon"}],
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT pg_sleep(9) FROM site WHERE city = 'rotterdam'",
        "SELECT closed FROM person WHERE name = 'zelda'",
        "SELECT id FROM site WHERE city = 'rotterdam'; DROP TABLE site",
        "DELETE FROM site WHERE city = 'rotterdam'",
        "SELECT 1 FROM pg_shadow WHERE usename = 'postgres'",
    ],
)
def test_a_mend_opens_nothing(haven: Haven, sql: str):
    haven.set(retries=0)
    got = haven.ask(sql)
    assert (got["status"] in ("refused", "not_permitted"), got["rows"]) == (True, None)
    assert haven.admin.execute("SELECT count(*) FROM site").fetchone()[0] == 5


def test_texts_that_would_break_out_of_the_lookup_are_only_texts(haven: Haven):
    haven.admin.execute(
        """INSERT INTO site (id, name) VALUES (9, 'a''); DROP--'), (10, 'B\\''X')"""
    )
    try:
        question = r"is a'); DROP-- or b\'x there?"
        assert haven.asker().execute("SELECT nl2sql_prompt(%s)", [question]).fetchone()
        got = haven.ask("SELECT id FROM site WHERE name = 'A''); DROP--'")
        assert got["rows"] == [{"id": 9}]
        got = haven.ask("SELECT id FROM site WHERE name = 'b\\''x'")
        assert got["rows"] == [{"id": 10}]
    finally:
        haven.admin.execute("DELETE FROM site WHERE id IN (9, 10)")
