"""Checks of what a block groups, orders, divides and limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pglast.enums import A_Expr_Kind

from nl2sql_fdw.explain import kinds
from nl2sql_fdw.explain.blocks import Block, expressions, same
from nl2sql_fdw.explain.tree import aggregates, ast, call_name, gives_one, group_items


def integer_division(block: Block) -> Iterator[str]:
    """Yield a whole number divided by a whole number that is no constant: the rest is lost."""
    for _ in divisions(block):
        yield "Dividing whole numbers loses the fraction: cast one of them to numeric."


def divisions(block: Block) -> Iterator[Any]:
    """Yield the divisions of a block that lose the rest."""
    for node in expressions(block):
        if not (isinstance(node, ast.A_Expr) and node.kind == A_Expr_Kind.AEXPR_OP):
            continue
        if node.name[-1].sval != "/" or node.lexpr is None or isinstance(node.rexpr, ast.A_Const):
            continue
        if kinds.of(node.lexpr, block) == kinds.of(_unzeroed(node.rexpr), block) == "integer":
            yield node


def _unzeroed(node: Any) -> Any:
    """Return x of NULLIF(x, 0)."""
    if isinstance(node, ast.A_Expr) and node.kind == A_Expr_Kind.AEXPR_NULLIF:
        return node.lexpr
    return node


def limit_unordered(block: Block) -> Iterator[str]:
    """Yield a LIMIT that takes any rows: no order says which."""
    stmt = block.stmt
    if stmt.limitCount is None or stmt.sortClause:
        return
    if isinstance(stmt.limitCount, ast.A_Const) and stmt.limitCount.isnull:
        return
    if gives_one(stmt):
        return
    yield "LIMIT without ORDER BY takes any rows."


def distinct_measure(block: Block) -> Iterator[str]:
    """Yield sum(DISTINCT x) and avg(DISTINCT x): two rows of one amount count as one."""
    for call in _calls(block):
        if call_name(call) in ("sum", "avg") and call.agg_distinct and call.args:
            yield f"{call_name(call)}(DISTINCT ...) counts equal amounts of different rows once."


def grouped_measure(block: Block) -> Iterator[str]:
    """Yield a column that is summed and grouped by at once: each group is one amount."""
    items = group_items(block.stmt)
    for call in _calls(block):
        if call_name(call) not in ("sum", "avg") or not call.args:
            continue
        if any(same(item, call.args[0], block) for item in items):
            yield f"{call_name(call)}() is of a column that is also grouped by."


def by_name(block: Block) -> Iterator[str]:
    """Yield groups by a name where the table has a key: namesakes become one."""
    items = group_items(block.stmt)
    places = [block.find(item) for item in items if isinstance(item, ast.ColumnRef)]
    known = {(p.source, p.output.name) for p in places if p}
    for source, name in sorted(known, key=lambda one: one[1]):
        relation = source.relation
        if relation is None or not relation.primary_key or not name.lower().endswith("name"):
            continue
        if name in relation.primary_key or len(block.sources) < 2:
            continue
        if not any((source, key) in known for key in relation.primary_key):
            yield f"Rows of {relation.name} that share a {name} become one group."


def _calls(block: Block) -> Iterator[Any]:
    stmt = block.stmt
    yield from aggregates((stmt.targetList or (), stmt.havingClause, stmt.sortClause or ()))
