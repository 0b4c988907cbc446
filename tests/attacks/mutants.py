"""Rewrite the attacks, and try what the guard lets through on the live server.

A mutant that the guard accepts is usually stopped by a later layer (a name the caller may
not read, a limit). It must not do what the attack was for, and by the server's own account
it must be one SELECT whose plan changes and locks nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import psycopg
from battle import Battlefield, Outcome
from cluster import connect
from corpus import Attack, fill
from layersets import ALL_ON
from mutations import MUTATIONS

from nl2sql_fdw.guard import check

MAX_STEPS = 4
MAX_PLANNING = 1_200_000_000
"""Bytes that the server may take to plan a mutant for us, outside the door and its limits:
subqueries that double took 22 GB, and the kernel's killer took the whole server."""
_BOUND = f"""
DO LANGUAGE plpython3u $$
import resource
_, most = resource.getrlimit(resource.RLIMIT_DATA)
resource.setrlimit(resource.RLIMIT_DATA, ({MAX_PLANNING}, most))
$$"""


@dataclass
class Mutation:
    """How many mutants there were, how many of them the guard accepted, and which worked."""

    tried: int = 0
    accepted: int = 0
    succeeded: int = 0


def mutants(attacks: list[Attack], count: int, seed: int) -> Iterator[Attack]:
    """Yield so many rewritten attacks, the same ones for the same seed."""
    random = Random(seed)
    bodies = [a for a in attacks if not a.direct and a.question is None and len(a.body) < 4000]
    for _ in range(count):
        attack, body = random.choice(bodies), None
        body = attack.body
        for step in random.choices(MUTATIONS, k=random.randint(1, MAX_STEPS)):
            body = step(body, random)
        yield replace(attack, body=body, place=f"{attack.place} rewritten")


def is_accepted(attack: Attack, places: dict[str, str]) -> bool:
    return check(fill(attack.body, places)).allowed


def is_one_select(server: psycopg.Connection, sql: str) -> bool:
    """Ask the server, as a superuser in a read-only session: it takes one statement only here.

    What it cannot plan (a name that is not there, say) is nothing that it would run.
    """
    try:
        described = server.execute("EXPLAIN (FORMAT JSON)\n" + sql + "\n", binary=True).fetchone()
    except psycopg.Error:
        return True
    plan: Any = described[0] if described else None
    if isinstance(plan, (str, bytes)):
        plan = json.loads(plan)
    return not {"ModifyTable", "LockRows"} & _kinds(plan[0]["Plan"])


def _kinds(plan: dict[str, Any]) -> set[str]:
    kinds = {plan["Node Type"]}
    for part in plan.get("Plans", []):
        kinds |= _kinds(part)
    return kinds


def try_mutants(
    field: Battlefield, attacks: list[Attack], count: int, seed: int
) -> Iterator[Outcome | Mutation]:
    """Yield the outcome of every accepted mutant that worked, and the tally at the end."""
    tally = Mutation()
    with connect(field.world.name) as server:
        server.execute("SET default_transaction_read_only = on")
        server.execute("SET statement_timeout = '5s'")
        server.execute(_BOUND)
        for mutant in mutants(attacks, count, seed):
            tally.tried += 1
            if not is_accepted(mutant, field.world.places):
                continue
            tally.accepted += 1
            outcome = field.fight(mutant, ALL_ON)
            select = is_one_select(server, fill(mutant.body, field.world.places))
            if outcome.succeeded or not select:
                tally.succeeded += 1
                yield outcome
    yield tally
