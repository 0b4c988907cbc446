"""Calendar periods that a question names relative to today, as half-open ranges of dates.

A small model knows that "last month" begins a month ago, and forgets that it ended. Given
as dates, not as SQL: what looks like SQL it copies as it stands, into places where it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

_PHRASE = re.compile(
    r"\b(?:(today|yesterday|tomorrow)|(this|current|last|previous|next)\s+(week|month|quarter|year))\b",
    re.IGNORECASE,
)
_OF_NOW = re.compile(
    r"\b(?:today|yesterday|tomorrow|now|nowadays|current(?:ly)?|present(?:ly)?|recent(?:ly)?|ago|since|"
    r"past|last|previous|next|this|coming|upcoming|so far|to date|ytd|mtd|within|until|before|"
    r"after|ages?|aged|old|overdue|expired?|rolling|trailing|days?|weeks?|weekends?|hours?|months?|quarters?)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:the|of|what|which|who|whose|how|list|show|find|give|return|count|are|is|for|with|in)\b",
    re.IGNORECASE,
)
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_STEPS = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


@dataclass(frozen=True)
class Period:
    """A phrase as it stands in the question, its first day, and the day after its last."""

    phrase: str
    start: date
    end: date


def find(question: str, today: date) -> Iterator[Period]:
    """Yield each period that the question names, once, in order of appearance."""
    seen: set[str] = set()
    for match in _PHRASE.finditer(question):
        phrase = " ".join(match[0].lower().split())
        if phrase not in seen:
            seen.add(phrase)
            yield Period(phrase, *_range(match, today))


def needs_clock(question: str) -> bool:
    """Tell whether a question may turn on today's date: in doubt, and in another language, it does.

    A small model that is told the date filters by it, whatever it is asked.
    """
    return _OF_NOW.search(question) is not None or _ENGLISH.search(question) is None


def _range(match: re.Match[str], today: date) -> tuple[date, date]:
    if match[1]:
        day = today + timedelta(days=_DAYS[match[1].lower()])
        return day, day + timedelta(days=1)
    step, unit = _STEPS[match[2].lower()], match[3].lower()
    if unit == "week":  # ISO: from Monday
        monday = today + timedelta(weeks=step, days=-today.weekday())
        return monday, monday + timedelta(weeks=1)
    months = _MONTHS[unit]
    first = (today.year * 12 + today.month - 1) // months * months + step * months
    return _first_of(first), _first_of(first + months)


def _first_of(month: int) -> date:
    """Return the first day of a month that is counted from the year 0."""
    return date(month // 12, month % 12 + 1, 1)
