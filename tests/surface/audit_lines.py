"""The lines that a session adds to the server's log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

MARK = "nl2sql audit: "


@contextmanager
def logged(connection: psycopg.Connection) -> Iterator[list[dict[str, Any]]]:
    """Collect the audit's lines of the body: a client may have its own log lines sent to it."""
    lines: list[dict[str, Any]] = []

    def note(said: psycopg.errors.Diagnostic) -> None:
        if said.severity_nonlocalized == "LOG" and said.message_primary.startswith(MARK):
            assert "\n" not in said.message_primary
            lines.append(json.loads(said.message_primary.removeprefix(MARK)))

    connection.execute("SET client_min_messages = log")
    connection.add_notice_handler(note)
    try:
        yield lines
    finally:
        connection.remove_notice_handler(note)
        connection.execute("RESET client_min_messages")
