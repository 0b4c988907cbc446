"""The interruptible wait on its own: signals, limits, and whose error comes out."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from nl2sql_fdw.errors import ModelUnavailable
from nl2sql_fdw.model.wait import Limit, pause, wait_for

LATE = ModelUnavailable("late")


def nothing() -> None:
    """Neither a cancel nor anything to close."""


def limit(ms: int = 5000) -> Limit:
    return Limit(ms, LATE)


def test_the_value_comes_out() -> None:
    assert wait_for(lambda: 42, limit(), nothing, nothing) == 42


def test_the_calls_own_error_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        wait_for(lambda: 1 // 0, limit(), nothing, nothing)


def test_the_limit_ends_the_wait_and_closes() -> None:
    closed = threading.Event()
    started = time.monotonic()
    with pytest.raises(ModelUnavailable) as caught:
        wait_for(closed.wait, limit(200), nothing, closed.set)
    assert caught.value is LATE and closed.is_set()
    assert 0.2 <= time.monotonic() - started < 0.7


def test_the_working_thread_may_restart_the_limit() -> None:
    both = limit(300)

    def load_then_answer() -> str:
        time.sleep(0.2)
        both.restart(1000, LATE)
        time.sleep(0.3)
        return "done"

    assert wait_for(load_then_answer, both, nothing, nothing) == "done"


def test_what_poll_raises_ends_the_wait_and_closes() -> None:
    closed = threading.Event()

    def poll() -> None:
        raise KeyError("canceled")

    with pytest.raises(KeyError, match="canceled"):
        wait_for(closed.wait, limit(), poll, closed.set)
    assert closed.is_set()


def test_poll_is_called_about_every_100_ms() -> None:
    calls: list[float] = []
    wait_for(lambda: time.sleep(0.65), limit(), lambda: calls.append(time.monotonic()), nothing)
    assert 3 <= len(calls) <= 7


def test_ctrl_c_ends_the_wait_and_closes() -> None:
    closed = threading.Event()
    timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        wait_for(closed.wait, limit(), nothing, closed.set)
    timer.join()
    assert closed.is_set()


def test_the_thread_takes_no_signal_and_the_caller_keeps_its_own() -> None:
    def blocked() -> int:
        status = Path(f"/proc/self/task/{threading.get_native_id()}/status").read_text()
        return int(status.split("SigBlk:")[1].split()[0], 16)

    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    mask = wait_for(blocked, limit(), nothing, nothing)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGUSR1, signal.SIGHUP):
        assert mask >> (number - 1) & 1
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


def test_a_pause_is_interruptible_too() -> None:
    with pytest.raises(ModelUnavailable):
        pause(5, limit(150), nothing)
    started = time.monotonic()
    pause(0.15, limit(), nothing)
    assert 0.15 <= time.monotonic() - started < 0.5
