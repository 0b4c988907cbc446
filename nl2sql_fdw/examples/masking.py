"""Say what a question asks for, whatever it asks about: names and values masked."""

from __future__ import annotations

import re
from collections.abc import Collection

from nl2sql_fdw.schema.words import words
from nl2sql_fdw.types import Schema

NAME, VALUE = "\N{WHITE SQUARE}", "\N{WHITE CIRCLE}"

_PARTS = re.compile(r"'([^']*)'|\"([^\"]*)\"|([^\W_]+)|[^\w\s]", re.UNICODE)
_SQL_NAME = re.compile(r"'[^']*'|([a-z_]\w+)\b(?!\s*\()", re.IGNORECASE)


def schema_words(schema: Schema) -> frozenset[str]:
    """Return the words of the names of a schema."""
    names = [r.name for r in schema.relations]
    names += [column.name for r in schema.relations for column in r.columns]
    return frozenset(words(" ".join(names)))


def sql_words(sql: str) -> frozenset[str]:
    """Return the words of the names that a SQL text uses: no text it compares, no call."""
    return frozenset(words(" ".join(found for found in _SQL_NAME.findall(sql) if found)))


def mask(question: str, known: Collection[str]) -> list[str]:
    """Return a question's words in lower case, singular, with a mask for each name and value.

    A value is what stands in quotes, a number, or a word with a capital that does not begin
    the question.
    """
    masked: list[str] = []
    for place, found in enumerate(_PARTS.finditer(question)):
        for word in _masked(found, place == 0, known):
            if word not in (NAME, VALUE) or masked[-1:] != [word]:
                masked.append(word)
    return masked


def _masked(found: re.Match[str], first: bool, known: Collection[str]) -> list[str]:
    plain = found[3]
    if plain is None:
        return [VALUE] if found[1] or found[2] else []
    parts = words(plain)
    if known and parts and all(part in known for part in parts):
        return [NAME]
    if plain.isdigit() or (plain[0].isupper() and not first):
        return [VALUE]
    return parts
