"""What is asked for and what is chosen, without a server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from nl2sql_fdw import bind
from nl2sql_fdw.bind.literals import choose
from nl2sql_fdw.schema import searchable, values
from nl2sql_fdw.types import PERSONAL, Column, Literal, Relation, Schema

SITE = Relation(
    1, "public", "site", "table", tuple(Column(name, "text") for name in ("name", "city", "a{b}"))
)
SCHEMA = Schema((SITE,), ("public",))
PLACE = searchable.Place("public", "site", "city", categorical=True)
WORDS = st.sampled_from(
    ["new", "New", "york", "YORK", "a_b", "in-transit", "tops", "O'Neil", "!", "7"]
)


def meant(text: str, *pairs: tuple[str, str]) -> tuple[str, str] | None:
    return choose(Literal(SITE, "city", text), pairs)


def test_the_choice_is_never_between_equals() -> None:
    assert meant("york", ("city", "York")) == ("city", "York")
    assert meant("york", ("city", "York"), ("city", "YORK")) is None
    assert meant("York", ("city", "York"), ("city", "YORK")) == ("city", "York")
    assert meant("york", ("name", "York")) == ("name", "York")
    assert meant("York", ("name", "York"), ("name", "YORK")) == ("name", "York")
    assert meant("york", ("name", "York"), ("name", "YORK")) is None
    assert meant("york", ("name", "York"), ("a{b}", "York")) is None
    assert meant("Yorkk", ("city", "Yorks"), ("city", "Yorky")) is None
    assert meant("Yorkk", ("city", "Yorks"), ("name", "Yorkk")) is None
    assert meant("ship 12", ("city", "ship 13")) is None
    assert meant("york") is None


def test_what_is_asked_holds_every_short_run_of_words_once() -> None:
    assert list(values.phrases("Sites in Baltic?")) == [
        "sites", "site", "baltic", "sites in", "in baltic", "sites in baltic",
    ]  # fmt: skip
    assert values.phrases("") == {}
    assert list(values.phrases("the 12?")) == ["the 12"]
    assert list(values.phrases("tell us")) == ["tell us"]
    assert "us" in values.phrases("users from the US") and "us" not in values.phrases("give us all")
    stems = values.phrases("successful refunded cancels in African, not European, countries")
    assert {"success", "refund", "cancel", "africa", "europe", "country"} <= set(stems)
    assert "brazil" in values.phrases("Brazil\u2019s size")
    assert "beetle! (2)" in values.phrases('cartoon "Beetle! (2)"')
    assert len(values.phrases("word%d " * 3000 % tuple(range(3000)))) == 400


@settings(deadline=None)
@given(st.lists(WORDS | st.text(max_size=6), max_size=12))
def test_what_is_asked_is_made_of_the_question_alone(asked: list[str]) -> None:
    """Whatever a row holds, it is compared with runs of the question's words, plurals cut."""
    question = " ".join(asked)
    said = re.findall(r"\w+", question.lower().replace("_", " "))
    forms = {word[:cut] for word in said for cut in (None, -1, -2, -3)}
    forms |= {word[:-3] + "y" for word in said}
    for phrase in values.phrases(question):
        assert set(re.findall(r"\w+", phrase)) <= forms
        assert values.fold(phrase) == phrase and len(phrase) <= 60


@settings(deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_whatever_the_data_answers_a_query_keeps_its_shape(text: str, value: str) -> None:
    """The mended text parses to the same tree but for the constant and the column."""
    from pglast import parse_sql

    written = text.replace("\0", "")
    answer = value.replace("\0", "")
    quoted = "'" + written.replace("'", "''") + "'"
    sql = f"SELECT name FROM site WHERE city = {quoted} AND name <> 'x'"

    def alike(sought: Sequence[Literal]) -> Mapping[Literal, tuple[tuple[str, str], ...]]:
        return {each: (("a{b}", answer),) for each in sought if each.column == "city"}

    mended, notes = bind.mend_literals(sql, SCHEMA, alike)
    where = parse_sql(mended)[0].stmt.whereClause.args[0]
    assert [where.lexpr.fields[0].sval, where.rexpr.val.sval] == ["a{b}", answer]
    assert mended.endswith(" AND name <> 'x'") and notes


def test_a_column_is_redacted_by_a_part_of_its_name_or_by_its_place() -> None:
    def hidden(name: str, *items: str) -> bool:
        return searchable.is_redacted(SITE, Column(name, "text"), items)

    for name in (
        "email",
        "E_Mail",
        "ContactEMail",
        "home_phone",
        "SSN",
        "api_key",
        "credit_card_no",
    ):
        assert hidden(name, *PERSONAL), name
    for name in ("name", "city", "status", "category"):
        assert not hidden(name, *PERSONAL), name
    assert (
        hidden("city", "PUBLIC.Site.City") and hidden("city", "site.city") and hidden("city", "c*")
    )
    assert hidden("city", "public.site") and not hidden("city", "other.site.city")
    assert not hidden("city", "public.site.cit") and hidden("city", "")


def test_a_lookup_that_would_be_too_large_asks_less() -> None:
    wide = Relation(2, "public", "w", "table", tuple(Column(f"c{n}", "text") for n in range(60)))
    places = tuple(searchable.Place("public", "w", c.name, categorical=True) for c in wide.columns)
    sent: list[str] = []

    def look(sql: str) -> list[str]:
        sent.append(sql)
        return []

    sought = [Literal(wide, "c1", "first text"), Literal(wide, "c2", "second")]
    assert list(values.alike(sought, places, look)) == sought[:1]
    values.find("one two three", places, look)
    assert [text.count("UNION ALL") for text in sent] == [60, 39]


def test_too_many_values_alike_are_no_answer() -> None:
    sought = Literal(SITE, "city", "rotterdam")
    same = [f'{{"_n":0,"_v":"rotterdam{n}"}}' for n in range(20)]
    near = [f'{{"_n":1,"_v":"r{n}"}}' for n in range(100)]
    assert values.alike([sought], [PLACE], lambda sql: same) == {}
    assert values.alike([sought], [PLACE], lambda sql: near) == {sought: ()}
    assert values.alike([sought], [PLACE], lambda sql: near[1:])[sought]


class Statistics:
    """A database that knows nothing but pg_stats."""

    def __init__(self, *rows: tuple[str, float, int]) -> None:
        self.rows = [
            {
                "schema": "public",
                "name": "t",
                "column": name,
                "n_distinct": distinct,
                "width": width,
            }
            for name, distinct, width in rows
        ]

    def query(self, sql: str, *args: object) -> list[dict[str, object]]:
        return self.rows


def relation(rows: int, *columns: Column, kind: str = "table") -> Relation:
    return Relation(3, "public", "t", kind, columns, row_estimate=rows)


def test_words_are_looked_up_in_short_texts_that_are_few_or_names() -> None:
    few, many, long = ("few", 900, 8), ("many", -0.9, 8), ("long", 5, 61)
    columns = [Column(name, "text") for name in ("few", "many", "long", "city_name", "fresh")]
    statistics = Statistics(few, many, long, ("city_name", -0.9, 8))

    def found(rows: int) -> set[str]:
        schema = Schema((relation(rows, *columns),), ("public",))
        places = searchable.places(statistics, "x", schema, ())
        return {place.column for place in places if place.categorical}

    assert found(50_000) == {"few", "city_name"}
    assert found(10_000) == {"few", "city_name", "many", "fresh"}
    assert found(100_001) == set()


def test_only_plain_texts_of_tables_are_searched_and_those_asked_about_first() -> None:
    types = ["text", "character varying(9)", "character(3)", "integer", "text[]", "s.text", "name"]
    columns = [Column(f"c{n}", type_) for n, type_ in enumerate(types)]

    def found(question: str, kind: str) -> list[str]:
        schema = Schema((relation(9, *columns, kind=kind),), ("public",))
        places = searchable.places(Statistics(), question, schema, ("c9",))
        return [place.column for place in places]

    assert found("anything", "table") == ["c0", "c1", "c2"]
    assert found("which c 1 of t", "view") == found("c", "foreign table") == []
    assert found("which 2", "table")[0] == "c2"
