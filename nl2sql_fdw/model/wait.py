"""Waiting for a model server so that a cancel, a statement timeout or Ctrl-C still gets through.

A Python socket wait cannot be interrupted inside a PostgreSQL backend. So the call runs
in a thread that takes no signals, while the caller's thread looks up every 100 ms.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from nl2sql_fdw.errors import ModelUnavailable
from nl2sql_fdw.types import Poll

T = TypeVar("T")
STEP_S = 0.1
FAREWELL_S = 0.2
"""How long an abandoned thread gets to notice that its connection is gone."""


class Limit:
    """A wall clock limit, and the error it ends in; the working thread may restart it."""

    def __init__(self, ms: int, error: ModelUnavailable) -> None:
        self.restart(ms, error)

    def restart(self, ms: int, error: ModelUnavailable) -> None:
        """Allow `ms` from now on; one assignment, so that no reader sees half of it."""
        self._state = (time.monotonic() + ms / 1000, error)

    def check(self) -> None:
        """Raise the error once the time is over."""
        ends, error = self._state
        if time.monotonic() >= ends:
            raise error


class _Worker(Generic[T]):
    """One call in a thread of its own, with what came of it."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._value: T | None = None
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._work, name="nl2sql-model", daemon=True)

    def _work(self) -> None:
        try:
            self._value = self._call()
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self._error = error

    def start(self) -> None:
        """Start with every signal blocked: the server's handlers belong to its main thread."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self.thread.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def outcome(self) -> T:
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]  # the call returned it


def wait_for(call: Callable[[], T], limit: Limit, poll: Poll, close: Callable[[], None]) -> T:
    """Return what `call` returns, or raise what it raises, what `poll` raises, or the limit's.

    `close` is called from this thread when the wait ends early; it must make `call` end.
    """
    worker = _Worker(call)
    worker.start()
    try:
        while worker.thread.is_alive():
            worker.thread.join(STEP_S)
            if worker.thread.is_alive():
                poll()
                limit.check()
    except BaseException:
        close()
        worker.thread.join(FAREWELL_S)
        raise
    return worker.outcome()


def pause(seconds: float, limit: Limit, poll: Poll) -> None:
    """Sleep, under the same limit and with the same look-ups."""
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        time.sleep(min(STEP_S, left))
        poll()
        limit.check()
