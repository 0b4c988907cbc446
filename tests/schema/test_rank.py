"""What is kept of a schema that is longer than the model's context (C1, C2)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from nl2sql_fdw.embeddings import static
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.schema.rank import BY_WORDS, Ranking, Selection, order, select
from nl2sql_fdw.schema.render import Names, as_code, estimate
from nl2sql_fdw.schema.words import words
from nl2sql_fdw.types import Column, ForeignKey, Relation, Schema


def table(name: str, *columns: str, **more: object) -> Relation:
    made = tuple(Column(column, "integer") for column in ("id", *columns))
    return Relation(1, "public", name, "table", made, primary_key=("id",), **more)


def reference(column: str, target: str) -> ForeignKey:
    return ForeignKey((column,), "public", target, ("id",))


def wide_schema() -> Schema:
    """300 tables; invoices and their customers are joined through a table of neither word."""
    fillers = [table(f"filler_{n:03}", *(f"thing_{m}" for m in range(8))) for n in range(297)]
    invoice = table("sales_invoice", "amount", "issued_on")
    customer = table("customer", "full_name")
    link = table(
        "link_77",
        "i",
        "c",
        foreign_keys=(reference("i", "sales_invoice"), reference("c", "customer")),
    )
    relations = sorted([*fillers, invoice, customer, link], key=lambda r: r.name)
    return Schema(tuple(relations), ("public",))


def choose(question: str, schema: Schema, budget: int, **more: object) -> Selection:
    return select(question, schema, Names(schema), budget, **more)


def kept(selection: Selection) -> list[str]:
    return [relation.name for relation in selection.relations]


def test_keeps_everything_that_fits() -> None:
    schema = wide_schema()
    assert choose("anything", schema, 1_000_000) == Selection(schema.relations)


def test_keeps_what_matches_and_what_joins_it() -> None:
    schema = wide_schema()
    selection = choose("total of the invoices by customer", schema, 400)
    assert {"sales_invoice", "customer", "link_77"} <= set(kept(selection))
    assert kept(selection) == sorted(kept(selection))
    assert estimate(as_code(selection.relations, Names(schema))) <= 400


def test_reports_all_that_was_dropped() -> None:
    schema = wide_schema()
    selection = choose("invoices", schema, 400)
    assert len(selection.dropped) == 300 - len(selection.relations)
    assert set(selection.dropped).isdisjoint(kept(selection))


def test_the_same_question_keeps_the_same() -> None:
    first = choose("customers", wide_schema(), 900)
    assert choose("customers", wide_schema(), 900) == first


@pytest.mark.parametrize("question", ["", "?!", "¿cuántos barcos?", "先月の売上は?"])
def test_a_question_that_matches_nothing_still_gets_tables(question: str) -> None:
    assert kept(choose(question, wide_schema(), 900))


def test_tables_that_match_nothing_fill_a_third_at_most() -> None:
    schema = wide_schema()
    selection = choose("invoices", schema, 3_000)
    assert 750 < estimate(as_code(selection.relations, Names(schema))) < 1_100


def test_a_cut_schema_is_short_however_much_room_there_is() -> None:
    fillers = [table(f"filler_{n:03}", *(f"thing_{m}" for m in range(8))) for n in range(300)]
    schema = Schema(tuple(fillers), ("public",))
    selection = choose("filler", schema, 9_000)
    assert 2_800 < estimate(as_code(selection.relations, Names(schema))) <= 3_000


def test_a_wide_table_keeps_its_keys_and_the_columns_that_match() -> None:
    columns = [f"metric_{n}" for n in range(997)]
    columns[500:500] = ["unit_price", "owner"]
    wide = table("measure", *columns, foreign_keys=(reference("owner", "measure"),))
    selection = choose("average unit price", Schema((wide,), ("public",)), 600)
    (cut,) = selection.relations
    names = [column.name for column in cut.columns]
    assert {"id", "unit_price", "owner"} <= set(names)
    assert names == [name for name in ["id", *columns] if name in names]
    assert (cut.primary_key, cut.foreign_keys) == (wide.primary_key, wide.foreign_keys)
    assert selection.dropped == (f"measure ({1000 - len(names)} of 1000 columns)",)
    assert estimate(as_code((cut,), Names(Schema((wide,), ("public",))))) <= 300


def test_no_room_at_all_is_a_fault_of_the_setup() -> None:
    with pytest.raises(BadSetup, match="does not fit"):
        choose("invoices", wide_schema(), 5)


def test_what_means_the_same_is_near() -> None:
    movie = table("movie", "runtime")
    schema = Schema((*wide_schema().relations, movie), ("public",))
    asked = "Which films were shown?"
    by_meaning = Ranking(lambda: static.load().embed)
    (place, fits), *_ = order(asked, schema, by_meaning)
    assert schema.relations[place] == movie and fits
    assert not any(fits for _, fits in order(asked, schema, BY_WORDS))


def test_tables_that_cover_the_question_together_beat_single_ones() -> None:
    """Twins in other schemas fit as well each by itself (S9); what stands beside them decides."""
    shop = [replace(table("orders", "day"), schema="shop"), replace(table("vessel"), schema="shop")]
    bank = [replace(table("orders", "day"), schema="bank"), replace(table("loan"), schema="bank")]
    mill = [replace(table("orders", "day"), schema="mill"), replace(table("flour"), schema="mill")]
    schema = Schema((*bank, *mill, *shop), ("public",))
    for word, wanted in (("loan", "bank"), ("flour", "mill"), ("vessel", "shop")):
        found = order(f"orders and their {word}", schema, BY_WORDS)
        best = [schema.relations[place] for place, _ in found[:2]]
        assert {relation.schema for relation in best} == {wanted}


def test_a_comment_counts_for_its_table() -> None:
    noted = table("zq_01", comment="every lighthouse of the coast")
    schema = Schema((*wide_schema().relations, noted), ("public",))
    place, fits = order("Which lighthouses are there?", schema, BY_WORDS)[0]
    assert schema.relations[place].name == "zq_01" and fits


def test_a_change_of_the_schema_is_seen_at_once() -> None:
    """Not the name tells: a table that was renamed, or dropped and made anew, is another."""
    first = wide_schema()
    order("invoices", first, BY_WORDS)
    renamed = tuple(
        replace(r, name="lighthouse") if r.name == "filler_003" else r for r in first.relations
    )
    place, _ = order("lighthouses", Schema(renamed, ("public",)), BY_WORDS)[0]
    assert renamed[place].name == "lighthouse"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HarbourLog", ["harbour", "log"]),
        ("sales_2024 ShipIDs", ["sale", "2024", "ship", "id"]),
        ("HTTPStatus of categories", ["http", "status", "of", "category"]),
        ("das Maß, 売上", ["da", "maß", "売上"]),
    ],
)
def test_splits_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_small_schema_loads_no_ranking_library() -> None:
    code = (
        "import sys; from nl2sql_fdw.schema.rank import select;"
        "from nl2sql_fdw.schema.render import Names; from nl2sql_fdw.types import Schema;"
        "s = Schema((), ()); select('q', s, Names(s), 10);"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
