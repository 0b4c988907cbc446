"""The worker of the SQLite extension: one process for each connection that asks.

It ends when the connection is closed. It never opens a database: all that it knows of one comes
through its standard input, which is a socket to the extension.
"""

from __future__ import annotations

import os
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress

from nl2sql_fdw.database.sqlite import SqliteDatabase
from nl2sql_fdw.database.sqlite_pipe import Field, HungUp, PipeLink, Wire
from nl2sql_fdw.entry import outcome, sqlite_options
from nl2sql_fdw.entry.sqlite_calls import ACTIONS, Calls, words
from nl2sql_fdw.errors import Nl2sqlError, ServerError
from nl2sql_fdw.guard import sqlite as guard
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import ALL_LAYERS, Layers, Profile


def main(connect: Callable[[Profile], Model] = connect, layers: Layers = ALL_LAYERS) -> None:
    """Answer calls until the extension hangs up; tests pass another model, or fewer layers."""
    os.closerange(3, 4096)  # what the host had open is not ours to keep open
    with socket.socket(fileno=0) as stream, suppress(HungUp):
        wire = Wire(stream)
        link = PipeLink(wire)
        calls = Calls(link, connect, layers)
        while True:
            action, subject, options = (f.decode("utf-8", "replace") for f in wire.receive())
            wire.send("done", *_perform(calls, link, action, subject, options))


def _perform(
    calls: Calls, link: PipeLink, action: str, subject: str, options: str
) -> Sequence[Field]:
    """Return ("ok", ...) as the action has it, or ("error", the words for a person)."""
    try:
        profile = sqlite_options.profile(link, options)
        link.memory_bytes = profile.max_memory_bytes
        db = SqliteDatabase(link, guard.functions(), allowed=profile.allow_functions)
        return ("ok", *ACTIONS[action](calls, subject, db, profile))
    except HungUp:
        raise
    except (Nl2sqlError, ServerError) as error:
        return ("error", words(outcome.of_error(error)))
    except Exception as error:  # noqa: BLE001  the edge: the worker goes on
        traceback.print_exc(file=sys.stderr)
        return ("error", words(outcome.of_fault(error)))
