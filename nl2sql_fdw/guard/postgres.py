"""The guard for PostgreSQL: one pure function from SQL text to a verdict.

It proves, on the server's own grammar, that the text is one SELECT (or VALUES, TABLE or
set operation) without INTO, row locks or data-modifying WITH, made of reviewed syntax,
whose functions, types and operator schemas are on reviewed lists, and that it names no
system catalog. It knows no catalog: that a name means the object it seems to mean, that
reader and caller may use it, that a view or a user's type hides nothing, is proved from
the verdict's lists by the catalog check; what the query costs, by the planner's estimate
and the limits. It assumes standard_conforming_strings = on, a UTF-8 text, and pg_catalog
first in the search path. Syntax newer than the parser is refused.
"""

from __future__ import annotations

from typing import Any

from nl2sql_fdw.guard.digits import check_products
from nl2sql_fdw.guard.findings import Findings
from nl2sql_fdw.guard.names import check_system_columns
from nl2sql_fdw.guard.policy import Policy, Refusal
from nl2sql_fdw.guard.rules import command
from nl2sql_fdw.guard.size import check_text, check_tokens, read_tokens, without_comments
from nl2sql_fdw.guard.unfold import check_unfolded
from nl2sql_fdw.guard.walk import walk
from nl2sql_fdw.types import Verdict

DEFAULT = Policy()


def check(sql: str, policy: Policy = DEFAULT) -> Verdict:
    """Return the verdict on one statement; it never raises for what the text holds."""
    try:
        check_text(sql, policy)
        tokens = read_tokens(sql)
        check_tokens(sql, tokens, policy)
        found = Findings(policy)
        statement = _parse(without_comments(sql, tokens))
        walk(statement, found)
        check_unfolded(statement, policy)
        check_system_columns(found)
        check_products(found)
    except Refusal as no:
        return Verdict(allowed=False, layer=no.layer, reason=_shorten(no.reason), hint=no.hint)
    return found.verdict()


def is_bounded(sql: str, policy: Policy = DEFAULT) -> bool:
    """Tell whether a text may be parsed at all: a long enough one ends the process."""
    try:
        check_text(sql, policy)
        check_tokens(sql, read_tokens(sql), policy)
    except Refusal:
        return False
    return True


def _shorten(reason: str) -> str:
    """Cut the middle out of a reason that quotes a very long name."""
    return reason if len(reason) <= 300 else f"{reason[:150]} ... {reason[-100:]}"


def _parse(sql: str) -> Any:
    """Return the one SelectStmt that the text holds."""
    from pglast.parser import ParseError, parse_sql

    try:
        statements = parse_sql(sql)
    except ParseError as error:
        raise Refusal(
            "parse",
            f"The parser does not know this SQL: {error.args[0]}.",
            "Write plain SELECT syntax; what the parser does not know is refused.",
        ) from None
    if len(statements) != 1:
        count = len(statements) or "no"
        raise Refusal("statement", f"The SQL holds {count} statements.", "Write exactly one.")
    statement = statements[0].stmt
    if type(statement).__name__ != "SelectStmt":
        raise Refusal(
            "statement", f"The SQL would run {command(statement)}.", "Only SELECT may run."
        )
    return statement
