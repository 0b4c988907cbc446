"""All databases of two suites in one: a schema of several hundred tables, as some firms have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nl2sql_fdw.bench import suites
from nl2sql_fdw.bench.suites import Item

_PARTS = ("spider_train", "spider")


def load(path: Path) -> list[Item]:
    """Return every question of both suites; `db` is the schema that its dump makes.

    Raises BadSetup where a part is absent.
    """
    return [
        replace(item, suite="merged", id=f"{part}:{item.id}", db=item.db.lower())
        for part in _PARTS
        for item in suites.load(part, path / part)
    ]


def dumps(items: Sequence[Item]) -> list[Path]:
    """Return the dumps that make the one database."""
    return sorted({item.dump for item in items if item.dump})
