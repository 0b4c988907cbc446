"""How PostgreSQL writes identifiers and string literals."""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def quote(name: str) -> str:
    """Quote the identifier where PostgreSQL's own quote_ident would, on one line.

    A name with a line break or another control character is written as U&"...".
    """
    if _PLAIN.match(name) and name not in keywords():
        return name
    inner = name.replace('"', '""')
    if not _CONTROL.search(name):
        return f'"{inner}"'
    inner = inner.replace("\\", "\\\\")
    return 'U&"' + _CONTROL.sub(lambda found: f"\\{ord(found[0]):04X}", inner) + '"'


def literal(text: str) -> str:
    """Write a string literal on one line."""
    inner = text.replace("'", "''")
    if not _CONTROL.search(text):
        return f"'{inner}'"
    inner = inner.replace("\\", "\\\\")
    return "E'" + _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04X}", inner) + "'"


@lru_cache(maxsize=1)
def keywords() -> frozenset[str]:
    """Return the words that cannot stand everywhere as a name."""
    from pglast.keywords import COL_NAME_KEYWORDS, RESERVED_KEYWORDS, TYPE_FUNC_NAME_KEYWORDS

    return frozenset(COL_NAME_KEYWORDS | RESERVED_KEYWORDS | TYPE_FUNC_NAME_KEYWORDS)
