"""Say where a result is empty because policies hide every row, not because there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.database.row_security import REACH
from nl2sql_fdw.errors import TimeLimit
from nl2sql_fdw.types import JsonText, Profile

_BOUND = f"""
WITH RECURSIVE {REACH}
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name
FROM unnest($1::text[]) AS w(oid)
JOIN pg_class c ON c.oid = w.oid::oid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid IN (SELECT oid FROM reach WHERE NOT bypasses)
  AND (c.relkind = 'v' OR row_security_active(c.oid))
ORDER BY 1
"""

_PATIENCE_MS = 300
"""A policy may be slow, and a note is not worth more."""


def notes(
    db: Database, oids: Sequence[int], rows: Sequence[JsonText], profile: Profile
) -> Iterator[str]:
    """Yield a note for each relation of which the reader sees no row at all.

    Looks only where the result says "nothing": no row, or one of zeros and nulls. It ends
    at the first table that cannot be looked through in a moment.
    """
    if not oids or not _says_nothing(rows):
        return
    for row in db.query(_BOUND, [str(oid) for oid in oids]):
        probe = f"SELECT pg_catalog.to_json(EXISTS (SELECT FROM {row['name']}))::text AS j"
        try:
            found, _ = db.fetch(probe, 1, 100, _PATIENCE_MS)
        except TimeLimit:
            return  # outside a backend the transaction has ended with it
        if found == ["false"]:
            yield (
                f"{row['name']}: 0 rows visible to role {profile.reader} (row security active), "
                f"asked for {db.caller()}"
            )


def _says_nothing(rows: Sequence[JsonText]) -> bool:
    if len(rows) > 1:
        return False
    pairs = (json.loads(row, object_pairs_hook=list) for row in rows)
    return all(value in (None, 0, "0") for row in pairs for _, value in row)
