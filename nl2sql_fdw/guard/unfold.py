"""A bound on how large the planner may make an expression.

The planner puts the expression of a subquery's or WITH query's column wherever that column is
used. Twenty subqueries that each use a column of the one inside twice are a short text and an
expression of a million parts, and no cancel and no time limit is looked at while it is made.
The size is computed here from the tree: one for each node, and for a column that a subquery
makes the size of the expression that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nl2sql_fdw.guard.policy import Policy, Refusal
from nl2sql_fdw.guard.size import SHORTEN

Sizes = Mapping[str, int]
"""The columns that a source makes by an expression, and how large each is when unfolded."""
Sources = Mapping[str, Sizes]
"""By the name that a query knows them by; a table's columns are of size one, and left out."""


def check_unfolded(statement: Any, policy: Policy) -> None:
    """Refuse a statement of which one SELECT, unfolded, has more parts than the policy allows."""
    try:
        _Unfolding(policy.max_parts).select(statement, {}, {})
    except RecursionError:
        raise Refusal("size", "The SQL nests too deeply.", SHORTEN) from None


class _Unfolding:
    def __init__(self, limit: int) -> None:
        self._limit = limit

    def select(self, stmt: Any, ctes: Sources, outer: Sources) -> Sizes:
        """Return the sizes of a SELECT's columns."""
        ctes = self._with(stmt.withClause, ctes, outer)
        if stmt.larg is not None:
            left = self.select(stmt.larg, ctes, outer)
            right = self.select(stmt.rarg, ctes, outer)
            most = max((*left.values(), *right.values()), default=1)
            return dict.fromkeys(left, most)
        sources: dict[str, Sizes] = {}
        total = sum(self._add(item, sources, ctes, outer) for item in stmt.fromClause or ())
        seen = {**outer, **sources}
        for part in stmt:
            if part not in ("withClause", "fromClause", "targetList"):
                total += self._weigh(getattr(stmt, part), ctes, seen)
        made = self._targets(stmt.targetList or (), sources, ctes, seen)
        if total + sum(made.values()) > self._limit:
            raise Refusal(
                "size",
                f"With its subqueries unfolded the SQL has more than {self._limit} parts.",
                "Use a subquery's columns fewer times.",
            )
        return made

    def _with(self, clause: Any, ctes: Sources, outer: Sources) -> Sources:
        known = dict(ctes)
        for cte in clause.ctes if clause is not None else ():
            known[cte.ctename] = {}  # one that is RECURSIVE is never unfolded into itself
            known[cte.ctename] = _renamed(
                self.select(cte.ctequery, known, outer), cte.aliascolnames
            )
        return known

    def _add(self, item: Any, sources: dict[str, Sizes], ctes: Sources, outer: Sources) -> int:
        """Add what one item of FROM makes to the sources; return the parts of its conditions."""
        kind = type(item).__name__
        alias = getattr(item, "alias", None)
        if kind == "JoinExpr":
            parts = self._add(item.larg, sources, ctes, outer)
            parts += self._add(item.rarg, sources, ctes, outer)
            if alias is not None:
                sources[alias.aliasname] = _all(sources)
            return parts + self._weigh(item.quals, ctes, {**outer, **sources})
        if kind == "RangeSubselect":
            sizes = self.select(item.subquery, ctes, {**outer, **sources})
            name = alias.aliasname if alias is not None else f"?{len(sources)}"
            sources[name] = _renamed(sizes, getattr(alias, "colnames", None))
            return 0
        if kind == "RangeVar":
            if item.schemaname is None and item.relname in ctes:
                name = alias.aliasname if alias is not None else item.relname
                sources[name] = _renamed(ctes[item.relname], getattr(alias, "colnames", None))
            return 0
        return self._weigh(item, ctes, {**outer, **sources})

    def _targets(
        self, targets: Sequence[Any], sources: Sources, ctes: Sources, seen: Sources
    ) -> Sizes:
        made: dict[str, int] = {}
        for place, target in enumerate(targets):
            fields = getattr(target.val, "fields", None)
            if fields and type(fields[-1]).__name__ == "A_Star":
                made.update(sources.get(fields[0].sval, {}) if fields[1:] else _all(sources))
                continue
            name = target.name or (fields[-1].sval if fields else f"?{place}")
            made[name] = self._weigh(target.val, ctes, seen)
        return made

    def _weigh(self, root: Any, ctes: Sources, seen: Sources) -> int:
        """Return how many parts an expression has when its columns are unfolded."""
        total = 0
        for node in _nodes(root):
            kind = type(node).__name__
            if kind == "SelectStmt":
                total += sum(self.select(node, ctes, seen).values())
            elif kind == "ColumnRef":
                total += _column(node, seen)
            else:
                total += 1
        return total


def _nodes(root: Any) -> Iterator[Any]:
    """Yield the nodes of an expression; of a SELECT inside it the SELECT alone."""
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif hasattr(node, "__slots__") and type(node).__module__.startswith("pglast"):
            yield node
            if type(node).__name__ not in ("SelectStmt", "ColumnRef"):
                stack.extend(getattr(node, field) for field in node.__slots__)


def _column(ref: Any, seen: Sources) -> int:
    """Return the size of a column; where the name is a source's, that of its whole row."""
    names = [field.sval for field in ref.fields if hasattr(field, "sval")]
    if not names:
        return sum(sum(sizes.values()) for sizes in seen.values()) + 1
    if len(names) == 1 and names[0] in seen:
        return sum(seen[names[0]].values()) + 1
    sources = [seen[names[-2]]] if len(names) > 1 and names[-2] in seen else list(seen.values())
    return max((sizes.get(names[-1], 1) for sizes in sources), default=1)


def _all(sources: Sources) -> Sizes:
    """Return the columns of every source; of columns of one name the largest."""
    made: dict[str, int] = {}
    for sizes in sources.values():
        for name, size in sizes.items():
            made[name] = max(size, made.get(name, 1))
    return made


def _renamed(sizes: Sizes, aliases: Any) -> Sizes:
    """Put aliases over columns; which column an alias means is not known, so the largest."""
    if not aliases:
        return sizes
    most = max(sizes.values(), default=1)
    return {**sizes, **{alias.sval: most for alias in aliases}}
