"""What the pipeline asks of a language model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nl2sql_fdw.types import Poll, Prompt, Reply


class Model(Protocol):
    """A model server, reached over its own protocol."""

    name: str

    def complete(self, prompt: Prompt, poll: Poll) -> Reply:
        """Return the model's reply to the prompt.

        Waits for a model that is still loading under its own limit; calls `poll`
        every 100 ms. Raises errors.ModelUnavailable, with the command that mends it
        in the hint, or whatever `poll` raises, the connection closed in either case.
        """

    def sample(self, prompt: Prompt, poll: Poll, count: int, temperature: float) -> Sequence[Reply]:
        """Return `count` replies, each drawn by itself at that temperature.

        The same call draws the same replies from a server that honours seeds. Waits and
        raises as `complete` does; each request to the server has the limits of one.
        """
