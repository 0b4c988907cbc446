"""Ask back: one question where the words of a question have several readings in this database.

Readings are found by rules, never by a model, and seldom: whoever is asked back for nothing
stops asking. Candidates that disagree along a reading are the strongest sign; with them a
doubt counts only where they part on it. Of 2,682 published questions (Spider, Spider train,
Defog) none is asked back, without values and candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from nl2sql_fdw import periods
from nl2sql_fdw.explain import blocks
from nl2sql_fdw.explain.tree import ast
from nl2sql_fdw.schema.values import Hit, fold
from nl2sql_fdw.schema.words import words
from nl2sql_fdw.types import Column, Relation, Schema

Mark = tuple[str, str, str]
"""A schema, a relation and a column of it, or "" for the relation itself."""

_MOST = 4
_ANY_DAY = date(2000, 1, 1)  # only whether there is a period matters here
_NUMBER = re.compile(r"(?:small|big)?int|integer|numeric|real|double|decimal|money|float")
_TIME = re.compile(r"date|timestamp")
_BEST = re.compile(
    r"\b(?:best|worst|top|leading)\s+(?:\d+\s+|(?:two|three|five|ten)\s+)?(\w+)", re.I
)
_MEASURED = re.compile(
    r"\b(?:by|per|with|in terms of|based on|most|least|highest|lowest|largest|smallest|fewest|more|"
    r"less|rank\w*|rat(?:ed|ings?)|sell\w*|scor\w*|paid|paying|order\w*|sort\w*|total|average)\b",
    re.I,
)
_PLAIN = frozenset({"date", "time", "timestamp", "day", "at", "on", "datetime", "dt", "ts"})


@dataclass(frozen=True)
class Clarification:
    """What to ask the person, and the readings to choose from."""

    question: str
    readings: tuple[str, ...]


@dataclass(frozen=True)
class _Doubt:
    what: str
    readings: tuple[tuple[Mark, str], ...]


def find(
    question: str, schema: Schema, hits: Sequence[Hit] = (), candidates: Sequence[str] = ()
) -> Clarification | None:
    """Return what to ask back, None where the question is plain enough.

    `hits` are values in the data that the question names; `candidates` are SQL texts whose
    results differ. With two or more of them only a doubt on which they part is asked.
    """
    used = [_used(sql, schema) for sql in candidates]
    for doubt in _doubts(question, schema, hits):
        readings = doubt.readings
        if len(used) > 1:
            readings = tuple(each for each in readings if any(each[0] in one for one in used))
            if not _parted([mark for mark, _ in readings], used):
                continue
        told = tuple(text for _, text in readings[:_MOST])
        listed = ", ".join(told[:-1]) + f" or {told[-1]}"
        return Clarification(f"{doubt.what}: {listed}?", told)
    return None


def _parted(marks: Sequence[Mark], used: Sequence[frozenset[Mark]]) -> bool:
    """Tell whether two candidates differ in which of the marks they use."""
    return len(marks) > 1 and len({frozenset(marks) & one for one in used}) > 1


def _doubts(question: str, schema: Schema, hits: Sequence[Hit]) -> Iterator[_Doubt]:
    asked = frozenset(words(question))
    yield from _namesakes(asked, schema)
    yield from _values(asked, hits)
    named = [relation for relation in schema.relations if frozenset(words(relation.name)) <= asked]
    if len(named) == 1:
        yield from _dates(question, asked, named[0])
        yield from _measures(question, asked, named[0])


def _namesakes(asked: frozenset[str], schema: Schema) -> Iterator[_Doubt]:
    """Yield a table that is named, and stands in several schemas of which none is named."""
    for name in dict.fromkeys(relation.name for relation in schema.relations):
        found = schema.named(name)
        if len(found) < 2 or not frozenset(words(name)) <= asked:
            continue
        if any(frozenset(words(relation.schema)) <= asked for relation in found):
            continue
        readings = tuple(((r.schema, r.name, ""), f"{r.schema}.{r.name}") for r in found)
        yield _Doubt(f"Which {name} is meant", readings)


def _values(asked: frozenset[str], hits: Sequence[Hit]) -> Iterator[_Doubt]:
    """Yield a value that stands in several columns of one table, none of them named."""
    for text in dict.fromkeys(fold(hit.text) for hit in hits):
        places = [hit.place for hit in hits if fold(hit.text) == text]
        tables = {(place.schema, place.relation) for place in places}
        columns = {place.column for place in places}
        if len(tables) != 1 or len(columns) < 2:
            continue
        if any(asked & frozenset(words(column)) for column in columns):
            continue
        readings = tuple(
            ((p.schema, p.relation, p.column), f"the {p.column} of {p.relation}") for p in places
        )
        yield _Doubt(f"What is {text}", readings)


def _dates(question: str, asked: frozenset[str], table: Relation) -> Iterator[_Doubt]:
    """Yield a relative period that any of several dates of the one table may fall in."""
    period = next(periods.find(question, _ANY_DAY), None)
    dates = [column for column in table.columns if _TIME.match(column.type)]
    if period is None or len(dates) < 2:
        return
    own = {column.name: frozenset(words(column.name)) - _PLAIN for column in dates}
    if any(_alike(own[column.name], asked) for column in dates):
        return
    yield _Doubt(f'By which date is "{period.phrase}" meant', _columns(table, dates))


def _measures(question: str, asked: frozenset[str], table: Relation) -> Iterator[_Doubt]:
    """Yield "the best" of the one table where nothing says by what, and several numbers may."""
    match = _BEST.search(question)
    if match is None or _MEASURED.search(question):
        return
    if not frozenset(words(match[1])) & frozenset(words(table.name)):
        return
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    numbers = [c for c in table.columns if _NUMBER.match(c.type) and c.name not in keys]
    if len(numbers) < 2 or any(_alike(frozenset(words(c.name)), asked) for c in numbers):
        return
    yield _Doubt(f"{match[0].strip().capitalize()} by what", _columns(table, numbers))


def _columns(table: Relation, columns: Sequence[Column]) -> tuple[tuple[Mark, str], ...]:
    return tuple(((table.schema, table.name, column.name), column.name) for column in columns)


def _alike(some: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether a word of one set begins like one of the other: placed, placement."""
    return any(
        one[:4] == other[:4] for one in some for other in others if min(len(one), len(other)) > 2
    )


def _used(sql: str, schema: Schema) -> frozenset[Mark]:
    """Return the relations and columns that a SQL text uses; nothing where it does not parse."""
    from pglast.parser import ParseError, parse_sql

    try:
        read = blocks.read(parse_sql(sql)[0], schema)
    except (ParseError, IndexError, RecursionError):
        return frozenset()
    found: set[Mark] = set()
    for block in read:
        found |= {(s.relation.schema, s.relation.name, "") for s in block.sources if s.relation}
        for node in blocks.expressions(block):
            place = block.find(node) if isinstance(node, ast.ColumnRef) else None
            if place and place.output.relation and place.output.column:
                relation = place.output.relation
                found.add((relation.schema, relation.name, place.output.column.name))
    return frozenset(found)
