"""Bounds on the text that hold before anything recursive, the parser first, sees it."""

from __future__ import annotations

import re
from typing import Any

from nl2sql_fdw.guard.policy import Policy, Refusal

OPENING = frozenset({"ASCII_40", "ASCII_91", "CASE"})
CLOSING = frozenset({"ASCII_41", "ASCII_93", "END_P"})
RESTARTS = frozenset({"ASCII_44", "AND", "OR", "SELECT", "WHEN"})
SET_OPERATIONS = frozenset({"UNION", "INTERSECT", "EXCEPT"})
COMMENTS = frozenset({"SQL_COMMENT", "C_COMMENT"})
NAMES = frozenset({"IDENT", "UIDENT"})
MAX_NAME_BYTES = 63
MAX_OPERATOR_RUN = 200
OPERATOR_RUN = re.compile(rf"[-+*/<>=~!@#%^&|`?]{{{MAX_OPERATOR_RUN + 1}}}")
UNICODE_ESCAPE = re.compile(r"[^\w\s](?:\+[0-9a-fA-F]{6}|[0-9a-fA-F]{4})")
SHORTEN = "Ask for less at once, or split the query."


def check_text(sql: str, policy: Policy) -> None:
    """Refuse text that is empty, too long, or that the server would not read as it stands."""
    check_characters(sql, policy)
    if not sql.strip():
        raise Refusal("parse", "There is no SQL.")
    _check_shape(sql, policy)


def check_characters(sql: str, policy: Policy) -> None:
    """Refuse text that is too long, or holds what is no character of a database's text."""
    if len(sql) > policy.max_bytes:
        raise Refusal("size", f"The SQL is longer than {policy.max_bytes} bytes.", SHORTEN)
    try:
        size = len(sql.encode("utf-8"))
    except UnicodeEncodeError:
        raise Refusal("parse", "The SQL holds a character that is not valid Unicode.") from None
    if size > policy.max_bytes:
        raise Refusal("size", f"The SQL is longer than {policy.max_bytes} bytes.", SHORTEN)
    if "\0" in sql:
        raise Refusal("parse", "The SQL holds a NUL character.")


def _check_shape(sql: str, policy: Policy) -> None:
    """Refuse what the scanner itself, ours and the server's, would take long over.

    Its time is quadratic in a run of operator characters, comment signs included: 30,000
    plus signs took 32 seconds. Brackets are counted to spare scanning what is too deep.
    """
    if OPERATOR_RUN.search(sql):
        raise Refusal(
            "size", f"The SQL has more than {MAX_OPERATOR_RUN} operator signs in a row.", SHORTEN
        )
    if sql.count("(") + sql.count("[") > policy.max_tokens // 4:
        raise Refusal("size", f"The SQL has more than {policy.max_tokens // 4} brackets.", SHORTEN)


def read_tokens(sql: str) -> list[Any]:
    """Return the scanner's tokens, comments too; each has name, start and end (inclusive)."""
    from pglast.parser import ParseError, scan

    try:
        return list(scan(sql))
    except ParseError as error:
        raise Refusal("parse", f"The SQL cannot be read: {error.args[0]}.") from None


def without_comments(sql: str, tokens: list[Any]) -> str:
    """Return the text with spaces for comments, every other character at its place.

    To the server a comment is a space. To the parser library it is a token that hides
    the second word of NOT BETWEEN, NULLS FIRST, WITH ORDINALITY or a UESCAPE.
    """
    parts, at = [], 0
    for token in tokens:
        if token.name in COMMENTS:
            parts += [sql[at : token.start], " " * (token.end + 1 - token.start)]
            at = token.end + 1
    return "".join([*parts, sql[at:]])


def check_tokens(sql: str, tokens: list[Any], policy: Policy) -> None:
    """Refuse too many tokens, too deep nesting, too long chains, and names the server cuts.

    Linear in the text, and not recursive. The parser itself and the code that makes its
    tree recurse: a long enough UNION chain ends the process, so it must not get there.
    """
    if len(tokens) > policy.max_tokens:
        raise Refusal("size", f"The SQL has more than {policy.max_tokens} tokens.", SHORTEN)
    if sum(token.name in SET_OPERATIONS for token in tokens) > policy.max_nesting:
        raise Refusal("size", f"The SQL has more than {policy.max_nesting} UNIONs.", SHORTEN)
    nesting = chain = 0
    for token in tokens:
        name = token.name
        chain = 0 if name in RESTARTS else chain + (name not in COMMENTS)
        if name in OPENING:
            nesting += 1
        elif name in CLOSING:
            nesting -= 1
        elif name in NAMES:
            _check_name(sql[token.start : token.end + 1])
        if nesting > policy.max_nesting:
            raise Refusal("size", f"The SQL nests deeper than {policy.max_nesting}.", SHORTEN)
        if chain > policy.max_chain:
            raise Refusal(
                "size", f"One expression is longer than {policy.max_chain} tokens.", SHORTEN
            )


def _check_name(name: str) -> None:
    """Refuse a name that the server would cut, for it could then mean another one."""
    if len(name) <= MAX_NAME_BYTES // 4:  # the usual case, whatever its characters
        return
    if name[:3] in ('U&"', 'u&"'):
        name = UNICODE_ESCAPE.sub("x", name[2:])
    if len(name.strip('"').encode()) > MAX_NAME_BYTES:
        raise Refusal(
            "parse",
            f"The name {name[:40]}... is longer than the {MAX_NAME_BYTES} bytes a name may have.",
            "Use a shorter name.",
        )
