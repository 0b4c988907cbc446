"""Texts that are too large or too deep: refused before the parser, in bounded time and memory."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from nl2sql_fdw.guard import Policy, check

DEEP = {
    "brackets": lambda n: "SELECT " + "(" * n + "1" + ")" * n,
    "plus": lambda n: "SELECT " + "+".join(["1"] * n),
    "not": lambda n: "SELECT " + "NOT " * n + "true",
    "minus": lambda n: "SELECT " + "- " * n + "1",
    "case": lambda n: "SELECT " + "CASE WHEN true THEN 1 ELSE " * n + "1" + " END" * n,
    "subqueries": lambda n: "SELECT " + "(SELECT " * n + "1" + ")" * n,
    "from": lambda n: "SELECT * FROM " + "(SELECT * FROM " * n + "ship" + ") x" * n,
    "with": lambda n: "WITH x AS (" * n + "SELECT 1" + ") SELECT 1" * n,
    "union": lambda n: "SELECT 1" + " UNION SELECT 1" * n,
    "union of commas": lambda n: "SELECT 1,2" + " UNION SELECT 1,2" * n,
    "joins": lambda n: "SELECT 1 FROM a" + " CROSS JOIN a" * n,
    "casts": lambda n: "SELECT 1" + "::int" * n,
    "calls": lambda n: "SELECT " + "abs(" * n + "1" + ")" * n,
    "arrays": lambda n: "SELECT ARRAY" + "[" * n + "1" + "]" * n,
    "collate": lambda n: "SELECT 'a'" + ' COLLATE "C"' * n,
    "dots": lambda n: "SELECT a" + ".b" * n,
    "subscripts": lambda n: "SELECT a" + "[1]" * n,
    "comments": lambda n: "SELECT 1" + "/*" * n + "*/" * n,
    "spaced comments": lambda n: "SELECT 1" + "/* " * n + "*/ " * n,
    "empty comments": lambda n: "SELECT 1" + "/**/" * n,
    "operator signs": lambda n: "SELECT 1 " + "+" * n,
    "other signs": lambda n: "SELECT 1 " + "@-" * n + "1",
    "and": lambda n: "SELECT " + " AND ".join(["true"] * n),
    "and or": lambda n: "SELECT " + "true AND (false OR " * n + "true" + ")" * n,
    "statements": lambda n: "SELECT 1;" * n,
    "is null": lambda n: "SELECT 1" + " IS NULL" * n,
    "at time zone": lambda n: "SELECT now()" + " AT TIME ZONE 'UTC'" * n,
    "rows": lambda n: "SELECT " + "ROW(" * n + "1" + ")" * n,
}

PROBE = """
import json, resource, sys, time
from nl2sql_fdw.guard import check
check("SELECT 1")
sql = sys.stdin.read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
verdict = check(sql)
took = (time.perf_counter() - start) * 1000
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
print(json.dumps([verdict.allowed, verdict.layer, took, grown]))
"""


def probe(sql: str) -> tuple[bool, str, float, float]:
    """Check in a process of its own; return allowed, layer, milliseconds, megabytes grown."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE], input=sql, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr[-300:]
    allowed, layer, took, grown = json.loads(done.stdout)
    return allowed, layer, took, grown


@pytest.mark.parametrize("shape", [s for s in DEEP if s != "spaced comments"])
def test_refuses_five_thousand_levels_within_50_ms_and_64_mb(shape: str) -> None:
    allowed, layer, took, grown = probe(DEEP[shape](5_000))
    if took >= 50:  # the machine may have been busy: a second try is fair, a third is not
        allowed, layer, took, grown = probe(DEEP[shape](5_000))
    assert not allowed
    assert layer in ("size", "statement")
    assert took < 50
    assert grown < 64


@pytest.mark.parametrize("shape", list(DEEP))
def test_no_depth_under_the_limits_ends_the_process(shape: str) -> None:
    _, _, took, grown = probe(DEEP[shape](1_300))
    assert took < 500
    assert grown < 64


@pytest.mark.parametrize(
    "sql",
    ["SELECT '" + "x" * 100_000 + "'", "SELECT 1 --" + "x" * 100_000, "SELECT " + "1," * 50_000],
    ids=["literal", "comment", "list"],
)
def test_refuses_100_kb_within_50_ms(sql: str) -> None:
    allowed, layer, took, grown = probe(sql)
    assert (allowed, layer) == (False, "size")
    assert took < 50
    assert grown < 64


def test_counts_bytes_and_not_characters() -> None:
    assert check("SELECT '" + "é" * 17_000 + "'").layer == "size"
    assert check("SELECT '" + "e" * 17_000 + "'").allowed


@pytest.mark.parametrize(
    "sql",
    ["", "  \n", "SELECT 1\0", "SELECT '\0'; DROP TABLE ship", "SELECT '\ud800'", "SELECT \udfff"],
)
def test_refuses_text_that_the_server_would_not_read_as_it_stands(sql: str) -> None:
    assert check(sql).layer == "parse"


@pytest.mark.parametrize("sql", ["-- only a comment", "/* nothing */", ";", " ; ; "])
def test_refuses_a_text_without_a_statement(sql: str) -> None:
    assert check(sql).layer == "statement"


def test_a_long_in_list_is_no_chain() -> None:
    assert check(
        "SELECT * FROM ship WHERE id IN (" + ",".join(map(str, range(3_000))) + ")"
    ).allowed


def test_a_hundred_conditions_are_no_chain() -> None:
    conditions = " OR ".join(f"(name = 'x{i}' AND n > {i})" for i in range(300))
    assert check("SELECT * FROM ship WHERE " + conditions).allowed


@pytest.mark.parametrize(
    ("policy", "sql"),
    [
        (Policy(max_bytes=10), "SELECT 12345"),
        (Policy(max_tokens=3), "SELECT 1, 2"),
        (Policy(max_nesting=2), "SELECT (((1)))"),
        (Policy(max_chain=4), "SELECT 1 + 1 + 1"),
        (Policy(max_depth=3), "SELECT 1 + 1 + 1"),
        (Policy(max_nesting=1), "SELECT 1 UNION SELECT 2 EXCEPT SELECT 3"),
    ],
)
def test_each_limit_is_the_policy_s(policy: Policy, sql: str) -> None:
    assert check(sql).allowed
    assert check(sql, policy).layer == "size"
