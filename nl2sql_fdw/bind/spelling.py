"""Decide which existing name a written one stands for, or that this is unclear."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_DIGITS = re.compile(r"\d+")
_SHORTEST_NEAR = 5
"""Shorter names than this are near each other by chance: date and data, cost and post."""

_LONG = 12


def fold(name: str) -> str:
    """Return what is left of a name without case, underscores, hyphens and spaces."""
    return re.sub(r"[_\s-]", "", name).lower()


def same(written: str, names: Iterable[str]) -> str | None:
    """Return the one name that differs only in case, quotes or word breaks."""
    candidates = {name for name in names if fold(name) == fold(written)}
    if len(candidates) > 1:
        candidates = {name for name in candidates if name.lower() == written.lower()}
    return candidates.pop() if len(candidates) == 1 else None


def near(written: str, names: Iterable[str], known: Collection[str]) -> str | None:
    """Return the one name that is a slip of the pen away.

    At most one letter off (two in long names), first letter and digits the same; never
    where the written name is a `known` one, which is then in the wrong place, not misspelt.
    """
    if written in known:
        return None
    candidates = {name for name in names if _is_slip(fold(written), fold(name))}
    return candidates.pop() if len(candidates) == 1 else None


def _is_slip(written: str, name: str) -> bool:
    from rapidfuzz.distance import OSA

    shorter = min(len(written), len(name))
    if shorter < _SHORTEST_NEAR - (name == written + "s" or written == name + "s"):
        return False
    if written[0] != name[0] or _DIGITS.findall(written) != _DIGITS.findall(name):
        return False
    limit = 2 if shorter >= _LONG else 1
    return OSA.distance(written, name, score_cutoff=limit) <= limit
