"""What can be seen after an attack: the reply, the session, the database, the machine."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

LOCKS = """
SELECT coalesce(json_agg(DISTINCT l.locktype || ' ' || l.mode), '[]')
FROM pg_locks l LEFT JOIN pg_class c ON c.oid = l.relation
WHERE l.pid = pg_backend_pid() AND l.mode NOT IN ('AccessShareLock') AND l.granted
  AND l.locktype NOT IN ('virtualxid', 'transactionid')
  AND (l.relation IS NULL OR c.relnamespace::regnamespace::text NOT IN ('nl2sql', 'pg_toast'))
"""

SESSION = f"""
SELECT json_build_object(
    'role', json_build_array(current_user, session_user, current_setting('role')),
    'settings', (SELECT json_object_agg(name, setting) FROM pg_settings
                 WHERE name !~ '^(plpgsql|in_hot_standby|transaction_)'),
    'tenant', current_setting('app.tenant', true),
    'cursors', (SELECT count(*) FROM pg_cursors WHERE name <> ''),
    'prepared', (SELECT count(*) FROM pg_prepared_statements),
    'temp', (SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema()),
    'locks', ({LOCKS}))
"""
"""Of the asker's session; it is asked inside the transaction, so that its locks are seen."""


def read_peak_kb(pid: int) -> int:
    """Return the most memory that the backend has held, by the kernel's count."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def start_peak_kb(pid: int) -> int:
    """Begin to count anew: the peak falls to what the backend holds now (see proc(5))."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return read_peak_kb(pid)


class Spill:
    """Look at the backend's temporary files again and again; keep the most there were at once."""

    def __init__(self, folder: Path, pid: int) -> None:
        self.most_kb = 0
        self._files = (folder, f"pgsql_tmp{pid}.*")
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self) -> int:
        self._over.set()
        self._thread.join()
        return self.most_kb

    def _watch(self) -> None:
        while not self._over.wait(0.01):
            folder, pattern = self._files
            size = 0
            for file in folder.glob(pattern):
                with suppress(FileNotFoundError):  # it may go while we look
                    size += file.stat().st_size
            self.most_kb = max(self.most_kb, size // 1024)


def read_session(connection: psycopg.Connection) -> Mapping[str, Any]:
    row = connection.execute(SESSION).fetchone()
    assert row
    return row[0]


@dataclass
class Evidence:
    """Everything a predicate may look at."""

    layers: str
    reply: str = ""
    """All text that came back: rows, messages, notices, the error."""
    outcome: Mapping[str, Any] = field(default_factory=dict)
    """The answer's own account: status, sqlstate, rows, row_count."""
    changed: tuple[str, ...] = ()
    """Parts of the fingerprint that are not as before."""
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    """The session."""
    files: tuple[str, ...] = ()
    """New files."""
    reached: int = 0
    """Connections that the listener got."""
    told: tuple[str, ...] = ()
    """Channels on which a notification came."""
    stopped: bool = False
    """The harness, and not the product, had to end it."""
    crashed: bool = False
    grown_kb: int = 0
    spilled_kb: int = 0
    reader: str = ""

    def differs(self, *parts: str) -> bool:
        """Tell whether any of these parts of the session is not as it was."""
        return any(self.before.get(part) != self.after.get(part) for part in parts)

    def forget(self) -> None:
        """Let go of what is large, once it has been judged."""
        self.reply = self.reply[:300]
        self.outcome, self.before, self.after = {}, {}, {}
