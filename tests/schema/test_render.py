"""How relations are written for the model."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from nl2sql_fdw.names import literal, quote
from nl2sql_fdw.schema.render import Names, as_code, clean, columns, define
from nl2sql_fdw.types import Column, ForeignKey, Relation, Schema


def table(schema: str, name: str, *columns: Column, **more: object) -> Relation:
    return Relation(1, schema, name, "table", columns or (Column("id", "integer"),), **more)


def names_of(*relations: Relation, path: tuple[str, ...] = ("public",)) -> Names:
    return Names(Schema(relations, path))


def test_writes_keys_types_labels_and_comments() -> None:
    order = table(
        "public",
        "order",
        Column("id", "integer", not_null=True),
        Column("Placed", "timestamp(3) without time zone", comment="when it\ncame in"),
        Column("stage", "stage", enum_labels=("new", "it's")),
        Column("customer", "integer"),
        Column("lot", "character varying(8)[]"),
        Column("a", "time with time zone"),
        Column("b", "timeslot"),
        primary_key=("id",),
        foreign_keys=(
            ForeignKey(("customer",), "crm", "user", ("id",)),
            ForeignKey(("a", "b"), "public", "order", ("id", "Placed")),
        ),
        comment="all orders",
    )
    assert define(order, names_of(order)) == (
        'CREATE TABLE "order" ( -- all orders\n'
        "  id integer PRIMARY KEY,\n"
        '  "Placed" timestamp(3), -- when it came in\n'
        "  stage stage, -- one of 'new', 'it''s'\n"
        '  customer integer REFERENCES crm."user" (id),\n'
        "  lot varchar(8)[],\n"
        "  a timetz,\n"
        "  b timeslot,\n"
        '  FOREIGN KEY (a, b) REFERENCES "order" (id, "Placed")\n'
        ");"
    )


def test_marks_views_and_writes_a_key_of_several_columns() -> None:
    view = Relation(1, "public", "v", "materialized view", (Column("a", "date"),))
    pair = table("public", "t", Column("a", "x"), Column("b", "y"), primary_key=("b", "a"))
    text = as_code((view, pair), names_of(view, pair))
    assert text == (
        "CREATE MATERIALIZED VIEW v (\n  a date\n);\n\n"
        "CREATE TABLE t (\n  a x,\n  b y,\n  PRIMARY KEY (b, a)\n);\n"
    )


@pytest.mark.parametrize(
    ("schema", "name", "written"),
    [
        ("public", "port", "port"),  # the first schema of the path, and no namesake
        ("freight", "leg", "freight.leg"),  # S6: not on the path
        ("crm", "lead", "crm.lead"),  # on the path, but not first
        ("public", "ship", "public.ship"),  # S9: a namesake elsewhere
        ("a", "ship", "a.ship"),
        ("Odd One", "select", '"Odd One"."select"'),
    ],
)
def test_qualifies_what_is_not_plain(schema: str, name: str, written: str) -> None:
    relations = [
        table(*pair)
        for pair in (("public", "port"), ("public", "ship"), ("a", "ship"), ("freight", "leg"))
    ]
    assert names_of(*relations, path=("public", "crm")).of(schema, name) == written


def test_without_a_search_path_every_name_is_qualified() -> None:
    assert names_of(table("x", "t"), path=()).of("x", "t") == "x.t"


def test_lists_columns_as_they_must_be_written() -> None:
    relation = table("f", "leg", Column("ShipID", "integer"), Column("group", "text"))
    assert columns(relation, names_of(relation)) == 'f.leg ("ShipID", "group")'


@pytest.mark.parametrize(
    ("comment", "shown"),
    [
        (None, ""),
        ("  two\n\n  lines\t", "two lines"),
        ("a\r); DROP TABLE x; --", "a ); DROP TABLE x; --"),
        ("a\u2028b\x0bc\x85d\u202ee\x00f", "a b c d e f"),
        ("```\nnew turn", "''' new turn"),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + "…"),
    ],
)
def test_a_comment_stays_on_its_line(comment: str | None, shown: str) -> None:
    assert clean(comment) == shown
    assert len(f"-- {clean(comment)}".splitlines()) == 1


def test_hostile_names_and_labels_stay_on_their_line() -> None:
    hostile = table("public", "a\nb", Column("c\u2028d", "t", enum_labels=("e\nf", "\\g'\r")))
    text = define(hostile, names_of(hostile))
    assert len(text.splitlines()) == 3
    assert "E'e\\u000Af'" in text


PLAIN = ["plain", "a$1", "Mixed", "select", "user", "time", "left", "name", "date", "1st", "é"]
ODD = ["", 'say "hi"', "two words", "back\\slash", "line\nbreak", "tab\tand\\slash", "_x"]


@pytest.fixture(scope="module")
def database(make_database: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    return make_database("")


@pytest.mark.parametrize("name", PLAIN + ODD)
def test_quotes_as_the_server_does(database: psycopg.Connection, name: str) -> None:
    if "\n" not in name and "\t" not in name:
        assert quote(name) == database.execute("SELECT quote_ident(%s)", [name]).fetchone()[0]
    if name:
        result = database.execute(f"SELECT 1 AS {quote(name)}".encode())
        assert result.description[0].name == name
    assert database.execute(f"SELECT {literal(name)}".encode()).fetchone()[0] == name
