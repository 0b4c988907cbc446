"""Calendar periods that a question names relative to today, as half-open ranges of dates.

A small model knows that "last month" begins a month ago, and forgets that it ended. Given
as dates, not as SQL: what looks like SQL it copies as it stands, into places where it is none.
The phrases of ten languages are in periods.txt.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

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
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_LINE = re.compile(r"(-?\d) (day|week|month|quarter|year) = (.+)")
_LETTER_SCRIPT = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ]")  # of those that part words by spaces


@dataclass(frozen=True)
class Period:
    """A phrase as it stands in the question, its first day, and the day after its last."""

    phrase: str
    start: date
    end: date


def find(question: str, today: date) -> Iterator[Period]:
    """Yield each period that the question names, once, in order of appearance."""
    seen: set[str] = set()
    pattern, meanings = _phrases()
    words = " ".join(unicodedata.normalize("NFC", question).split())
    for match in pattern.finditer(words):
        phrase = match[0].lower()
        if phrase not in seen and match.lastindex is not None:
            seen.add(phrase)
            yield Period(phrase, *_range(*meanings[match.lastindex - 1], today))


def needs_clock(question: str) -> bool:
    """Tell whether a question may turn on today's date: in doubt, and in another language, it does.

    A small model that is told the date filters by it, whatever it is asked.
    """
    return (
        _OF_NOW.search(question) is not None
        or not is_english(question)
        or _phrases()[0].search(question) is not None
    )


def is_english(question: str) -> bool:
    """Tell whether a question has a word that hardly any English question does without."""
    return _ENGLISH.search(question) is not None


@cache
def _phrases() -> tuple[re.Pattern[str], tuple[tuple[int, str], ...]]:
    """Return one pattern with a group for each line of periods.txt, and what each group means."""
    lines = (files("nl2sql_fdw") / "periods.txt").read_text("utf-8").splitlines()
    read = [match for line in lines if (match := _LINE.fullmatch(line))]
    groups = ("|".join(map(_alone, match[3].split(" | "))) for match in read)
    pattern = "|".join(f"({group})" for group in groups)
    return re.compile(pattern, re.IGNORECASE), tuple((int(m[1]), m[2]) for m in read)


def _alone(phrase: str) -> str:
    """Let a phrase stand between other letters only where its script has no spaces."""
    return rf"\b(?:{phrase})\b" if _LETTER_SCRIPT.search(phrase) else phrase


def _range(step: int, unit: str, today: date) -> tuple[date, date]:
    if unit == "day":
        day = today + timedelta(days=step)
        return day, day + timedelta(days=1)
    if unit == "week":  # ISO: from Monday
        monday = today + timedelta(weeks=step, days=-today.weekday())
        return monday, monday + timedelta(weeks=1)
    months = _MONTHS[unit]
    first = (today.year * 12 + today.month - 1) // months * months + step * months
    return _first_of(first), _first_of(first + months)


def _first_of(month: int) -> date:
    """Return the first day of a month that is counted from the year 0."""
    return date(month // 12, month % 12 + 1, 1)
