"""The joins of a block: which columns they compare, which key backs each, which multiply rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pglast.enums import A_Expr_Kind, JoinType

from nl2sql_fdw.explain.blocks import Block, Source
from nl2sql_fdw.explain.tree import ast, nodes
from nl2sql_fdw.types import ForeignKey

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Edge:
    """Two sources of one block and the pairs of their columns that are compared for equality."""

    left: Source
    right: Source
    pairs: tuple[Pair, ...]

    def turned(self) -> Edge:
        return Edge(self.right, self.left, tuple((there, here) for here, there in self.pairs))

    @property
    def to_one(self) -> bool:
        """Whether a row on the left meets one row on the right at most, by a key."""
        there = {right for _, right in self.pairs}
        return self.right.single or any(key <= there for key in self.right.keys)

    @property
    def to_many(self) -> bool:
        """Whether a row on the left may meet many on the right: it has a key, and not this one."""
        return bool(self.right.keys) and not self.to_one


def conditions(block: Block) -> Iterator[Any]:
    """Yield every condition on the rows that a block takes together: of ON and of WHERE."""
    for join in block.joins:
        yield from join.conditions
    yield from block.filters


def edges(block: Block) -> list[Edge]:
    """Return the equalities between two sources each, one edge for two sources."""
    found: dict[tuple[int, int], list[Pair]] = {}
    place = {source: n for n, source in enumerate(block.sources)}
    for left, here, right, there in _equalities(block):
        pair = (here, there)
        if place[left] > place[right]:
            left, right, pair = right, left, (there, here)
        found.setdefault((place[left], place[right]), []).append(pair)
    return [
        Edge(block.sources[left], block.sources[right], tuple(dict.fromkeys(pairs)))
        for (left, right), pairs in sorted(found.items())
    ]


def _equalities(block: Block) -> Iterator[tuple[Source, str, Source, str]]:
    for condition in conditions(block):
        if not (isinstance(condition, ast.A_Expr) and condition.name[-1].sval == "="):
            continue
        if condition.kind != A_Expr_Kind.AEXPR_OP:
            continue
        sides = [_plain(side, block) for side in (condition.lexpr, condition.rexpr)]
        if sides[0] and sides[1] and sides[0][0] is not sides[1][0]:
            yield (*sides[0], *sides[1])
    for join in block.joins:
        for name in (*join.using, *_shared(join.left, join.right, join.natural)):
            left = [source for source in join.left if source.output(name)]
            right = [source for source in join.right if source.output(name)]
            if left and right:
                yield left[0], name, right[0], name


def _shared(left: Sequence[Source], right: Sequence[Source], natural: bool) -> Iterator[str]:
    if natural:
        names = [{o.name for s in side for o in s.outputs or ()} for side in (left, right)]
        yield from sorted(names[0] & names[1])


def _plain(side: Any, block: Block) -> tuple[Source, str] | None:
    """Return the source and column of this block that a side is, a cast around it taken off."""
    while isinstance(side, ast.TypeCast):
        side = side.arg
    place = block.find(side) if isinstance(side, ast.ColumnRef) else None
    return (place.source, place.output.name) if place and place.block is block else None


def backing(edge: Edge) -> ForeignKey | None:
    """Return the foreign key, of either side, that an edge follows in all its columns."""
    return _key(edge) or _key(edge.turned())


def _key(edge: Edge) -> ForeignKey | None:
    pairs = {(edge.left.output(here), edge.right.output(there)) for here, there in edge.pairs}
    columns = {
        (a.relation, a.column.name, b.relation, b.column.name)
        for a, b in pairs
        if a and b and a.relation and b.relation and a.column and b.column
    }
    for relation, _, target, _ in columns:
        for key in relation.foreign_keys:
            if (key.target_schema, key.target) != (target.schema, target.name):
                continue
            wanted = {
                (relation, own, target, theirs)
                for own, theirs in zip(key.columns, key.target_columns, strict=True)
            }
            if wanted <= columns:
                return key
    return None


def through(edge: Edge) -> str | None:
    """Return the table that both sides point at by these columns, or in which they are one."""
    for here, there in edge.pairs:
        a, b = edge.left.output(here), edge.right.output(there)
        if not (a and b and a.relation and b.relation and a.column and b.column):
            continue
        if a.relation == b.relation and a.column == b.column:
            return a.relation.name
        ends = [
            {
                (key.target_schema, key.target, theirs)
                for key in output.relation.foreign_keys
                for own, theirs in zip(key.columns, key.target_columns, strict=True)
                if own == output.column.name
            }
            for output in (a, b)
            if output.relation and output.column
        ]
        shared = sorted(ends[0] & ends[1])
        if shared:
            return shared[0][1]
    return None


def known_key(edge: Edge) -> ForeignKey | None:
    """Return a foreign key between the two tables of an edge, followed or not."""
    for one, other in ((edge.left, edge.right), (edge.right, edge.left)):
        if one.relation and other.relation:
            for key in one.relation.foreign_keys:
                if (key.target_schema, key.target) == (other.relation.schema, other.relation.name):
                    return key
    return None


def groups(block: Block) -> list[list[Source]]:
    """Return the sources that conditions connect, group by group."""
    member = {source: n for n, source in enumerate(block.sources)}
    links = [_touched(condition, block) for condition in conditions(block)]
    links += [{edge.left, edge.right} for edge in edges(block)]
    links += [{source, *source.asks} for source in block.sources]
    links += [_touched_all(join) for join in block.joins if join.natural or join.using]
    for link in links:
        numbers = {member[source] for source in link}
        for source, n in member.items():
            if n in numbers:
                member[source] = min(numbers)
    found: dict[int, list[Source]] = {}
    for source, n in member.items():
        found.setdefault(n, []).append(source)
    return list(found.values())


def _touched(condition: Any, block: Block) -> set[Source]:
    """Return the sources of this block that a condition names, in subqueries of it too.

    What cannot be looked up may be of any source: all are taken to be touched.
    """
    touched: set[Source] = set()
    for node in nodes(condition):
        if isinstance(node, ast.SelectStmt):
            return set(block.sources)
        if isinstance(node, ast.ColumnRef):
            place = block.find(node)
            if place is None:
                return set(block.sources)
            if place.block is block:
                touched.add(place.source)
    return touched


def _touched_all(join: Any) -> set[Source]:
    return {join.left[-1], join.right[0]}


def reached(start: Source, links: Sequence[Edge]) -> Iterator[Edge]:
    """Yield the edges on the ways from a source outwards, each turned to lead away from it."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop(0)
        for link in links:
            for edge in (link, link.turned()):
                if edge.left is here and edge.right not in seen:
                    seen.add(edge.right)
                    waiting.append(edge.right)
                    yield edge


def outer_side(block: Block) -> set[Source]:
    """Return the sources whose columns may be null because an outer join found no partner."""
    found: set[Source] = set()
    for join in block.joins:
        if join.kind in (JoinType.JOIN_LEFT, JoinType.JOIN_FULL):
            found.update(join.right)
        if join.kind in (JoinType.JOIN_RIGHT, JoinType.JOIN_FULL):
            found.update(join.left)
    return found
