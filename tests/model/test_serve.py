"""Serving: a stand-in for the server in its place, as a real process on a real port."""

from __future__ import annotations

import json
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fake_model import NAME, FakeModel
from typer.testing import CliRunner

from nl2sql_fdw.entry.cli_model import app
from nl2sql_fdw.errors import BadSetup, ModelUnavailable
from nl2sql_fdw.model import processes, serve
from nl2sql_fdw.model.serve import Serving

STAND_IN = """
import json, os, pathlib, signal, sys, threading, time
sys.path.insert(0, {tests!r})
from fake_model import FakeModel
fault = os.environ.get("STAND_IN_FAULT")
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
pathlib.Path({seen!r}).write_text(json.dumps([options, dict(os.environ)]))
if fault == "end":
    sys.exit("cannot load the model")
if fault == "slow":
    time.sleep(1)
class Fake(FakeModel):
    def next(self):
        if fault == "illegal":
            os.kill(os.getpid(), signal.SIGILL)
        return super().next()
with Fake(default="yes", port=int(options["--port"])):
    threading.Event().wait()
"""


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the stand-in in the server's place; the file gets what it was started with."""
    (tmp_path / "lib").mkdir()
    program = STAND_IN.format(
        tests=str(Path(__file__).parents[1]), seen=str(tmp_path / "seen.json")
    )
    (tmp_path / "lib" / "stand_in.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "lib"))
    monkeypatch.setenv("NL2SQL_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(serve, "_NEEDED", ())
    monkeypatch.setattr(serve, "_PROGRAM", "stand_in")
    return tmp_path / "seen.json"


@pytest.fixture
def serving(tmp_path: Path, seen: Path) -> Iterator[Serving]:
    (tmp_path / "w.gguf").write_text("weights")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    yield Serving(tmp_path / "w.gguf", NAME, port)
    if (server := processes.find(port)) is not None:
        processes.stop(server)


def start(serving: Serving) -> processes.Server:
    return serve.start(serving, lambda what: None, limit_s=20)


def test_it_starts_answers_and_ends(serving: Serving) -> None:
    server = start(serving)
    assert processes.find(serving.port) == server
    assert server.context_tokens == serving.context_tokens
    started = time.monotonic()
    processes.stop(server)
    assert time.monotonic() - started < 5
    assert processes.find(serving.port) is None
    assert not processes.listens("127.0.0.1", serving.port)


def test_it_is_told_to_listen_on_loopback_and_to_wait_without_spinning(
    serving: Serving, seen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(serve.KEY, "a key that nobody meant for this server")
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    start(serving)
    options, environment = json.loads(seen.read_text())
    assert options["--host"] == "127.0.0.1"
    assert serve.KEY not in environment
    assert environment["OMP_WAIT_POLICY"] == "passive"
    assert options["--context"] == "8192" and options["--alias"] == NAME


def test_a_key_goes_by_environment_not_by_argument(
    serving: Serving, seen: Path, tmp_path: Path
) -> None:
    (tmp_path / "key").write_text("s3cr3t\n")
    start(replace(serving, key_file=tmp_path / "key"))
    options, environment = json.loads(seen.read_text())
    assert environment[serve.KEY] == "s3cr3t" and "s3cr3t" not in str(options)


def test_one_that_runs_is_used_again(serving: Serving) -> None:
    first = start(serving)
    assert start(serving).pid == first.pid


def test_one_that_runs_with_less_context_is_not(serving: Serving) -> None:
    start(serving)
    with pytest.raises(BadSetup, match="context of 8192 tokens, not 16384") as caught:
        start(replace(serving, context_tokens=16384))
    assert "nl2sql model stop" in caught.value.hint


def test_somebody_elses_server_with_the_model_is_used(serving: Serving) -> None:
    with FakeModel(port=serving.port):
        assert start(serving).pid == 0


def test_a_port_that_is_taken_is_named(serving: Serving) -> None:
    with FakeModel(port=serving.port), pytest.raises(BadSetup, match="is taken by something"):
        start(replace(serving, name="another-model"))


def test_a_server_that_ends_shows_its_last_words(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_FAULT", "end")
    with pytest.raises(BadSetup, match="ended with status 1") as caught:
        start(serving)
    assert "cannot load the model" in caught.value.detail and ".log" in caught.value.hint
    assert processes.find(serving.port) is None


def test_an_illegal_instruction_names_the_build_that_mends_it(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_FAULT", "illegal")
    with pytest.raises(BadSetup, match="illegal instruction") as caught:
        start(serving)
    assert "-mno-amx-tile" in caught.value.hint and "pip install" in caught.value.hint
    assert not processes.listens("127.0.0.1", serving.port)


def test_a_slow_load_is_waited_for_up_to_a_limit(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_FAULT", "slow")
    with pytest.raises(ModelUnavailable, match=r"within 0\.3 s"):
        serve.start(serving, lambda what: None, limit_s=0.3)
    assert not processes.listens("127.0.0.1", serving.port)
    said: list[str] = []
    serve.start(serving, said.append, limit_s=20)
    assert said == ["loading the weights", "answering a first time"]


def test_a_missing_module_names_the_pip_command(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "_NEEDED", ("no_such_module",))
    with pytest.raises(BadSetup, match="not installed") as caught:
        start(serving)
    assert "pip install 'nl2sql-fdw[serve]'" in caught.value.hint


def test_missing_weights_name_the_pull(serving: Serving) -> None:
    with pytest.raises(BadSetup, match="no weights") as caught:
        start(replace(serving, path=Path("/nowhere.gguf")))
    assert f"nl2sql model pull {NAME}" in caught.value.hint


def test_a_pid_that_now_belongs_to_another_is_not_taken_for_ours(serving: Serving) -> None:
    server = start(serving)
    path = processes._file(serving.port)
    entry = json.loads(path.read_text())
    path.write_text(json.dumps({**entry, "born": "1"}))
    assert processes.find(serving.port) is None
    path.write_text(json.dumps(entry))
    assert processes.find(serving.port) == server


@pytest.mark.parametrize(
    ("quota", "cores"), [("max 100000", 9), ("150000 100000", 1), ("50000 100000", 1), ("", 9)]
)
def test_no_more_threads_than_a_container_may_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str, cores: int
) -> None:
    (tmp_path / "cpu.max").write_text(quota)
    monkeypatch.setattr(processes, "_QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(processes, "_SIBLINGS", str(tmp_path / "siblings{}"))
    monkeypatch.setattr(processes.os, "sched_getaffinity", lambda pid: set(range(9)))
    assert processes.cores() == cores


def test_hyperthreads_of_one_core_count_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cpu in range(8):
        (tmp_path / f"siblings{cpu}").write_text(f"{cpu % 4},{cpu % 4 + 4}")
    monkeypatch.setattr(processes, "_QUOTA", tmp_path / "none")
    monkeypatch.setattr(processes, "_SIBLINGS", str(tmp_path / "siblings{}"))
    monkeypatch.setattr(processes.os, "sched_getaffinity", lambda pid: set(range(8)))
    assert processes.cores() == 4


def test_the_commands_say_what_they_did(serving: Serving, tmp_path: Path) -> None:
    port = ["--port", str(serving.port)]
    (tmp_path / f"{NAME}.gguf").write_text("weights")
    run = CliRunner().invoke
    started = run(app, ["serve", str(tmp_path / f"{NAME}.gguf"), *port])
    assert f"{NAME} answers at {serving.url} (process " in started.stdout
    assert f"{NAME} at {serving.url} (process " in run(app, ["status", *port]).stdout
    assert f"{NAME} on port {serving.port} has ended" in run(app, ["stop", *port]).stdout
    assert "nothing runs" in run(app, ["stop", *port]).stdout
    down = run(app, ["status", *port]).exception
    assert isinstance(down, ModelUnavailable) and "nl2sql model serve" in down.hint


def test_a_strangers_server_is_not_ended(serving: Serving) -> None:
    with FakeModel(port=serving.port):
        refused = CliRunner().invoke(app, ["stop", "--port", str(serving.port)]).exception
        assert isinstance(refused, BadSetup) and "not one that we started" in refused.message


def test_the_list_names_sizes_and_what_is_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NL2SQL_CACHE", str(tmp_path))
    lines = CliRunner().invoke(app, ["list"]).stdout.splitlines()
    assert lines[0].split()[:4] == ["qwen2.5-coder-1.5b", "1,117", "MB", "Apache-2.0"]
    assert all(line.endswith("not here") for line in lines) and len(lines) == 2


def test_in_the_foreground_a_signal_ends_server_and_all(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    import subprocess
    import sys

    program = (
        "from pathlib import Path; from nl2sql_fdw.model import serve; serve._NEEDED = ();"
        "serve._PROGRAM = 'stand_in';"
        f"raise SystemExit(serve.run(serve.Serving(Path({str(serving.path)!r}), {NAME!r},"
        f" {serving.port})))"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        ends = time.monotonic() + 20
        while not processes.listens("127.0.0.1", serving.port):
            assert time.monotonic() < ends
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 128 + signal.SIGTERM
    assert not processes.listens("127.0.0.1", serving.port)
