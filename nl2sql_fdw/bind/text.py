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

    def constants(self, location: int, values: Sequence[str]) -> list[Span] | None:
        """Return the spans of the plain '...' beside the operator, or in the list after IN.

        `location` is that of the operator, IN or NOT. None where the text there is not plainly
        these values.
        """
        place = self._at.get(location)
        if place is None:
            return None
        after = self.tokens[place + 1 : place + 3 + 2 * len(values)]
        opening = [n for n, token in enumerate(after[:2]) if token.name == "ASCII_40"]
        listed = after[opening[0] + 1 :: 2][: len(values)] if opening else after[:1]
        for tokens in (listed, self.tokens[place - 1 : place]):
            if [self.word(token) for token in tokens] == [_plain(value) for value in values]:
                return [(token.start, token.end + 1) for token in tokens]
        return None

    def token_at(self, location: int) -> Span | None:
        """Return the span of the token that begins at `location`."""
        place = self._at.get(location)
        return None if place is None else (self.tokens[place].start, self.tokens[place].end + 1)

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
            self.notes[why.replace("{old}", old).replace("{new}", new)] = None  # names have braces

    def mended(self) -> str:
        pieces, end = [], 0
        for (start, stop), new in sorted(self._edits.items()):
            pieces += [self.sql[end:start], new]
            end = stop
        return "".join(pieces) + self.sql[end:]


def _plain(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
