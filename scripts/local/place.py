"""Where this checkout keeps what set-up makes, and which account runs its cluster."""

from __future__ import annotations

import hashlib
import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHARED_STATE = Path("/var/lib/nl2sql")
LONGEST_SOCKET_FOLDER = 90
"""Bytes. A socket's whole path may have 107, of which PostgreSQL's file name takes 17."""


@dataclass(frozen=True)
class Place:
    """One checkout's folders. `local` is the real path that .local stands for."""

    checkout: Path
    local: Path
    owner: str

    @property
    def venv(self) -> Path:
        return self.local / "venv"

    @property
    def data(self) -> Path:
        return self.local / "pg"

    @property
    def root(self) -> Path:
        """The private copy of the server's file tree, which holds the extension."""
        return self.local / "root"

    @property
    def logs(self) -> Path:
        return self.local / "log"

    @property
    def sockets(self) -> Path:
        """The socket folder: .local/run, or a short path where that is too long for one."""
        folder = self.local / "run"
        if len(os.fsencode(folder)) <= LONGEST_SOCKET_FOLDER:
            return folder
        return Path("/tmp") / f"nl2sql-{fingerprint(self.local)}"  # noqa: S108 - mode 0700, owner checked

    def as_owner(self) -> dict[str, Any]:
        """Return the options of subprocess.run that run a command as the cluster's account."""
        account = pwd.getpwnam(self.owner)
        options: dict[str, Any] = {"cwd": "/"}
        if os.geteuid() == 0:
            options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        return options


def locate(checkout: Path) -> Place:
    """Find or make the .local folder; a link to a shared place where the owner cannot reach it."""
    owner = cluster_owner()
    link = checkout / ".local"
    if not link.exists():
        link.unlink(missing_ok=True)
        if os.geteuid() == 0 and not can_enter(owner, checkout):
            target = SHARED_STATE / fingerprint(checkout)
            target.mkdir(parents=True, exist_ok=True)
            link.symlink_to(target)
            print(f".local is {target}: {owner} cannot enter {checkout}")
        else:
            link.mkdir()
    place = Place(checkout, link.resolve(), owner)
    place.logs.mkdir(exist_ok=True)
    return place


def cluster_owner() -> str:
    """Return who runs the cluster: whoever asks, or for root the account Debian's package made."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid()).pw_name
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        raise SystemExit(
            "PostgreSQL does not run as root and there is no user postgres here: "
            "run make as an ordinary user, or `adduser --system postgres`."
        ) from None


def can_enter(user: str, folder: Path) -> bool:
    """Try, as the user, whether the folder can be entered."""
    account = pwd.getpwnam(user)
    tried = subprocess.run(
        ["test", "-x", folder],
        cwd="/",
        user=account.pw_uid,
        group=account.pw_gid,
        extra_groups=[],
        check=False,
    )
    return tried.returncode == 0


def fingerprint(path: Path) -> str:
    """Return a short name that is the same for the same path."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
