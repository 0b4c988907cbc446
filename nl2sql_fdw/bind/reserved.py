"""Quote reserved words that name a relation or a column, before the parser sees them."""

from __future__ import annotations

from typing import Any

from nl2sql_fdw.bind.text import Text
from nl2sql_fdw.types import Schema

_MOST = 20
_VALUES = {"user", "current_user", "session_user", "current_date", "current_time"}
"""`FROM user` parses, as a call of the function of that name."""


def quote_relations(text: Text, schema: Schema) -> str:
    """Quote a word right after FROM or JOIN that would be read as a value, not as a table."""
    names = {relation.name for relation in schema.relations}
    for before, token in zip(text.tokens, text.tokens[1:], strict=False):
        name = text.decode(token)
        if before.name in ("FROM", "JOIN") and name in _VALUES & names:
            _quote(text, token, name)
    return text.mended()


def quote_at(sql: str, location: int, schema: Schema) -> tuple[str, str] | None:
    """Return the text with the reserved word at or before a syntax error quoted, and a note.

    None where neither word names a relation or a column of the schema.
    """
    text = Text(sql)
    names = {r.name for r in schema.relations} | {
        c.name for r in schema.relations for c in r.columns
    }
    places = [n for n, token in enumerate(text.tokens) if token.start <= location][-2:]
    for place in reversed(places):
        token = text.tokens[place]
        if token.kind != "NO_KEYWORD" and text.decode(token) in names:
            _quote(text, token, text.decode(token))
            return text.mended(), next(iter(text.notes))
    return None


def parse(sql: str, schema: Schema) -> tuple[str, tuple[Any, ...], list[str]] | None:
    """Parse, quoting reserved words as needed: (text, statements, notes), or None."""
    from pglast.parser import ParseError, parse_sql

    notes: list[str] = []
    for _ in range(_MOST):
        try:
            return sql, parse_sql(sql), notes
        except ParseError as error:
            location = error.args[1] if len(error.args) > 1 else None
            step = None if location is None else quote_at(sql, location, schema)
            if step is None:
                return None
            sql = step[0]
            notes.append(step[1])
    return None


def _quote(text: Text, token: Any, name: str | None) -> None:
    text.replace((token.start, token.end + 1), f'"{name}"', "quoted the reserved word {new}")
