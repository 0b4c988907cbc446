"""Calendar periods that a question names relative to today, as half-open ranges in SQL.

A small model knows that "last month" begins a month ago, and forgets that it ended. The
ranges are expressions on CURRENT_DATE, not dates, so that SQL which is kept stays right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PHRASE = re.compile(
    r"\b(?:(today|yesterday|tomorrow)|(this|current|last|previous|next)\s+(week|month|quarter|year))\b",
    re.IGNORECASE,
)
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_STEPS = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}
_SPANS = {"week": "1 week", "month": "1 month", "quarter": "3 months", "year": "1 year"}


@dataclass(frozen=True)
class Period:
    """A phrase as it stands in the question, and the SQL of its first and its end moment."""

    phrase: str
    start: str
    end: str


def find(question: str) -> Iterator[Period]:
    """Yield each period that the question names, once, in order of appearance."""
    seen: set[str] = set()
    for match in _PHRASE.finditer(question):
        phrase = " ".join(match[0].lower().split())
        if phrase not in seen:
            seen.add(phrase)
            yield _period(phrase, match)


def _period(phrase: str, match: re.Match[str]) -> Period:
    if match[1]:
        step = _DAYS[match[1].lower()]
        return Period(phrase, _shift("CURRENT_DATE", step), _shift("CURRENT_DATE", step + 1))
    step, unit = _STEPS[match[2].lower()], match[3].lower()
    start = f"date_trunc('{unit}', CURRENT_DATE)"
    span = f"INTERVAL '{_SPANS[unit]}'"
    return Period(phrase, _move(start, step, span), _move(start, step + 1, span))


def _shift(day: str, days: int) -> str:
    return f"{day} {'-' if days < 0 else '+'} {abs(days)}" if days else day


def _move(start: str, steps: int, span: str) -> str:
    if not steps:
        return start
    times = "" if abs(steps) == 1 else f"{abs(steps)} * "
    return f"{start} {'-' if steps < 0 else '+'} {times}{span}"
