"""A gallery of awkward values, and what a client is sent for a query: names, types, texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import psycopg

GALLERY = Path(__file__).with_suffix(".sql").read_text("utf-8")

COLUMNS = re.findall(
    r"\w+",
    """
    exact price ratio small code tag day at seen clock zoned span raw flags more mood grade size
    frame sizes frames grid moods during counts gaps doc docb spot net block uid words initial
    label kind kinds cost yes texts docs
    """,
)
"""Those that come back as they are; `graded` and `grades` come as text and as their base."""

SHAPES = {
    "every column at once": "SELECT " + ", ".join(COLUMNS) + " FROM art.piece ORDER BY id",
    "empty": "SELECT id, exact FROM art.piece WHERE false",
    "no column": "SELECT FROM art.piece",
    "no column and no row": "SELECT FROM art.piece WHERE false",
    "duplicate names": "SELECT a.id, b.id, a.id AS id_1, b.mood FROM art.piece a"
    " JOIN art.piece b ON b.id = 1 ORDER BY 1",
    "names to quote": 'SELECT id AS "Id", id AS "a ""b""", id AS "select", 1 FROM art.piece',
    "trailing comment": "SELECT id FROM art.piece ORDER BY id DESC -- all of them",
    "semicolon": "SELECT id FROM art.piece WHERE id < 3 ;  ",
    "texts to quote": r"SELECT E'it''s \\ $1 $$ %s :id \n' AS t, '\' AS b, ''':x''' AS c",
    "order is kept": "SELECT id FROM art.piece ORDER BY id % 2, id DESC",
    "one long row": "SELECT " + ", ".join(f"{n} AS column_{n}" for n in range(300)),
}


@dataclass(frozen=True)
class Sent:
    """What a client is sent: per column its name, type and modifier, per row the texts."""

    columns: list[tuple[str, int, int]]
    rows: list[list[bytes | None]]


def sent(connection: psycopg.Connection, sql: str) -> Sent:
    """Run a statement, and return its result as it came over the wire."""
    with connection.cursor() as cursor:
        cursor.execute(sql.encode(), binary=False)
        result = cursor.pgresult
        assert result
        width = range(result.nfields)
        return Sent(
            [(result.fname(i).decode(), result.ftype(i), result.fmod(i)) for i in width],
            [[result.get_value(row, i) for i in width] for row in range(result.ntuples)],
        )
