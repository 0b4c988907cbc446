"""The reviewed lists, held against the catalog of the running server and the parser's classes."""

from __future__ import annotations

import psycopg
import pytest

from nl2sql_fdw.guard import lists

NEWER = {  # came after 15; the running server may lack them
    "any_value", "array_reverse", "array_sample", "array_shuffle", "array_sort", "casefold",
    "crc32", "crc32c", "date_add", "date_subtract", "erf", "erfc", "gamma", "lgamma",
    "json_agg_strict", "json_object_agg_strict", "json_object_agg_unique",
    "json_object_agg_unique_strict", "jsonb_agg_strict", "jsonb_object_agg_strict",
    "jsonb_object_agg_unique", "jsonb_object_agg_unique_strict", "random_normal",
    "regexp_count", "regexp_instr", "regexp_like", "regexp_substr", "to_bin", "to_oct",
    "unicode_assigned", "uuid_extract_timestamp", "uuid_extract_version", "uuidv4", "uuidv7",
}  # fmt: skip

VOLATILE = {  # each reviewed: what it may change, and why that harms nobody
    "random": "moves the session's own generator",
    "random_normal": "moves the session's own generator",
    "array_sample": "moves the session's own generator",
    "array_shuffle": "moves the session's own generator",
    "gen_random_uuid": "reads the system's generator",
    "uuidv4": "reads the system's generator",
    "uuidv7": "reads the system's generator and the clock",
    "clock_timestamp": "reads the clock",
    "timeofday": "reads the clock",
}

NOT_PARALLEL_SAFE = {  # each reviewed: why a worker may not run it
    "random": "the generator's state is the leader's",
    "random_normal": "the generator's state is the leader's",
    "array_sample": "the generator's state is the leader's",
    "array_shuffle": "the generator's state is the leader's",
    "age": "age(xid) reads the transaction counter; xid is no allowed type",
    "current_schema": "a worker may not see temporary schemas",
}

TAKES_OID = {"int8", "max", "min"}  # of a value that is there already; none looks it up

QUERY = """
SELECT p.proname, p.provolatile::text AS volatile, p.proparallel::text AS parallel,
       p.pronargs - p.pronargdefaults AS fewest, p.pronargs AS most,
       p.provariadic <> 0 AS variadic, p.prosecdef, l.lanname, p.prokind::text AS kind,
       p.proacl IS NOT NULL AS guarded,
       p.proargtypes::oid[] && ARRAY['internal', 'cstring']::regtype[]::oid[] AS internal,
       p.proargtypes::oid[] && ARRAY['internal', 'cstring', 'regclass', 'regproc', 'regtype',
         'regrole', 'regnamespace', 'oid', 'refcursor', 'trigger']::regtype[]::oid[] AS odd
FROM pg_proc p JOIN pg_language l ON l.oid = prolang
WHERE pronamespace = 'pg_catalog'::regnamespace
"""


@pytest.fixture(scope="module")
def catalog(server: psycopg.Connection) -> dict[str, list[dict[str, object]]]:
    """Every function of pg_catalog by name."""
    cursor = server.cursor(row_factory=psycopg.rows.dict_row)
    found: dict[str, list[dict[str, object]]] = {}
    for row in cursor.execute(QUERY):
        found.setdefault(row["proname"], []).append(row)
    return found


@pytest.fixture(scope="module")
def allowed(catalog: dict) -> dict[str, list[dict[str, object]]]:
    """The forms of each listed function that a call can reach."""
    return {
        name: [row for row in catalog.get(name, []) if _reachable(row, counts)]
        for name, counts in lists.functions().items()
    }


def _reachable(row: dict, counts: lists.Counts) -> bool:
    if row["variadic"]:
        return True
    return any(counts.allow(count) for count in range(row["fewest"], row["most"] + 1))


def test_every_listed_name_is_the_server_s_own(allowed: dict) -> None:
    assert {name for name, rows in allowed.items() if not rows} <= NEWER


def test_no_listed_function_is_volatile_but_the_reviewed(allowed: dict) -> None:
    volatile = {n for n, rows in allowed.items() if any(r["volatile"] == "v" for r in rows)}
    assert volatile <= set(VOLATILE)


def test_no_listed_function_runs_as_its_owner(allowed: dict) -> None:
    assert not [n for n, rows in allowed.items() if any(r["prosecdef"] for r in rows)]


def test_functions_that_a_worker_may_not_run_are_the_reviewed(allowed: dict) -> None:
    unsafe = {n for n, rows in allowed.items() if any(r["parallel"] != "s" for r in rows)}
    assert unsafe <= set(NOT_PARALLEL_SAFE)


def test_no_listed_function_is_guarded_by_its_own_rights(allowed: dict) -> None:
    assert not [n for n, rows in allowed.items() if any(r["guarded"] for r in rows)]


def test_no_listed_function_takes_an_object_of_the_catalog(allowed: dict) -> None:
    odd = {n for n, rows in allowed.items() if any(r["odd"] for r in rows)}
    assert odd <= TAKES_OID


def test_counts_are_not_wider_than_the_catalog(catalog: dict) -> None:
    for name, counts in lists.functions().items():
        rows = catalog.get(name, [])
        if not rows or name in NEWER:
            continue
        for count in range(8):
            taken = any(
                row["fewest"] <= count and (row["variadic"] or count <= row["most"]) for row in rows
            )
            newer = (name, count) in {("random", 2), ("timezone", 1), ("unnest", 2)} or (
                name.endswith("strip_nulls") and count == 2
            )
            if counts.allow(count) and not taken:
                assert newer or name == "unnest", (name, count)


def test_every_function_that_one_argument_reaches_and_does_something_is_closed_after_a_dot(
    catalog: dict,
) -> None:
    names, prefixes = lists.closed_attributes()
    open_names = {
        name
        for name, rows in catalog.items()
        if any(
            r["fewest"] <= 1 <= r["most"] and r["volatile"] != "i" and not r["odd"] for r in rows
        )
        and name not in lists.functions()
        and not name.endswith(("_out", "_send", "send", "out"))
    }
    open_names = {n for n in open_names if n not in names and not n.startswith(prefixes)}
    assert open_names <= {"xml"}  # refused after a bracket, a likely column name after a table


def _does_something(row: dict) -> bool:
    by_one = row["fewest"] <= 1 <= row["most"]
    return by_one and row["volatile"] != "i" and not row["internal"]


def test_no_listed_function_is_closed_after_a_dot() -> None:
    names, prefixes = lists.closed_attributes()
    assert not names & set(lists.functions())
    assert not [n for n in lists.functions() if n.startswith(prefixes)]


def test_types_are_the_server_s_own_and_split_all_of_them(server: psycopg.Connection) -> None:
    allowed, refused = lists.types()
    rows = server.execute(
        "SELECT typname FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace"
        " AND typname !~ '^_' AND typname !~ '^(pg_|reg)'"
    ).fetchall()
    known = {name for (name,) in rows}
    assert allowed - known <= {"regconfig"}
    assert known <= allowed | refused
    assert not allowed & refused


def test_nodes_hold_every_field_of_the_parser_on_its_right_side() -> None:
    from pglast import ast

    for name, spec in lists.nodes().items():
        for field, info in getattr(ast, name).__slots__.items():
            holds_nodes = info.c_type == "ValUnion" or (
                info.c_type.endswith("*") and info.c_type != "char*"
            )
            assert (field in spec.children) == holds_nodes, (name, field)
            assert field in spec.fields, (name, field)


def test_a_field_that_nobody_reviewed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from nl2sql_fdw.guard import check

    known = lists.nodes()
    less = known["BoolExpr"]._replace(fields=frozenset({"args", "location"}))
    monkeypatch.setattr(lists, "nodes", lambda: {**known, "BoolExpr": less})
    assert check("SELECT true").allowed
    assert check("SELECT true AND false").layer == "node"
