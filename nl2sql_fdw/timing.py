"""Time each stage, and say what it did as it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from nl2sql_fdw.types import Trace


class Step:
    """One stage that is running; `says` sets the line that is shown when it ends."""

    def __init__(self) -> None:
        self.text = ""

    def says(self, text: str) -> None:
        self.text = text


class Watch:
    """Milliseconds by stage; a stage that runs again adds to its own."""

    def __init__(self, trace: Trace) -> None:
        self.timings: dict[str, float] = {}
        self._trace = trace

    def begins(self, stage: str, text: str) -> None:
        """Say that a long stage has begun."""
        self._trace(stage, text)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[Step]:
        step, began = Step(), time.monotonic()
        try:
            yield step
        finally:
            took = (time.monotonic() - began) * 1000
            self.timings[stage] = round(self.timings.get(stage, 0.0) + took, 2)
        self._trace(stage, f"{step.text} ({took:.0f} ms)")
