"""The walk over the whole parse tree: every node on the list, every name in its scope."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nl2sql_fdw.guard import lists
from nl2sql_fdw.guard.findings import Findings
from nl2sql_fdw.guard.names import check_relation
from nl2sql_fdw.guard.policy import Refusal
from nl2sql_fdw.guard.rules import RULES, command

Scope = frozenset[str]
"""Names of the WITH queries that a FROM item may mean."""

MESSAGES = {
    "ParamRef": ("statement", "The query has a parameter ($1).", "Write the value itself."),
    "SetToDefault": ("statement", "DEFAULT is only for INSERT.", "Write the value itself."),
    "XmlExpr": ("node", "XML is not for questions.", "Use JSON or text functions."),
    "XmlSerialize": ("node", "XML is not for questions.", "Use JSON or text functions."),
    "RangeTableFunc": ("node", "XMLTABLE is not for questions.", "Use JSON_TABLE or a table."),
}


def walk(root: Any, found: Findings) -> None:
    """Visit every node once, without recursion; raise Refusal at the first that may not stand."""
    specs = lists.nodes()
    stack: list[tuple[Any, Scope, int]] = [(root, frozenset(), 0)]
    while stack:
        node, scope, depth = stack.pop()
        if isinstance(node, tuple):
            stack.extend((item, scope, depth) for item in reversed(node) if item is not None)
            continue
        name = type(node).__name__
        spec = specs.get(name)
        if spec is None:
            raise _unlisted(node)
        if not spec.fields.issuperset(type(node).__slots__):
            raise Refusal("node", f"The parser's {name} has a part that nobody has reviewed.")
        if depth > found.policy.max_depth:
            raise Refusal("size", f"The SQL is deeper than {found.policy.max_depth} levels.")
        rule = RULES.get(name)
        if rule is not None:
            rule(node, found)
        if name == "RangeVar":
            _relation(node, scope, found)
        elif name == "SelectStmt" and node.withClause is not None:
            stack.extend(_with_queries(node.withClause, scope, depth + 1))
            scope = scope | {cte.ctename for cte in node.withClause.ctes}
            children = [child for child in spec.children if child != "withClause"]
            stack.extend(_items(node, children, scope, depth + 1))
            continue
        stack.extend(_items(node, spec.children, scope, depth + 1))


def _items(
    node: Any, children: tuple[str, ...] | list[str], scope: Scope, depth: int
) -> Iterator[tuple[Any, Scope, int]]:
    for child in reversed(children):
        value = getattr(node, child, None)
        if value is not None:
            yield value, scope, depth


def _with_queries(clause: Any, scope: Scope, depth: int) -> Iterator[tuple[Any, Scope, int]]:
    """Yield each WITH query with the names it may use: the ones before it, all if RECURSIVE.

    Without RECURSIVE a query that uses its own name means the table of that name.
    """
    if clause.recursive:
        scope = scope | {cte.ctename for cte in clause.ctes}
    for cte in clause.ctes:
        yield cte, scope, depth
        scope = scope | {cte.ctename}


def _relation(node: Any, scope: Scope, found: Findings) -> None:
    found.range_names.add(node.relname)
    is_common_table = node.schemaname is None and node.relname in scope
    if is_common_table and not node.relname.startswith("pg_"):
        return
    check_relation(node, found)
    if node.alias is not None and node.alias.colnames:
        found.whole_rows = True


def _unlisted(node: Any) -> Refusal:
    name = type(node).__name__
    if name in MESSAGES:
        return Refusal(*MESSAGES[name])
    if name.endswith("Stmt"):
        return Refusal("statement", f"The SQL would run {command(node)}.", "Only SELECT may run.")
    return Refusal("node", f"The SQL uses {name}, which is not on the list of allowed syntax.")
