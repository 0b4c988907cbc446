"""The model: its weights in the user's cache, its server shared by every checkout."""

from __future__ import annotations

import subprocess
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from scripts.local.place import Place

HOST = "127.0.0.1"
PORT = 8642
URL = f"http://{HOST}:{PORT}/v1"


def start(place: Place) -> None:
    """Fetch the weights where they are missing, and start the server where none answers."""
    if answers():
        return
    _nl2sql(place, "pull")
    _nl2sql(place, "serve")
    _marker(place).touch()


def stop(place: Place) -> None:
    """Stop the server if this checkout started it; another's is left running."""
    marker = _marker(place)
    if marker.exists():
        _nl2sql(place, "stop")
        marker.unlink()


def answers() -> bool:
    """Ask whether a model server listens on the port."""
    connection = HTTPConnection(HOST, PORT, timeout=5)
    try:
        connection.request("GET", "/v1/models")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _marker(place: Place) -> Path:
    return place.local / "model.started"


def _nl2sql(place: Place, verb: str) -> None:
    done = subprocess.run([place.venv / "bin" / "nl2sql", "model", verb], check=False)
    if done.returncode != 0:
        raise SystemExit(f"Failed: nl2sql model {verb}")
