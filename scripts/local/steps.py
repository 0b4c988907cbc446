"""Run one command as one step: its output in a log, its progress in one line."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

_NINJA = re.compile(r"^\s*\[(\d+)/(\d+)\]")
_WIDTH = 24
_TAIL = 15


def run(title: str, command: list[Any], log: Path, **options: Any) -> None:
    """Run the command to its end; exit with the tail of its output when it fails.

    Lines that start with [n/m], as ninja writes them, drive a progress bar; other
    commands show the seconds that have passed. Not on a terminal, one line every tenth.
    """
    progress = _Progress(title)
    with (
        log.open("w", encoding="utf-8") as copy,
        subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            **options,
        ) as process,
    ):
        reader = threading.Thread(target=_follow, args=(process, copy, progress))
        reader.start()
        while reader.is_alive():
            progress.draw()
            reader.join(0.5)
    progress.finish()
    if process.returncode != 0:
        tail = log.read_text(encoding="utf-8").splitlines()[-_TAIL:]
        raise SystemExit("\n".join([*tail, f"Failed: {title}. All of its output: {log}"]))


def _follow(process: subprocess.Popen[str], copy: Any, progress: _Progress) -> None:
    assert process.stdout is not None  # noqa: S101 - PIPE was asked for
    for line in process.stdout:
        copy.write(line)
        found = _NINJA.match(line)
        if found:
            progress.done, progress.total = int(found[1]), int(found[2])


class _Progress:
    """One line on a terminal, redrawn; elsewhere a line now and then."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.done = 0
        self.total = 0
        self._started = time.monotonic()
        self._tenth = 0
        self._terminal = sys.stdout.isatty()
        if not self._terminal:
            print(f"{title} ...", flush=True)

    def draw(self) -> None:
        seconds = int(time.monotonic() - self._started)
        if self._terminal:
            print(f"\r\x1b[K{self.title} {self._bar()} {clock(seconds)}", end="", flush=True)
        elif self.total and self.done * 10 // self.total > self._tenth:
            self._tenth = self.done * 10 // self.total
            print(f"  {self.done}/{self.total} {clock(seconds)}", flush=True)

    def finish(self) -> None:
        seconds = int(time.monotonic() - self._started)
        if self._terminal:
            print(f"\r\x1b[K{self.title} ({clock(seconds)})", flush=True)
        elif seconds:
            print(f"  {clock(seconds)}", flush=True)

    def _bar(self) -> str:
        if not self.total:
            return "..."
        filled = _WIDTH * self.done // self.total
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.done}/{self.total}"


def clock(seconds: int) -> str:
    """Write 95 as 1:35."""
    return f"{seconds // 60}:{seconds % 60:02}"
