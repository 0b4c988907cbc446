"""Read one statement as blocks: each SELECT, what it takes its rows from, and what joins them.

Names are taken as they stand: what the binder could not mend is left unresolved here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pglast.enums import JoinType, SetOperation

from nl2sql_fdw.explain.tree import ast, call_name, conjuncts, group_items, is_single, nodes
from nl2sql_fdw.types import Column, Relation, Schema


@dataclass(frozen=True, eq=False)
class Output:
    """A column that a source gives: that of a relation, or a value of the block it comes from."""

    name: str
    relation: Relation | None = None
    column: Column | None = None
    value: Any = None
    block: Block | None = None


@dataclass(frozen=True, eq=False)
class Source:
    """One item of FROM. `outputs` is None where they are not known.

    `keys` are sets of columns of which no two rows agree; `single` has one row at most;
    `made` is written on the spot, by a function or VALUES, and joined to all on purpose;
    `asks` are the sources beside it that a LATERAL one, or a function, takes its values from;
    `written` is what FROM names: a table, or a query of WITH.
    """

    name: str
    outputs: tuple[Output, ...] | None
    relation: Relation | None = None
    keys: tuple[frozenset[str], ...] = ()
    single: bool = False
    made: bool = False
    asks: frozenset[Source] = frozenset()
    written: str = ""

    def output(self, name: str) -> Output | None:
        return next((o for o in self.outputs or () if o.name == name), None)


@dataclass(frozen=True, eq=False)
class Join:
    """One JOIN: the sources on its two sides, its conditions, and the names of its USING."""

    kind: JoinType
    left: tuple[Source, ...]
    right: tuple[Source, ...]
    conditions: tuple[Any, ...]
    using: tuple[str, ...]
    natural: bool


@dataclass(eq=False)
class Block:
    """One SELECT, or one set operation, which has no sources; those of `inner` may ask of it."""

    stmt: Any
    outer: Block | None
    sources: list[Source] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    inner: list[Block] = field(default_factory=list)

    @property
    def filters(self) -> tuple[Any, ...]:
        """The conditions of WHERE, all of which must hold."""
        return conjuncts(self.stmt.whereClause)

    def find(self, ref: Any) -> Place | None:
        """Return the source and the column that a reference means; None where not plain."""
        parts = [part.sval for part in ref.fields if isinstance(part, ast.String)]
        if len(parts) != len(ref.fields) or len(parts) not in (1, 2):
            return None
        block: Block | None = self
        while block is not None:
            named = [s for s in block.sources if len(parts) == 1 or s.name == parts[0]]
            found = [Place(block, s, o) for s in named if (o := s.output(parts[-1]))]
            if found:
                return found[0] if len(found) == 1 else None
            if any(source.outputs is None for source in named):
                return None
            block = block.outer
        return None


@dataclass(frozen=True, eq=False)
class Place:
    """Where a column reference leads."""

    block: Block
    source: Source
    output: Output


def read(tree: Any, schema: Schema) -> list[Block]:
    """Return the blocks of one parsed SELECT, the outermost last."""
    reader = _Reader(schema)
    stmt = tree.stmt if isinstance(tree, ast.RawStmt) else tree
    if isinstance(stmt, ast.SelectStmt):
        reader.select(stmt, None, {})
    return reader.blocks


class _Reader:
    """Visits the SELECTs from the inside of each WITH and FROM outwards."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.blocks: list[Block] = []

    def select(self, stmt: Any, outer: Block | None, ctes: Mapping[str, Source]) -> Source:
        """Read one SELECT; return what it gives, as a source without a name."""
        seen = dict(ctes)
        for cte in stmt.withClause.ctes if stmt.withClause else ():
            if stmt.withClause.recursive:
                seen[cte.ctename] = Source(cte.ctename, None)
            if isinstance(cte.ctequery, ast.SelectStmt):
                given = self.select(cte.ctequery, outer, seen)
                seen[cte.ctename] = _renamed(given, cte.ctename, cte.aliascolnames)
        block = Block(stmt, outer)
        if outer is not None:
            outer.inner.append(block)
        if stmt.op != SetOperation.SETOP_NONE:
            given = self.select(stmt.larg, outer, seen)
            self.select(stmt.rarg, outer, seen)
            self.blocks.append(block)
            return Source("", given.outputs)
        for item in stmt.fromClause or ():
            self._item(item, block, seen)
        for node in _own(stmt):
            if isinstance(node, ast.SelectStmt):
                self.select(node, block, seen)
        self.blocks.append(block)
        return _given(block)

    def _item(self, item: Any, block: Block, ctes: Mapping[str, Source]) -> tuple[Source, ...]:
        if isinstance(item, ast.JoinExpr):
            left = self._item(item.larg, block, ctes)
            right = self._item(item.rarg, block, ctes)
            using = tuple(name.sval for name in item.usingClause or ())
            join = Join(
                item.jointype, left, right, conjuncts(item.quals), using, bool(item.isNatural)
            )
            block.joins.append(join)
            return left + right
        source = self._source(item, block, ctes)
        block.sources.append(source)
        return (source,)

    def _source(self, item: Any, block: Block, ctes: Mapping[str, Source]) -> Source:
        before = len(self.blocks)
        alias = getattr(item, "alias", None)
        if isinstance(item, ast.RangeSubselect):
            given = self.select(item.subquery, block if item.lateral else block.outer, ctes)
        elif not isinstance(item, ast.RangeVar):
            given = Source("", None, made=True)
        elif item.schemaname is None and item.relname in ctes:
            given = ctes[item.relname]
        else:
            given = self._table(item)
        name = alias.aliasname if alias else given.name
        asked = [(node, inner) for inner in self.blocks[before:] for node in expressions(inner)]
        if given.made and not isinstance(item, ast.RangeSubselect):
            asked += [(node, block) for node in nodes(item)]
        places = [inner.find(node) for node, inner in asked if isinstance(node, ast.ColumnRef)]
        asks = frozenset(place.source for place in places if place and place.block is block)
        written = item.relname if isinstance(item, ast.RangeVar) else ""
        named = _renamed(given, name, alias and alias.colnames)
        return replace(named, asks=asks, written=written)

    def _table(self, var: Any) -> Source:
        found = self._schema.named(var.relname)
        if var.schemaname:
            found = tuple(r for r in found if r.schema == var.schemaname)
        elif len(found) > 1:
            order = [r for s in self._schema.search_path for r in found if r.schema == s]
            found = tuple(order[:1])
        if len(found) != 1:
            return Source(var.relname, None)
        outputs = tuple(Output(column.name, found[0], column) for column in found[0].columns)
        keys = (frozenset(found[0].primary_key),) if found[0].primary_key else ()
        return Source(var.relname, outputs, found[0], keys)


def _own(stmt: Any) -> Iterator[Any]:
    """Yield the nodes of a SELECT's own expressions, those of FROM's conditions included."""
    for part in stmt:
        if part not in ("withClause", "fromClause"):
            yield from nodes(getattr(stmt, part))
    stack = list(stmt.fromClause or ())
    while stack:
        item = stack.pop()
        if isinstance(item, ast.JoinExpr):
            stack += [item.larg, item.rarg]
            yield from nodes(item.quals)
        elif not isinstance(item, (ast.RangeVar, ast.RangeSubselect)):
            yield from nodes(item)


def expressions(block: Block) -> Iterator[Any]:
    """Yield the nodes of a block's own expressions, not of the SELECTs inside it."""
    if block.stmt.op == SetOperation.SETOP_NONE:
        yield from _own(block.stmt)


def _given(block: Block) -> Source:
    outputs = _outputs(block)
    made = block.stmt.valuesLists is not None or not block.stmt.fromClause
    return Source("", outputs, None, tuple(_keys(block, outputs)), is_single(block.stmt), made)


def _outputs(block: Block) -> tuple[Output, ...] | None:
    found: list[Output] = []
    for target in block.stmt.targetList or ():
        value = target.val
        if isinstance(value, ast.ColumnRef) and isinstance(value.fields[-1], ast.A_Star):
            star = _star(value, block)
            if star is None:
                return None
            found += star
            continue
        place = block.find(value) if isinstance(value, ast.ColumnRef) else None
        name = target.name or _default_name(value)
        if place is not None:
            found.append(Output(name, place.output.relation, place.output.column, value, block))
        else:
            found.append(Output(name, value=value, block=block))
    return tuple(found)


def _star(ref: Any, block: Block) -> list[Output] | None:
    names = [part.sval for part in ref.fields[:-1]]
    sources = [s for s in block.sources if not names or s.name == names[-1]]
    if any(source.outputs is None for source in sources):
        return None
    return [output for source in sources for output in source.outputs or ()]


def _default_name(value: Any) -> str:
    if isinstance(value, ast.ColumnRef):
        return str(value.fields[-1].sval)
    if isinstance(value, ast.FuncCall):
        return call_name(value)
    return _default_name(value.arg) if isinstance(value, ast.TypeCast) else "?column?"


def _keys(block: Block, outputs: tuple[Output, ...] | None) -> Iterator[frozenset[str]]:
    """Yield the sets of outputs of which no two rows of a block agree."""
    if outputs is None or block.stmt.valuesLists:
        return
    names = frozenset(output.name for output in outputs)
    if block.stmt.distinctClause == (None,):
        yield names
    if block.stmt.groupClause:
        items = [_output_for(item, outputs, block) for item in group_items(block.stmt)]
        if None not in items:
            yield frozenset(name for name in items if name is not None)
    elif len(block.sources) == 1:
        for key in block.sources[0].keys:
            kept = {_column(output, block): output.name for output in outputs}
            if key <= kept.keys():
                yield frozenset(kept[name] for name in key)


def _column(output: Output, block: Block) -> str:
    if output.block is block and isinstance(output.value, ast.ColumnRef):
        return str(output.value.fields[-1].sval)
    return output.name if output.value is None else ""


def _output_for(item: Any, outputs: tuple[Output, ...], block: Block) -> str | None:
    for output in outputs:
        if output.value is not None and (output.value is item or same(output.value, item, block)):
            return output.name
    return None


def same(one: Any, other: Any, block: Block) -> bool:
    """Tell whether two expressions of a block say the same, as t.a and a may."""
    if isinstance(one, ast.ColumnRef) and isinstance(other, ast.ColumnRef):
        here, there = block.find(one), block.find(other)
        if here and there:
            return here.source is there.source and here.output is there.output
    return bool(_plain(one) == _plain(other))


def _plain(node: Any) -> Any:
    """Return an expression without the places in the text at which it stands."""
    if isinstance(node, tuple):
        return tuple(map(_plain, node))
    if isinstance(node, ast.Node):
        parts = [part for part in node if part != "location" and "_list_" not in part]
        return (type(node).__name__, *(_plain(getattr(node, part)) for part in parts))
    return node


def _renamed(given: Source, name: str, aliases: Any) -> Source:
    outputs, keys = given.outputs, given.keys
    if aliases and outputs is not None:
        new = [alias.sval for alias in aliases]
        new += [output.name for output in outputs[len(new) :]]
        outputs = tuple(
            Output(n, o.relation, o.column, o.value, o.block)
            for n, o in zip(new, outputs, strict=False)
        )
        keys = ()
    return Source(name, outputs, given.relation if not aliases else None, keys, given.single,
                  given.made)  # fmt: skip
