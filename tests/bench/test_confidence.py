"""Exact intervals and the exact McNemar test, against published values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2sql_fdw.bench.confidence import interval, mcnemar, paired

# R: binom.test(k, n)$conf.int
KNOWN = [
    (0, 10, 0.0, 0.3084971),
    (10, 10, 0.6915029, 1.0),
    (7, 20, 0.1539092, 0.5921885),
    (14, 20, 0.4572108, 0.8810684),
    (1, 1, 0.025, 1.0),
]


@pytest.mark.parametrize(("k", "n", "low", "high"), KNOWN)
def test_known_intervals(k, n, low, high):
    assert interval(k, n) == pytest.approx((low, high), abs=1e-6)


def test_closed_forms_at_the_ends():
    low, high = interval(0, 5_000)
    assert (low, high) == pytest.approx((0, 1 - 0.025 ** (1 / 5_000)), rel=1e-9)
    assert interval(5_000, 5_000)[0] == pytest.approx(0.025 ** (1 / 5_000), rel=1e-9)


@settings(deadline=None)
@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_mirrors(share):
    k, n = share
    low, high = interval(k, n)
    assert 0 <= low <= k / n <= high <= 1
    assert interval(n - k, n) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@settings(deadline=None)
@given(st.integers(1, 25), st.floats(0.02, 0.98))
def test_it_covers_the_truth_at_least_95_percent_of_the_time(n, p):
    from math import comb

    covered = sum(
        comb(n, k) * p**k * (1 - p) ** (n - k)
        for k in range(n + 1)
        if interval(k, n)[0] <= p <= interval(k, n)[1]
    )
    assert covered >= 0.95 - 1e-9


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_what_is_no_share_is_refused(k, n):
    with pytest.raises(ValueError, match="not a share"):
        interval(k, n)


def test_mcnemar_by_hand():
    assert mcnemar(0, 0) == 1
    assert mcnemar(3, 3) == 1
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(1, 9) == mcnemar(9, 1) == pytest.approx(2 * 11 / 1024)


def test_paired_counts_the_questions_that_tell_them_apart():
    found = paired([True, True, True, False, False], [True, False, False, True, False])
    assert (found.only_first, found.only_second) == (2, 1)
    assert found.difference == pytest.approx(0.2)
    assert found.p_value == 1
    with pytest.raises(ValueError, match="zip"):
        paired([True], [True, False])
    with pytest.raises(ValueError, match="no questions"):
        paired([], [])
