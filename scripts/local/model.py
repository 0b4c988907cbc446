"""The model: its weights in the user's cache, its server shared by every checkout."""

from __future__ import annotations

import subprocess
from pathlib import Path

from nl2sql_fdw.model import processes
from scripts.local.place import Place

HOST = "127.0.0.1"
PORT = 8642
URL = f"http://{HOST}:{PORT}/v1"


def start(place: Place) -> None:
    """Fetch the weights where they are missing; start the server, or share the one that runs."""
    before = processes.find(PORT)
    if not processes.listens(HOST, PORT):
        _nl2sql(place, "pull")
    _nl2sql(place, "serve")
    after = processes.find(PORT)
    if after and after != before:
        _mark(place).write_text(after.born)


def stop(place: Place) -> None:
    """Stop the server if it is the one that this checkout started; leave another's running."""
    mark = _mark(place)
    server = processes.find(PORT)
    if server and mark.exists() and mark.read_text() == server.born:
        _nl2sql(place, "stop")
    mark.unlink(missing_ok=True)


def _mark(place: Place) -> Path:
    return place.local / "model.born"


def _nl2sql(place: Place, verb: str) -> None:
    done = subprocess.run([place.venv / "bin" / "nl2sql", "model", verb], check=False)
    if done.returncode != 0:
        raise SystemExit(f"Failed: nl2sql model {verb}")
