"""Settings that row-level security depends on: a query that assigns one gets no result.

A policy on current_setting('app.tenant') trusts whoever can call set_config(). The guard
does not let a query call it; this stage is what holds where the guard fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import Refused
from nl2sql_fdw.types import Profile


@contextmanager
def watching(db: Database, profile: Profile) -> Iterator[None]:
    """Raise Refused where the body assigned a watched setting; what it assigned is undone.

    In a backend an assignment is seen even where the old value was put back afterwards.
    """
    names = profile.watch_settings
    if not names:
        yield
        return
    with db.undone():
        before = db.stamps(names)
        yield
        changed = [
            n for n, was, now in zip(names, before, db.stamps(names), strict=True) if was != now
        ]
        if changed:
            raise Refused(
                f"Refused: the query assigned the setting {changed[0]}.",
                detail="Layer: tripwire. The result is void, the setting as it was before.",
                hint="Row-level security depends on this setting; leave it alone.",
            )
