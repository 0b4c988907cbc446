"""Read the statement files: statements parted by blank lines, a `-- reason` line above each."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Statement(NamedTuple):
    """One statement with the words above it, and the line where it starts."""

    place: str
    reason: str
    sql: str


def read(name: str) -> list[Statement]:
    """Return the statements of a file in this folder, in order."""
    text = (HERE / name).read_text(encoding="utf-8")
    found, line = [], 1
    for block in text.split("\n\n"):
        reason, _, sql = block.strip("\n").partition("\n")
        assert reason.startswith("-- ") and sql, f"{name}:{line} lacks a reason or a statement"
        found.append(Statement(f"{name}:{line}", reason[3:], sql))
        line += block.count("\n") + 2
    return found
