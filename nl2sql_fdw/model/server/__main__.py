"""Serve one model: `python -m nl2sql_fdw.model.server --model FILE --alias NAME`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from nl2sql_fdw.model.serve import KEY
from nl2sql_fdw.model.server.chat import Template
from nl2sql_fdw.model.server.engine import SEQUENCES, Engine
from nl2sql_fdw.model.server.handler import Server
from nl2sql_fdw.model.server.runtime import CannotLoad, Runtime, quiet
from nl2sql_fdw.model.server.service import Service


def main() -> None:
    """Load the model, then answer until a signal ends the process (there is nothing to save)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    given = _arguments()
    if not given.verbose:
        quiet()
    cells = 2 * given.context
    try:
        runtime = Runtime(given.model, cells, SEQUENCES, given.threads)
    except CannotLoad as error:
        sys.exit(str(error))
    engine = Engine(runtime, cells)
    service = Service(
        engine, Template(runtime), given.alias, given.context, os.environ.pop(KEY, None)
    )
    with Server((given.host, given.port), service) as server:
        engine.start()
        server.serve_forever()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="nl2sql_fdw.model.server")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--alias", required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
