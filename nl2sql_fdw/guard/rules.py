"""One rule for each node type that needs more than to be on the list of node types."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nl2sql_fdw.guard.bounds import check_bounds
from nl2sql_fdw.guard.digits import check_digits, check_literal
from nl2sql_fdw.guard.findings import Findings
from nl2sql_fdw.guard.names import (
    CATALOG,
    check_attribute,
    check_column,
    check_function,
    check_operator,
    check_type,
    parts,
)
from nl2sql_fdw.guard.policy import Refusal

EQUALS = ("=",)
ANY_COUNT = -1
COMMANDS = {
    "VariableSetStmt": "SET", "VariableShowStmt": "SHOW", "TransactionStmt": "BEGIN or COMMIT",
    "CreateStmt": "CREATE TABLE", "CreateTableAsStmt": "CREATE TABLE", "ViewStmt": "CREATE VIEW",
    "IndexStmt": "CREATE INDEX", "ConstraintsSetStmt": "SET CONSTRAINTS",
}  # fmt: skip


def command(node: Any) -> str:
    """Return a statement's name as a person writes it: AlterTableStmt is ALTER TABLE."""
    name = type(node).__name__
    words = re.findall(r"[A-Z][a-z]*", name.removesuffix("Stmt"))
    return COMMANDS.get(name, " ".join(words).upper())


def _select(node: Any, found: Findings) -> None:
    if node.intoClause is not None:
        raise Refusal("statement", "SELECT INTO would create a table.", "Leave INTO out.")
    if node.lockingClause:
        raise Refusal("statement", "FOR UPDATE or FOR SHARE would lock rows.", "Leave it out.")


def _common_table(node: Any, found: Findings) -> None:
    if type(node.ctequery).__name__ != "SelectStmt":
        raise Refusal(
            "statement",
            f"The WITH query {node.ctename} would run {command(node.ctequery)}.",
            "Only SELECT may stand in WITH.",
        )
    found.range_names.add(node.ctename)
    found.output_names.update(parts(node.aliascolnames or ()))


def _alias(node: Any, found: Findings) -> None:
    found.range_names.add(node.aliasname)
    found.output_names.update(parts(node.colnames or ()))


def _target(node: Any, found: Findings) -> None:
    if node.name is not None:
        found.output_names.add(node.name)


def _function(node: Any, found: Findings) -> None:
    args = node.args or ()
    count = len(args) + (len(node.agg_order or ()) if node.agg_within_group else 0)
    words = parts(node.funcname)
    check_function(words, count, found, variadic=bool(node.func_variadic))
    check_bounds(words[-1], args, found.policy)
    check_digits(words[-1], args, found)


def _expression(node: Any, found: Findings) -> None:
    words = parts(node.name)
    kind = node.kind.name
    if "BETWEEN" in kind:
        check_operator((">=",), found)
        check_operator(("<=",), found)
        if "NOT" in kind:
            check_operator((">",), found)
            check_operator(("<",), found)
    else:
        check_operator(words, found)
        check_digits(words[-1], (node.lexpr, node.rexpr), found)


def _number(node: Any, found: Findings) -> None:
    check_literal(node.fval, found)


def _sublink(node: Any, found: Findings) -> None:
    if node.operName:
        check_operator(parts(node.operName), found)
    elif node.testexpr is not None:
        check_operator(EQUALS, found)


def _sort(node: Any, found: Findings) -> None:
    if node.useOp:
        check_operator(parts(node.useOp), found)


def _case(node: Any, found: Findings) -> None:
    if node.arg is not None:
        check_operator(EQUALS, found)


def _join(node: Any, found: Findings) -> None:
    names = parts(node.usingClause or ())
    found.columns.update(names)
    if names or node.isNatural:
        check_operator(EQUALS, found)
    if node.isNatural or (node.alias is not None and node.alias.colnames):
        found.whole_rows = True


def _type(node: Any, found: Findings) -> None:
    words = parts(node.names)
    if node.pct_type or node.setof:
        raise Refusal("type", f"The type {'.'.join(words)} uses %TYPE or SETOF.")
    check_type(words, found)


def _column(node: Any, found: Findings) -> None:
    last = node.fields[-1]
    if type(last).__name__ == "A_Star":
        found.whole_rows = True
        if len(node.fields) > 3:
            raise Refusal("column", "The star is written with a database's name.")
    else:
        check_column(parts(node.fields), found)


def _indirection(node: Any, found: Findings) -> None:
    for step in node.indirection:
        kind = type(step).__name__
        if kind == "A_Star":
            found.whole_rows = True
        elif kind == "String":
            check_attribute(step.sval, found)
            found.columns.add(step.sval)
            if step.sval == "xml":
                check_type(("xml",), found)


def _collation(node: Any, found: Findings) -> None:
    words = parts(node.collname)
    if len(words) > 1 and words[0] != CATALOG:
        raise Refusal(
            "type", f"The collation {'.'.join(words)} is not the server's own.", "Leave it out."
        )


def _sample(node: Any, found: Findings) -> None:
    words = parts(node.method)
    if words[-1] not in ("bernoulli", "system") or words[:-1] not in ((), (CATALOG,)):
        raise Refusal(
            "function",
            f"The sampling method {'.'.join(words)} is not allowed.",
            "Use BERNOULLI or SYSTEM.",
        )


def _new_function(name: str) -> Callable[[Any, Findings], None]:
    """Return the rule for syntax that an older server reads as a call of that name."""

    def rule(node: Any, found: Findings) -> None:
        found.functions[(None, name, ANY_COUNT)] = None

    return rule


def _json_function(node: Any, found: Findings) -> None:
    name = node.op.name.removesuffix("_OP").lower()
    found.functions[(None, name, ANY_COUNT)] = None


RULES: dict[str, Callable[[Any, Findings], None]] = {
    "SelectStmt": _select,
    "CommonTableExpr": _common_table,
    "Alias": _alias,
    "ResTarget": _target,
    "FuncCall": _function,
    "A_Expr": _expression,
    "Float": _number,
    "SubLink": _sublink,
    "SortBy": _sort,
    "CaseExpr": _case,
    "JoinExpr": _join,
    "TypeName": _type,
    "ColumnRef": _column,
    "A_Indirection": _indirection,
    "CollateClause": _collation,
    "RangeTableSample": _sample,
    "JsonObjectConstructor": _new_function("json_object"),
    "JsonArrayConstructor": _new_function("json_array"),
    "JsonArrayQueryConstructor": _new_function("json_array"),
    "JsonObjectAgg": _new_function("json_objectagg"),
    "JsonArrayAgg": _new_function("json_arrayagg"),
    "JsonParseExpr": _new_function("json"),
    "JsonScalarExpr": _new_function("json_scalar"),
    "JsonSerializeExpr": _new_function("json_serialize"),
    "JsonFuncExpr": _json_function,
    "JsonTable": _new_function("json_table"),
}
