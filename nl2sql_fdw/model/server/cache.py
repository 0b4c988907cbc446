"""What the cells of the model's cache hold: recent prompts, so that their starts are read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

KEPT = 8
"""How many prompts that nobody works on stay, at most."""


class Memory(Protocol):
    """The part of the runtime that moves sequences."""

    def copy(self, source: int, target: int, length: int) -> None: ...

    def drop(self, sequence: int, start: int = 0) -> None: ...


@dataclass(eq=False)
class Row:
    """A sequence: the tokens whose cells it holds. `busy` while a reply is made on it."""

    number: int
    tokens: list[int] = field(default_factory=list)
    busy: bool = True
    used: int = 0


class Cache:
    """The sequences of a memory. Idle ones go, least recently used first, when room is short."""

    def __init__(self, memory: Memory, sequences: int) -> None:
        self._memory = memory
        self._free = list(range(sequences))
        self._rows: list[Row] = []
        self._clock = count()

    def take(self, prompt: Sequence[int]) -> Row:
        """Return a busy row that holds the longest start of the prompt that any row has.

        Never all of it: the last token must be read anew for its logits. An idle row whose
        every token is in the prompt is itself taken; of others the start is copied.
        """
        best, length = self._best(prompt)
        if best is not None and not best.busy and (length == len(best.tokens) or not self._room()):
            self._memory.drop(best.number, length)
            del best.tokens[length:]
            best.busy = True
            return best
        return self.fork(best, length) if best is not None else self._new()

    def fork(self, row: Row, length: int) -> Row:
        """Return a new busy row with the first `length` tokens of another."""
        kept, row.busy = row.busy, True  # so that it is not what makes room
        new = self._new()
        row.busy = kept
        row.used = next(self._clock)
        self._memory.copy(row.number, new.number, length)
        new.tokens = row.tokens[:length]
        return new

    def release(self, row: Row, keep: bool) -> None:
        """End the work on a row: it stays for prompts to come, or is dropped at once."""
        row.busy = False
        row.used = next(self._clock)
        if not keep or not row.tokens:
            self._drop(row)
        while sum(not other.busy for other in self._rows) > KEPT:
            self.evict()

    def evict(self) -> bool:
        """Drop the idle row that was not used for longest; return False where there is none."""
        idle = [row for row in self._rows if not row.busy]
        if idle:
            self._drop(min(idle, key=lambda row: row.used))
        return bool(idle)

    def clear(self) -> None:
        """Drop every row, whoever works on it."""
        for row in list(self._rows):
            self._drop(row)

    def _best(self, prompt: Sequence[int]) -> tuple[Row | None, int]:
        found: tuple[Row | None, int] = (None, 0)
        for row in sorted(self._rows, key=lambda row: -row.used):
            length = min(common(row.tokens, prompt), len(prompt) - 1)
            if length > found[1]:
                found = row, length
        return found

    def _room(self) -> bool:
        return bool(self._free) or sum(not row.busy for row in self._rows) > 1

    def _new(self) -> Row:
        if not self._free:
            self.evict()
        row = Row(self._free.pop(), used=next(self._clock))
        self._rows.append(row)
        return row

    def _drop(self, row: Row) -> None:
        self._memory.drop(row.number)
        self._rows.remove(row)
        self._free.append(row.number)


def common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many tokens two sequences start with in common."""
    most = min(len(one), len(other))
    return next((at for at in range(most) if one[at] != other[at]), most)
