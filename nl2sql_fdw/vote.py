"""Compare what candidates found, and choose among them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property
from typing import Any

from nl2sql_fdw.errors import CannotAnswer, Nl2sqlError
from nl2sql_fdw.types import Result

_DOUBTED = 0.6
"""The weight of a vote with a doubt, beside one without."""

_DECLINED = "declined"
_PLACES = Decimal("0.0001")
_EXACT = Context(prec=420)


@dataclass(frozen=True)
class Candidate:
    """One SQL text for a question and what came of it: a result, or the error it met.

    `doubts` are what speaks against it though it ran. `greedy` replies are those the model
    finds most likely; the logprobs are its own of them. One that was only checked has not `ran`.
    """

    sql: str | None
    result: Result | None = None
    error: Nl2sqlError | None = None
    doubts: tuple[str, ...] = ()
    greedy: bool = True
    ran: bool = True
    mean_logprob: float | None = None
    least_logprob: float | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def finding(self) -> Hashable:
        """What it found, the same for candidates that agree; None where it found nothing out."""
        if isinstance(self.error, CannotAnswer):
            return _DECLINED
        if self.result is None:
            return None
        if not self.ran:
            return " ".join((self.sql or "").lower().split())
        return same(self.result.rows)


@dataclass(frozen=True)
class Group:
    """Candidates that found the same."""

    members: tuple[Candidate, ...]

    @property
    def weight(self) -> float:
        return sum(_DOUBTED if member.doubts else 1.0 for member in self.members)

    @property
    def best(self) -> Candidate:
        """The member to show: without doubts, the likeliest, the cheapest."""
        return min(self.members, key=_rank)


def group(candidates: Iterable[Candidate]) -> list[Group]:
    """Return the candidates that found something out, by what they found; the heaviest first."""
    groups: dict[Hashable, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.finding is not None:
            groups.setdefault(candidate.finding, []).append(candidate)
    made = [Group(tuple(members)) for members in groups.values()]
    return sorted(made, key=lambda g: (-g.weight, _rank(g.best)))


def settled(candidates: Sequence[Candidate], to_come: int = 0) -> bool:
    """Tell whether no more are needed: one result without a doubt, or a lead out of reach."""
    if len(candidates) == 1:
        return candidates[0].result is not None and not candidates[0].doubts
    groups = group(candidates)
    if not groups or len(groups[0].members) < 2:
        return False
    second = groups[1].weight if len(groups) > 1 else 0.0
    return groups[0].weight > second + to_come


def choose(candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the best of the heaviest group; None where no candidate found anything out."""
    groups = group(candidates)
    return groups[0].best if groups else None


def same(rows: Sequence[str]) -> Hashable:
    """Return a key that is equal for results that differ in names or order of columns or rows."""
    table = [[_value(value) for value in values(row)] for row in rows]
    columns = sorted(zip(*table, strict=True), key=lambda column: sorted(map(repr, column)))
    return frozenset(Counter(zip(*columns, strict=True)).items())


def values(row: str) -> list[Any]:
    """Return the values of a row, duplicate names kept, numbers exact.

    A row that nests too deep to be read is one value, its text.
    """
    try:
        found: list[Any] = json.loads(
            row, parse_int=Decimal, parse_float=Decimal, object_pairs_hook=_second
        )
    except RecursionError:
        return [row]
    return found


def _second(pairs: list[tuple[str, Any]]) -> list[Any]:
    return [value for _, value in pairs]


def _value(value: Any) -> Hashable:
    if isinstance(value, bool | Decimal):
        return number(Decimal(value))
    found: Hashable = repr(value) if isinstance(value, list) else value
    return found


def number(value: Decimal) -> Hashable:
    """Return a key that is equal for numbers that are equal after rounding at 4 decimals."""
    if not value.is_finite():
        return str(value)
    if value.adjusted() >= _EXACT.prec - 5:
        return value
    return value.quantize(_PLACES, context=_EXACT)


def _rank(candidate: Candidate) -> tuple[bool, bool, float, float]:
    plan = candidate.result.plan if candidate.result else None
    return (
        bool(candidate.doubts),
        not candidate.greedy,
        -(candidate.mean_logprob or 0.0),
        plan.cost if plan else 0.0,
    )
