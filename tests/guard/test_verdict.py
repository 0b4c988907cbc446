"""The lists in a verdict: what the catalog check gets to see."""

from __future__ import annotations

import pytest

from nl2sql_fdw.guard import Policy, check


@pytest.mark.parametrize(
    ("sql", "relations"),
    [
        ("SELECT 1", set()),
        ("SELECT * FROM ship, freight.leg", {(None, "ship"), ("freight", "leg")}),
        ("SELECT * FROM Ship, \"Ship\"", {(None, "ship"), (None, "Ship")}),
        ('SELECT * FROM U&"sh\\0069p"', {(None, "ship")}),
        ("WITH a AS (SELECT * FROM ship) SELECT * FROM a", {(None, "ship")}),
        ("WITH t AS (SELECT * FROM t) SELECT * FROM t", {(None, "t")}),
        ("WITH RECURSIVE t AS (SELECT 1 UNION SELECT * FROM t) SELECT * FROM t", set()),
        ("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", {(None, "b")}),
        ("WITH a AS (SELECT 1) SELECT * FROM public.a", {("public", "a")}),
        ("SELECT * FROM t, (WITH t AS (SELECT 1) SELECT * FROM t) x", {(None, "t")}),
        ("SELECT * FROM (WITH t AS (SELECT 1) SELECT 1) x, t", {(None, "t")}),
        ("(WITH t AS (SELECT 1) SELECT * FROM t) UNION SELECT * FROM t", {(None, "t")}),
        ("WITH t AS (SELECT 1) SELECT * FROM t UNION SELECT (SELECT 1 FROM t)", set()),
        ("SELECT (SELECT 1 FROM a WHERE EXISTS (TABLE b))", {(None, "a"), (None, "b")}),
        ("SELECT * FROM (a JOIN b USING (id)) j, LATERAL (TABLE c) x",
         {(None, "a"), (None, "b"), (None, "c")}),
    ],
)  # fmt: skip
def test_relations_follow_the_scope_of_with(sql: str, relations: set) -> None:
    verdict = check(sql)
    assert verdict.allowed, verdict.reason
    assert set(verdict.relations) == relations


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("SELECT name FROM ship", False),
        ("SELECT count(*) FROM ship", False),
        ("SELECT * FROM ship", True),
        ("SELECT s.* FROM ship s", True),
        ("TABLE ship", True),
        ("SELECT s FROM ship s", True),
        ("SELECT ship FROM ship", True),
        ("SELECT count(s) FROM ship s", True),
        ("SELECT to_jsonb(s) FROM ship s", True),
        ("SELECT (s).name FROM ship s", True),
        ("SELECT 1 FROM ship NATURAL JOIN port", True),
        ("SELECT a FROM ship AS s(a)", True),
        ("SELECT a FROM ship AS s(a) TABLESAMPLE system (1)", True) ,
        ("SELECT a FROM (ship CROSS JOIN port) AS j(a)", True),
        ("SELECT x.a FROM (SELECT name FROM ship) AS x(a)", False),
        ("SELECT (home).* FROM crew", True),
    ],
)  # fmt: skip
def test_whole_rows_are_told(sql: str, whole: bool) -> None:
    verdict = check(sql)
    assert verdict.allowed, verdict.reason
    assert verdict.whole_rows is whole


def test_columns_are_told_wherever_they_stand() -> None:
    sql = (
        "SELECT s.a, (t.b).c, count(d) FILTER (WHERE e) OVER (PARTITION BY f ORDER BY g) "
        "FROM s JOIN t USING (h) WHERE i GROUP BY j HAVING k ORDER BY l LIMIT (SELECT m)"
    )
    verdict = check(sql)
    assert set(verdict.columns) == set("abcdefghijklm")
    assert set(verdict.attributes) == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("sql", "operators"),
    [
        ("SELECT a + b", {"+"}),
        ("SELECT - a", {"-"}),
        ("SELECT a BETWEEN 1 AND 2", {">=", "<="}),
        ("SELECT a NOT BETWEEN 1 AND 2", {">=", "<=", ">", "<"}),
        ("SELECT a IN (1, 2)", {"="}),
        ("SELECT a NOT IN (1, 2)", {"<>"}),
        ("SELECT a IN (SELECT 1)", {"="}),
        ("SELECT a <= ALL (SELECT 1)", {"<="}),
        ("SELECT CASE a WHEN 1 THEN 2 END", {"="}),
        ("SELECT nullif(a, b)", {"="}),
        ("SELECT a IS DISTINCT FROM b", {"="}),
        ("SELECT a LIKE 'x'", {"~~"}),
        ("SELECT a NOT ILIKE 'x'", {"!~~*"}),
        ("SELECT 1 FROM a JOIN b USING (c)", {"="}),
        ("SELECT 1 FROM a NATURAL JOIN b", {"="}),
        ("SELECT 1 FROM a ORDER BY c USING >", {">"}),
    ],
)
def test_operators_are_told_that_the_server_looks_up(sql: str, operators: set) -> None:
    assert {name for _, name in check(sql).operators} == operators


def test_functions_count_arguments_as_the_catalog_does() -> None:
    verdict = check(
        "SELECT count(*), round(a, 2), percentile_cont(0.5) WITHIN GROUP (ORDER BY a), "
        "pg_catalog.lower(b), extract(year FROM c) FROM t"
    )
    assert set(verdict.functions) == {
        (None, "count", 0), (None, "round", 2), (None, "percentile_cont", 2),
        ("pg_catalog", "lower", 1), ("pg_catalog", "extract", 2),
    }  # fmt: skip


def test_syntax_that_an_old_server_reads_as_a_call_is_told() -> None:
    verdict = check("SELECT JSON_ARRAY(1), JSON_VALUE(a, '$') FROM t")
    assert {(None, "json_array", -1), (None, "json_value", -1)} <= set(verdict.functions)


def test_types_are_told() -> None:
    verdict = check("SELECT 'a'::mood, 1::int, 'b'::freight.kind, '{a}'::mood[]")
    assert set(verdict.types) == {(None, "mood"), ("freight", "kind")}


@pytest.mark.parametrize(
    ("policy", "sql"),
    [
        (Policy(functions=("st_area",)), "SELECT st_area(a) FROM t"),
        (Policy(functions=("gis.st_area",)), "SELECT gis.st_area(a) FROM t"),
        (Policy(functions=("gis.st_area",)), "SELECT st_area(a, true, 1) FROM t"),
        (Policy(functions=("xpath",)), "SELECT pg_catalog.xpath('/a', b) FROM t"),
        (Policy(operator_schemas=("gis",)), "SELECT a OPERATOR(gis.<->) b FROM t"),
        (Policy(types=("xml",)), "SELECT a::xml FROM t"),
    ],
)
def test_a_profile_opens_what_it_names(policy: Policy, sql: str) -> None:
    assert not check(sql).allowed
    assert check(sql, policy).allowed


@pytest.mark.parametrize(
    ("policy", "sql"),
    [
        (Policy(functions=("gis.st_area",)), "SELECT other.st_area(a) FROM t"),
        (Policy(functions=("st_area",)), "SELECT other.st_area(a) FROM t"),
        (Policy(schemas=("freight",)), "SELECT * FROM public.ship"),
        (Policy(schemas=()), "SELECT * FROM public.ship"),
        (Policy(schemas=("pg_catalog",)), "SELECT * FROM pg_catalog.pg_authid"),
        (Policy(schemas=("freight",)), "SELECT 'a'::public.mood"),
        (Policy(operator_schemas=("gis",)), "SELECT a OPERATOR(evil.<->) b FROM t"),
    ],
)
def test_a_profile_opens_nothing_else(policy: Policy, sql: str) -> None:
    assert not check(sql, policy).allowed


@pytest.mark.parametrize(
    ("sql", "layer", "word"),
    [
        ("DROP TABLE ship", "statement", "DROP"),
        ("SELECT pg_sleep(1)", "function", "pg_sleep"),
        ("SELECT * FROM pg_authid", "relation", "pg_authid"),
        ("SELECT 'x'::regclass", "type", "regclass"),
        ("SELECT 1 OPERATOR(evil.+) 1", "operator", "evil"),
        ("SELECT xmin FROM ship", "column", "xmin"),
        ("SELECT * FROM ship FETCH NEXT BIG 3", "parse", "parser does not know"),
        ("WITH z AS (DELETE FROM ship) SELECT 1", "statement", "DELETE"),
    ],
)
def test_a_refusal_names_the_layer_and_the_thing(sql: str, layer: str, word: str) -> None:
    verdict = check(sql)
    assert verdict.layer == layer
    assert word in verdict.reason
    assert verdict.relations == verdict.functions == ()


def test_a_reason_stays_short_whatever_it_quotes() -> None:
    verdict = check("SELECT a" + ".b" * 400)
    assert verdict.layer == "column"
    assert len(verdict.reason) < 300
    assert verdict.reason.endswith("names a database.")


@pytest.mark.parametrize("name", ["repeat", "lpad", "generate_series", "array_fill", "format"])
@pytest.mark.parametrize(
    "args", ["", "'x'", "VARIADIC a", "a => 1", "*", "- - 1, " + "- " * 900 + "1"]
)
def test_an_odd_call_of_a_bounded_function_never_raises(name: str, args: str) -> None:
    opened = Policy(functions=(name,))
    for policy in (Policy(), opened):
        verdict = check(f"SELECT {name}({args}) FROM t", policy)
        assert verdict.allowed or verdict.reason
