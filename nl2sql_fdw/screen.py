"""The question screen: what can be told from the question alone, before anything runs."""

from __future__ import annotations

import re
import unicodedata

from nl2sql_fdw.errors import BadQuestion, Refused
from nl2sql_fdw.types import Profile

_LAYOUT = frozenset("\t\n\r")

_POLITE = (
    r"(?:(?:please|pls|kindly|just|now|ok|okay|go ahead and|help me(?: to)?|i want (?:you )?to"
    r"|i need (?:you )?to|i(?: would|')d like (?:you )?to|you (?:must|should)|let's|let us"
    r"|(?:can|could|will|would) you)\b[\s,]*)*"
)
_ALL = r"(?:all|every|everything|the|this|that|these|those|any|each|my|our|\d+)"
_THING = (
    r"(?:table|column|row|record|database|schema|index|view|user|role|function|trigger|entry)s?"
)
_NOT_A_REQUEST = (
    r"(?!\s*(?:-|:|\b(?:events?|requests?|operations?|actions?|statements?|quer(?:y|ies)|rates?"
    r"|counts?|flags?|logs?|buttons?|activity|me|us|by|per|vs|versus|and|or|on)\b))"
)

_WRITES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_POLITE}(?:delete|erase)\b{_NOT_A_REQUEST}\s+\w",
        rf"{_POLITE}(?:wipe|purge|cancel)\s+(?:out\s+)?{_ALL}\b",
        rf"{_POLITE}(?:drop|truncate|alter|rename)\s+(?:{_ALL}\s+)?(?:\w+\s+)?{_THING}\b",
        rf"{_POLITE}(?:drop|truncate)\s+(?:all|every|everything)\b",
        rf"{_POLITE}remove\s.*\bfrom\s+(?:the\s+)?(?:database|db|table|\w+\s+table)\b",
        rf"{_POLITE}remove\s+(?:all|every)\s+(?:\w+\s+)*{_THING}\s*[.!]*$",
        rf"{_POLITE}insert\s+(?:an?\s+|the\s+|new\s+|some\s+|into\b|\w+\s+into\b)",
        rf"{_POLITE}add\s.*\bto\s+(?:the\s+)?(?:database|db|table|\w+\s+table)\b",
        rf"{_POLITE}update\s+(?!me\b|us\b|on\b)\S.*(?:\bset\b|=|\bto\s+\S|\bby\s+\d)",
        rf"{_POLITE}set\s+{_ALL}\s.*\bto\s+\S",
        rf"{_POLITE}create\s+(?:an?\s+|the\s+|new\s+)*(?:index|schema|database|user|role|trigger)\b",
        rf"{_POLITE}create\s+(?:temp\w*\s+)?table\s+\S+\s*(?:\(|as\b)",
        rf"{_POLITE}(?:grant|revoke)\s+(?:all|select|insert|update|delete|usage|execute|access)\b",
        # Spanish, Portuguese, Italian
        r"(?:por favor[\s,]*)?(?:borr(?:a|ar|e)|elimin(?:a|ar|e|are)|suprim(?:e|ir)|apag(?:ue|ar)"
        r"|exclu(?:a|ir)|cancella(?:re)?)\s+"
        r"(?:tod[oa]s?|l[oa]s?|el|las?|os?|as?|tutt[ie]|gli|i|le|il)\b",
        # French
        r"(?:s'il (?:vous|te) pla[iî]t[\s,]*)?(?:supprime[rz]?|efface[rz]?)\s+"
        r"(?:tou(?:s|tes?)|les?|la|ces|l['’])",  # noqa: RUF001
        # German: the verb first, or last after its object; never a question
        r"(?:bitte\s+)?(?:lösche?|entferne?)\s+(?:bitte\s+)?(?:alle|die|den|das|diese)\b",
        r"(?:bitte\s+)?(?:alle|die|den|das|diese)\s[^?]*\blöschen\s*[.!]*$",
        # Dutch, Polish, Russian
        r"(?:verwijder|wis|usuń|удали|удалите|удалить)\s+\w",
        # Japanese, Chinese: 'delete', but not 'that were deleted' or 'how many were deleted'
        r".*(?:削除|消去)して(?:ください|下さい|くれ)?\s*[。.!！]*$",  # noqa: RUF001
        r"(?:请|請)?(?:把.*)?(?:删除|刪除|清空)(?![的了率过過])[^?？多少]*$",  # noqa: RUF001
    )
)
"""An imperative first and what it would change after it: 'deleted orders', 'drop-off points',
'update me on sales' and 'delete events by day' are questions. A request that passes is still
stopped by the guard; a question that is declined is lost."""


def admit(question: str | None, profile: Profile) -> None:
    """Raise BadQuestion for a question that is none, Refused for one that asks for a change."""
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
    if asks_for_a_change(question):
        raise Refused(
            "Refused: this asks for a change, and nl2sql only reads.",
            detail="Layer: question screen. No model was asked.",
            hint="Ask what is there instead: 'which orders are cancelled?'",
        )


def asks_for_a_change(question: str) -> bool:
    """Tell whether a question begins as a request to write, in one of a few languages."""
    words = " ".join(unicodedata.normalize("NFC", question).split()).lstrip("\"'¡«„“ ")
    return any(pattern.match(words) for pattern in _WRITES)


def _bad(message: str, hint: str) -> BadQuestion:
    return BadQuestion(message, detail="Layer: question screen. No model was asked.", hint=hint)
