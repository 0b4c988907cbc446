"""Checks of how a block joins its sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pglast.enums import A_Expr_Kind, JoinType

from nl2sql_fdw.explain import joins
from nl2sql_fdw.explain.blocks import Block, Place, Source, expressions
from nl2sql_fdw.explain.tree import aggregates, ast, call_name, conjuncts, group_items, nodes


def unconnected(block: Block) -> Iterator[str]:
    """Yield where sources of several rows are put beside each other by no condition."""
    parts = [
        [source.name for source in group]
        for group in joins.groups(block)
        if not all(source.single or source.made for source in group)
    ]
    if len(parts) > 1:
        first, second = (" and ".join(part) for part in parts[:2])
        yield f"Nothing connects {first} with {second}: every row meets every row."


def beside_the_key(block: Block) -> Iterator[str]:
    """Yield joins of two tables that a foreign key connects, on other columns than the key's.

    Not where one side's columns are its own key, or those of a key to a third table that both have.
    """
    links = joins.edges(block)
    for edge in links:
        key = joins.known_key(edge)
        if key is None or joins.backing(edge) or joins.through(edge):
            continue
        if edge.left.relation is edge.right.relation or edge.to_one or edge.turned().to_one:
            continue
        pairs = ", ".join(f"{edge.left.name}.{a} = {edge.right.name}.{b}" for a, b in edge.pairs)
        yield (
            f"{pairs} follows no foreign key; there is one on {', '.join(key.columns)} to "
            f"{key.target}({', '.join(key.target_columns)})."
        )


def without_a_key(block: Block) -> Iterator[str]:
    """Yield joins of two tables that no foreign key connects, directly or through a third.

    Where neither has a foreign key at all the catalog knows of no joins, and this says nothing.
    """
    for edge in joins.edges(block):
        tables = [source.relation for source in (edge.left, edge.right) if source.relation]
        if len(tables) < 2 or joins.known_key(edge):
            continue
        if any(table.foreign_keys for table in tables) and not joins.through(edge):
            here, there = edge.pairs[0]
            yield (
                f"No foreign key connects {edge.left.name}.{here} with {edge.right.name}.{there}."
            )


def fan_out(block: Block) -> Iterator[str]:
    """Yield sums and averages of a table whose rows another table, joined to it, repeats.

    The other table must have a key of its own and point at this one, or at one on the way, and
    the groups must not be those of the repeating table.
    """
    links = joins.edges(block)
    grouped = {place.source for item in group_items(block.stmt) for place in _places(item, block)}
    for call in _sums(block):
        sources = {place.source for place in _places(call.args, block)}
        if len(sources) != 1:
            continue
        (measured,) = sources
        for edge in joins.reached(measured, links):
            if not (edge.to_many and joins.backing(edge)) or edge.right in grouped:
                continue
            if grouped & {e.right for e in joins.reached(edge.right, _without(links, edge))}:
                continue
            yield (
                f"{call_name(call)}() over {measured.name} counts a row once for each "
                f"{edge.right.name} that is joined to it."
            )
            break


def _without(links: list[joins.Edge], edge: joins.Edge) -> list[joins.Edge]:
    pair = {edge.left, edge.right}
    return [link for link in links if {link.left, link.right} != pair]


def _sums(block: Block) -> Iterator[Any]:
    stmt = block.stmt
    for call in aggregates(((stmt.targetList or ()), stmt.havingClause, stmt.sortClause or ())):
        if call_name(call) in ("sum", "avg") and not call.agg_distinct and call.args:
            yield call


def _places(tree: Any, block: Block) -> list[Place]:
    refs = [node for node in nodes(tree) if isinstance(node, ast.ColumnRef)]
    places = [block.find(ref) for ref in refs]
    return [place for place in places if place is not None and place.block is block]


def outer_undone(block: Block) -> Iterator[str]:
    """Yield outer joins whose rows without a partner a later condition throws away again."""
    absent = joins.outer_side(block)
    for condition in block.filters if absent else ():
        for place in _strict(condition, block):
            if place.source in absent and not _is_full(place.source, block):
                yield (
                    f"The outer join keeps rows without {place.source.name}, and the condition on "
                    f"{place.source.name}.{place.output.name} drops them again."
                )
                break


def _is_full(source: Source, block: Block) -> bool:
    return any(
        join.kind == JoinType.JOIN_FULL and source in join.left + join.right for join in block.joins
    )


def _strict(condition: Any, block: Block) -> list[Place]:
    """Return the columns of which none may be null where the condition holds."""
    if not isinstance(condition, ast.A_Expr) or condition.kind in (
        A_Expr_Kind.AEXPR_DISTINCT, A_Expr_Kind.AEXPR_NOT_DISTINCT,
    ):  # fmt: skip
        return []
    if any(isinstance(node, (ast.CoalesceExpr, ast.CaseExpr)) for node in nodes(condition)):
        return []
    return _places((condition.lexpr, condition.rexpr), block)


def counts_absent(block: Block) -> Iterator[str]:
    """Yield count(*) over an outer join: a group that has no partner counts as one."""
    absent = {join.right for join in block.joins if join.kind == JoinType.JOIN_LEFT}
    if not absent or not block.stmt.groupClause or _asks_for_absent(block):
        return
    grouped = {place.source for item in group_items(block.stmt) for place in _places(item, block)}
    last = [source for side in absent for source in side]
    if grouped & set(last) or not grouped:
        return
    for node in expressions(block):
        if isinstance(node, ast.FuncCall) and node.agg_star and node.over is None:
            yield f"count(*) is 1, not 0, where there is no {last[0].name}."
            return


def _asks_for_absent(block: Block) -> bool:
    return any(isinstance(part, ast.NullTest) for f in block.filters for part in conjuncts(f))
