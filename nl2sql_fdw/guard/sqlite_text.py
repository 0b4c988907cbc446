"""Read SQL as SQLite's own tokenizer does, and write it down so that it reads one way only.

The parser library knows many dialects, and what is a comment, an escape or a template sign in one
of them. It is given only text that was written here, from tokens that were read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nl2sql_fdw.guard.policy import Policy, Refusal
from nl2sql_fdw.guard.size import SHORTEN, check_characters

_TOKEN = re.compile(
    r"""
      (?P<space>   [ \t\n\f\r]+ | --[^\n]* | /\*.*?\*/ )
    | (?P<blob>    [xX]'(?:[0-9a-fA-F]{2})*' )
    | (?P<string>  '(?:[^']|'')*' )
    | (?P<quoted>  "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\] )
    | (?P<number>  (?: 0[xX][0-9a-fA-F]+ | (?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? )(?![\w$]) )
    | (?P<word>    [^\W\d][\w$]* )
    | (?P<sign>    ->>|->|\|\||<<|>>|<=|>=|<>|!=|==|[-+*/%&|~<>=(),.;] )
    """,
    re.VERBOSE | re.DOTALL,
)
_NOT_CALLS = frozenset(
    re.findall(
        r"\w+",
        "all and as between by case cast distinct else escape except exists filter from glob group "
        "having in intersect is join like limit match materialized not offset on or order over "
        "regexp select then union using values when where",
    )
)
"""Words that may stand before a bracket without being called."""


@dataclass(frozen=True)
class Token:
    """One token; `name` is the decoded identifier of a word or a quoted name, lower case."""

    kind: str
    text: str

    @property
    def name(self) -> str:
        return _unquoted(self.text).lower() if self.kind in ("word", "quoted") else ""

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and self.text.lower() in words


def read(sql: str, policy: Policy) -> list[Token]:
    """Return the tokens of one statement, comments and a closing semicolon left out.

    Raises Refusal where the text is too large, no valid text, or more than one statement.
    """
    check_characters(sql, policy)
    tokens = list(_tokens(sql))
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    if any(token.text == ";" for token in tokens):
        raise Refusal("statement", "The SQL holds several statements.", "Write exactly one.")
    if not tokens:
        raise Refusal("parse", "There is no SQL.")
    if len(tokens) > policy.max_tokens:
        raise Refusal("size", f"The SQL has more than {policy.max_tokens} tokens.", SHORTEN)
    _check_nesting(tokens, policy)
    return tokens


def write(tokens: Iterable[Token], quote: str = '"') -> str:
    """Return the tokens as text, a space between two, every quoted name within `quote`.

    In backticks a name is only ever a name; in double quotes SQLite takes one that it does not
    know for a text.
    """
    return " ".join(
        _quoted(_unquoted(token.text), quote) if token.kind == "quoted" else token.text
        for token in tokens
    )


def calls(tokens: list[Token]) -> Iterator[str]:
    """Yield the name of each function that is called: any name before an opening bracket.

    The name of a WITH query that lists its columns is none, nor is a type after AS; nothing else
    can stand there.
    """
    for place, token in enumerate(tokens[:-1]):
        if tokens[place + 1].text != "(" or token.kind not in ("word", "quoted"):
            continue
        before = tokens[place - 1] if place else None
        if token.is_word(*_NOT_CALLS) or (before and before.is_word("as")):
            continue
        if _names_a_query(tokens, place):
            continue
        yield token.name


def _names_a_query(tokens: list[Token], place: int) -> bool:
    """Tell whether the name begins a WITH query: name (columns) AS (."""
    before = tokens[place - 1] if place else None
    if before is None or not (before.is_word("with", "recursive") or before.text == ","):
        return False
    end = place + 2
    while end < len(tokens) and (tokens[end].kind in ("word", "quoted") or tokens[end].text == ","):
        end += 1
    rest = [token.text.lower() for token in tokens[end : end + 5]]
    return rest[:1] == [")"] and [word for word in rest if word not in ("not", "materialized")][
        1:3
    ] == ["as", "("]


def _tokens(sql: str) -> Iterator[Token]:
    place = 0
    while place < len(sql):
        found = _TOKEN.match(sql, place)
        if found is None:
            raise Refusal(*_unread(sql, place))
        place = found.end()
        if found.lastgroup != "space":
            yield Token(str(found.lastgroup), found[0])


def _unread(sql: str, place: int) -> tuple[str, str, str]:
    if sql[place] in "?:@$":
        return "statement", "The query has a parameter.", "Write the value itself."
    if sql[place] in "'\"`[" or sql.startswith("/*", place):
        return "parse", f"A quote or comment is not closed: {sql[place : place + 20]}", ""
    return "parse", f"SQLite does not know this: {sql[place : place + 20]}", ""


def _check_nesting(tokens: Iterable[Token], policy: Policy) -> None:
    """Refuse what is nested or chained so deep that a recursive parser would not come back."""
    nesting = chain = operations = 0
    for token in tokens:
        word = token.text.lower() if token.kind in ("word", "sign") else ""
        nesting += (word in ("(", "case")) - (word in (")", "end"))
        chain = 0 if word in (",", "and", "or", "select", "when") else chain + 1
        operations += word in ("union", "intersect", "except")
        if nesting > policy.max_nesting // 2:
            raise Refusal("size", f"The SQL nests deeper than {policy.max_nesting // 2}.", SHORTEN)
        if operations > policy.max_nesting:
            raise Refusal("size", f"The SQL has more than {policy.max_nesting} UNIONs.", SHORTEN)
        if chain > policy.max_chain:
            raise Refusal(
                "size", f"One expression is longer than {policy.max_chain} tokens.", SHORTEN
            )


def _unquoted(text: str) -> str:
    if text[0] == "[":
        return text[1:-1]
    if text[0] in '"`':
        return text[1:-1].replace(text[0] * 2, text[0])
    return text


def _quoted(name: str, quote: str) -> str:
    return quote + name.replace(quote, quote * 2) + quote
