"""What speaks against an SQL text that ran: signs that it answers another question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nl2sql_fdw.types import Reply, Result, Schema

_LEAST_LOGPROB = -1.6
"""Of the least likely token: about one in five. See docs/evaluation.md."""


def find(sql: str, result: Result, reply: Reply, schema: Schema, fetched: bool) -> tuple[str, ...]:
    """Return the doubts about a candidate: `empty`, `unsure`, and codes of logic checks."""
    return tuple(_find(sql, result, reply, schema, fetched))


def _find(sql: str, result: Result, reply: Reply, schema: Schema, fetched: bool) -> Iterator[str]:
    if fetched and is_empty(result):
        yield "empty"
    if reply.least_logprob is not None and reply.least_logprob < _LEAST_LOGPROB:
        yield "unsure"
    yield from _logic(sql, schema)


def is_empty(result: Result) -> bool:
    """Tell whether a result says nothing: no row, or one of which every value is NULL or zero."""
    if len(result.rows) != 1:
        return not result.rows
    values: dict[str, Any] = json.loads(result.rows[0])
    return not any(values.values())


def _logic(sql: str, schema: Schema) -> Iterator[str]:
    from pglast.parser import ParseError, parse_sql

    from nl2sql_fdw.explain import checks

    try:
        tree = parse_sql(sql)
    except ParseError:  # a dialect of its own; it has run, so it is right there
        return
    for found in checks.find(tree[0], schema) if len(tree) == 1 else ():
        if found.severity != "note":
            yield found.code
