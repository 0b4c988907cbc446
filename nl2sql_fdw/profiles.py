"""Read a profile from the table that only its owner can write."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.types import Profile

_NAMES = tuple(field.name for field in fields(Profile))
_LOAD = f"SELECT {', '.join(_NAMES)} FROM nl2sql.profile WHERE name = $1"


def load(db: Database, name: str | None) -> Profile:
    """Return the named profile; raise BadSetup, naming those there are, where there is none."""
    rows = db.query(_LOAD, name or "default")
    if not rows:
        known = [row["name"] for row in db.query("SELECT name FROM nl2sql.profile ORDER BY 1")]
        raise BadSetup(
            f"There is no profile named {name!r}.",
            detail=f"Profiles: {', '.join(known) or 'none'}.",
            hint="Name one of them, or have the owner insert one into nl2sql.profile."
            if known
            else "Run sql/roles.sql as a superuser: it makes the default profile.",
        )
    return Profile(**{key: _frozen(value) for key, value in rows[0].items()})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
