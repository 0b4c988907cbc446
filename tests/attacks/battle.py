"""Carry out one attack through one set of layers, and look what came of it."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psycopg
from cluster import connect
from corpus import Attack, fill
from evidence import Evidence, Spill, read_peak_kb, read_session, start_peak_kb
from layersets import ALL_ON, LayerSet
from predicates import succeeded
from world import ASKER, LONG_LIMIT_MS, TIME_LIMIT_MS, World

PATIENCE_MS = 800
"""The harness ends an attack so long after the product's own time limit should have."""
GRACE_S = 5
"""When even a cancel does nothing, the backend is terminated so long after."""


@dataclass(frozen=True)
class Outcome:
    """What came of one attack."""

    attack: Attack
    layers: LayerSet
    succeeded: bool
    harmed: bool
    seen: Evidence


class Battlefield:
    """One world and the asker's session in it, which is kept while it stays as it was."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._spill = world.spill
        self._session: psycopg.Connection | None = None
        self._notices: list[str] = []
        self._known: dict[str, Any] | None = None

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def fight(self, attack: Attack, layers: LayerSet) -> Outcome:
        """Carry out one attack; whoever gets an Outcome that `harmed` needs a new world."""
        world = self.world
        session = self._open()
        began_kb = self._prepare(session, attack, layers)
        before_all = self._known or world.fingerprint()
        seen = Evidence(layers=layers.name, reader=layers.reader)
        self._strike(session, attack, layers, seen)
        self._look(session, seen, began_kb)
        seen.reply += "\n".join([*self._notices, json.dumps(world.model.chats)])
        after_all = self._known = world.fingerprint()
        seen.changed = tuple(k for k in after_all if after_all[k] != before_all[k] and k != "files")
        seen.files = tuple(sorted(set(after_all["files"]) - set(before_all["files"])))
        seen.reached, seen.told = len(world.reached), tuple(world.told)
        self._clean(session)
        won = succeeded(seen, attack.predicate, attack.argument)
        seen.forget()
        return Outcome(attack, layers, won, bool(seen.changed or seen.files), seen)

    def _open(self) -> psycopg.Connection:
        if self._session is None:
            self._session = connect(self.world.name, ASKER, prepare_threshold=None)
            self._session.add_notice_handler(
                lambda notice: self._notices.append(str(notice.message_primary))
            )
            self._session.execute("SET app.tenant = 'a'")
            self._session.execute("SELECT nl2sql._call('check', 'SELECT 1', 'all on')")
        return self._session

    def _prepare(self, session: psycopg.Connection, attack: Attack, layers: LayerSet) -> int:
        for statement in attack.before:
            session.execute(fill(statement, self.world.places))
            self._known = None
        self.world.model.clear()
        self.world.told.clear()
        self.world.reached.clear()
        self._notices.clear()
        session.execute(f"SET statement_timeout = {_limit_ms(attack, layers)}")
        return start_peak_kb(session.info.backend_pid)

    def _strike(
        self, session: psycopg.Connection, attack: Attack, layers: LayerSet, seen: Evidence
    ) -> None:
        """Send it inside a transaction that is committed, so that what it did stays."""
        session.execute("BEGIN")
        seen.before = read_session(session)
        limit_s = _limit_ms(attack, layers) / 1000
        watchdog = threading.Timer(limit_s + GRACE_S, self._terminate, [session.info.backend_pid])
        watchdog.start()
        began = time.monotonic()
        spill = Spill(self._spill, session.info.backend_pid)
        try:
            self._send(session, attack, layers, seen)
        except psycopg.Error as error:
            seen.reply += f"{error} {error.diag.message_detail} {error.diag.message_hint}"
            seen.outcome = {"sqlstate": error.sqlstate}
        finally:
            watchdog.cancel()
            seen.spilled_kb = spill.stop()
        seen.stopped = seen.outcome.get("sqlstate") == "57014" or time.monotonic() - began > limit_s
        seen.crashed = session.broken and not seen.stopped

    def _send(
        self, session: psycopg.Connection, attack: Attack, layers: LayerSet, seen: Evidence
    ) -> None:
        places = {**self.world.places, "READER": layers.reader, "PROFILE": layers.name}
        body = fill(attack.body, places)
        profile = f"{layers.name} {attack.profile}".strip()
        if attack.direct:
            cursor = session.execute(body)
            rows = cursor.fetchall() if cursor.description else []
            seen.reply = str(rows)
            names = [column.name for column in cursor.description or ()]
            seen.outcome = {"rows": [dict(zip(names, row, strict=True)) for row in rows]}
            return
        if attack.question is None:
            call, values = "SELECT nl2sql._call('run', %s, %s)::text", [body, profile]
        else:
            self.world.model.enqueue(body, body)
            question = fill(attack.question, places)
            call = "SELECT row_to_json(x)::text FROM nl2sql_ask(%s, %s) x"
            values = [question, profile]
        row = session.execute(call, values).fetchone()
        assert row
        seen.reply = row[0]
        seen.outcome = _parse(row[0])

    def _look(self, session: psycopg.Connection, seen: Evidence, began_kb: int) -> None:
        """Read the session in the same transaction, then end it for good or ill."""
        if session.broken:
            return
        if session.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
            session.execute("ROLLBACK")
        session.execute("SET statement_timeout = 0")
        seen.grown_kb = read_peak_kb(session.info.backend_pid) - began_kb
        limits = {"statement_timeout": seen.before["settings"]["statement_timeout"]}
        after = dict(read_session(session))
        seen.after = {**after, "settings": {**after["settings"], **limits}}
        with suppress(psycopg.errors.InternalError):  # without undo, a failed query's cursor stays
            session.execute("COMMIT")

    def _clean(self, session: psycopg.Connection) -> None:
        """Make the session as it was, whatever was done to it; a broken one is made anew."""
        if session.broken:
            self.close()
            return
        session.execute("DISCARD ALL")
        session.execute("SET app.tenant = 'a'")

    def _terminate(self, pid: int) -> None:
        with connect("postgres") as server:
            server.execute("SELECT pg_terminate_backend(%s)", [pid])


def _parse(text: str) -> dict[str, Any]:
    """Read an answer; a number may be too long for Python, an array too deep."""
    try:
        found: dict[str, Any] = json.loads(text, parse_int=str)
    except RecursionError:
        return {}
    return found


def _limit_ms(attack: Attack, layers: LayerSet) -> int:
    long = 6 * LONG_LIMIT_MS if layers == ALL_ON else LONG_LIMIT_MS
    return PATIENCE_MS + (long if attack.profile == "long" else TIME_LIMIT_MS)


def describe(outcome: Outcome) -> str:
    """Return one line on an attack that worked, for whoever has to mend it."""
    seen: dict[str, Any] = {
        "changed": seen_or_none(outcome.seen.changed),
        "files": seen_or_none(outcome.seen.files),
        "told": seen_or_none(outcome.seen.told),
        "stopped": outcome.seen.stopped or None,
        "crashed": outcome.seen.crashed or None,
        "grown_mb": outcome.seen.grown_kb // 1024,
        "spilled_mb": outcome.seen.spilled_kb // 1024,
    }
    facts = {key: value for key, value in seen.items() if value}
    attack = outcome.attack
    return (
        f"{outcome.layers.name}: {attack.place} [{attack.threat}] {attack.predicate}"
        f" {attack.argument}: {attack.note}; {facts}; {outcome.seen.reply[:200]}"
    )


def seen_or_none(values: tuple[str, ...]) -> str | None:
    return ", ".join(values) or None
