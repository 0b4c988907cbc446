"""Views that a question must not use: refused by name, left out of the prompt, reported."""

from __future__ import annotations

import psycopg
import pytest
from shipyard import ASKER, READER, Shipyard

from nl2sql_fdw import views
from nl2sql_fdw.types import ForeignKey, Relation, Schema

SCRIPT = f"""
CREATE FUNCTION ring(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT $1 || '!' $$;
CREATE FUNCTION lower(int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'own' $$;
CREATE FUNCTION tons_text(harbour) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'cast' $$;
CREATE CAST (harbour AS text) WITH FUNCTION tons_text(harbour);
CREATE FUNCTION plus(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT $1 $$;
CREATE OPERATOR <%> (FUNCTION = plus, LEFTARG = text, RIGHTARG = text);
CREATE DOMAIN loud AS text CHECK (ring(VALUE) <> '');
CREATE TYPE mood AS ENUM ('calm', 'rough');
CREATE VIEW v_plain AS SELECT id, upper(name) AS name FROM ship WHERE tons > 2;
CREATE VIEW v_enum AS SELECT id, 'calm'::mood AS sea FROM ship;
CREATE MATERIALIZED VIEW v_kept AS SELECT harbour_id, count(*) AS n FROM ship GROUP BY 1;
CREATE VIEW v_server AS SELECT pg_backend_pid() AS pid FROM ship;
CREATE VIEW v_catalog AS SELECT rolname FROM pg_roles;
CREATE VIEW v_own AS SELECT ring(name) AS name FROM ship;
CREATE VIEW v_shadow AS SELECT lower(id) AS name FROM ship;
CREATE VIEW v_cast AS SELECT h::text AS h FROM harbour h;
CREATE VIEW v_operator AS SELECT name <%> 'x' AS name FROM ship;
CREATE VIEW v_domain AS SELECT name::loud AS name FROM ship;
CREATE VIEW v_lock AS SELECT id FROM ship FOR UPDATE;
CREATE VIEW v_outer AS SELECT name FROM v_own;
CREATE VIEW v_upper AS SELECT o.name, p.id FROM v_outer o JOIN v_plain p USING (name);
CREATE TABLE berth (n int, tenant text);
INSERT INTO berth VALUES (1, '{READER}'), (2, 'somebody');
ALTER TABLE berth ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON berth USING (tenant = current_user);
CREATE VIEW v_leak AS SELECT n FROM berth;
CREATE VIEW v_safe WITH (security_invoker) AS SELECT n FROM berth;
CREATE MATERIALIZED VIEW v_stored AS SELECT n FROM berth;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}, {ASKER};
"""

ALLOWED = ["v_plain", "v_enum", "v_kept", "v_safe"]
DENIED = {
    "v_server": ("N2001", "pg_backend_pid"), "v_catalog": ("N2001", "pg_roles"),
    "v_own": ("N2001", "public.ring"), "v_shadow": ("N2001", "public.lower"),
    "v_cast": ("N2001", "public.tons_text"), "v_operator": ("N2001", "operator public.<%>"),
    "v_domain": ("N2001", "type public.loud"), "v_lock": ("N2001", "FOR UPDATE"),
    "v_outer": ("N2001", "public.ring"), "v_upper": ("N2001", "public.ring"),
    "v_leak": ("N2007", "row-level security"), "v_stored": ("N2007", "row-level security"),
}  # fmt: skip
"""view: the SQLSTATE and what the message names."""


@pytest.fixture(scope="module")
def yard(shipyard_server: Shipyard) -> Shipyard:
    shipyard_server.profile()
    shipyard_server.admin.execute(SCRIPT)
    return shipyard_server


@pytest.fixture
def ask(yard: Shipyard, shipyard: Shipyard) -> psycopg.Connection:
    return shipyard.asker()


def check(connection: psycopg.Connection, name: str) -> dict[str, object]:
    sql = f"SELECT * FROM {name}"
    return connection.execute("SELECT * FROM nl2sql_check(%s)", [sql]).fetchone()


@pytest.mark.parametrize("name", ALLOWED)
def test_an_ordinary_view_may_be_asked_about(ask, name: str):
    assert check(ask, name)["allowed"]


@pytest.mark.parametrize("name", DENIED)
def test_a_view_that_runs_other_code_or_leaks_is_denied(ask, name: str):
    state, named = DENIED[name]
    got = check(ask, name)
    assert (got["allowed"], got["sqlstate"]) == (False, state)
    assert named in got["message"] and f"public.{name}" in got["message"]
    assert got["detail"].startswith("Layer: views") and "allow_views" in got["hint"]


@pytest.mark.parametrize("name", DENIED)
def test_the_profile_may_allow_it(ask, shipyard: Shipyard, name: str):
    shipyard.profile(allow_views=[f"public.{name}"])
    assert check(ask, name)["allowed"]


def test_an_allowed_function_is_allowed_in_a_view(ask, shipyard: Shipyard):
    shipyard.profile(allow_functions=["public.ring"])
    assert check(ask, "v_own")["allowed"] and check(ask, "v_upper")["allowed"]


def test_a_replaced_view_is_judged_anew(ask, yard: Shipyard):
    assert check(ask, "v_plain")["allowed"]
    with yard.admin.transaction():
        yard.admin.execute(
            "CREATE OR REPLACE VIEW v_plain AS SELECT id, ring(name) AS name FROM ship"
        )
    changed = check(ask, "v_plain")
    yard.admin.execute("CREATE OR REPLACE VIEW v_plain AS SELECT id, upper(name) AS name FROM ship")
    assert not changed["allowed"] and check(ask, "v_plain")["allowed"]


def test_a_renamed_function_is_judged_by_its_new_name(ask, shipyard: Shipyard):
    shipyard.profile(allow_functions=["public.ring"])
    assert check(ask, "v_own")["allowed"]
    shipyard.admin.execute("ALTER FUNCTION ring(text) RENAME TO rang")
    renamed = check(ask, "v_own")
    shipyard.admin.execute("ALTER FUNCTION rang(text) RENAME TO ring")
    assert not renamed["allowed"] and "public.rang" in renamed["message"]


def test_denied_views_are_not_in_the_prompt(ask):
    text = ask.execute("SELECT nl2sql_prompt('list everything') AS p").fetchone()["p"]
    assert all(name in text for name in ALLOWED)
    assert not [name for name in DENIED if name in text]


def test_status_names_each_with_its_reason(ask):
    rows = ask.execute("SELECT * FROM nl2sql_status() WHERE status <> 'ok'").fetchall()
    said = {row["detail"].split()[0].removeprefix("public."): row for row in rows}
    assert set(said) == set(DENIED)
    assert {said[n]["component"] for n in ("v_leak", "v_stored")} == {"row security"}
    assert said["v_own"]["component"] == "view" and "allow_views" in said["v_own"]["hint"]


def test_a_schema_loses_the_denied_and_the_keys_to_them():
    leak = views.Denial(1, "public.year_low", "leaks", True)
    key = ForeignKey(("a",), "public", "year_low", ("a",))
    schema = Schema(
        (
            Relation(1, "public", "year_low", "table", ()),
            Relation(2, "public", "bill", "table", (), foreign_keys=(key,)),
        ),
        ("public",),
    )
    left = views.without(schema, [leak])
    assert [(r.name, r.foreign_keys) for r in left.relations] == [("bill", ())]
