"""The worker of the SQLite extension: one process for each connection that asks.

It ends when the connection is closed. It never opens a database: all that it knows of one comes
through its standard input, which is a socket to the extension.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress

from nl2sql_fdw.database.sqlite_pipe import HungUp, PipeLink, Wire
from nl2sql_fdw.entry.sqlite_calls import Calls
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import ALL_LAYERS, Layers, Profile


def main(connect: Callable[[Profile], Model] = connect, layers: Layers = ALL_LAYERS) -> None:
    """Answer calls until the extension hangs up; tests pass another model, or fewer layers."""
    os.closerange(3, 4096)  # what the host had open is not ours to keep open
    with socket.socket(fileno=0) as stream, suppress(HungUp):
        wire = Wire(stream)
        calls = Calls(PipeLink(wire), connect, layers)
        while True:
            action, subject, options = (f.decode("utf-8", "replace") for f in wire.receive())
            wire.send("done", *calls.perform(action, subject, options))
