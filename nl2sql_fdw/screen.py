"""The question screen: what can be told from the question alone, before anything runs."""

from __future__ import annotations

import unicodedata

from nl2sql_fdw.errors import BadQuestion
from nl2sql_fdw.types import Profile

_LAYOUT = frozenset("\t\n\r")


def admit(question: str | None, profile: Profile) -> None:
    """Raise BadQuestion for a question that is empty, too long, or holds control characters."""
    if question is None or not question.strip():
        raise _bad("The question is empty.", "Ask in plain words: 'how many customers are there?'")
    size = len(question.encode("utf-8", "surrogatepass"))
    if size > profile.max_question_bytes:
        raise _bad(
            f"The question is too long: {size} bytes, limit {profile.max_question_bytes}.",
            "Say it in a sentence or two.",
        )
    for character in question:
        if unicodedata.category(character) in ("Cc", "Cs") and character not in _LAYOUT:
            raise _bad(
                f"The question holds the control character U+{ord(character):04X}.",
                "Remove it; letters, digits, punctuation and emoji are all fine.",
            )


def _bad(message: str, hint: str) -> BadQuestion:
    return BadQuestion(message, detail="Layer: question screen. No model was asked.", hint=hint)
