"""Where weights and the state of servers are kept; nothing here depends on HOME being set."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

from nl2sql_fdw.errors import BadSetup


def cache() -> Path:
    """Return the folder for weights: $NL2SQL_CACHE, or nl2sql in the user's cache folder."""
    return _folder("NL2SQL_CACHE", "XDG_CACHE_HOME", ".cache")


def state() -> Path:
    """Return the folder for logs and process files: $NL2SQL_STATE, or the user's own."""
    return _folder("NL2SQL_STATE", "XDG_STATE_HOME", ".local/state")


def _folder(own: str, base: str, default: str) -> Path:
    if os.environ.get(own):
        return Path(os.environ[own]).absolute()
    if os.environ.get(base):
        return Path(os.environ[base]).absolute() / "nl2sql"
    return _home(own) / default / "nl2sql"


def _home(instead: str) -> Path:
    if os.environ.get("HOME"):
        return Path(os.environ["HOME"])
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        raise BadSetup(
            f"User {os.getuid()} has no home folder.",
            hint=f"Set {instead} to a folder that this user may write.",
        ) from None
