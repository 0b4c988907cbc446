"""The sets of layers that the matrix compares, each a reader role with an executor of its own.

A set is a profile of its name: `nl2sql_run(sql, profile => 'no guard')` goes the ordinary way,
front door and all, into an executor whose body switches layers off. The body is the product's
own, as create_executor() made it, with only the switches added.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass

import psycopg
from psycopg import sql

CALL = "plpython.execute(plpy, sql, profile, fetch_rows, cells=cells)"
IMPORT = "    from nl2sql_fdw.entry import plpython\n"
SAFETY = "    import resource\n    resource.setrlimit(resource.RLIMIT_DATA, (1_200_000_000, -1))\n"
"""Where our own limits are off, so that the machine outlives what is measured."""
CLAUSE = r"\s+SET {} TO '[^']*'"
TEMP_FILES = "100MB"
"""A lower bound on temporary files than the product's own, so that passing it shows at once."""


_making = threading.Lock()


@dataclass(frozen=True)
class LayerSet:
    """Layers of the door that are off; `database` false: a superuser reads, and may write."""

    name: str
    off: tuple[str, ...] = ()
    database: bool = True

    @property
    def reader(self) -> str:
        return f"attack_reader_{self.name.replace(' ', '_')}_{os.getpid()}"


ALL_ON = LayerSet("all on")
NO_GUARD = LayerSet("no guard", ("guard",))
DATABASE_ALONE = LayerSet(
    "database alone", ("guard", "identity", "views", "cost", "limits", "tripwire", "undo")
)
LAYER_SETS = (
    ALL_ON,
    NO_GUARD,
    LayerSet("no identity", ("identity",)),
    LayerSet("no views", ("views",)),
    LayerSet("no cost", ("cost",)),
    LayerSet("no limits", ("limits",)),
    LayerSet("no tripwire", ("tripwire",)),
    LayerSet("no undo", ("undo",)),
    DATABASE_ALONE,
    LayerSet("no database", database=False),
)


def create_reader(admin: psycopg.Connection, layers: LayerSet) -> None:
    """Make the reader role of a set."""
    power = "NOSUPERUSER NOBYPASSRLS" if layers.database else "SUPERUSER"
    make_role(admin, layers.reader, f"NOLOGIN NOCREATEROLE {power}")


def make_role(admin: psycopg.Connection, name: str, options: str) -> None:
    """Make a role, or make it so: roles belong to the whole cluster, and may be there.

    One at a time: worlds are built beside each other, and each needs the same askers.
    """
    with _making:
        _make_role(admin, name, options)


def _make_role(admin: psycopg.Connection, name: str, options: str) -> None:
    found = admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
    verb = "ALTER" if found else "CREATE"
    admin.execute(sql.SQL(f"{verb} ROLE {{}} {options}").format(sql.Identifier(name)))


def drop_roles(server: psycopg.Connection) -> None:
    """Drop the roles of the attacks that no database needs any more."""
    unused = server.execute(
        "SELECT rolname FROM pg_roles r WHERE rolname ~ '^attack_' AND NOT EXISTS"
        " (SELECT FROM pg_shdepend d WHERE d.refobjid = r.oid AND d.dbid <> 0)"
    ).fetchall()
    for (name,) in unused:
        server.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
        server.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def create_executor(admin: psycopg.Connection, layers: LayerSet) -> None:
    """Let the product make the executor and its grants, then switch the set's layers off."""
    model = layers if layers.database else ALL_ON  # for a superuser the product makes none
    made_by = "nl2sql.create_executor(%s)" if layers.database else "to_regproc(%s)"
    named = model.reader if layers.database else f'nl2sql."execute_as_{model.reader}"'
    made = admin.execute(f"SELECT pg_get_functiondef({made_by})", [named]).fetchone()
    assert made and made[0].count(CALL) == 1, "the executor's body is not as it was"
    switches = ", ".join(f"{layer}=False" for layer in layers.off)
    text = made[0].replace(model.reader, layers.reader)
    if "limits" in layers.off:
        text = text.replace(IMPORT, IMPORT + SAFETY)
    if layers.off:
        text = text.replace(
            CALL,
            "plpython.execute(plpy, sql, profile, fetch_rows,"
            f" __import__('nl2sql_fdw.types').types.Layers({switches}), cells=cells)",
        )
    if not layers.database:
        text = _without(text, "transaction_read_only", "row_security")
    admin.execute(_with_temp_files(text, layers))
    name = sql.Identifier("nl2sql", f"execute_as_{layers.reader}")
    for statement in (
        "REVOKE ALL ON FUNCTION {name} FROM PUBLIC",
        "GRANT EXECUTE ON FUNCTION {name} TO attack_askers",
        "ALTER FUNCTION {name} OWNER TO {reader}",
    ):
        command = sql.SQL(statement).format(name=name, reader=sql.Identifier(layers.reader))
        admin.execute(command)


def _with_temp_files(definition: str, layers: LayerSet) -> str:
    """Lower the bound, or take it off where the limits are; PostgreSQL 14 has none to set."""
    is_bound = "limits" not in layers.off or layers == DATABASE_ALONE
    clause = f"\n SET temp_file_limit TO '{TEMP_FILES}'" if is_bound else ""
    return re.sub(CLAUSE.format("temp_file_limit"), clause, definition)


def _without(definition: str, *settings: str) -> str:
    """Leave clauses out of a function's definition; fail where one is not there."""
    for setting in settings:
        definition, times = re.subn(CLAUSE.format(setting), "", definition)
        assert times == 1, f"the executor has no clause for {setting}"
    return definition
