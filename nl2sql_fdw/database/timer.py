"""A time limit on one query inside a backend, where statement_timeout has no effect.

A POSIX timer sends this process SIGINT, which PostgreSQL takes as a cancel request.
A Python thread could not do it: the interpreter lock is held while SPI runs.
"""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_CLOCK_MONOTONIC = 1
_SIGEV_SIGNAL = 0


class _Sigevent(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("padding", ctypes.c_char * 48),
    )


class _Itimerspec(ctypes.Structure):
    _fields_ = (
        ("interval_s", ctypes.c_long),
        ("interval_ns", ctypes.c_long),
        ("value_s", ctypes.c_long),
        ("value_ns", ctypes.c_long),
    )


@cache
def _library() -> Any:
    """Return the C library that has timer_create: libc itself, or librt before glibc 2.34."""
    libc = ctypes.CDLL(None, use_errno=True)
    if hasattr(libc, "timer_create"):
        return libc
    return ctypes.CDLL("librt.so.1", use_errno=True)


class Timer:
    """A one-shot timer that is running from the moment it is made."""

    def __init__(self, limit_ms: int) -> None:
        event = _Sigevent(signo=signal.SIGINT, notify=_SIGEV_SIGNAL)
        self._id = ctypes.c_void_p()
        self._call("timer_create", _CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(self._id))
        seconds, rest_ms = divmod(max(limit_ms, 1), 1000)
        once = _Itimerspec(0, 0, seconds, rest_ms * 1_000_000)
        self._call("timer_settime", self._id, 0, ctypes.byref(once), None)
        self._fired: bool | None = None

    def stop(self) -> bool:
        """Disarm the timer, and tell whether it had fired: no signal can come after this."""
        if self._fired is None:
            left = _Itimerspec()
            self._call(
                "timer_settime", self._id, 0, ctypes.byref(_Itimerspec()), ctypes.byref(left)
            )
            self._fired = bool(left.value_s == 0 and left.value_ns == 0)
        return self._fired

    def delete(self) -> None:
        self._call("timer_delete", self._id)

    @staticmethod
    def _call(name: str, *arguments: object) -> None:
        if getattr(_library(), name)(*arguments) != 0:
            raise OSError(ctypes.get_errno(), f"{name} failed")


@contextmanager
def running(limit_ms: int) -> Iterator[Timer]:
    """Run the body with a timer armed; SIGINT arrives when `limit_ms` have passed."""
    timer = Timer(limit_ms)
    try:
        yield timer
    finally:
        timer.delete()
