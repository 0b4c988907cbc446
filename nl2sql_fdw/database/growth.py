"""How much memory this process holds and how much it has written, as Linux tells it."""

from __future__ import annotations

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_MEMORY, _FILES = Path("/proc/self/statm"), Path("/proc/self/io")

Measure = tuple[int, int]
"""Bytes of memory and bytes written to files, temporary ones included."""


def measure() -> Measure | None:
    """Return the two, None where the system does not tell."""
    try:
        resident = int(_MEMORY.read_bytes().split()[1]) * _PAGE
        written = int(_FILES.read_bytes().split()[3])
    except (OSError, ValueError, IndexError):
        return None
    return resident, written


def over(began: Measure | None, limit: int) -> str:
    """Return "memory" or "disk" where either has grown by more than the limit, else ""."""
    now = measure() if began is not None else None
    if began is None or now is None:
        return ""
    grown = {"memory": now[0] - began[0], "disk": now[1] - began[1]}
    return next((name for name, size in grown.items() if size > limit), "")
