"""What the server does with a request, whatever carries it: check it, run it, word the answer."""

from __future__ import annotations

import hmac
import select
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Empty

from nl2sql_fdw.model.server.chat import BadTurns, Template
from nl2sql_fdw.model.server.engine import Engine
from nl2sql_fdw.model.server.job import Done, Failed, Job, Piece
from nl2sql_fdw.model.server.request import Refused, Request
from nl2sql_fdw.model.server.sampling import Sampling

_LOOK_S = 0.05
"""How often to look whether the client is still there."""


class Left(Exception):
    """The client has closed its connection."""


@dataclass(frozen=True)
class Service:
    """One model under one name, with `context_tokens` for a prompt and its reply."""

    engine: Engine
    template: Template
    name: str
    context_tokens: int
    key: str | None = None

    def admit(self, authorization: str | None) -> None:
        """Raise Refused unless the header bears the key, compared in constant time."""
        sent = (authorization or "").removeprefix("Bearer ").strip().encode()
        if self.key is not None and not hmac.compare_digest(sent, self.key.encode()):
            raise Refused(401, "Missing or wrong API key.", "invalid_api_key")

    def job(self, request: Request) -> Job:
        """Return the work that a request is; raises Refused."""
        if request.model not in (None, self.name):
            raise Refused(
                404, f"There is no model {request.model!r} here, only {self.name}.",
                "model_not_found",
            )  # fmt: skip
        try:
            prompt = self.template.tokens(request.messages)
        except BadTurns as error:
            raise Refused(400, f"The chat template refuses these turns: {error}") from None
        room = self.context_tokens - len(prompt)
        if room < 1:
            raise Refused(
                400,
                f"The prompt has {len(prompt)} tokens; the context has {self.context_tokens}.",
                "context_length_exceeded",
            )
        return Job(
            prompt,
            Sampling(request.temperature, request.top_p, request.seed),
            request.count,
            min(request.max_tokens or room, room),
            request.stops,
        )

    def run(self, job: Job, client: socket.socket) -> Iterator[Piece | Done]:
        """Yield what the engine makes of a job; raises Left where the client goes away.

        However it ends, the engine works on the job no more.
        """
        self.engine.submit(job)
        ended = False
        try:
            while True:
                try:
                    news = job.news.get(timeout=_LOOK_S)
                except Empty:
                    _check_there(client)
                    continue
                ended = not isinstance(news, Piece)
                if isinstance(news, Failed):
                    raise Refused(500, news.reason, "server_error")
                yield news
                if ended:
                    return
        finally:
            if not ended:
                self.engine.drop(job)


def _check_there(client: socket.socket) -> None:
    """Raise Left where the other side has closed; what else it sends is looked at later."""
    if select.select([client], [], [], 0)[0] and not client.recv(1, socket.MSG_PEEK):
        raise Left
