"""The model servers that we started: who they are, whether they live, and ending them."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.model import places

_STOP_S = 10.0
_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True)
class Server:
    """A model server; `pid` is 0 where somebody else started it. `born` tells pids apart."""

    port: int
    name: str
    pid: int = 0
    context_tokens: int = 0
    log: str = ""
    born: str = ""


def remember(server: Server) -> Server:
    """Write down a server that was just started; return it with its time of birth."""
    server = replace(server, born=_born(server.pid))
    _file(server.port).write_text(json.dumps(asdict(server)), encoding="utf-8")
    return server


def forget(port: int) -> None:
    _file(port).unlink(missing_ok=True)


def find(port: int) -> Server | None:
    """Return the living server that we started on the port, if there is one."""
    try:
        server = Server(**json.loads(_file(port).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise BadSetup(
            f"The process file {_file(port)} cannot be read.", str(error), "Delete it."
        ) from error
    return server if lives(server) else None


def every() -> Iterator[Server]:
    """Yield each living server that we started."""
    for path in sorted(places.state().glob("model-*.json")):
        server = find(int(path.stem.removeprefix("model-")))
        if server is not None:
            yield server


def stop(server: Server) -> None:
    """End a server that we started, kindly at first; return once it is gone."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.kill(server.pid, number)
        ends = time.monotonic() + _STOP_S
        while lives(server) and time.monotonic() < ends:
            time.sleep(0.05)
        if not lives(server):
            break
    _await_release(server.port)
    forget(server.port)


def _await_release(port: int) -> None:
    """Wait, for a moment, until nothing listens: threads of a dying process outlive its record."""
    ends = time.monotonic() + 1
    while listens("127.0.0.1", port) and time.monotonic() < ends:
        time.sleep(0.05)


def listens(host: str, port: int) -> bool:
    """Tell whether anything accepts connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def cores() -> int:
    """Return how many physical cores we may use; more threads than that only wait on each other."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}
    siblings = {_read(Path(_SIBLINGS.format(cpu))) or str(cpu) for cpu in allowed}
    return max(1, min(len(siblings), _quota()))


def _quota() -> int:
    """Return the whole cores of a container's CPU limit."""
    limit, _, period = _read(_QUOTA).partition(" ")
    return int(limit) // int(period) if limit.isdigit() else len(os.sched_getaffinity(0))


def _file(port: int) -> Path:
    return places.state() / f"model-{port}.json"


def lives(server: Server) -> bool:
    """Tell whether the process is there, is the same one, and is no zombie."""
    try:
        os.kill(server.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _born(server.pid) == server.born


def _born(pid: int) -> str:
    """Return when the process started, in the kernel's ticks; "" for a zombie."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return fields[19] if fields and fields[0] != "Z" else ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
