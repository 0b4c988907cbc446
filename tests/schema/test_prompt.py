"""The chat turns: what stays the same, what changes, and the budget."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from nl2sql_fdw import prompt
from nl2sql_fdw.errors import BadSetup, NoValidSql
from nl2sql_fdw.prompt import Clock
from nl2sql_fdw.schema.render import estimate
from nl2sql_fdw.types import Column, Profile, Prompt, Relation, Schema

NOW = Clock("2026-03-01", "Sunday", "Asia/Tokyo")


def table(name: str, *columns: str) -> Relation:
    return Relation(1, "public", name, "table", tuple(Column(c, "integer") for c in columns))


SMALL = Schema((table("HarbourLog", "ShipID"), table("port", "id", "name")), ("public",))


def large(tables: int, columns: int) -> Schema:
    names = [f"column_{n}" for n in range(columns)]
    return Schema(tuple(table(f"table_{n}", *names) for n in range(tables)), ("public",))


def build(question: str, schema: Schema = SMALL, **profile: object) -> Prompt:
    return prompt.build(question, schema, Profile(**profile), NOW)


def failed(message: str = 'column "x" does not exist', hint: str = "") -> NoValidSql:
    return NoValidSql(message, hint=hint)


def test_only_the_tail_changes_with_the_question() -> None:
    first, second = build("how many ships?"), build("and how many ports?")
    assert (first.system, first.stable) == (second.system, second.stable)
    assert first.tail != second.tail
    assert first.messages()[1]["content"] == first.stable + first.tail


def test_the_schema_stands_in_the_stable_part() -> None:
    made = build("how many ships?")
    assert 'CREATE TABLE "HarbourLog" (\n  "ShipID" integer\n);' in made.stable
    assert made.dropped == ()


def test_the_tail_has_the_date_the_zone_and_the_question_as_it_is() -> None:
    made = build("  $today costs 5% ${more}\n-- and `that`? 🚢 ")
    assert "Sunday, 2026-03-01" in made.tail
    assert "Asia/Tokyo" in made.tail
    assert "Question: $today costs 5% ${more}\n-- and `that`? 🚢\n" in made.tail
    assert made.tail.endswith('("today" is from 2026-03-01 until before 2026-03-02)\n')


def test_no_template_header_is_sent() -> None:
    made = prompt.repair(build("q"), "SELECT x", "SELECT x", failed(), SMALL)
    assert not any(m["content"].startswith("#") for m in made.messages())
    assert not any("$" in m["content"] for m in made.messages())


@pytest.mark.parametrize(("tables", "columns"), [(300, 10), (1, 1000), (40, 200)])
@pytest.mark.parametrize("context", [2048, 8192])
def test_a_large_schema_is_cut_to_the_context(tables: int, columns: int, context: int) -> None:
    made = build("column 7 of table 42", large(tables, columns), context_tokens=context)
    sent = sum(estimate(message["content"]) for message in made.messages())
    assert sent <= made.estimated_tokens <= context - 512 - made.room_tokens
    assert made.room_tokens >= context * 0.14
    assert made.dropped
    assert "column_7" in made.stable


def test_a_context_without_room_says_so() -> None:
    with pytest.raises(BadSetup, match="does not fit"):
        build("q", large(5, 5), context_tokens=800)


def test_repair_keeps_the_prefix_and_adds_two_turns() -> None:
    first = build("q")
    error = failed('column h.x does not exist at "%s"', 'Perhaps you meant "ShipID".')
    made = prompt.repair(
        first, "```sql\nSELECT x\n```", "SELECT h.x FROM harbourlog h", error, SMALL
    )
    assert made.messages()[:2] == first.messages()
    reply, turn = made.messages()[2:]
    assert reply == {"role": "assistant", "content": "```sql\nSELECT x\n```"}
    assert turn["role"] == "user"
    for part in (error.message, error.hint, '"HarbourLog" ("ShipID")'):
        assert part in turn["content"]
    assert "port" not in turn["content"]
    assert made.estimated_tokens > first.estimated_tokens
    assert made.room_tokens < first.room_tokens


@pytest.mark.parametrize("sql", [None, "SELECT * FROM ship"])
def test_repair_names_all_tables_where_the_sql_names_none(sql: str | None) -> None:
    made = prompt.repair(build("q"), "I cannot.", sql, failed(), SMALL)
    assert '"HarbourLog"\nport' in made.messages()[-1]["content"]


def test_repair_finds_the_tables_of_sql_that_does_not_parse() -> None:
    made = prompt.repair(build("q"), "", "SELECT FROM port WHERE", failed(), SMALL)
    assert "port (id, name)" in made.messages()[-1]["content"]


def test_repair_stays_in_the_context_whatever_comes_back() -> None:
    first = build("q", large(300, 50), context_tokens=4096)
    made = prompt.repair(
        first, "ä" * 50_000, None, failed("é" * 50_000, "x" * 50_000), large(300, 50)
    )
    sent = sum(estimate(message["content"]) for message in made.messages())
    assert sent <= 4096 - 512


@pytest.fixture(scope="module")
def database(make_database: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    return make_database("")


def test_the_clock_is_the_sessions(
    database: psycopg.Connection, reading: Callable[[psycopg.Connection], prompt.Database]
) -> None:
    """The two zones are 25 hours apart, so that their dates always differ (Q1, Q2)."""
    clocks = []
    for zone in ("Pacific/Kiritimati", "Pacific/Niue"):
        database.execute(f"SET TimeZone = '{zone}'; SET DateStyle = 'German, DMY'")
        clocks.append(prompt.clock(reading(database)))
        today = database.execute("SELECT to_char(current_date, 'YYYY-MM-DD FMDay')").fetchone()[0]
        assert f"{clocks[-1].today} {clocks[-1].weekday}" == today
        assert clocks[-1].zone == zone
    assert clocks[0].today > clocks[1].today
