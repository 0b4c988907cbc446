"""What a call is given beside its subject: read from JSON that any asker may have written."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from nl2sql_fdw.errors import BadSetup

_LONGEST_THREAD = 200


@dataclass(frozen=True)
class Arguments:
    """Each is None where it was not given."""

    thread: str | None = None
    sql: str | None = None
    shared: bool | None = None
    id: str | None = None
    good: bool | None = None


NOTHING = Arguments()

_KINDS: dict[str, type] = {"thread": str, "sql": str, "shared": bool, "id": str, "good": bool}


def read(text: str | None) -> Arguments:
    """Return the arguments; raise BadSetup where one is unknown or of another kind."""
    given: Any = json.loads(text or "{}")
    known = {field.name for field in fields(Arguments)}
    if not isinstance(given, dict) or not given.keys() <= known:
        raise BadSetup("The call has arguments that are not known.", hint="See \\df nl2sql*.")
    for name, value in given.items():
        if value is not None and type(value) is not _KINDS[name]:
            raise BadSetup(f"The argument {name} is not a {_KINDS[name].__name__}.")
    if len(given.get("thread") or "") > _LONGEST_THREAD:
        raise BadSetup(f"The name of a thread has at most {_LONGEST_THREAD} characters.")
    return Arguments(**given)
