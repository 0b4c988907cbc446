"""The parsed tree of a SELECT, as the checks look at it: parts of it, without their meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pglast.ast
from pglast.enums import BoolExprType, LimitOption, SetOperation

ast: Any = pglast.ast
"""The classes of nodes, untyped: every attribute of theirs may be None to a type checker."""


def every(tree: Any, inside: bool = True) -> Iterator[Any]:
    """Yield every node of a tree; with `inside` false none of what a SELECT in it holds."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(reversed(node))
        elif isinstance(node, ast.Node):
            yield node
            if inside or not isinstance(node, ast.SelectStmt):
                stack.extend(getattr(node, part) for part in node)


def nodes(tree: Any) -> Iterator[Any]:
    """Yield every node of an expression, but nothing inside a SELECT that it holds."""
    return every(tree, inside=False)


def conjuncts(condition: Any) -> tuple[Any, ...]:
    """Return the parts of a condition that must all hold."""
    if condition is None:
        return ()
    if isinstance(condition, ast.BoolExpr) and condition.boolop == BoolExprType.AND_EXPR:
        return tuple(part for arg in condition.args for part in conjuncts(arg))
    return (condition,)


def group_items(stmt: Any) -> tuple[Any, ...]:
    """Return what a SELECT groups by, numbers and names of its outputs looked up."""
    return tuple(_looked_up(item, stmt) for item in stmt.groupClause or ())


def _looked_up(item: Any, stmt: Any) -> Any:
    targets = stmt.targetList or ()
    if isinstance(item, ast.A_Const) and isinstance(item.val, ast.Integer):
        n = item.val.ival
        return targets[n - 1].val if 0 < n <= len(targets) else item
    if isinstance(item, ast.ColumnRef) and len(item.fields) == 1:
        for target in targets:
            if target.name and target.name == getattr(item.fields[0], "sval", None):
                return target.val
    return item


def aggregates(tree: Any) -> Iterator[Any]:
    """Yield the calls of the well-known aggregates in an expression, window calls left out."""
    for node in nodes(tree):
        if isinstance(node, ast.FuncCall) and node.over is None and _is_aggregate(node):
            yield node


def call_name(call: Any) -> str:
    return str(call.funcname[-1].sval)


_AGGREGATES = frozenset(
    re.findall(
        r"\w+",
        "count sum avg min max string_agg array_agg bool_and bool_or every json_agg jsonb_agg "
        "stddev stddev_pop stddev_samp variance var_pop var_samp corr mode percentile_cont "
        "percentile_disc bit_and bit_or json_object_agg jsonb_object_agg regr_slope regr_r2",
    )
)


def _is_aggregate(call: Any) -> bool:
    return call_name(call) in _AGGREGATES or call.agg_within_group or call.agg_star


def is_single(stmt: Any) -> bool:
    """Tell whether a SELECT can give one row at most, as far as its form tells."""
    limit = stmt.limitCount
    ties = stmt.limitOption == LimitOption.LIMIT_OPTION_WITH_TIES
    if isinstance(limit, ast.A_Const) and isinstance(limit.val, ast.Integer) and not ties:
        return bool(limit.val.ival <= 1) or gives_one(stmt)
    return gives_one(stmt)


def gives_one(stmt: Any) -> bool:
    """Tell whether a SELECT gives one row whatever its LIMIT: an aggregate without groups."""
    if stmt.op != SetOperation.SETOP_NONE or stmt.valuesLists:
        return False
    grouped = stmt.groupClause is not None
    found = next(aggregates((stmt.targetList or ()) + (stmt.havingClause,)), None)
    return not grouped and (found is not None or stmt.fromClause is None)
