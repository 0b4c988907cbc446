"""A reply's text as it grows: whole characters only, and nothing from a stop string on."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class Text:
    """Takes the bytes of tokens, gives out text. `stopped` once a stop string was written."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._stops = [stop for stop in stops if stop]
        self._held = ""
        self.stopped = False

    def add(self, piece: bytes) -> str:
        """Return the text that is certain by now: what may begin a stop string is held back."""
        self._held += self._decoder.decode(piece)
        ends = [at for stop in self._stops if (at := self._held.find(stop)) >= 0]
        if ends:
            self.stopped = True
            return self._give(min(ends))
        return self._give(len(self._held) - self._doubtful())

    def close(self) -> str:
        """Return what was held back of a reply that has ended."""
        if self.stopped:
            return ""
        self._held += self._decoder.decode(b"", final=True)
        return self._give(len(self._held))

    def _give(self, length: int) -> str:
        given, self._held = self._held[:length], self._held[length:]
        return given

    def _doubtful(self) -> int:
        """Return the length of the longest end of the text that starts a stop string."""
        longest = max((len(stop) - 1 for stop in self._stops), default=0)
        for size in range(min(longest, len(self._held)), 0, -1):
            if any(stop.startswith(self._held[-size:]) for stop in self._stops):
                return size
        return 0
