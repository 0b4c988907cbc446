"""Say whether two results are the same answer: execution accuracy (EX).

Rows are multisets, or sequences where the gold orders. Column names are ignored, and
columns may come in another order, as in Spider's published test-suite comparison
(Zhong et al. 2020). Where the gold orders, rows that tie in it must still come in its order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from nl2sql_fdw.vote import number

Rows = Sequence[Sequence[Any]]
_Column = tuple[Hashable, ...]

_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)"
    r"(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|[+-]\d\d(?::?\d\d){0,2})?)?"
)


def same_result(
    gold_rows: Rows, answer_rows: Rows, ordered: bool, extra_columns: bool = False
) -> bool:
    """Return whether the answer holds the gold's values.

    `extra_columns` lets the answer carry columns that the gold lacks (Defog's rule);
    its rows must then equal the gold's once those are left out. Two empty results are
    the same whatever their columns. Raises ValueError where rows differ in length.
    """
    if len(gold_rows) != len(answer_rows):
        return False
    if not gold_rows:
        return True
    gold, answer = _columns(gold_rows), _columns(answer_rows)
    if len(answer) != len(gold) and not extra_columns:
        return False
    if ordered:
        return not Counter(gold) - Counter(answer)
    return _alike_in_some_order(gold, answer)


def _columns(rows: Rows) -> list[_Column]:
    return list(zip(*([normal(value) for value in row] for row in rows), strict=True))


def _alike_in_some_order(gold: list[_Column], answer: list[_Column]) -> bool:
    """Search for distinct answer columns whose rows, as a multiset, are the gold's.

    Only columns of the same values are tried, the gold column with fewest such first,
    and a choice is left as soon as the rows of the columns chosen so far differ.
    """
    bags = [Counter(column) for column in answer]
    choices = [[n for n, bag in enumerate(bags) if bag == Counter(column)] for column in gold]
    turn = sorted(range(len(gold)), key=lambda n: len(choices[n]))

    def extend(chosen: tuple[int, ...]) -> bool:
        wanted = Counter(zip(*(gold[n] for n in turn[: len(chosen)]), strict=True))
        if chosen and Counter(zip(*(answer[n] for n in chosen), strict=True)) != wanted:
            return False
        if len(chosen) == len(gold):
            return True
        tried: set[_Column] = set()
        for n in choices[turn[len(chosen)]]:
            if n not in chosen and answer[n] not in tried:
                tried.add(answer[n])
                if extend((*chosen, n)):
                    return True
        return False

    return extend(())


def normal(value: Any) -> Hashable:
    """Return a key that is equal for values a reader would call equal.

    Numbers: by value, after rounding half to even at 4 decimals (true is 1, as in SQLite).
    Dates and times: as ISO text by their own clock, without zone; a day is its midnight.
    Text that is no date stays itself, so '5' is not 5. NaN equals NaN.
    """
    if isinstance(value, bool | int | float | Decimal):
        return _normal_number(value)
    if isinstance(value, date | time):  # a datetime is a date too
        return _normal_text(value.isoformat())
    if isinstance(value, str):
        return _normal_text(value)
    if isinstance(value, Mapping):
        return frozenset((key, normal(inner)) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return tuple(normal(inner) for inner in value)
    if isinstance(value, bytes | memoryview):
        return bytes(value)
    return _hashable(value)


def _hashable(value: Any) -> Hashable:
    if not isinstance(value, Hashable):
        raise TypeError(f"cannot compare a value of type {type(value).__name__}")
    return value


def _normal_number(value: int | float | Decimal) -> Hashable:
    return number(Decimal(repr(value)) if isinstance(value, float) else Decimal(value))


def _normal_text(text: str) -> str:
    moment = _MOMENT.fullmatch(text)
    if moment is None:
        return text
    day, minute, second, fraction = moment.groups()
    return f"{day} {minute or '00:00'}:{second or '00'}.{(fraction or '').rstrip('0')}"
