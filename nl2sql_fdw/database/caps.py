"""Take rows from a cursor up to the caps, knowing exactly whether that was all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nl2sql_fdw.database.protocol import Row
from nl2sql_fdw.types import JsonText

_BATCH = 200


def take(
    fetch: Callable[[int], Sequence[Row]], max_rows: int, max_bytes: int
) -> tuple[list[JsonText], bool]:
    """Return at most that many rows and bytes, and whether there was no more.

    `fetch(n)` returns the next n rows, each of one text column; it is asked for one row
    over the cap, and no further.
    """
    rows: list[JsonText] = []
    size = 0
    while batch := fetch(min(_BATCH, max_rows + 1 - len(rows))):
        for row in batch:
            text = next(iter(row.values()))
            size += len(text.encode())
            if len(rows) == max_rows or size > max_bytes:
                return rows, False
            rows.append(text)
    return rows, True
