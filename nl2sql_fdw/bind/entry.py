"""Mend one statement, from text to text."""

from __future__ import annotations

from nl2sql_fdw.bind.fold import folded
from nl2sql_fdw.bind.reserved import parse, quote_relations
from nl2sql_fdw.bind.text import Text
from nl2sql_fdw.types import Schema

_LONGEST = 20_000
"""Characters: nothing that a model writes in one reply is longer."""


def bind(sql: str, schema: Schema) -> tuple[str, tuple[str, ...]]:
    """Return the SQL with its names mended, and a note on each mend.

    Text that is not one SELECT, or does not parse, comes back as it is: the guard answers
    for it. Raises NeedsClarification where a name without its schema is that of several
    relations.
    """
    if len(sql) > _LONGEST:
        return sql, ()
    from pglast.parser import ParseError

    if schema.dialect == "sqlite":
        schema = folded(schema)
    try:
        return _bind(sql, schema)
    except (ParseError, RecursionError):  # no tokens, or deeper than any honest query
        return sql, ()


def _bind(sql: str, schema: Schema) -> tuple[str, tuple[str, ...]]:
    from pglast import ast
    from pglast.parser import parse_sql

    from nl2sql_fdw.bind.moved import move
    from nl2sql_fdw.bind.walk import Walker, mend_using

    first = Text(sql)
    parsed = parse(quote_relations(first, schema), schema)
    if parsed is None:
        return sql, ()
    quoted, statements, notes = parsed
    if len(statements) != 1 or not isinstance(statements[0].stmt, ast.SelectStmt):
        return sql, ()
    moved, more = move(quoted, statements[0].stmt, schema)
    if more:
        quoted, statements, notes = moved, parse_sql(moved), [*notes, *more]
    text = Text(quoted)
    Walker(text, schema).select(statements[0].stmt, None, {})
    mend_using(text, frozenset(c.name for r in schema.relations for c in r.columns))
    return text.mended(), (*first.notes, *notes, *text.notes)
