"""An executor of a test's own, with layers of the door switched off: no SQL can make one."""

from __future__ import annotations

import json
from typing import Any

import psycopg

NAME = "test_door"

CREATE = """
CREATE OR REPLACE FUNCTION public.{name}(
    sql text, profile text, fetch_rows boolean, OUT header text, OUT rows text[])
LANGUAGE plpython3u {clauses}
AS $python$
    import sys
    for directory in reversed({path}):
        if directory not in sys.path:
            sys.path.insert(0, directory)
    from nl2sql_fdw.entry import plpython
    from nl2sql_fdw.types import Layers
    return plpython.execute(plpy, sql, profile, fetch_rows, layers=Layers({layers}))
$python$;
ALTER FUNCTION public.{name}(text, text, boolean) OWNER TO {owner};
GRANT EXECUTE ON FUNCTION public.{name}(text, text, boolean) TO PUBLIC;
"""

CLAUSES = "SET search_path = pg_catalog, pg_temp SET transaction_read_only = on"
"""The executor's own layers; leave one out to measure what the others hold."""


def make_door(
    admin: psycopg.Connection,
    reader: str,
    off: str = "",
    clauses: str = CLAUSES,
    security: str = "DEFINER",
    name: str = NAME,
) -> None:
    """Make the function `name`, owned by the reader, with the layers named in `off` off."""
    body = admin.execute(
        "SELECT prosrc FROM pg_proc WHERE oid = to_regproc(%s)", [f"nl2sql.execute_as_{reader}"]
    ).fetchone()[0]
    path = body.split("reversed(")[1].split(")")[0]
    layers = ", ".join(f"{layer}=False" for layer in off.split())
    clauses = f"SECURITY {security} {clauses}"
    script = CREATE.format(name=name, clauses=clauses, path=path, layers=layers, owner=reader)
    admin.execute(script)


def through(
    connection: psycopg.Connection, sql: str, profile: str = "default", name: str = NAME
) -> tuple[dict[str, Any], list[Any]]:
    """Take a SQL text through that door; return the header and the rows."""
    row = connection.execute(
        f"SELECT header, rows FROM public.{name}(%s, %s, true)", [sql, profile]
    ).fetchone()
    header, rows = row.values() if isinstance(row, dict) else row
    return json.loads(header), [json.loads(each) for each in rows]
