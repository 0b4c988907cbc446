"""Explain one query, and run nothing: the guard's verdict, a plan from the door, and words.

SQL -> guard -> door (price, try indexes) -> checks, joins, words, score
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from nl2sql_fdw import cost, guard, pipeline
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import BadSetup, Nl2sqlError
from nl2sql_fdw.explain import advice, checks, score, words
from nl2sql_fdw.explain.blocks import read
from nl2sql_fdw.types import ALL_LAYERS, Index, Layers, Plan, Profile, Result, Trace

_SQL = re.compile(r"(?:\s|\(|--[^\n]*\n|/\*.*?\*/)*(?:select|with|values|table)\b", re.I | re.S)


@dataclass(frozen=True)
class Account:
    """What is to be said of one query; `error` is why it would not run, None where it would."""

    sql: str
    words: str
    score: score.Score
    joins: Sequence[dict[str, str | bool | None]]
    findings: Sequence[checks.Finding]
    indexes: Sequence[Index]
    plan_cost: float | None
    plan_rows: float | None
    error: Nl2sqlError | None = None


def is_sql(subject: str) -> bool:
    """Tell a query from a question: its first word is one of SELECT, and the parser knows it."""
    return bool(_SQL.match(subject)) and guard.check(subject).layer != "parse"


def explain(
    sql: str,
    db: Database,
    profile: Profile,
    door: Callable[[str], Result],
    mends: Sequence[str] = (),
) -> Account:
    """Return the account of one SQL text; `door` prices it, and may try indexes (see `price`).

    `mends` are what had to be put right in it before. Runs as the caller. Raises BadSetup, and
    ServerError where that ends the whole call.
    """
    priced, error = Result(), None
    try:
        priced = door(sql)
        if priced.plan is not None:
            cost.admit(priced.plan, sql, profile)
    except BadSetup:
        raise
    except Nl2sqlError as no:
        error = no
    schema = pipeline.readable(db, profile)
    verdict = guard.check(sql, pipeline.policy(profile))
    tree = None if verdict.layer in ("size", "parse") else _parse(sql)
    blocks, findings = read(tree, schema), checks.find(tree, schema)
    plan = priced.plan
    return Account(
        sql=sql,
        words=words.describe(blocks),
        score=score.rate(verdict, error, findings, plan, schema, profile, mends),
        joins=words.backing(blocks),
        findings=findings,
        indexes=priced.indexes,
        plan_cost=plan.cost if plan else None,
        plan_rows=plan.rows if plan else None,
        error=error,
    )


def price(
    sql: str, db: Database, profile: Profile, trace: Trace, layers: Layers = ALL_LAYERS
) -> Result:
    """Take one SQL text through the door, up to its price, and look for indexes that would help.

    The limits on its price do not end it here: nothing is run, and what is too expensive
    needs the advice most. Runs as the reader.
    """
    unpriced = replace(profile, max_cost=inf, max_plan_rows=inf)

    def again() -> Plan:
        return pipeline.run(sql, db, unpriced, trace, False, layers).plan or Plan(0, 0)

    plan = again()
    schema = pipeline.readable(db, profile)
    indexes = advice.advise(db, read(_parse(sql), schema), plan, schema, again)
    return Result(plan=plan, indexes=indexes)


def _parse(sql: str) -> Any:
    """Return the one statement of a text that the guard has measured; None where there is none."""
    from pglast.parser import ParseError, parse_sql

    try:
        statements = parse_sql(sql)
    except ParseError:
        return None
    return statements[0] if len(statements) == 1 else None
