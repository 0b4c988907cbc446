"""Mends that rest on guessed keys, on the table that has the columns, and on the question."""

from __future__ import annotations

import pytest

from nl2sql_fdw.bind import bind, mend_ratio
from nl2sql_fdw.schema import guessed
from nl2sql_fdw.schema.render import Names, define
from nl2sql_fdw.types import Column, ForeignKey, Relation, Schema


def table(oid: int, name: str, *columns: str, key: tuple[str, ...] = ()) -> Relation:
    made = tuple(
        Column(word.split(":")[0], word.partition(":")[2] or "integer") for word in columns
    )
    return Relation(oid, "public", name, "table", made, key)


BARE = Schema(
    (
        table(1, "branches", "id", "town:text", "opened:date"),
        table(2, "loans", "loan_id", "branch_id", "member_id", "days"),
        table(3, "members", "mid", "name:text", "town:text"),
        table(4, "loan_fees", "loan_id", "amount:numeric", "paid"),
        table(5, "boxes", "box_no:text", "size"),
        table(6, "shelf", "box_no:text", "place:text", "id"),
        table(7, "parts", "id", "box_no"),
    ),
    ("public",),
)
SCHEMA = guessed.with_keys(BARE)


def keys(name: str) -> list[str]:
    relation = SCHEMA.named(name)[0]
    return [f"{k.columns[0]}>{k.target}.{k.target_columns[0]}" for k in relation.foreign_keys]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("loans", ["branch_id>branches.id", "member_id>members.mid"]),
        ("loan_fees", ["loan_id>loans.loan_id"]),
        ("shelf", ["box_no>boxes.box_no"]),
        ("branches", []),
        ("members", []),
        ("parts", []),  # box_no is a number here, a text there
    ],
)
def test_keys_are_guessed_by_name_and_kind(name: str, found: list[str]):
    assert keys(name) == found


def test_a_declared_key_is_not_guessed_again():
    own = ForeignKey(("branch_id",), "public", "members", ("mid",))
    loans = Relation(2, "public", "loans", "table", BARE.relations[1].columns, (), (own,))
    schema = Schema((BARE.relations[0], loans, BARE.relations[2]), ("public",))
    first, second = guessed.with_keys(schema).relations[1].foreign_keys
    assert first is own and (second.columns, second.declared) == (("member_id",), False)
    assert guessed.without(guessed.with_keys(schema)) == schema


def test_two_tables_that_could_be_meant_are_no_guess():
    double = Schema((*BARE.relations, table(9, "branch", "id")), ("public",))
    assert [k.columns for k in guessed.with_keys(double).relations[1].foreign_keys] == [
        ("member_id",)
    ]


def test_a_guess_is_told_to_the_model_as_one():
    text = define(SCHEMA.named("loans")[0], Names(SCHEMA))
    assert "branch_id integer, -- joins branches.id" in text
    assert "REFERENCES" not in text


@pytest.mark.parametrize(
    ("sql", "mended"),
    [
        (
            "SELECT name FROM loans",
            "SELECT (SELECT members.name FROM members WHERE members.mid = loans.member_id)"
            " FROM loans",
        ),
        ("SELECT count(branch_id) FROM branches", "SELECT count(id) FROM branches"),
        ("SELECT m.member_id FROM members m", "SELECT m.mid FROM members m"),
        (
            "SELECT loan_id, sum(amount) FROM loans GROUP BY loan_id",
            "SELECT loan_id, sum(amount) FROM loan_fees AS loans GROUP BY loan_id",
        ),
        (
            "SELECT town FROM branches b JOIN members m ON b.town = m.town",
            "SELECT b.town FROM branches b JOIN members m ON b.town = m.town",
        ),
    ],
)
def test_mends(sql: str, mended: str):
    found, notes = bind(sql, SCHEMA)
    assert found == mended and notes


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT town FROM branches b JOIN members m ON b.id = m.mid",
        "SELECT town FROM branches b LEFT JOIN members m ON b.town = m.town",
        "SELECT town FROM branches b JOIN members m ON b.town = m.town OR b.id = m.mid",
        "SELECT id, nowhere FROM branches",
        "SELECT loan_id, amount FROM loans JOIN members ON true",
    ],
)
def test_leaves_what_is_not_plain(sql: str):
    assert bind(sql, SCHEMA)[0] == sql


RATIO = "what is the ratio of long loans to all loans?"


@pytest.mark.parametrize(
    ("sql", "mended"),
    [
        ("SELECT sum(days) / count(*) FROM loans", "SELECT sum(days) * 1.0 / count(*) FROM loans"),
        ("SELECT days / nullif(paid, 0) FROM q", "SELECT days / nullif(paid, 0) FROM q"),
        (
            "SELECT days / nullif(loan_id, 0) FROM loans",
            "SELECT days * 1.0 / nullif(loan_id, 0) FROM loans",
        ),
        (
            "SELECT (SELECT count(*) FROM loans) / (SELECT count(*) FROM members)",
            "SELECT (SELECT count(*) FROM loans) / (SELECT count(*) FROM members)",
        ),
        ("SELECT amount / paid FROM loan_fees", "SELECT amount / paid FROM loan_fees"),
        ("SELECT days / 7 FROM loans", "SELECT days / 7 FROM loans"),
        ("SELECT broken /", "SELECT broken /"),
    ],
)
def test_a_ratio_keeps_its_fraction(sql: str, mended: str):
    found, notes = mend_ratio(sql, RATIO, SCHEMA)
    assert found == mended and bool(notes) == (sql != mended)


def test_a_question_that_asks_for_no_ratio_keeps_its_division():
    sql = "SELECT days / loan_id FROM loans"
    assert mend_ratio(sql, "how many whole weeks were they lent?", SCHEMA) == (sql, ())
