"""The guard's verdict on every statement of accepted*.sql and rejected.sql."""

from __future__ import annotations

import pytest
from statements import Statement, read

from nl2sql_fdw.guard import check

ACCEPTED = read("accepted.sql") + read("accepted_newer.sql")
REJECTED = read("rejected.sql")


def place(statement: Statement) -> str:
    return statement.place


@pytest.mark.parametrize("statement", ACCEPTED, ids=place)
def test_accepts(statement: Statement) -> None:
    verdict = check(statement.sql)
    assert verdict.allowed, f"{verdict.layer}: {verdict.reason}"


@pytest.mark.parametrize("statement", REJECTED, ids=place)
def test_refuses_by_the_named_layer(statement: Statement) -> None:
    verdict = check(statement.sql)
    assert not verdict.allowed
    assert verdict.layer == statement.reason.partition(":")[0], verdict.reason
    assert verdict.reason.endswith(".")


def test_files_are_large_and_hold_no_statement_twice() -> None:
    texts = [statement.sql for statement in ACCEPTED + REJECTED]
    assert len(ACCEPTED) >= 150
    assert len(REJECTED) >= 400
    assert sorted(texts) == sorted(set(texts))
