"""Whether a question is about a database at all."""

from __future__ import annotations

import pytest

from nl2sql_fdw import embeddings, link
from nl2sql_fdw.types import Column, Profile, Relation, Schema


def table(oid: int, name: str, *columns: str) -> Relation:
    return Relation(oid, "public", name, "table", tuple(Column(c, "text") for c in columns))


SCHEMA = Schema(
    (
        table(1, "customers", "id", "name", "city"),
        table(2, "orders", "id", "customer_id", "ordered_on", "status"),
        table(3, "order_items", "order_id", "product_id", "quantity", "unit_price"),
    ),
    ("public",),
)


def embed():
    found = embeddings.connect()
    return found.embed if found else None


def never():
    raise AssertionError("vectors were asked for")


ABOUT = [
    "how many customers are there in each town?",
    "average order of the customers in every town",
    "what quantities of each product were ordered?",
]
OFF = [
    "What is dark matter and what evidence supports its existence?",
    "How does photosynthesis turn light into sugar in the leaves of plants?",
    "Who composed the most famous symphonies in the history of music?",
]


@pytest.mark.parametrize("question", ABOUT)
def test_a_question_in_the_words_of_the_schema_is_linked(question: str):
    assert not link.is_weak(question, SCHEMA, Profile(), embed)


@pytest.mark.parametrize("question", OFF)
def test_a_question_about_something_else_is_not(question: str):
    assert link.is_weak(question, SCHEMA, Profile(), embed)


@pytest.mark.parametrize("question", OFF)
def test_the_owner_may_switch_it_off(question: str):
    assert not link.is_weak(question, SCHEMA, Profile(min_link=0), never)


def test_the_no_names_the_tables_and_the_setting():
    no = link.decline(SCHEMA, Profile(), "nothing was found.")
    assert "customers, orders" in no.detail and "min_link" in no.hint


@pytest.mark.parametrize(
    "question",
    [
        "customers by city",
        "how many did Acme Holding of Delft buy?",
        "\u00bfcu\u00e1ntos pedidos hay por pa\u00eds y por mes?",
        "\u5148\u6708\u306e\u58f2\u4e0a\u306f",
        "show everything",
        "",
    ],
)
def test_what_cannot_be_told_passes_without_vectors(question: str):
    assert link.strength(question, SCHEMA, never) in (None, 1.0)


def test_without_vectors_nothing_is_weak():
    assert link.strength(OFF[0], SCHEMA, lambda: None) is None
    assert not link.is_weak(OFF[0], SCHEMA, Profile(), lambda: None)
