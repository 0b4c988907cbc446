"""Split identifiers and prose into the words by which the two are compared."""

from __future__ import annotations

import re

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a all also am an and any are as at average be been being between both but by can "
        "could count did different do does during each every few find for from get give given "
        "got had has have having he her him his how i if in is it its itself kind least less "
        "list made make makes making many maximum me minimum more most much my no nor not "
        "number of on one only or other our out over per please return same she show shown so "
        "some sort such take taken takes taking tell than that the their them then there "
        "these they this those to too took total under until up us use used using was we were "
        "what when where whether which while who whom whose why will with without would you "
        "your",
    )
)
"""What a question may say of any table."""


_SORTED = re.compile(r"\b(?:in|by)\s+(?:\w+\s+){0,2}order\b|\border(?:ed)?\s+by\b", re.IGNORECASE)
"""How rows are to come, which is no order that anybody placed."""


def words(text: str) -> list[str]:
    """Split identifiers and prose into lower-case words, plurals cut to singulars."""
    return [_singular(found.lower()) for found in _WORD.findall(_HUMP.sub(" ", text))]


def telling(question: str) -> list[str]:
    """Return the words, each once, by which a question may be told from others; else all."""
    every = list(dict.fromkeys(words(_SORTED.sub(" ", question))))
    return [word for word in every if len(word) > 1 and word not in _COMMON] or every


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 5 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
