"""A query in plain language: a few sentences for each of its SELECTs, made from the tree alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pglast.enums import JoinType, SetOperation, SortByDir

from nl2sql_fdw.explain import joins
from nl2sql_fdw.explain.blocks import Block, Join, Source
from nl2sql_fdw.explain.phrases import Phrases, listed, quoted, title
from nl2sql_fdw.explain.tree import aggregates, ast, conjuncts, group_items

_SETS = {
    SetOperation.SETOP_UNION: "the rows of {} and {} together",
    SetOperation.SETOP_INTERSECT: "the rows that {} and {} have in common",
    SetOperation.SETOP_EXCEPT: "the rows of {} that are not in {}",
}
_MOST_PARTS = 30


def describe(blocks: Sequence[Block]) -> str:
    """Return the account of one statement, a line for each of its parts, the result first."""
    return "\n".join(_Account(blocks).lines()) if blocks else ""


class _Account:
    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = {id(block.stmt): block for block in blocks}
        self._root = blocks[-1].stmt
        self._names: dict[int, str] = {}
        self._waiting: list[Any] = []

    def lines(self) -> Iterator[str]:
        """Yield the result's line, then those of the parts that it names, as they are met."""
        self._name_ctes()
        yield " ".join(self._sentences(self._root))
        told = 0
        while self._waiting and told < _MOST_PARTS:
            stmt, told = self._waiting.pop(0), told + 1
            yield f"{self._names[id(stmt)]}: " + " ".join(self._sentences(stmt))
        if self._waiting:
            yield f"... and {len(self._waiting)} more parts."

    def _name_ctes(self) -> None:
        for block in self._blocks.values():
            clause = block.stmt.withClause
            for cte in clause.ctes if clause else ():
                if id(cte.ctequery) in self._blocks:
                    self._names[id(cte.ctequery)] = cte.ctename
                    self._waiting.append(cte.ctequery)

    def _name(self, stmt: Any, given: str = "") -> str:
        """Return the name of a part, and see to it that the part is told of."""
        if id(stmt) not in self._names:
            numbers = sum(name.startswith("part ") for name in self._names.values())
            self._names[id(stmt)] = given or f"part {numbers + 1}"
            self._waiting.append(stmt)
        return self._names[id(stmt)]

    def _sentences(self, stmt: Any) -> Iterator[str]:
        block = self._blocks[id(stmt)]
        say = Phrases(block, self._name)
        if stmt.op != SetOperation.SETOP_NONE:
            parts = _SETS[stmt.op].format(self._name(stmt.larg), self._name(stmt.rarg))
            yield f"Gives {parts}{', each as often as it comes' if stmt.all else ''}."
        elif stmt.valuesLists:
            yield f"Gives {len(stmt.valuesLists)} rows that the query itself holds."
        else:
            yield f"Gives {self._outputs(stmt, say)}."
            yield from self._from(block, say)
            yield from _groups(stmt, say)
        yield from _order(stmt, say)

    def _outputs(self, stmt: Any, say: Phrases) -> str:
        told = []
        for target in stmt.targetList or ():
            phrase = say.value(target.val)
            alias = target.name and f" (as {target.name})"
            told.append(phrase + (alias or ""))
        different = "each different " if stmt.distinctClause else ""
        return different + (listed(told) or "rows without columns")

    def _from(self, block: Block, say: Phrases) -> Iterator[str]:
        stmt = block.stmt
        self._name_derived(stmt.fromClause or ())
        if block.sources:
            yield f"Reads {listed([_called(source) for source in block.sources])}."
        for join in block.joins:
            yield from _joined(join, block, say)
        if block.filters:
            yield f"Only rows where {_all(block.filters, say)}."

    def _name_derived(self, items: Sequence[Any]) -> None:
        for item in items:
            if isinstance(item, ast.JoinExpr):
                self._name_derived((item.larg, item.rarg))
            elif isinstance(item, ast.RangeSubselect) and item.alias is not None:
                self._name(item.subquery, item.alias.aliasname)


def _called(source: Source) -> str:
    if source.written and source.written != source.name:
        return f"{source.written} (as {source.name})"
    return source.name or "a function's rows"


def _joined(join: Join, block: Block, say: Phrases) -> Iterator[str]:
    sides = (join.left, join.right)
    left, right = (listed([title(source, block) for source in side]) for side in sides)
    if join.conditions:
        on = f" where {_all(join.conditions, say)}"
    elif join.using or join.natural:
        on = f" where {listed(list(join.using)) or 'the columns of one name'} agree"
    else:
        on = ", every row with every row"
    yield f"Takes {left} with {right}{on}{_kept(join.kind, left, right)}."


def _kept(kind: JoinType, left: str, right: str) -> str:
    if kind == JoinType.JOIN_FULL:
        return "; rows of either without a match are kept"
    if kind in (JoinType.JOIN_LEFT, JoinType.JOIN_RIGHT):
        return f"; rows of {left if kind == JoinType.JOIN_LEFT else right} without a match are kept"
    return ""


def _all(parts: Sequence[Any], say: Phrases) -> str:
    """Say conditions that must all hold, an "or" among others in brackets."""
    said = [say.condition(part) for part in parts]
    if len(parts) == 1:
        return said[0]
    return listed(
        [
            f"({words})" if isinstance(part, ast.BoolExpr) else words
            for part, words in zip(parts, said, strict=True)
        ]
    )


def _groups(stmt: Any, say: Phrases) -> Iterator[str]:
    if stmt.groupClause:
        items = [say.value(item) for item in group_items(stmt)]
        yield f"One row for each {listed(items)}."
    elif next(aggregates(stmt.targetList or ()), None) is not None:
        yield "All rows are taken together to one."
    if stmt.havingClause is not None:
        yield f"Only groups where {_all(conjuncts(stmt.havingClause), say)}."


def _order(stmt: Any, say: Phrases) -> Iterator[str]:
    if stmt.sortClause:
        yield f"In the order of {listed([_sorted(item, stmt, say) for item in stmt.sortClause])}."
    if stmt.limitCount is not None and not getattr(stmt.limitCount, "isnull", False):
        count = quoted(stmt.limitCount)
        yield "Only the first row." if count == "1" else f"At most {count} rows."
    if stmt.limitOffset is not None:
        yield f"The first {quoted(stmt.limitOffset)} are left out."


def _sorted(item: Any, stmt: Any, say: Phrases) -> str:
    node, down = item.node, item.sortby_dir == SortByDir.SORTBY_DESC
    if isinstance(node, ast.A_Const) and isinstance(node.val, ast.Integer):
        targets = stmt.targetList or ()
        node = targets[node.val.ival - 1].val if 0 < node.val.ival <= len(targets) else node
    return f"{say.value(node)}, {'highest' if down else 'lowest'} first"


def backing(blocks: Sequence[Block]) -> list[dict[str, str | bool | None]]:
    """Return each join of two sources: what it compares, the key behind it, and a warning.

    The key is a foreign key, or the table that both sides point at; without either there is
    a warning, but none where a side is no table.
    """
    return [_backed(edge) for block in blocks for edge in joins.edges(block)]


def _backed(edge: joins.Edge) -> dict[str, str | bool | None]:
    key, third = joins.backing(edge), joins.through(edge)
    if key is not None:
        behind = f"foreign key ({', '.join(key.columns)}) to {key.target}"
        behind += f"({', '.join(key.target_columns)})"
    else:
        behind = f"both sides are {third}" if third else ""
    tables = edge.left.relation is not None and edge.right.relation is not None
    return {
        "left": _called(edge.left),
        "right": _called(edge.right),
        "on": " and ".join(f"{edge.left.name}.{a} = {edge.right.name}.{b}" for a, b in edge.pairs),
        "key": behind or None,
        "warning": "no foreign key" if tables and not behind else None,
    }
