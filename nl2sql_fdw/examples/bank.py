"""Read the examples that come with the package: pairs on made-up tables, each run by a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from nl2sql_fdw.types import Example

_ONLY = re.compile(r"-- only: (\w+)")


@cache
def bank(dialect: str) -> tuple[Example, ...]:
    """Return the examples that are SQL of one dialect."""
    text = (files("nl2sql_fdw.examples") / "bank.sql").read_text("utf-8")
    return tuple(example for only, example in _read(text) if only in (None, dialect))


def _read(text: str) -> Iterator[tuple[str | None, Example]]:
    """Take the blocks apart: the question, the dialect where there is but one, the SQL."""
    for block in text.strip().split("\n\n")[1:]:
        question, *lines = block.splitlines()
        only = _ONLY.fullmatch(lines[0])
        yield only and only[1], Example(question.removeprefix("-- "), " ".join(lines[bool(only) :]))
