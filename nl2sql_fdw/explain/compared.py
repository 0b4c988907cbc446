"""Checks of what a block compares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pglast.enums import A_Expr_Kind, BoolExprType, SubLinkType

from nl2sql_fdw.explain import joins, kinds
from nl2sql_fdw.explain.blocks import Block, Place, Source, expressions
from nl2sql_fdw.explain.tree import ast, nodes

_ORDERED = ("<", ">", "<=", ">=")
_NUMBER = re.compile(r"\s*-?\d+(\.\d+)?\s*")
_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_DAY_OR_MORE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([ T].*)?")
_PATTERNS = (A_Expr_Kind.AEXPR_LIKE, A_Expr_Kind.AEXPR_ILIKE)
_BETWEEN = (A_Expr_Kind.AEXPR_BETWEEN, A_Expr_Kind.AEXPR_BETWEEN_SYM)


def never_true(block: Block) -> Iterator[str]:
    """Yield a column that must equal two different constants at once."""
    seen: dict[tuple[Source, str], str] = {}
    for condition in joins.conditions(block):
        if not _is_operator(condition, ("=",)):
            continue
        place = _column(condition.lexpr, block)
        value = _constant(condition.rexpr)
        if place is None or value is None or place.block is not block:
            continue
        earlier = seen.setdefault((place.source, place.output.name), value)
        if earlier != value:
            yield (
                f"{place.source.name}.{place.output.name} cannot be {earlier!r} and {value!r} "
                "in one row: no row is ever found."
            )


def equals_null(block: Block) -> Iterator[str]:
    """Yield comparisons with NULL, which are never true: = NULL, <> NULL, IN (..., NULL)."""
    for node in expressions(block):
        kinds_meant = (A_Expr_Kind.AEXPR_OP, A_Expr_Kind.AEXPR_IN)
        if not isinstance(node, ast.A_Expr) or node.kind not in kinds_meant:
            continue
        sides = node.rexpr if isinstance(node.rexpr, tuple) else (node.lexpr, node.rexpr)
        if any(isinstance(side, ast.A_Const) and side.isnull for side in sides):
            yield "A comparison with NULL is never true: write IS NULL or IS NOT NULL."


def not_in_null(block: Block) -> Iterator[str]:
    """Yield NOT IN over a subquery whose column may be NULL: one NULL, and no row is found."""
    for node in expressions(block):
        if not (isinstance(node, ast.BoolExpr) and node.boolop == BoolExprType.NOT_EXPR):
            continue
        for link in node.args:
            if isinstance(link, ast.SubLink) and link.subLinkType == SubLinkType.ANY_SUBLINK:
                name = _nullable(link.subselect, block)
                if name:
                    yield f"NOT IN finds nothing as soon as one {name} is NULL."


def _nullable(stmt: Any, outer: Block) -> str | None:
    """Return the column of a table that a subquery gives, where it may be NULL."""
    targets = tuple(stmt.targetList or ())
    if len(targets) != 1 or not isinstance(targets[0].val, ast.ColumnRef):
        return None
    if any(isinstance(node, ast.NullTest) for node in nodes(stmt.whereClause)):
        return None
    inner = next((b for b in outer.inner if b.stmt is stmt), None)
    place = inner.find(targets[0].val) if inner else None
    if place is None or place.output.column is None or place.output.relation is None:
        return None
    column, relation = place.output.column, place.output.relation
    if column.not_null or column.name in relation.primary_key:
        return None
    return f"{relation.name}.{column.name}"


def day_cut_short(block: Block) -> Iterator[str]:
    """Yield a moment that is compared with the beginning of a day as if that were all of it."""
    for node in expressions(block):
        if not isinstance(node, ast.A_Expr):
            continue
        place = _column(node.lexpr, block)
        if place is None or kinds.of(node.lexpr, block) != "timestamp" or not _is_own(place):
            continue
        last = None
        if node.kind in _BETWEEN:
            last = node.rexpr[1]
        elif _is_operator(node, ("<=", "=", ">")):
            last = node.rexpr
        if last is not None and _DAY.fullmatch(_constant(last) or ""):
            yield (
                f"{place.output.name} has a time of day: '{_constant(last)}' is only the first "
                "moment of that day."
            )


def compares_as_text(block: Block) -> Iterator[str]:
    """Yield a text column whose order is compared with a number: '9' comes after '10'."""
    for node in expressions(block):
        if not isinstance(node, ast.A_Expr):
            continue
        ordered = _is_operator(node, _ORDERED) or node.kind in _BETWEEN
        place = _column(node.lexpr, block)
        if not ordered or place is None or kinds.of(node.lexpr, block) != "text":
            continue
        values = node.rexpr if isinstance(node.rexpr, tuple) else (node.rexpr,)
        if any(_NUMBER.fullmatch(_constant(value) or "") for value in values):
            yield f"{place.output.name} is text, and '9' comes after '10' there: cast it."


def date_as_text(block: Block) -> Iterator[str]:
    """Yield a date that is matched as text, or a text that is compared with a date."""
    for node in expressions(block):
        if not isinstance(node, ast.A_Expr) or node.lexpr is None:
            continue
        place = _column(_bare(node.lexpr), block)
        kind = place and kinds.of(_bare(node.lexpr), block)
        if place is None:
            continue
        if node.kind in _PATTERNS and kind in ("date", "timestamp"):
            yield f"{place.output.name} is a date and is matched as text: compare it with dates."
        elif _is_operator(node, _ORDERED) and kind == "text" and _is_date(node.rexpr, block):
            yield f"{place.output.name} is text, compared with a date letter by letter."


def _is_date(node: Any, block: Block) -> bool:
    if _DAY_OR_MORE.fullmatch(_constant(node) or ""):
        return False  # texts of that form have the order of dates
    return kinds.of(_bare(node), block) in ("date", "timestamp")


def _bare(node: Any) -> Any:
    """Return an expression without the casts around it."""
    while isinstance(node, ast.TypeCast):
        node = node.arg
    return node


def _is_operator(node: Any, signs: tuple[str, ...]) -> bool:
    return (
        isinstance(node, ast.A_Expr)
        and node.kind == A_Expr_Kind.AEXPR_OP
        and node.name[-1].sval in signs
    )


def _is_own(place: Place) -> bool:
    return place.output.column is not None


def _column(node: Any, block: Block) -> Place | None:
    return block.find(node) if isinstance(node, ast.ColumnRef) else None


def _constant(node: Any) -> str | None:
    """Return a constant as text, a cast around it taken off; None for anything else."""
    node = _bare(node)
    if not isinstance(node, ast.A_Const) or node.isnull:
        return None
    value = node.val
    return str(getattr(value, "sval", getattr(value, "ival", getattr(value, "fval", None))))
