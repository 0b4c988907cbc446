"""The statement's text: where each name stands, and the edits to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Span = tuple[int, int]
"""Start and end (one past the last) in characters, as pglast counts."""


class Text:
    """One statement, its tokens, and replacements that do not overlap."""

    def __init__(self, sql: str) -> None:
        from pglast.parser import scan

        self.sql = sql
        self.tokens = [token for token in scan(sql) if not token.name.endswith("COMMENT")]
        self.notes: dict[str, None] = {}  # ordered, and free of doubles
        self._at = {token.start: place for place, token in enumerate(self.tokens)}
        self._edits: dict[Span, str] = {}

    def names(self, location: int, expected: Sequence[str]) -> list[Span] | None:
        """Return the span of each part of the dotted name that starts at `location`.

        None where the text there is not plainly that name.
        """
        place = self._at.get(location)
        if place is None:
            return None
        tokens = self.tokens[place : place + 2 * len(expected) - 1]
        if any(token.name != "ASCII_46" for token in tokens[1::2]):
            return None
        if [self.decode(token) for token in tokens[::2]] != list(expected):
            return None
        return [(token.start, token.end + 1) for token in tokens[::2]]

    def constant(self, location: int, value: str) -> Span | None:
        """Return the span of the plain '...' that starts at `location` and has that value."""
        place = self._at.get(location)
        if place is None or self.tokens[place].name != "SCONST":
            return None
        token = self.tokens[place]
        plain = self.word(token) == "'" + value.replace("'", "''") + "'"
        return (token.start, token.end + 1) if plain else None

    def word(self, token: Any) -> str:
        return self.sql[token.start : token.end + 1]

    def decode(self, token: Any) -> str | None:
        """Return the name that an identifier or keyword token stands for; None for U&"..."."""
        text = self.word(token)
        if token.name == "IDENT" and text.startswith('"'):
            return text[1:-1].replace('""', '"')
        if token.name == "IDENT" or token.kind != "NO_KEYWORD":
            return "".join(c.lower() if c.isascii() else c for c in text)
        return None

    def replace(self, span: Span, new: str, why: str) -> None:
        old = self.sql[span[0] : span[1]]
        if new != old:
            self._edits[span] = new
            self.notes[why.format(old=old, new=new)] = None

    def mended(self) -> str:
        pieces, end = [], 0
        for (start, stop), new in sorted(self._edits.items()):
            pieces += [self.sql[end:start], new]
            end = stop
        return "".join(pieces) + self.sql[end:]
