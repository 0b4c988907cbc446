"""Which views and materialized views hand out rows that policies would hide (S10).

Each expectation is also checked against the server: the rows that the reader really gets.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

import psycopg
import pytest

from nl2sql_fdw.database.row_security import REACH
from nl2sql_fdw.types import Relation, Schema

SCRIPT = """
GRANT CREATE, USAGE ON SCHEMA public TO {owner}, {other};
SET ROLE {owner};
CREATE TABLE cargo (tenant text, n int);
INSERT INTO cargo VALUES ('{reader}', 1), ('somebody else', 2);
ALTER TABLE cargo ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON cargo USING (tenant = current_user);
CREATE TABLE forced (LIKE cargo);
INSERT INTO forced SELECT * FROM cargo;
ALTER TABLE forced ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON forced USING (tenant = current_user);
CREATE VIEW of_owner AS SELECT * FROM cargo;
CREATE VIEW of_owner_forced AS SELECT * FROM forced;
CREATE VIEW of_invoker WITH (security_invoker = on) AS SELECT * FROM cargo;
GRANT SELECT ON cargo TO {other};
RESET ROLE;
SET ROLE {other}; CREATE VIEW of_other AS SELECT * FROM cargo; RESET ROLE;
CREATE VIEW of_superuser AS SELECT * FROM forced;
CREATE VIEW over_invoker AS SELECT * FROM of_invoker;
CREATE VIEW over_owner WITH (security_invoker = true) AS SELECT * FROM of_owner;
CREATE MATERIALIZED VIEW kept AS SELECT * FROM of_invoker;
CREATE VIEW over_kept WITH (security_invoker = true) AS SELECT * FROM kept;
CREATE TABLE crew (tenant text, n int);
INSERT INTO crew SELECT * FROM forced;
ALTER TABLE crew ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON crew TO {reader} USING (tenant = current_user);
CREATE POLICY staff ON crew TO {other} USING (true);
GRANT SELECT ON crew TO {other};
SET ROLE {other}; CREATE VIEW of_staff AS SELECT * FROM crew; RESET ROLE;
CREATE TABLE year (tenant text, n int) PARTITION BY RANGE (n);
CREATE TABLE year_low PARTITION OF year FOR VALUES FROM (0) TO (9);
CREATE TABLE year_high PARTITION OF year FOR VALUES FROM (9) TO (99);
INSERT INTO year SELECT * FROM crew; INSERT INTO year SELECT tenant, n + 10 FROM crew;
ALTER TABLE year ENABLE ROW LEVEL SECURITY;
ALTER TABLE year_high ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON year USING (tenant = current_user AND n < 9);
CREATE POLICY own ON year_high USING (tenant = current_user);
CREATE TABLE open (n int);
CREATE VIEW of_open AS SELECT * FROM open;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO {reader};
"""

LEAKS = ["kept", "of_owner", "of_staff", "of_superuser", "over_kept", "over_owner"]
FILTERS = ["cargo", "crew", "forced", "of_invoker", "of_other", "of_owner_forced", "over_invoker"]


@pytest.fixture(scope="module")
def database(
    server: psycopg.Connection, make_database: Callable[[str], psycopg.Connection]
) -> Iterator[tuple[psycopg.Connection, str]]:
    suffix = uuid.uuid4().hex[:8]
    roles = {name: f"{name}_{suffix}" for name in ("owner", "other", "reader")}
    for role in roles.values():
        server.execute(f"CREATE ROLE {role}")
    connection = make_database(SCRIPT.format(**roles))
    connection.execute(f"SET ROLE {roles['reader']}")
    yield connection, roles["reader"]
    connection.execute("RESET ROLE")
    for role in roles.values():
        connection.execute(f"DROP OWNED BY {role} CASCADE")
        connection.execute(f"DROP ROLE {role}")


@pytest.fixture(scope="module")
def shown(
    database: tuple[psycopg.Connection, str], read_schema: Callable[..., Schema]
) -> dict[str, Relation]:
    connection, reader = database
    schema = read_schema(connection, reader=reader)
    return {relation.name: relation for relation in schema.relations}


@pytest.fixture(scope="module")
def bypassing(database: tuple[psycopg.Connection, str]) -> dict[str, bool]:
    rows = database[0].execute(
        f"WITH RECURSIVE {REACH}"
        " SELECT oid::regclass::text, bool_or(bypasses) FROM reach GROUP BY 1"
    )
    return dict(rows.fetchall())


@pytest.mark.parametrize(("name", "rows"), [(n, 2) for n in LEAKS] + [(n, 1) for n in FILTERS])
def test_agrees_with_what_the_server_hands_out(
    database: tuple[psycopg.Connection, str], shown: dict[str, Relation], name: str, rows: int
) -> None:
    connection, _ = database
    assert connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] == rows
    assert shown[name].bypasses_row_security == (rows == 2)


def test_flags_only_what_touches_row_security(shown: dict[str, Relation]) -> None:
    assert not shown["of_open"].bypasses_row_security
    assert [name for name in sorted(shown) if shown[name].row_security] == [
        "cargo", "crew", "forced", "year",
    ]  # fmt: skip


def test_a_partition_answers_to_its_own_policies_only(
    database: tuple[psycopg.Connection, str], bypassing: dict[str, bool]
) -> None:
    connection, _ = database
    counts = {
        name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
        for name in ("year", "year_low", "year_high")
    }
    assert counts == {"year": 1, "year_low": 2, "year_high": 1}
    assert [bypassing[name] for name in counts] == [False, True, False]
