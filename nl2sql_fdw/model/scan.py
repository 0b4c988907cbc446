"""Finds where quotes and comments of SQL end; it knows no grammar beyond that."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DOLLAR = re.compile(r"\$(?:[^\W\d]\w*)?\$")


def code(text: str, start: int = 0) -> Iterator[int]:
    """Yield each position from `start` on that lies outside quotes and comments."""
    at = start
    while at < len(text):
        end = skip(text, at)
        if end > at:
            at = end
        else:
            yield at
            at += 1


def skip(text: str, at: int) -> int:
    """Return where the quote or comment that opens at `at` ends, or `at` where none opens.

    One that is never closed ends with the text.
    """
    if text.startswith("--", at):
        return _past(text, "\n", at)
    if text.startswith("/*", at):
        return _comment_end(text, at)
    if text[at] == "'":
        return _string_end(text, at)
    if text[at] == '"':
        return _quote_end(text, at)
    if text[at] == "$" and (at == 0 or not _is_word(text[at - 1])):
        opening = _DOLLAR.match(text, at)
        return _past(text, opening[0], opening.end()) if opening else at
    return at


def first_word(text: str, start: int = 0) -> int:
    """Return the position of the first character that is neither blank nor in a comment."""
    at = start
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text.startswith(("--", "/*"), at):
            at = skip(text, at)
        else:
            break
    return at


def _past(text: str, closing: str, start: int) -> int:
    found = text.find(closing, start)
    return len(text) if found < 0 else found + len(closing)


def _comment_end(text: str, at: int) -> int:
    """Block comments nest, as the SQL standard and PostgreSQL have it."""
    depth = 0
    for mark in re.finditer(r"/\*|\*/", text[at:]):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return at + mark.end()
    return len(text)


def _string_end(text: str, at: int) -> int:
    """A backslash escapes only in E'...'; a doubled quote looks like two strings in a row."""
    escapes = text[at - 1 : at] in ("E", "e") and not _is_word(text[at - 2 : at - 1])
    if not escapes:
        return _quote_end(text, at)
    closing = re.compile(r"(?:[^'\\]|\\.|'')*'", re.DOTALL).match(text, at + 1)
    return closing.end() if closing else len(text)


def _quote_end(text: str, at: int) -> int:
    return _past(text, text[at], at + 1)


def _is_word(char: str) -> bool:
    return char.isalnum() or char in ("_", "$")
