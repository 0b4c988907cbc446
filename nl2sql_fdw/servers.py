"""The PostgreSQL servers installed on this machine, and the Python each one embeds.

Standard library only, and no import outside this package's leaves: the set-up scripts run
it from the checkout before anything is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nl2sql_fdw.errors import BadSetup

DEBIAN_CONFIGS = "/usr/lib/postgresql/*/bin/pg_config"
_LIBRARY = re.compile(r"libpython(\d+\.\d+)\S*\s*=>\s*(\S+)")


@dataclass(frozen=True)
class Server:
    """One installation. `python` is the major.minor its plpython3 links to, or None without it."""

    pg_config: Path
    major: int
    bindir: Path
    pkglibdir: Path
    sharedir: Path
    python: str | None

    @property
    def extensions(self) -> Path:
        """The directory that CREATE EXTENSION reads."""
        return self.sharedir / "extension"


def describe(pg_config: Path) -> Server:
    """Ask one pg_config for what set-up needs; BadSetup when it cannot be run."""
    keys = ("--version", "--bindir", "--pkglibdir", "--sharedir")
    try:
        answers = [
            subprocess.run([pg_config, key], capture_output=True, text=True, check=True).stdout
            for key in keys
        ]
    except (OSError, subprocess.CalledProcessError) as error:
        raise BadSetup(
            f"{pg_config} cannot be run, so its PostgreSQL cannot be found.",
            detail=str(error),
            hint="Name another one with --pg-config PATH or PG_CONFIG=PATH.",
        ) from error
    version, bindir, pkglibdir, sharedir = (answer.strip() for answer in answers)
    return Server(
        pg_config,
        major_version(version),
        Path(bindir),
        Path(pkglibdir),
        Path(sharedir),
        _python_of(Path(pkglibdir) / "plpython3.so"),
    )


def major_version(text: str) -> int:
    """Read 15 from 'PostgreSQL 15.20 (Debian ...)', also from betas such as '18beta1'."""
    found = re.search(r"PostgreSQL (\d+)", text)
    if found is None:
        raise BadSetup(f"pg_config gave no version of PostgreSQL: {text!r}")
    return int(found[1])


def _python_of(library: Path) -> str | None:
    if not library.exists():
        return None
    ldd = subprocess.run(["ldd", library], capture_output=True, text=True, check=False)
    return linked_python(ldd.stdout)


def linked_python(ldd: str) -> str | None:
    """Read the major.minor of Python from what ldd says of plpython3.so, or None.

    A library that ldd could not find ("=> not found") counts as absent: the server
    could not load it either.
    """
    for version, path in _LIBRARY.findall(ldd):
        if path != "not":
            return str(version)
    return None


def find() -> Iterator[Server]:
    """Yield the installed servers: PG_CONFIG alone where set, else Debian's, then PATH's."""
    named = os.environ.get("PG_CONFIG")
    if named:
        yield describe(Path(named))
        return
    seen: set[Path] = set()
    for config in _configs():
        try:
            server = describe(config)
        except BadSetup:
            continue  # a development package's stand-in, on PATH without a server
        if server.pkglibdir not in seen and (server.bindir / "postgres").exists():
            seen.add(server.pkglibdir)
            yield server


def _configs() -> Iterator[Path]:
    yield from Path("/").glob(DEBIAN_CONFIGS.lstrip("/"))
    for folder in os.get_exec_path():
        program = Path(folder) / "pg_config"
        if os.access(program, os.X_OK):
            yield program


def choose(major: int | None = None) -> Server:
    """Return the newest server that has plpython3u (of `major` where given), else BadSetup."""
    servers = list(find())
    usable = [s for s in servers if s.python and major in (None, s.major)]
    if usable:
        return max(usable, key=lambda server: server.major)
    raise without_plpython(servers, major)


def without_plpython(servers: list[Server], major: int | None = None) -> BadSetup:
    """Say what is missing: a server, one of that version, or PL/Python beside it."""
    if not servers:
        return BadSetup(
            "No PostgreSQL server is installed here.",
            hint="Install one (Debian: apt-get install postgresql), or name its pg_config "
            "with PG_CONFIG=PATH.",
        )
    wanted = major or max(server.major for server in servers)
    return BadSetup(
        f"PostgreSQL {wanted} here does not offer PL/Python (plpython3u), "
        "which the nl2sql extension needs.",
        detail="Looked in " + ", ".join(str(server.pkglibdir) for server in servers),
        hint=f"Debian: apt-get install postgresql-plpython3-{wanted}. Where a host does not "
        "offer it, ask from outside with `nl2sql ask --dsn ...`, or use SQLite: "
        "neither needs plpython3u.",
    )


def interpreter(server: Server) -> Path:
    """Return the Python program of the version that the server's plpython3 embeds."""
    if server.python is None:
        raise without_plpython([server])
    folders = ["/usr/bin", *os.get_exec_path(), "/usr/local/bin"]
    for folder in folders:
        program = Path(folder) / f"python{server.python}"
        if os.access(program, os.X_OK):
            return program
    raise BadSetup(
        f"plpython3u embeds Python {server.python}, but no python{server.python} was found.",
        hint=f"Debian: apt-get install python{server.python}-venv.",
    )
