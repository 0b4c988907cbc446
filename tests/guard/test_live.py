"""What the guard accepts, by the server's own account: one SELECT that changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from statements import Statement, read

from nl2sql_fdw.guard import check
from nl2sql_fdw.guard.size import read_tokens, without_comments

ACCEPTED = read("accepted.sql")
REJECTED = read("rejected.sql")


@pytest.fixture(scope="module")
def ships(make_database: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    database = make_database(Path(__file__).with_name("ships.sql").read_text())
    database.execute("SET default_transaction_read_only = on")
    database.execute("SET statement_timeout = '5s'")
    return database


@pytest.mark.parametrize("statement", ACCEPTED, ids=lambda s: s.place)
def test_the_server_runs_it_as_one_select(ships: psycopg.Connection, statement: Statement) -> None:
    """The extended protocol takes one statement only; the tag says which kind it was."""
    assert check(statement.sql).allowed
    done = ships.execute(statement.sql, prepare=True)
    assert (done.statusmessage or "").split()[0] == "SELECT"
    assert done.description is not None


@pytest.mark.parametrize("statement", ACCEPTED, ids=lambda s: s.place)
def test_the_server_s_plan_holds_no_change_and_no_lock(
    ships: psycopg.Connection, statement: Statement
) -> None:
    body = statement.sql.rstrip("; \n")
    plan = ships.execute(f"EXPLAIN (FORMAT JSON) {body}\n").fetchone()
    assert not {"ModifyTable", "LockRows"} & _kinds(plan[0][0]["Plan"])


def _kinds(plan: dict) -> set[str]:
    kinds = {plan["Node Type"]}
    for part in plan.get("Plans", []):
        kinds |= _kinds(part)
    return kinds


@pytest.mark.parametrize("statement", ACCEPTED, ids=lambda s: s.place)
def test_verdict_lists_every_relation_the_plan_reads(
    ships: psycopg.Connection, statement: Statement
) -> None:
    body = statement.sql.rstrip("; \n")
    plan = ships.execute(f"EXPLAIN (FORMAT JSON, VERBOSE) {body}\n").fetchone()
    named = {name for _, name in check(statement.sql).relations}
    views = {"heavy": {"ship"}}
    for view, bases in views.items():
        named |= bases if view in named else set()
    assert _relations(plan[0][0]["Plan"]) <= named


def _relations(plan: dict) -> set[str]:
    found = {plan["Relation Name"]} if "Relation Name" in plan else set()
    for part in plan.get("Plans", []):
        found |= _relations(part)
    return found


@pytest.mark.parametrize("kind", ["function", "type", "relation", "bound"])
def test_refused_statements_of_a_kind_are_sql_that_the_server_would_try(kind: str) -> None:
    """A refusal for the wrong reason, a typing error say, would prove nothing."""
    from pglast.parser import parse_sql

    for statement in REJECTED:
        if statement.reason.startswith(kind + ":"):
            text = without_comments(statement.sql, read_tokens(statement.sql))
            assert len(parse_sql(text)) == 1, statement.place
