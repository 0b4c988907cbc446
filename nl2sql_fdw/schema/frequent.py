"""Tell which tables hold what a question names, by the values that the planner keeps of them.

ANALYZE keeps the commonest values and the bounds of the others: of a small table all there
are, of a large one a sample. No table is read, and nothing of a value goes to the model: what
is found decides only which tables are shown to it. The view pg_stats shows the caller columns
that the caller may read, and none of a table whose row-level security applies to the caller.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.schema.searchable import is_redacted
from nl2sql_fdw.schema.values import fold, phrases
from nl2sql_fdw.types import Relation, Schema

_TEXT = re.compile(r"(text|character varying|character)(\(\d+\))?\Z")
_LONGEST = 60
_MOST_VALUES = 200_000
_KEPT_S = 600.0
"""How long they are kept in a backend: a hint that is out of date costs a better order, no more."""

_UNSURE = 0.5
_WORD = re.compile(r"\w+(?:['\u2019&.@]\w+)*")
_QUOTED = re.compile(r"""["\u201c`']([^"\u201c\u201d`']+)["\u201d`']""")

_KEPT = """
SELECT p.n - 1 AS place, to_json(s.most_common_vals::text::text[])::text AS common,
       to_json(s.histogram_bounds::text::text[])::text AS bounds
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]::int[]) AS p(schema, name, attribute, n)
JOIN pg_catalog.pg_stats s
  ON s.schemaname::text = p.schema AND s.tablename::text = p.name
 AND s.attname::text = p.attribute
"""

_last: list[Any] = []


def said(question: str, db: Database, schema: Schema, redact: Sequence[str]) -> Mapping[int, float]:
    """Return by place how much a relation holds of what the question names, 0.5 to some.

    A value counts in full where the question marks it as one, by quotes or a capital, and
    less the more schemas hold it.
    """
    if db.dialect != "postgres":
        return {}
    held = _held(db, schema, tuple(redact))
    found: dict[int, float] = {}
    for value, sureness in _named(question, held):
        places = held[value]
        share = sureness / len({schema.relations[place].schema for place in places}) ** 0.5
        for place in places:
            found[place] = found.get(place, 0.0) + share
    return found


def _named(question: str, held: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    """Yield the values in the question's words, longest only, and how sure it is that one is meant.

    A single word without a mark of its own is none: most tables hold words of every day.
    """
    quoted = {fold(text.strip()) for text in _QUOTED.findall(question)}
    marked = {fold(word) for word in _WORD.findall(question)[1:] if word[0].isupper()}
    sure: dict[str, float] = {}
    for phrase, length in phrases(question).items():
        if phrase not in held:
            continue
        if phrase in quoted or marked & set(phrase.split()):
            sure[phrase] = 1.0
        elif length > 1:
            sure[phrase] = _UNSURE
    for phrase, sureness in sure.items():
        if not any(phrase != other and f" {phrase} " in f" {other} " for other in sure):
            yield phrase, sureness


def _held(db: Database, schema: Schema, redact: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    """Return the places that hold a value, by the value folded; kept for the next question."""
    made_of = (schema.relations, redact, db.caller())
    now = time.monotonic()
    if not _last or _last[0] != made_of or now - _last[1] > _KEPT_S:
        _last[:] = [made_of, now, _read(db, schema.relations, redact)]
    held: Mapping[str, Sequence[int]] = _last[2]
    return held


def _read(
    db: Database, relations: Sequence[Relation], redact: tuple[str, ...]
) -> Mapping[str, Sequence[int]]:
    asked = [
        (relation.schema, relation.name, column.name, str(place))
        for place, relation in enumerate(relations, 1)
        for column in relation.columns
        if _TEXT.match(column.type) and not is_redacted(relation, column, redact)
    ]
    held: dict[str, list[int]] = {}
    for row in db.query(_KEPT, *(list(part) for part in zip(*asked, strict=True))) if asked else ():
        values = json.loads(row["common"] or "[]") + json.loads(row["bounds"] or "[]")
        for value in values:
            if value and len(value) <= _LONGEST and len(held) < _MOST_VALUES:
                places = held.setdefault(fold(value), [])
                if row["place"] not in places[-1:]:
                    places.append(row["place"])
    return held
