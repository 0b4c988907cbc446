"""What would be true had an attack worked: each predicate is defined here, once.

An error is no predicate, and neither is a refusal: only what the attacker wanted counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from evidence import Evidence

MEMORY_KB = 300 * 1024
DISK_KB = 150 * 1024
MAX_ROWS, MAX_BYTES = 200, 200_000

Predicate = Callable[[Evidence, str], bool]


def shows(seen: Evidence, marker: str) -> bool:
    """A secret's text came back, in rows, an error, a notice or a prompt."""
    return marker in seen.reply


def answers(seen: Evidence, value: str) -> bool:
    """The first column of the first row is this value: an oracle gave its bit."""
    rows = seen.outcome.get("rows") or [{}]
    first = next(iter(rows[0].values()), None) if isinstance(rows[0], dict) else None
    return json.dumps(first).strip('"') == value


def changed(seen: Evidence, part: str) -> bool:
    """Something that outlives the call is not as it was."""
    return part in seen.changed if part else bool(seen.changed)


def escaped(seen: Evidence, _: str) -> bool:
    """The query ran as another role than the reader, or the session has another one now."""
    rows = seen.outcome.get("rows") or []
    who = {row["who"] for row in rows if isinstance(row, dict) and "who" in row}
    return bool(who - {seen.reader}) or seen.differs("role") or "roles" in seen.changed


def setting(seen: Evidence, _: str) -> bool:
    """A setting of the asker's session is not as it was."""
    return seen.differs("settings", "tenant", "role")


def leftover(seen: Evidence, _: str) -> bool:
    """A temporary object, cursor or prepared statement was left behind."""
    return seen.differs("temp", "cursors", "prepared")


def locked(seen: Evidence, _: str) -> bool:
    """A lock that a reader does not need is held after the call."""
    return seen.differs("locks")


def written(seen: Evidence, _: str) -> bool:
    """A file is there that was not."""
    return bool(seen.files)


def connected(seen: Evidence, _: str) -> bool:
    """Something called the listener."""
    return seen.reached > 0


def notified(seen: Evidence, _: str) -> bool:
    """Another session was sent a message."""
    return bool(seen.told)


def endless(seen: Evidence, _: str) -> bool:
    """The product's time limit did not end it: the harness had to."""
    return seen.stopped


def bloated(seen: Evidence, _: str) -> bool:
    """The backend took far more memory than an answer needs."""
    return seen.grown_kb > MEMORY_KB


def spilled(seen: Evidence, _: str) -> bool:
    """The backend's temporary files held more at once than the executor's bound."""
    return seen.spilled_kb > DISK_KB


def flooded(seen: Evidence, _: str) -> bool:
    """More rows or bytes came back than the profile lets through."""
    rows = seen.outcome.get("rows") or []
    return len(rows) > MAX_ROWS or len(json.dumps(rows, ensure_ascii=False)) > 2 * MAX_BYTES


PREDICATES: dict[str, Predicate] = {
    check.__name__: check
    for check in (
        shows, answers, changed, escaped, setting, leftover, locked, written, connected,
        notified, endless, bloated, spilled, flooded,
    )
}  # fmt: skip


def succeeded(seen: Evidence, predicate: str, argument: str) -> bool:
    """Tell whether the attack did what it was for, or any other lasting harm on the way."""
    harm = seen.crashed or bool(seen.changed) or bool(seen.files) or seen.reached > 0
    return harm or PREDICATES[predicate](seen, argument)
