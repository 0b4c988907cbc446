"""A memory limit on one query inside a backend, where the server itself has none.

work_mem bounds sorts and hashes; a value may still take a gigabyte, and an aggregate many.
The kernel's limit on the process's data, raised for the time of a query to what it has
and a bound more, makes the server's own allocation fail, which it reports as an ordinary
error (53200), cleans up, and goes on.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATM = Path("/proc/self/statm")
_DATA = 5
"""The field of statm that holds data and stack, in pages: what RLIMIT_DATA counts."""


@contextmanager
def bounded(more_bytes: int) -> Iterator[None]:
    """Let this process take at most that much more memory while the body runs.

    A limit that is lower already stays. Without /proc (not Linux) there is no bound.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = _used() + more_bytes if _STATM.exists() else resource.RLIM_INFINITY
    if limit == resource.RLIM_INFINITY or _is_lower(soft, limit):
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _used() -> int:
    return int(_STATM.read_text().split()[_DATA]) * resource.getpagesize()


def _is_lower(soft: int, limit: int) -> bool:
    return soft != resource.RLIM_INFINITY and soft < limit
