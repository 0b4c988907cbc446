"""Say how sure a measured share is, and whether two settings really differ: exact, no scipy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Paired:
    """Two settings on the same questions: the first's share less the second's.

    `p_value` is McNemar's, exact and two-sided: how likely a split at least this
    uneven is if the settings were equally good.
    """

    only_first: int
    only_second: int
    difference: float
    p_value: float


def interval(k: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a share measured as k right of n.

    It is exact: it covers the true share with at least the confidence asked for.
    """
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"not a share: {k} of {n}")
    tail = (1 - confidence) / 2
    low = 0.0 if k == 0 else _root(lambda p: _at_least(k, n, p) - tail)
    high = 1.0 if k == n else _root(lambda p: tail - (1 - _at_least(k + 1, n, p)))
    return low, high


def paired(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """Compare two settings by which of the same questions each got right."""
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        raise ValueError("no questions to compare")
    only_first = sum(a and not b for a, b in pairs)
    only_second = sum(b and not a for a, b in pairs)
    return Paired(
        only_first,
        only_second,
        (only_first - only_second) / len(pairs),
        mcnemar(only_first, only_second),
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the two-sided exact p-value of a split of the questions that tell settings apart."""
    n = only_first + only_second
    below = sum(math.comb(n, i) for i in range(min(only_first, only_second) + 1))
    return float(min(1.0, 2 * below / 2**n))


def _at_least(k: int, n: int, p: float) -> float:
    """Return P(X >= k) of a binomial X with n tries of probability p, where 0 < p < 1.

    Through logarithms, so that a large n does not overflow.
    """
    yes, no, ways = math.log(p), math.log1p(-p), math.lgamma(n + 1)
    return math.fsum(
        math.exp(ways - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * yes + (n - i) * no)
        for i in range(k, n + 1)
    )


def _root(rising: Callable[[float], float]) -> float:
    """Return where a rising function on 0..1 crosses zero, to the precision of a float."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return middle
