"""The guard for SQLite: one pure function from SQL text to a verdict.

It proves, on a tree of the parser library's SQLite dialect, that the text is one SELECT, VALUES or
set operation, made of reviewed syntax, that calls reviewed functions only and names no schema
table. SQLite then prepares the same text under an authorizer, and both must have seen the same
tables: see nl2sql_fdw/agreement.py. It knows no catalog.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from nl2sql_fdw.guard import sqlite_text
from nl2sql_fdw.guard.lists import lines
from nl2sql_fdw.guard.policy import Policy, Refusal
from nl2sql_fdw.types import Verdict

DEFAULT = Policy()
_COLLATIONS = ("binary", "nocase", "rtrim")
SYSTEM = ("sqlite_", "pragma_")
_ROOTS = ("Select", "Union", "Intersect", "Except", "Values", "Subquery")

Scope = frozenset[str]
"""Names of the WITH queries that a FROM item may mean, in lower case."""


def check(sql: str, policy: Policy = DEFAULT) -> Verdict:
    """Return the verdict on one statement; it never raises for what the text holds.

    Its relations are (database or None, name) as written, unquoted; its functions have no
    schema, and no count of arguments (0): SQLite itself checks that.
    """
    try:
        tokens = sqlite_text.read(sql, policy)
        _check_command(tokens[0])
        called = list(dict.fromkeys(sqlite_text.calls(tokens)))
        for name in called:
            _check_function(name, policy)
        relations = _walk(_parse(sqlite_text.write(tokens)), policy)
    except Refusal as no:
        return Verdict(allowed=False, layer=no.layer, reason=no.reason[:300], hint=no.hint)
    return Verdict(
        allowed=True,
        relations=tuple(relations),
        functions=tuple((None, name, 0) for name in called),
    )


def only_names(sql: str) -> str:
    """Return an allowed text with each quoted name in backticks, where it cannot be a string."""
    return sqlite_text.write(sqlite_text.read(sql, DEFAULT), "`")


def written(name: str) -> str:
    """Return a name so that it can only be a name."""
    return "`" + name.replace("`", "``") + "`"


@cache
def functions() -> frozenset[str]:
    """Return the names of the reviewed functions, as the authorizer is told them."""
    words = (line.split() for line in lines("sqlite_functions.txt") if not line.startswith("["))
    return frozenset(word for line in words for word in line)


@cache
def _nodes() -> Mapping[str, frozenset[str]]:
    found = {}
    for line in lines("sqlite_nodes.txt"):
        if not line.startswith("["):
            name, _, parts = line.partition(":")
            found[name] = frozenset(parts.split())
    return found


def aliases(sql: str) -> Mapping[str, frozenset[str]]:
    """Return the tables that each alias of an allowed text stands for, all in lower case."""
    found: dict[str, set[str]] = {}
    tree = _parse(sqlite_text.write(sqlite_text.read(sql, DEFAULT)))
    for node in tree.walk():
        if type(node).__name__ == "Table" and node.alias:
            found.setdefault(node.alias.lower(), set()).add(node.name.lower())
    return {alias: frozenset(names) for alias, names in found.items()}


def _check_command(first: sqlite_text.Token) -> None:
    if first.text != "(" and not first.is_word("select", "values", "with"):
        raise Refusal(
            "statement", f"The SQL would run {first.text.upper()}.", "Only SELECT may run."
        )


def _check_function(name: str, policy: Policy) -> None:
    if name not in functions() and name not in policy.functions:
        raise Refusal(
            "function",
            f"The function {name} is not on the list of reviewed functions.",
            "Use another function; the owner may allow it in the profile.",
        )


@lru_cache(maxsize=8)
def _parse(sql: str) -> Any:
    """Return the tree, which nobody changes: one text is parsed once for all that ask."""
    from sqlglot import ErrorLevel, parse
    from sqlglot.errors import SqlglotError

    try:
        statements = parse(sql, dialect="sqlite", error_level=ErrorLevel.IMMEDIATE)
    except (SqlglotError, RecursionError, ValueError) as error:
        said = str(error).split("\n")[0][:200]
        raise Refusal(
            "parse",
            f"The parser does not know this SQL: {said}",
            "Write plain SELECT syntax; what the parser does not know is refused.",
        ) from None
    if len(statements) != 1 or statements[0] is None:
        raise Refusal("statement", "The SQL is not one statement.", "Write exactly one.")
    name = type(statements[0]).__name__
    if name not in _ROOTS:
        raise Refusal("statement", f"The SQL would run {name.upper()}.", "Only SELECT may run.")
    return statements[0]


def _walk(root: Any, policy: Policy) -> dict[tuple[str | None, str], None]:
    """Visit every node once, without recursion; return the relations, in order of sight."""
    relations: dict[tuple[str | None, str], None] = {}
    stack: list[tuple[Any, Scope, int]] = [(root, frozenset(), 0)]
    while stack:
        node, scope, depth = stack.pop()
        if depth > policy.max_depth:
            raise Refusal("size", f"The SQL is deeper than {policy.max_depth} levels.")
        _check_node(node)
        name = type(node).__name__
        if name == "Table":
            named = _relation(node, scope)
            if named is not None:
                relations[named] = None
        elif node.args.get("with_"):
            scope = scope | {query.alias.lower() for query in node.args["with_"].expressions}
        elif name == "CTE" and type(node.this).__name__ not in _ROOTS:
            raise Refusal(
                "statement",
                f"The WITH query {node.alias} would run {type(node.this).__name__.upper()}.",
                "Only SELECT may stand in WITH.",
            )
        stack.extend((child, scope, depth + 1) for child in _children(node))
    return relations


def _check_node(node: Any) -> None:
    from sqlglot import exp

    name = type(node).__name__
    if name == "Collate" and node.expression.name.lower() not in _COLLATIONS:
        raise Refusal(
            "function",
            f"The collation {node.expression.name} is the host's own code.",
            "Leave it out, or use NOCASE.",
        )
    allowed = _nodes().get(name)
    if allowed is None:
        if isinstance(node, exp.Func):
            return
        raise Refusal("node", f"The SQL uses {name}, which is not on the list of allowed syntax.")
    for part, value in node.args.items():
        if part not in allowed and value not in (None, False, []):
            raise Refusal("node", f"The SQL uses {part} of {name}, which nobody has reviewed.")


def _children(node: Any) -> Iterator[Any]:
    from sqlglot import exp

    for part, value in node.args.items():
        if part == "indexed" and not isinstance(value, bool):
            continue  # the name of an index, as a table's
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, exp.Expression):
                yield each


def _relation(node: Any, scope: Scope) -> tuple[str | None, str] | None:
    """Return what a FROM item names; None for a WITH query or a function, which is checked."""
    from sqlglot import exp

    if not isinstance(node.this, exp.Identifier):
        return None
    database, name = node.db or None, node.name
    if name.lower().startswith(SYSTEM):
        raise Refusal(
            "relation", f"{name} belongs to SQLite itself.", "Ask about the tables of the data."
        )
    if database is None and name.lower() in scope:
        return None
    return database, name
