"""Expressions in words: what is plain is said, all else is quoted as SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pglast.enums import A_Expr_Kind, BoolExprType, NullTestType, SubLinkType
from pglast.stream import RawStream

from nl2sql_fdw.explain.blocks import Block, Source
from nl2sql_fdw.explain.tree import ast, call_name

_SIGNS = {
    "=": "is", "<>": "is not", "<": "is below", "<=": "is at most", ">": "is above",
    ">=": "is at least", "~~": "matches", "!~~": "does not match", "~~*": "matches, in any case,",
    "!~~*": "does not match, in any case,", "~": "matches", "~*": "matches, in any case,",
}  # fmt: skip
_CALLS = {
    "sum": "the total of {}", "avg": "the average of {}", "min": "the smallest {}",
    "max": "the largest {}", "lower": "{} in small letters", "upper": "{} in capitals",
    "length": "the length of {}", "abs": "{} without its sign", "round": "{}, rounded",
    "string_agg": "a list of {}", "array_agg": "a list of {}",
}  # fmt: skip
_LONGEST = 200


class Phrases:
    """Says the expressions of one block; `name` gives the name of a subquery in the account."""

    def __init__(self, block: Block, name: Callable[[Any], str]) -> None:
        self._block = block
        self._name = name

    def value(self, node: Any) -> str:
        """Say a value."""
        if isinstance(node, ast.ColumnRef):
            return self._column(node)
        if isinstance(node, ast.SubLink):
            return self._subquery(node)
        if isinstance(node, ast.FuncCall) and node.over is None:
            return self._call(node)
        if isinstance(node, ast.TypeCast) and isinstance(node.arg, (ast.ColumnRef, ast.A_Const)):
            return self.value(node.arg)
        return quoted(node)

    def condition(self, node: Any) -> str:
        """Say a condition, without a subject of its own: 'x is 3 and y is missing'."""
        if isinstance(node, ast.BoolExpr):
            return self._combined(node)
        if isinstance(node, ast.NullTest):
            missing = node.nulltesttype == NullTestType.IS_NULL
            return f"{self.value(node.arg)} is {'missing' if missing else 'present'}"
        if isinstance(node, ast.A_Expr) and node.lexpr is not None:
            return self._comparison(node)
        return self._subquery(node) if isinstance(node, ast.SubLink) else self.value(node)

    def _column(self, node: Any) -> str:
        place = self._block.find(node)
        if place is not None and place.source.name:
            alone = len(place.block.sources) == 1 and place.block is self._block
            return f"{'' if alone else title(place.source, place.block) + '.'}{place.output.name}"
        if isinstance(node.fields[-1], ast.A_Star):
            of = ".".join(part.sval for part in node.fields[:-1])
            return f"every column of {of}" if of else "every column"
        return ".".join(part.sval for part in node.fields)

    def _call(self, node: Any) -> str:
        name = call_name(node)
        kept = f", where {self.condition(node.agg_filter)}" if node.agg_filter else ""
        if name == "count":
            return self._count(node) + kept
        if name not in _CALLS or not node.args or node.agg_within_group:
            return quoted(node)
        different = "different values of " if node.agg_distinct else ""
        return _CALLS[name].format(different + self.value(node.args[0])) + kept

    def _count(self, node: Any) -> str:
        if node.agg_star or not node.args:
            return "the number of rows"
        counted = self.value(node.args[0])
        if node.agg_distinct:
            return f"the number of different {counted}"
        return f"the number of rows that have {counted}"

    def _combined(self, node: Any) -> str:
        if node.boolop == BoolExprType.NOT_EXPR:
            return f"not ({self.condition(node.args[0])})"
        word = " and " if node.boolop == BoolExprType.AND_EXPR else " or "
        parts = [
            f"({self.condition(arg)})" if isinstance(arg, ast.BoolExpr) else self.condition(arg)
            for arg in node.args
        ]
        return word.join(parts)

    def _comparison(self, node: Any) -> str:
        sign, left = node.name[-1].sval, self.value(node.lexpr)
        if node.kind in (A_Expr_Kind.AEXPR_BETWEEN, A_Expr_Kind.AEXPR_NOT_BETWEEN):
            low, high = map(self.value, node.rexpr)
            no = "not " if node.kind == A_Expr_Kind.AEXPR_NOT_BETWEEN else ""
            return f"{left} is {no}from {low} to {high}"
        if node.kind == A_Expr_Kind.AEXPR_IN:
            listed = ", ".join(map(self.value, node.rexpr))
            return f"{left} is {'none' if sign == '<>' else 'one'} of {listed}"
        plain = (A_Expr_Kind.AEXPR_OP, A_Expr_Kind.AEXPR_LIKE, A_Expr_Kind.AEXPR_ILIKE)
        if node.kind in plain and sign in _SIGNS:
            return f"{left} {_SIGNS[sign]} {self.value(node.rexpr)}"
        return quoted(node)

    def _subquery(self, node: Any) -> str:
        name = self._name(node.subselect)
        if node.subLinkType == SubLinkType.EXISTS_SUBLINK:
            return f"there is a row in {name}"
        if node.subLinkType == SubLinkType.ANY_SUBLINK and node.operName is None:
            return f"{self.value(node.testexpr)} is in {name}"
        if node.subLinkType == SubLinkType.EXPR_SUBLINK:
            return f"the value of {name}"
        return quoted(node)


def title(source: Source, block: Block) -> str:
    """Return what to call a source: what FROM names, where the block reads that once."""
    once = [other.written or other.name for other in block.sources].count(source.written) == 1
    return source.written if source.written and once else source.name


def quoted(node: Any) -> str:
    """Return an expression as SQL, on one line, cut where it is long."""
    text = " ".join(str(RawStream()(node)).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def listed(parts: list[str]) -> str:
    """Join words as a person does: a, b and c."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
