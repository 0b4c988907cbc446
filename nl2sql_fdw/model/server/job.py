"""A request at work in the engine, and the replies that it grows."""

from __future__ import annotations

from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event

import numpy as np

from nl2sql_fdw.model.server.cache import Row
from nl2sql_fdw.model.server.runtime import Logits
from nl2sql_fdw.model.server.sampling import Sampling
from nl2sql_fdw.model.server.text import Text


@dataclass(frozen=True)
class Piece:
    """More of one reply: its text, the logprobs of its tokens, its end (stop or length)."""

    index: int
    text: str
    logprobs: tuple[float, ...] = ()
    finish: str | None = None


@dataclass(frozen=True)
class Done:
    """All replies have ended; tokens of the prompt, those not read anew, and those written."""

    prompt: int
    cached: int
    written: int


@dataclass(frozen=True)
class Failed:
    """The engine gave up on the request."""

    reason: str


@dataclass(eq=False)
class Job:
    """A prompt and what is wanted of it; `news` is what the engine says, `dropped` ends it."""

    prompt: list[int]
    sampling: Sampling
    count: int = 1
    max_tokens: int = 512
    stops: tuple[str, ...] = ()
    news: SimpleQueue[Piece | Done | Failed] = field(default_factory=SimpleQueue)
    dropped: Event = field(default_factory=Event)
    row: Row | None = None
    cached: int = 0
    written: int = 0
    begun: int = 0
    """How many of its `count` replies have been begun."""
    first: Logits | None = None
    """What the end of the prompt gave: every reply starts from it."""

    @property
    def read(self) -> bool:
        """Tell whether the prompt has been read."""
        return self.first is not None


@dataclass(eq=False)
class Reply:
    """One reply as it grows. `token` is chosen, but not yet run through the model."""

    job: Job
    index: int
    row: Row
    text: Text
    chance: np.random.Generator
    token: int = 0
    tokens: int = 0
    logprobs: list[float] = field(default_factory=list)
    """Of tokens whose text is still held back."""
