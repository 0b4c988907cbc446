"""What speaks against an SQL text that ran: signs that it answers another question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nl2sql_fdw.periods import needs_clock
from nl2sql_fdw.types import Reply, Result, Schema
from nl2sql_fdw.vote import values

_LEAST_LOGPROB = -1.6
"""Of the least likely token: about one in five. See docs/evaluation.md."""

_COMPARISONS = ("AEXPR_OP", "AEXPR_LIKE", "AEXPR_ILIKE", "AEXPR_IN")
_CODE = 3
"""Characters up to which a text is a code, which a question says in other words: F, NY, USD."""
_STEM = 4
_WORD = re.compile(r"\w+")
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*")


def find(
    question: str, sql: str, result: Result, reply: Reply, schema: Schema, fetched: bool
) -> tuple[str, ...]:
    """Return the doubts about a candidate.

    `empty`: it found nothing. `unsure`: the model gave one of its words little chance.
    `unasked`: it filters by a text or date of which the question says nothing; of 2,346
    published golds that filter by texts 1 % do. The others are codes of explain's checks.
    """
    found = []
    if fetched and is_empty(result):
        found.append("empty")
    if reply.least_logprob is not None and reply.least_logprob < _LEAST_LOGPROB:
        found.append("unsure")
    tree = _parse(sql)
    if tree is not None:
        if any(not _is_asked(text, question) for text in _compared(tree)):
            found.append("unasked")
        found.extend(_logic(tree, schema))
    return tuple(found)


def is_empty(result: Result) -> bool:
    """Tell whether a result says nothing: no row, or one of which every value is NULL or zero."""
    if len(result.rows) != 1:
        return not result.rows
    return not any(values(result.rows[0]))


def _parse(sql: str) -> Any:
    """Return the tree of one statement; None for a dialect's own: it has run, so it is right."""
    from pglast.parser import ParseError, parse_sql

    try:
        tree = parse_sql(sql)
    except ParseError:
        return None
    return tree[0] if len(tree) == 1 else None


def _logic(tree: Any, schema: Schema) -> Iterator[str]:
    from nl2sql_fdw.explain import checks

    for found in checks.find(tree, schema):
        if found.severity != "note":
            yield found.code


def _compared(tree: Any) -> Iterator[str]:
    """Yield the texts that something is compared with."""
    from pglast import ast

    from nl2sql_fdw.explain.tree import every

    for node in every(tree):
        if (
            isinstance(node, ast.A_Expr)
            and node.kind is not None
            and node.kind.name in _COMPARISONS
        ):
            for side in (node.lexpr, node.rexpr):
                for value in side if isinstance(side, tuple) else (side,):
                    if isinstance(value, ast.A_Const) and isinstance(value.val, ast.String):
                        yield str(value.val.sval)


def _is_asked(text: str, question: str) -> bool:
    """Tell whether a question says a word of a text, or something that may mean a date."""
    words = _WORD.findall(text.lower())
    said = _WORD.findall(question.lower().replace("_", " "))
    if _DATE.fullmatch(text):
        return needs_clock(question) or any(word.isdigit() for word in said)
    if len("".join(words)) <= _CODE or all(word.isdigit() for word in words):
        return True
    return not said or any(w[:_STEM] == s[:_STEM] for w in words for s in said if len(w) > 1)
