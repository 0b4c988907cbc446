"""The private cluster: sockets only, owned by an unprivileged user, apart from the system's.

The server runs from a private copy of its file tree (links, and one copied program), as
PostgreSQL finds its extension directory relative to the program: so the extension's files go
into .local, the system's PostgreSQL stays as it is, and two checkouts do not share a version.
"""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import subprocess
from pathlib import Path

from nl2sql_fdw.install import staged
from nl2sql_fdw.servers import Server, choose
from scripts.local import steps
from scripts.local.place import Place

SUPERUSER = "postgres"
PORT = "5432"


def version(place: Place) -> int | None:
    """Return the major version that made the cluster, or None where there is none yet."""
    file = place.data / "PG_VERSION"
    return int(file.read_text()) if file.exists() else None


def start(place: Place, server: Server) -> None:
    """Create the cluster when there is none, and start it when it does not run."""
    mirror(place, server)
    if version(place) is None:
        _create(place, server)
    _own_folder(place.sockets, place)
    if not running(place, server):
        _start(place, server)


def mirror(place: Place, server: Server) -> None:
    """Make .local/root look like the server's own tree, its extension directory writable."""
    _link_all(server.sharedir, staged(server.sharedir, place.root), apart="extension")
    _link_all(server.extensions, staged(server.extensions, place.root))
    _link(server.pkglibdir, staged(server.pkglibdir, place.root))
    program = server.bindir / "postgres"
    copy = staged(program, place.root)
    copy.parent.mkdir(parents=True, exist_ok=True)
    if not copy.exists() or _looks(copy) != _looks(program):
        draft = copy.with_suffix(".new")
        shutil.copy2(program, draft)
        draft.replace(copy)


def _looks(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_size, int(found.st_mtime)


def _link_all(source: Path, target: Path, apart: str | None = None) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        if entry.name != apart and not entry.name.startswith("nl2sql"):
            _link(entry, target / entry.name)


def _link(source: Path, link: Path) -> None:
    if not link.is_symlink():
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(source)


def _create(place: Place, server: Server) -> None:
    _own_folder(place.data, place)
    command = [
        server.bindir / "initdb", "--pgdata", place.data, "--username", SUPERUSER,
        "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8",
    ]  # fmt: skip
    steps.run(
        f"Private cluster of PostgreSQL {server.major}, owned by {place.owner}",
        command,
        place.logs / "initdb.log",
        **place.as_owner(),
    )


def _own_folder(folder: Path, place: Place) -> None:
    """Make a folder of the owner's that nobody else can enter; refuse somebody else's."""
    owner = pwd.getpwnam(place.owner)
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid not in (owner.pw_uid, os.geteuid()) or folder.is_symlink():
        raise SystemExit(
            f"{folder} is not {place.owner}'s: run make as the user who made it, or remove it."
        )
    if os.geteuid() == 0:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    folder.chmod(0o700)


def _start(place: Place, server: Server) -> None:
    settings = [
        "-c", "listen_addresses=", "-c", "unix_socket_permissions=0700",
        "-k", str(place.sockets), "-p", PORT,
    ]  # fmt: skip
    program = staged(server.bindir / "postgres", place.root)
    steps.run(
        "PostgreSQL, starting",
        [
            *_pg_ctl(place, server), "-p", program, "-l", place.data / "server.log",
            "-o", shlex.join(settings), "-w", "start",
        ],
        place.logs / "start.log",
        **place.as_owner(),
    )  # fmt: skip


def running(place: Place, server: Server) -> bool:
    """Ask pg_ctl whether the cluster's server is alive."""
    asked = subprocess.run(
        [*_pg_ctl(place, server), "status"], capture_output=True, check=False, **place.as_owner()
    )
    return asked.returncode == 0


def stop(place: Place) -> None:
    """Stop the server at once, its sessions ended; nothing when it does not run."""
    made_by = version(place)
    if made_by is None:
        return
    server = choose(made_by)
    if not running(place, server):
        return
    steps.run(
        "PostgreSQL, stopping",
        [*_pg_ctl(place, server), "-m", "fast", "-w", "stop"],
        place.logs / "stop.log",
        **place.as_owner(),
    )


def _pg_ctl(place: Place, server: Server) -> list[str]:
    return [str(server.bindir / "pg_ctl"), "-D", str(place.data)]
