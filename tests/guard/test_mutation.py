"""Rewriting opens nothing: a refused statement stays refused, an accepted one accepted.

NL2SQL_MUTATIONS sets how many rewritten statements are tried (1,500 unless set).
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import FRAMES, MUTATIONS, QUERY, Mutation
from statements import Statement, read

from nl2sql_fdw.guard import check

TRIES = int(os.environ.get("NL2SQL_MUTATIONS", "1500"))
# What does not parse may become a query by rewriting: a line end after 'a' mends 'a' 'b'.
REJECTED = [s for s in read("rejected.sql") if not s.reason.startswith("parse:")]
# Left out: a semicolon at the end, and literals that go on in the next line.
QUERIES = [
    s
    for s in read("accepted.sql")
    if QUERY.match(s.sql) and not s.sql.endswith(";") and "\n'" not in s.sql
]
STEPS = st.lists(st.sampled_from(MUTATIONS), min_size=1, max_size=4)
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]


def mutated(statement: Statement, steps: list[Mutation], random: object) -> str:
    sql = statement.sql
    for step in steps:
        sql = step(sql, random)  # type: ignore[arg-type]
    return sql


@settings(max_examples=TRIES, deadline=None, database=None, suppress_health_check=QUIET)
@given(st.sampled_from(REJECTED), STEPS, st.randoms(use_true_random=False))
def test_rewriting_opens_no_refused_statement(statement, steps, random) -> None:
    sql = mutated(statement, steps, random)
    assert not check(sql).allowed, f"{statement.place} became\n{sql}"


@settings(max_examples=TRIES // 5, deadline=None, database=None, suppress_health_check=QUIET)
@given(st.sampled_from(QUERIES), STEPS, st.randoms(use_true_random=False))
def test_rewriting_closes_no_accepted_query(statement, steps, random) -> None:
    """So the rewriting keeps statements whole, and the test above is about the guard."""
    sql = mutated(statement, steps, random)
    verdict = check(sql)
    assert verdict.allowed, f"{statement.place}, {verdict.layer} {verdict.reason} became\n{sql}"


@pytest.mark.parametrize("frame", FRAMES)
def test_a_refused_query_keeps_its_layer_in_every_frame(frame: str) -> None:
    """In every place where a query may stand, the refusal is for what stands there."""
    assert check(frame.format(q="SELECT 1")).allowed
    for layer, query in [
        ("function", "SELECT pg_sleep(1)"),
        ("function", "SELECT (name).pg_read_file FROM ship"),
        ("relation", "SELECT rolname FROM pg_authid"),
        ("type", "SELECT 'ship'::regclass"),
        ("operator", "SELECT 1 OPERATOR(evil.+) 2"),
        ("bound", "SELECT repeat('x', 1000000000)"),
        ("statement", "SELECT id FROM ship FOR UPDATE"),
        ("statement", "WITH z AS (DELETE FROM ship RETURNING 1) SELECT * FROM z"),
        ("column", "SELECT xmin FROM ship"),
        ("node", "SELECT xmlelement(name a)"),
    ]:
        verdict = check(frame.format(q=query))
        assert (verdict.allowed, verdict.layer) == (False, layer), query
