"""Tell what kind of value an expression gives, as far as its form and the schema tell."""

from __future__ import annotations

import re
from typing import Any, Literal

from pglast.enums import A_Expr_Kind

from nl2sql_fdw.explain.blocks import Block
from nl2sql_fdw.explain.tree import ast, call_name

Kind = Literal["integer", "number", "text", "date", "timestamp", "boolean"]

_TYPES: tuple[tuple[str, Kind], ...] = (
    (r"(small|big)?int(eger)?\b|int[248]\b|(small|big)?serial", "integer"),
    (r"numeric|decimal|real|double precision|float[48]?\b|money", "number"),
    (r"text|character|char|varchar|bpchar|name\b|citext", "text"),
    (r"date\b", "date"),
    (r"timestamp", "timestamp"),
    (r"bool", "boolean"),
)

_CALLS: dict[str, Kind] = {
    "count": "integer", "length": "integer", "char_length": "integer", "row_number": "integer",
    "rank": "integer", "dense_rank": "integer", "extract": "number", "round": "number",
    "date_part": "number", "now": "timestamp", "date_trunc": "timestamp", "lower": "text",
    "upper": "text", "trim": "text", "to_char": "text", "concat": "text", "substring": "text",
    "to_timestamp": "timestamp", "to_date": "date", "random": "number", "stddev": "number",
}  # fmt: skip

_AS_ARGUMENT = frozenset({"min", "max", "coalesce", "abs", "nullif", "lag", "lead", "first_value"})


def of_type(name: str) -> Kind | None:
    """Return the kind of a type as format_type writes it; None for arrays and all others."""
    if name.endswith("[]"):
        return None
    for pattern, kind in _TYPES:
        if re.match(pattern, name):
            return kind
    return None


def of(node: Any, block: Block) -> Kind | None:
    """Return the kind of an expression in its block, None where it is not plain."""
    if isinstance(node, ast.ColumnRef):
        return _of_column(node, block)
    if isinstance(node, ast.A_Const):
        return _of_constant(node)
    if isinstance(node, ast.TypeCast):
        return of_type(str(node.typeName.names[-1].sval)) if not node.typeName.arrayBounds else None
    if isinstance(node, ast.FuncCall):
        return _of_call(node, block)
    if isinstance(node, ast.CoalesceExpr):
        return of(node.args[0], block)
    if isinstance(node, ast.SQLValueFunction):
        return "date" if node.op.name == "SVFOP_CURRENT_DATE" else "timestamp"
    if isinstance(node, ast.A_Expr) and node.kind == A_Expr_Kind.AEXPR_OP:
        return _of_operator(node, block)
    return None


def _of_column(ref: Any, block: Block) -> Kind | None:
    place = block.find(ref)
    if place is None:
        return None
    if place.output.column is not None:
        return of_type(place.output.column.type)
    if place.output.value is None or place.output.block is None:
        return None
    return of(place.output.value, place.output.block)


def _of_constant(node: Any) -> Kind | None:
    kinds: dict[str, Kind] = {"Integer": "integer", "Float": "number", "Boolean": "boolean"}
    return kinds.get(type(node.val).__name__)


def _of_call(node: Any, block: Block) -> Kind | None:
    name = call_name(node)
    if name in ("sum", "avg"):
        inner = of(node.args[0], block) if node.args else None
        return "integer" if name == "sum" and inner == "integer" else "number"
    if name in _AS_ARGUMENT:
        return of(node.args[0], block) if node.args else None
    return _CALLS.get(name)


def _of_operator(node: Any, block: Block) -> Kind | None:
    sign = node.name[-1].sval
    if sign not in ("+", "-", "*", "/", "%") or node.lexpr is None:
        return "text" if sign == "||" else None
    left, right = of(node.lexpr, block), of(node.rexpr, block)
    if left == right == "integer":
        return "integer"
    if left == right == "date" and sign == "-":
        return "integer"
    if {left, right} <= {"integer", "number"}:
        return "number"
    return left if left in ("date", "timestamp") and right in ("integer", None) else None
