"""The cost gate: what the planner expects, compared with what the profile allows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import TooExpensive
from nl2sql_fdw.types import Plan, Profile


def price(db: Database, sql: str, profile: Profile) -> Plan:
    """Ask the server to plan one guarded SELECT; nothing is run."""
    tree = json.loads(db.explain(sql, profile.time_limit_ms))[0]["Plan"]
    return Plan(cost=tree["Total Cost"], rows=_largest(tree), tree=tree)


def admit(plan: Plan, sql: str, profile: Profile) -> None:
    """Raise TooExpensive where an estimate is over the profile's limit."""
    for what, estimate, limit in (
        ("cost", plan.cost, profile.max_cost),
        ("rows", plan.rows, profile.max_plan_rows),
    ):
        if estimate > limit:
            raise TooExpensive(
                f"The query is too expensive: estimated {what} {estimate:.0f}, limit {limit:.0f}.",
                detail=f"Layer: cost gate (EXPLAIN). SQL: {sql}",
                hint="Ask for less (a narrower period, fewer joins), or have the owner raise "
                f"max_{'cost' if what == 'cost' else 'plan_rows'} of profile {profile.name}.",
            )


def _largest(node: Mapping[str, Any]) -> float:
    """Return the largest row estimate anywhere in the plan: a small top can hide a huge join."""
    return max([float(node["Plan Rows"]), *map(_largest, node.get("Plans", []))])
