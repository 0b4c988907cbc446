"""How PostgreSQL and SQLite write identifiers, and both write string literals."""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*\Z")
_PLAIN_ON_SQLITE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
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


def quote_on_sqlite(name: str) -> str:
    """Quote the identifier where SQLite needs it; case is no reason there."""
    if _PLAIN_ON_SQLITE.match(name) and name.lower() not in _RESERVED_ON_SQLITE:
        return name
    return '"' + name.replace('"', '""') + '"'


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


_RESERVED_ON_SQLITE = frozenset(
    re.findall(
        r"\w+",
        "add all alter and as autoincrement between case cast check collate commit constraint "
        "create current_date current_time current_timestamp default deferrable delete distinct "
        "drop else escape except exists filter foreign from group having if in index insert "
        "intersect into is isnull join limit not nothing notnull null on or order over primary "
        "raise references returning select set table then to transaction union unique update "
        "using values when where window",
    )
)
"""Words that SQLite 3.40 does not take as a name wherever one may stand."""
