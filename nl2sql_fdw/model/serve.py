"""Start and end the embedded model server, which is a process of its own on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from nl2sql_fdw.errors import BadSetup, ModelUnavailable
from nl2sql_fdw.model import places, processes
from nl2sql_fdw.model.openai import OpenAiModel
from nl2sql_fdw.model.probe import probe
from nl2sql_fdw.types import Profile, Prompt

HOST = "127.0.0.1"
PORT = 8642
LIMIT_S = 180.0
BUSY_S = 60.0
_PROGRAM = "nl2sql_fdw.model.server"
_NEEDED = ("llama_cpp", "numpy", "jinja2")
_PIP = f"{sys.executable} -m pip install 'nl2sql-fdw[serve]'"
_REBUILD = (
    "CMAKE_ARGS=\"-DCMAKE_C_FLAGS='-mno-amx-tile -mno-amx-int8 -mno-amx-bf16' "
    "-DCMAKE_CXX_FLAGS='-mno-amx-tile -mno-amx-int8 -mno-amx-bf16'\" "
    f"{sys.executable} -m pip install --force-reinstall --no-deps --no-cache-dir llama-cpp-python"
)
KEY = "NL2SQL_SERVER_KEY"
"""The environment variable that hands the server its key."""

Report = Callable[[str], None]


@dataclass(frozen=True)
class Serving:
    """What to serve, and how. `threads` None means one for each core we may use."""

    path: Path
    name: str
    port: int = PORT
    context_tokens: int = Profile.context_tokens
    threads: int | None = None
    key_file: Path | None = None
    verbose: bool = False

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/v1"

    @property
    def profile(self) -> Profile:
        """A profile that reaches this server, with a short answer: for the warm-up."""
        return Profile(
            model_url=self.url,
            model_name=self.name,
            model_key_file=str(self.key_file) if self.key_file else None,
            max_output_tokens=1,
            answer_timeout_ms=60_000,
        )

    def command(self) -> list[str]:
        threads = str(self.threads or processes.cores())
        return [
            *(sys.executable, "-m", _PROGRAM),
            *("--model", str(self.path), "--alias", self.name),
            *("--host", HOST, "--port", str(self.port)),
            *("--context", str(self.context_tokens), "--threads", threads),
            *(["--verbose"] if self.verbose else []),
        ]

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name != KEY}
        # Threads that spin while they wait starve on cores that a database uses too:
        # measured 3.5 to 5 times slower on a machine with 8 runnable processes on 2 cores.
        kept.setdefault("OMP_WAIT_POLICY", "passive")
        if self.key_file is not None:  # by environment: arguments can be read by everybody
            kept[KEY] = self.key_file.read_text(encoding="utf-8").strip()
        return kept


def start(serving: Serving, report: Report, limit_s: float = LIMIT_S) -> processes.Server:
    """Start the server in the background and return once it has answered.

    A server that runs on the port with this model already is used as it is.
    """
    running = _running(serving, time.monotonic() + limit_s)
    if running is not None:
        return running
    _check(serving)
    log = places.state() / f"model-{serving.port}.log"
    child = _launch(serving, log)
    server = processes.remember(
        processes.Server(serving.port, serving.name, child.pid, serving.context_tokens, str(log))
    )
    try:
        _await(serving, child, log, report, limit_s)
    except BaseException:
        child.kill()
        child.wait()
        processes.forget(serving.port)
        raise
    child.returncode = 0  # it runs on, on purpose: Popen need not warn of that
    return server


def _launch(serving: Serving, log: Path) -> subprocess.Popen[bytes]:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as output:
        return subprocess.Popen(
            serving.command(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=serving.environment(),
            start_new_session=True,
        )


def run(serving: Serving) -> int:
    """Serve in the foreground until the server ends; return its status as a shell would."""
    _check(serving)
    with subprocess.Popen(serving.command(), env=serving.environment()) as child:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _: child.send_signal(number))
        status = child.wait()
    return status if status >= 0 else 128 - status


def _running(serving: Serving, ends: float) -> processes.Server | None:
    """Return the server on the port if it is the one wanted; raise if something else is there."""
    known = processes.find(serving.port)
    if known is not None and known.name == serving.name:
        _check_context(known, serving)
        while processes.lives(known) and not processes.listens(HOST, serving.port):
            if time.monotonic() > ends:
                raise ModelUnavailable(f"The model server on port {serving.port} does not come up.")
            time.sleep(0.2)
        return processes.find(serving.port)
    if not processes.listens(HOST, serving.port):
        return None
    try:
        probe(serving.profile, BUSY_S)
    except ModelUnavailable as error:
        raise BadSetup(
            f"Port {serving.port} is taken by something else.",
            f"{error.message} {error.detail}".strip(),
            "End it with `nl2sql model stop`, or choose another --port.",
        ) from None
    return processes.Server(serving.port, serving.name)


def _check_context(known: processes.Server, serving: Serving) -> None:
    if known.context_tokens < serving.context_tokens:
        raise BadSetup(
            f"{known.name} runs on port {known.port} with a context of {known.context_tokens} "
            f"tokens, not {serving.context_tokens}.",
            hint="End it with `nl2sql model stop`, then serve it anew.",
        )


def _check(serving: Serving) -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise BadSetup(
            "What the embedded model server needs is not installed.",
            f"{sys.executable} lacks {', '.join(missing)}.",
            f"Install it with `{_PIP}`",
        )
    if not serving.path.is_file():
        raise BadSetup(
            f"There are no weights at {serving.path}.",
            hint=f"Fetch them with `nl2sql model pull {serving.name}`.",
        )


def _await(
    serving: Serving, child: subprocess.Popen[bytes], log: Path, report: Report, limit_s: float
) -> None:
    """Wait until the server lists its model, then make it answer once: only that proves it."""
    ends = time.monotonic() + limit_s
    report("loading the weights")
    while not _lists(serving):
        _check_alive(child, log)
        if time.monotonic() > ends:
            raise ModelUnavailable(
                f"The model server did not come up within {limit_s:g} s.",
                _tail(log),
                f"See {log}",
            )
        time.sleep(0.2)
    report("answering a first time")
    try:
        OpenAiModel(serving.profile).complete(
            Prompt("", "Say yes.", ""), lambda: _check_alive(child, log)
        )
    except ModelUnavailable:
        time.sleep(0.2)  # a crash closes the connection a moment before the process is gone
        _check_alive(child, log)
        raise


def _lists(serving: Serving) -> bool:
    try:
        return bool(probe(serving.profile))
    except ModelUnavailable:
        return False


def _check_alive(child: subprocess.Popen[bytes], log: Path) -> None:
    status = child.poll()
    if status is None:
        return
    if status == -signal.SIGILL:
        raise BadSetup(
            "The model server was ended by an illegal instruction.",
            "llama-cpp-python was built for another processor, or by a compiler that gets "
            "this processor's AMX instructions wrong (gcc before 12.4).",
            f"Build it again with `{_REBUILD}`",
        )
    how = f"signal {-status}" if status < 0 else f"status {status}"
    raise BadSetup(f"The model server ended with {how}.", _tail(log), f"See {log}")


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return "\n".join(lines[-5:])
