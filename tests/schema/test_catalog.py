"""What the catalog stage shows, and to whom, on a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from nl2sql_fdw.errors import BadSetup, CannotAnswer
from nl2sql_fdw.types import ForeignKey, Relation, Schema

SCRIPT = """
CREATE SCHEMA freight; CREATE SCHEMA closed; CREATE SCHEMA nl2sql;
CREATE TYPE stage AS ENUM ('new', 'shipped', 'back');
CREATE DOMAIN stages AS stage[];
CREATE TABLE port (id int PRIMARY KEY, name varchar(40) NOT NULL, secret text);
COMMENT ON TABLE port IS 'where ships lie';
COMMENT ON COLUMN port.name IS 'as painted
on the quay';
CREATE TABLE "HarbourLog" ("ShipID" int, stage stage, was stages, at timestamptz NOT NULL);
CREATE TABLE freight.leg (
    id int PRIMARY KEY, origin int REFERENCES port, target int REFERENCES port (id));
CREATE TABLE closed.vault (id int PRIMARY KEY);
CREATE TABLE nl2sql.profile (id int);
CREATE TABLE hidden (id int PRIMARY KEY);
CREATE TABLE fee (hidden_id int REFERENCES hidden, port_id int REFERENCES port, amount numeric);
CREATE VIEW only_view AS SELECT id FROM hidden;
CREATE MATERIALIZED VIEW mv_daily AS
    SELECT at::date AS day, count(*) AS n FROM "HarbourLog" GROUP BY 1;
CREATE TABLE toll (id int, at date, port_id int REFERENCES port, PRIMARY KEY (id, at))
    PARTITION BY RANGE (at);
CREATE TABLE toll_2025 PARTITION OF toll FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE toll_2026 PARTITION OF toll FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')
    PARTITION BY RANGE (at);
CREATE TABLE toll_2026_h1 PARTITION OF toll_2026 FOR VALUES FROM ('2026-01-01') TO ('2026-07-01');
CREATE TABLE toll_receipt (toll int, at date, FOREIGN KEY (toll, at) REFERENCES toll);
CREATE FOREIGN DATA WRAPPER nowhere; CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE far (id int, note text) SERVER nowhere;
CREATE EXTENSION pg_stat_statements;
"""

GRANTS = """
GRANT USAGE ON SCHEMA freight, nl2sql TO {role};
GRANT SELECT ON ALL TABLES IN SCHEMA public, freight, closed, nl2sql TO {role};
REVOKE SELECT ON port, hidden FROM {role};
GRANT SELECT (id, name) ON port TO {role};
"""


@pytest.fixture(scope="module")
def database(
    make_database: Callable[[str], psycopg.Connection], roles: tuple[str, str]
) -> Iterator[psycopg.Connection]:
    connection = make_database(SCRIPT + "".join(GRANTS.format(role=role) for role in roles))
    yield connection
    for role in roles:
        connection.execute(f"DROP OWNED BY {role} CASCADE")


@pytest.fixture
def show(
    database: psycopg.Connection, roles: tuple[str, str], read_schema: Callable[..., Schema]
) -> Iterator[Callable[..., Schema]]:
    """Return a function: the schema as the caller of `roles` sees it."""
    reader, caller = roles
    database.execute(f"SET ROLE {caller}")

    def read(**profile: object) -> Schema:
        return read_schema(database, **{"reader": reader, **profile})

    yield read
    database.execute("RESET ROLE")


def as_admin(database: psycopg.Connection, sql: str) -> None:
    role = database.execute("SELECT current_user").fetchone()[0]
    database.execute(f"RESET ROLE; {sql}; SET ROLE {role}")


def names(schema: Schema) -> list[str]:
    return [f"{relation.schema}.{relation.name}" for relation in schema.relations]


def one(schema: Schema, name: str) -> Relation:
    (relation,) = schema.named(name)
    return relation


def test_shows_every_readable_kind_once_and_in_order(show: Callable[..., Schema]) -> None:
    schema = show()
    assert names(schema) == [
        "freight.leg", "public.HarbourLog", "public.far", "public.fee", "public.mv_daily",
        "public.only_view", "public.port", "public.toll", "public.toll_receipt",
    ]  # fmt: skip
    kinds = {relation.name: relation.kind for relation in schema.relations}
    assert kinds["far"] == "foreign table"
    assert kinds["mv_daily"] == "materialized view"
    assert kinds["only_view"] == "view"
    assert kinds["toll"] == "table"
    assert schema.search_path == ("public",)
    assert show() == schema


def test_hides_a_column_that_is_not_granted(show: Callable[..., Schema]) -> None:
    port = one(show(), "port")
    assert [column.name for column in port.columns] == ["id", "name"]
    assert port.comment == "where ships lie"
    assert port.columns[1].type == "character varying(40)"
    assert port.columns[1].not_null
    assert port.columns[1].comment == "as painted\non the quay"


def test_finds_enum_labels_through_arrays_and_domains(show: Callable[..., Schema]) -> None:
    log = one(show(), "HarbourLog")
    assert {column.name: column.enum_labels for column in log.columns} == {
        "ShipID": (), "stage": ("new", "shipped", "back"), "was": ("new", "shipped", "back"),
        "at": (),
    }  # fmt: skip


def test_keys_name_only_what_is_shown(show: Callable[..., Schema]) -> None:
    schema = show()
    assert one(schema, "fee").foreign_keys == (ForeignKey(("port_id",), "public", "port", ("id",)),)
    assert one(schema, "leg").foreign_keys == (
        ForeignKey(("origin",), "public", "port", ("id",)),
        ForeignKey(("target",), "public", "port", ("id",)),
    )


def test_folds_partitions_and_keeps_the_parents_keys(show: Callable[..., Schema]) -> None:
    schema = show()
    toll = one(schema, "toll")
    assert toll.primary_key == ("id", "at")
    assert toll.foreign_keys == (ForeignKey(("port_id",), "public", "port", ("id",)),)
    assert one(schema, "toll_receipt").foreign_keys == (
        ForeignKey(("toll", "at"), "public", "toll", ("id", "at")),
    )


def test_shows_a_partition_whose_parents_are_hidden(
    show: Callable[..., Schema], database: psycopg.Connection, roles: tuple[str, str]
) -> None:
    as_admin(database, f"REVOKE SELECT ON toll FROM {roles[1]}")
    try:
        shown = [name for name in names(show()) if name.startswith("public.toll_2")]
        assert shown == ["public.toll_2025", "public.toll_2026"]
    finally:
        as_admin(database, f"GRANT SELECT ON toll TO {roles[1]}")


@pytest.mark.parametrize("who", [0, 1], ids=["reader", "caller"])
def test_needs_the_privileges_of_both(
    show: Callable[..., Schema], database: psycopg.Connection, roles: tuple[str, str], who: int
) -> None:
    as_admin(
        database,
        f"REVOKE USAGE ON SCHEMA freight FROM {roles[who]};"
        f"REVOKE SELECT (name) ON port FROM {roles[who]}",
    )
    try:
        schema = show()
        assert schema.named("leg") == ()
        assert [column.name for column in one(schema, "port").columns] == ["id"]
    finally:
        as_admin(
            database,
            f"GRANT USAGE ON SCHEMA freight TO {roles[who]};"
            f"GRANT SELECT (name) ON port TO {roles[who]}",
        )


def test_the_profile_limits_and_orders_the_schemas(show: Callable[..., Schema]) -> None:
    assert names(show(schemas=("freight",))) == ["freight.leg"]
    both = show(schemas=("freight", "public", "closed"))
    assert both.search_path == ("freight", "public")
    assert "closed.vault" not in names(both)


def test_nothing_readable_names_both_roles(
    show: Callable[..., Schema], roles: tuple[str, str]
) -> None:
    with pytest.raises(CannotAnswer) as caught:
        show(schemas=("closed",))
    assert all(role in caught.value.message for role in roles)
    assert "GRANT USAGE ON SCHEMA" in caught.value.hint


def test_an_unknown_reader_is_a_fault_of_the_setup(show: Callable[..., Schema]) -> None:
    with pytest.raises(BadSetup, match="no_such_role"):
        show(reader="no_such_role")
