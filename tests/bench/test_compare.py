"""Execution accuracy: what counts as the same answer, and what does not."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2sql_fdw.bench.compare import normal, same_result

SAME_VALUES = [
    (5, 5.0),
    (5, Decimal("5.00")),
    (Decimal("0.12345"), 0.12345),
    (0.1 + 0.2, Decimal("0.3")),
    (1.00004, 1),
    (-0.00001, 0),
    (True, 1),
    (float("nan"), Decimal("NaN")),
    (float("inf"), Decimal("Infinity")),
    (10**300, Decimal(10) ** 300),
    (10**600, Decimal(10) ** 600),
    (date(2025, 3, 1), "2025-03-01"),
    (datetime(2025, 3, 1), "2025-03-01"),
    ("2025-03-01T00:00:00+00:00", date(2025, 3, 1)),
    (datetime(2025, 3, 1, 9, 30, 0, 500_000), "2025-03-01 09:30:00.5"),
    (datetime(2025, 3, 1, 9, tzinfo=timezone(timedelta(hours=2))), "2025-03-01T09:00:00+02:00"),
    ("2025-03-01 09:30", "2025-03-01T09:30:00Z"),
    (None, None),
    ([1, 2.0], (1.0, 2)),
    ({"a": 1}, {"a": 1.0}),
    (memoryview(b"\x00\xff"), b"\x00\xff"),
]
OTHER_VALUES = [
    (5, "5"),
    (1.0001, 1),
    (None, 0),
    (None, ""),
    ("a", "A"),
    ("a", "a "),
    (float("nan"), None),
    (float("inf"), float("-inf")),
    (date(2025, 3, 1), date(2025, 3, 2)),
    (datetime(2025, 3, 1, 9), datetime(2025, 3, 1, 10)),
    (datetime(2025, 3, 1, 9), date(2025, 3, 1)),
    ("2025-03-01 09:30:10", "2025-03-01 09:30:01"),
    ("2025-03-01 09:30:00.05", "2025-03-01 09:30:00.5"),
    ("2025-03-01 00:01", "2025-03-01"),
    ([1, 2], [2, 1]),
    (10**600, 10**600 + 1),
]


@pytest.mark.parametrize(("one", "other"), SAME_VALUES)
def test_values_a_reader_would_call_equal(one, other):
    assert normal(one) == normal(other)
    assert hash(normal(one)) == hash(normal(other))
    assert same_result([(one,)], [(other,)], ordered=False)


@pytest.mark.parametrize(("one", "other"), OTHER_VALUES)
def test_values_that_differ(one, other):
    assert normal(one) != normal(other)
    assert not same_result([(one,)], [(other,)], ordered=False)


def test_order_counts_only_where_the_gold_orders():
    assert same_result([(1,), (2,)], [(2,), (1,)], ordered=False)
    assert not same_result([(1,), (2,)], [(2,), (1,)], ordered=True)


def test_a_row_too_often_or_too_seldom_is_wrong():
    assert not same_result([(1,), (1,), (2,)], [(1,), (2,), (2,)], ordered=False)
    assert not same_result([(1,), (1,)], [(1,)], ordered=False)
    assert not same_result([], [(1,)], ordered=False)
    assert not same_result([(None,)], [], ordered=False)


def test_columns_may_come_in_another_order():
    assert same_result([("Leeds", 3), ("Lyon", 4)], [(4, "Lyon"), (3, "Leeds")], ordered=False)
    assert same_result([("Leeds", 3), ("Lyon", 4)], [(3, "Leeds"), (4, "Lyon")], ordered=True)


def test_values_must_stay_in_their_rows():
    gold, answer = [("a", 1), ("b", 2)], [("a", 2), ("b", 1)]
    assert not same_result(gold, answer, ordered=False)
    assert not same_result(gold, answer, ordered=True)


def test_columns_of_equal_values_are_told_apart_by_their_rows():
    gold = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
    turned = [(row[2], row[0], row[1]) for row in reversed(gold)]
    assert same_result(gold, turned, ordered=False)
    assert not same_result(gold, [(1, 3, 2), (2, 3, 1), (3, 1, 2)], ordered=False)


def test_a_missing_column_is_wrong_and_an_extra_one_only_where_forbidden():
    gold, wide = [("a", 1), ("b", 2)], [("a", 9, 1), ("b", 8, 2)]
    assert not same_result(gold, wide, ordered=False)
    assert same_result(gold, wide, ordered=False, extra_columns=True)
    assert same_result(gold, wide, ordered=True, extra_columns=True)
    assert not same_result(wide, gold, ordered=False, extra_columns=True)


def test_one_answer_column_cannot_stand_for_two():
    gold, answer = [(1, 1), (2, 2)], [(1, 7), (2, 7)]
    assert not same_result(gold, answer, ordered=False, extra_columns=True)
    assert not same_result(gold, answer, ordered=True, extra_columns=True)


def test_many_equal_columns_do_not_take_for_ever():
    gold = [(0,) * 12 + (1,), (1,) * 12 + (0,)]
    answer = [(0,) * 13, (1,) * 13]
    assert not same_result(gold, answer, ordered=False)
    assert same_result(gold, [tuple(reversed(row)) for row in gold], ordered=False)


def test_rows_of_different_lengths_are_no_result():
    with pytest.raises(ValueError, match="zip"):
        same_result([(1, 2), (3,)], [(1, 2), (3, 4)], ordered=False)


def test_a_value_that_cannot_be_compared_is_an_error():
    with pytest.raises(TypeError, match="bytearray"):
        normal(bytearray(b"x"))


cells = st.one_of(
    st.none(), st.integers(-3, 3), st.sampled_from(["a", "b", ""]), st.floats(-2, 2), st.dates()
)
tables = st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[cells] * width), max_size=7))


@settings(deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_shuffled_rows_and_columns_are_the_same_answer(rows, random):
    order = list(range(len(rows[0]) if rows else 0))
    random.shuffle(order)
    shuffled = [tuple(row[n] for n in order) for row in rows]
    assert same_result(rows, shuffled, ordered=True)
    random.shuffle(shuffled)
    assert same_result(rows, shuffled, ordered=False)


@settings(deadline=None)
@given(tables.filter(bool), st.data())
def test_one_changed_cell_is_another_answer(rows, data):
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[0]) - 1))
    changed = [list(values) for values in rows]
    changed[row][column] = "a value that no table above holds"
    assert not same_result(rows, changed, ordered=False)
    assert not same_result(rows, changed, ordered=False, extra_columns=True)


@settings(deadline=None)
@given(tables, tables)
def test_same_as_trying_every_order_of_columns(gold, answer):
    width = len(answer[0]) if answer else 0
    naive = len(gold) == len(answer) and (
        not gold
        or any(
            Counter(tuple(map(normal, row)) for row in gold)
            == Counter(tuple(normal(row[n]) for n in order) for row in answer)
            for order in permutations(range(width))
        )
    )
    assert same_result(gold, answer, ordered=False) == naive
