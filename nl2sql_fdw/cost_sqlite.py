"""The price of a SQLite query: rows visited, from EXPLAIN QUERY PLAN and the tables' sizes."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from nl2sql_fdw.types import Plan, Schema

_STEP = re.compile(
    r"(SCAN|SEARCH) (.+?)(?: (?:USING|VIRTUAL TABLE|LEFT-JOIN|RIGHT-JOIN|EXISTS)\b(.*))?$"
)
_UNIQUE = re.compile(r"INTEGER PRIMARY KEY \(rowid=\?\)|AUTOMATIC")
_UNKNOWN = 1_000.0
"""Rows of what has no size: a view's inside, a WITH query, a virtual table."""

_COST_OF_A_ROW = 0.01
"""As the planner of PostgreSQL counts, so that one max_cost means about the same on both."""

Aliases = Mapping[str, frozenset[str]]
"""The tables, in lower case, that each alias stands for somewhere in the query."""

STEPS_OF_A_ROW = 100
"""Instructions of SQLite's machine for a row, on the high side."""


def price(lines: str, aliases: Aliases, schema: Schema) -> Plan:
    """Return the plan of EXPLAIN QUERY PLAN with the rows it visits, multiplied along each loop.

    The steps under one parent are loops inside each other, in order; a correlated subquery runs
    once for each row of the loops around it.
    """
    steps = json.loads(lines)
    sizes = {r.name.lower(): float(r.row_estimate) for r in schema.relations if r.row_estimate > 0}
    children: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for step in steps:
        children[step["parent"]].append(step)
    rows = _visited(0, children, aliases, sizes)
    return Plan(cost=rows * _COST_OF_A_ROW, rows=rows, tree={"query plan": _tree(0, children)})


def _visited(
    parent: int,
    children: Mapping[int, Sequence[Mapping[str, Any]]],
    aliases: Aliases,
    sizes: Mapping[str, float],
) -> float:
    loops, total = 1.0, 0.0
    for step in children.get(parent, ()):
        below = _visited(step["id"], children, aliases, sizes)
        found = _STEP.match(step["detail"])
        if found is None:
            total += below * (loops if step["detail"].startswith("CORRELATED") else 1.0)
            continue
        loops *= _rows(found, aliases, sizes)
        total += loops + below
    return total


def _rows(found: re.Match[str], aliases: Aliases, sizes: Mapping[str, float]) -> float:
    name = found[2].split(" AS ")[0].lower()
    size = max(sizes.get(table, _UNKNOWN) for table in aliases.get(name, (name,)))
    if found[1] == "SCAN":
        return max(size, 1.0)
    return 1.0 if _UNIQUE.search(found[3] or "") else max(1.0, sqrt(size))


def _tree(parent: int, children: Mapping[int, Sequence[Mapping[str, Any]]]) -> list[Any]:
    return [
        {"detail": step["detail"], "steps": _tree(step["id"], children)}
        for step in children.get(parent, ())
    ]
