"""The reviewed lists, read once from the text files beside this module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

MANY = 10_000


class Counts(NamedTuple):
    """The argument counts a function may have, as written in functions.txt: 2+, 1-3, 0,2."""

    spans: tuple[tuple[int, int], ...]

    def allow(self, count: int) -> bool:
        """Tell whether a call may have that many arguments."""
        return any(low <= count <= high for low, high in self.spans)

    @property
    def variadic(self) -> bool:
        """Tell whether the last argument may be VARIADIC."""
        return any(high == MANY for _, high in self.spans)


class NodeSpec(NamedTuple):
    """One reviewed node type: fields that hold nodes, and every field it may have."""

    children: tuple[str, ...]
    fields: frozenset[str]


def lines(name: str) -> Iterator[str]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def _counts(text: str) -> Counts:
    spans = []
    for part in text.split(","):
        low, mark, high = re.fullmatch(r"(\d+)([+-]?)(\d*)", part).groups()  # type: ignore[union-attr]
        spans.append((int(low), MANY if mark == "+" else int(high or low)))
    return Counts(tuple(spans))


@cache
def functions() -> dict[str, Counts]:
    """Return the allowed function names with the argument counts each may have."""
    words = " ".join(line for line in lines("functions.txt") if not line.startswith("["))
    return {name: _counts(counts) for name, counts in re.findall(r"(\w+)\(([^)]*)\)", words)}


@cache
def types() -> tuple[frozenset[str], frozenset[str]]:
    """Return the allowed and the refused type names of pg_catalog."""
    allowed: set[str] = set()
    refused: set[str] = set()
    target = allowed
    for line in lines("types.txt"):
        if line.startswith("["):
            target = refused if line.startswith("[refused]") else allowed
        else:
            target.update(line.split())
    return frozenset(allowed), frozenset(refused)


@cache
def nodes() -> dict[str, NodeSpec]:
    """Return the reviewed node types by class name."""
    found = {}
    for line in lines("nodes.txt"):
        if line.startswith("["):
            continue
        name, rest = line.split(":")
        children, values = (part.split() for part in rest.split("|"))
        found[name] = NodeSpec(tuple(children), frozenset(children) | frozenset(values))
    return found


@cache
def closed_attributes() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names, and the prefixes of names, that may not follow a dot."""
    words = " ".join(lines("attributes.txt")).split()
    names = frozenset(word for word in words if not word.endswith("*"))
    return names, tuple(word[:-1] for word in words if word.endswith("*"))
