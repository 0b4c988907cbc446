"""Gathers a reply piece by piece, and knows when nothing good can follow."""

from __future__ import annotations

from nl2sql_fdw.types import Reply

BLANKS = 256
"""Whitespace in a row that no SQL needs: the model has fallen into a loop of it."""

TOKEN_CHARS = 64
"""More characters than this for each token asked for, and the server does not count them."""


class Collector:
    """The text so far. `add` says whether to read on."""

    def __init__(self, max_output_tokens: int) -> None:
        self._pieces: list[str] = []
        self._room = max_output_tokens * TOKEN_CHARS
        self._blanks = 0
        self.stopped_early = False

    def add(self, piece: str) -> bool:
        """Take a piece; return False where the reply is only whitespace by now, or endless."""
        self._pieces.append(piece)
        self._room -= len(piece)
        tail = len(piece) - len(piece.rstrip())
        self._blanks = self._blanks + tail if tail == len(piece) else tail
        self.stopped_early = self._blanks > BLANKS or self._room < 0
        return not self.stopped_early

    @property
    def text(self) -> str:
        return "".join(self._pieces).strip()

    @property
    def endless(self) -> bool:
        return self._room < 0


class Choice(Collector):
    """One of the replies to a request, with what the server says of its tokens."""

    def __init__(self, max_output_tokens: int) -> None:
        super().__init__(max_output_tokens)
        self.logprobs: list[float] = []
        self.finish: str | None = None

    @property
    def unfinished(self) -> bool:
        """Tell whether more should have come: neither the server nor we have ended it."""
        return self.finish is None and not self.stopped_early

    def reply(self, prompt: int | None, cached: int | None, spent: int | None) -> Reply:
        """Return it with the counts of its request; without `spent` the logprobs are counted."""
        found = self.logprobs
        return Reply(
            text=self.text,
            prompt_tokens=prompt,
            cached_tokens=cached,
            output_tokens=spent if spent is not None else len(found) or None,
            finish_reason=self.finish,
            mean_logprob=sum(found) / len(found) if found else None,
            least_logprob=min(found, default=None),
        )
