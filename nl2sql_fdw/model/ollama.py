"""Ollama, through its official client (which costs some 600 ms to import)."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import httpx
import ollama

from nl2sql_fdw.model.collect import Collector
from nl2sql_fdw.model.endpoint import CONNECT_S, check_url, key_header
from nl2sql_fdw.model.failures import Server
from nl2sql_fdw.model.wait import Limit, wait_for
from nl2sql_fdw.types import Poll, Profile, Prompt, Reply

NOT_FOUND = 404


class OllamaModel:
    """A model of an Ollama server.

    With the profile's model_url left at its default, the client's own rule holds:
    OLLAMA_HOST, or else port 11434 of this machine.
    """

    def __init__(self, profile: Profile) -> None:
        self.name = profile.model_name
        self._profile = profile
        self._host = None if profile.model_url == Profile.model_url else profile.model_url
        if self._host is not None:
            check_url(self._host)

    def complete(self, prompt: Prompt, poll: Poll) -> Reply:
        """Load the model under one limit, then ask under another, on one connection.

        Never reconnects: a closed connection makes Ollama drop a load that is under way.
        """
        return self._ask(prompt, poll, {"temperature": 0, "seed": 0})

    def sample(self, prompt: Prompt, poll: Poll, count: int, temperature: float) -> Sequence[Reply]:
        """Ask `count` times, each with a seed of its own: Ollama gives one reply to a request."""
        drawn = ({"temperature": temperature, "seed": seed} for seed in range(1, count + 1))
        return [self._ask(prompt, poll, settings) for settings in drawn]

    def _ask(self, prompt: Prompt, poll: Poll, settings: Mapping[str, float]) -> Reply:
        exchange = _Exchange(self._profile, self._host, settings)
        load_ms = self._profile.load_timeout_ms
        limit = Limit(load_ms, exchange.server.loading(load_ms))
        reply = wait_for(lambda: exchange.run(prompt, limit), limit, poll, exchange.close)
        return exchange.server.check(reply, prompt)


class _Exchange:
    """One preload and one chat. `close` may be called from another thread, at any time."""

    def __init__(self, profile: Profile, host: str | None, settings: Mapping[str, float]) -> None:
        self._profile = profile
        self._settings = settings
        self._socket: socket.socket | None = None
        self._closed = False
        self._client = ollama.Client(
            host,
            headers=key_header(profile),
            timeout=httpx.Timeout(None, connect=CONNECT_S),
            event_hooks={"request": [self._watch]},
            follow_redirects=False,  # a question goes where the owner said, and nowhere else
            trust_env=False,  # nor through a proxy from the server's environment
        )
        self.server = Server(self._url(), profile.model_name, profile.context_tokens, "ollama")

    def _url(self) -> str:
        return str(self._client._client.base_url).rstrip("/")  # the client names it nowhere else

    def _watch(self, request: httpx.Request) -> None:
        request.extensions = {**request.extensions, "trace": self._keep_socket}

    def _keep_socket(self, event: str, info: dict[str, Any]) -> None:
        """Remember the socket of a new connection (httpx's `trace` extension)."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._closed:
                self.close()

    def close(self) -> None:
        self._closed = True
        if self._socket is not None:
            with suppress(OSError, ValueError):  # it may be gone already, or be mid-handshake
                self._socket.shutdown(socket.SHUT_RDWR)

    def run(self, prompt: Prompt, limit: Limit) -> Reply:
        try:
            with self._client:
                self._load()
                answer_ms = self._profile.answer_timeout_ms
                limit.restart(answer_ms, self.server.late(answer_ms))
                return self._chat(prompt)
        except ollama.ResponseError as error:
            self._refuse(error.status_code, error.error)
            raise
        except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as error:
            raise self.server.down(str(error)) from error
        except httpx.HTTPError as error:
            if "illegal" in str(error):  # h11's word for bytes that are no HTTP
                raise self.server.foreign(str(error)) from error
            raise self.server.broken(str(error)) from error
        except (ValueError, AttributeError, TypeError) as error:  # what the client makes of garbage
            raise self.server.garbage(str(error)) from error

    def _options(self) -> dict[str, Any]:
        """Return the options; they must be the same for the load, or Ollama loads twice."""
        return {
            "num_ctx": self._profile.context_tokens,
            "num_predict": self._profile.max_output_tokens,
            **self._settings,
        }

    def _load(self) -> None:
        """Load the model by an empty prompt, which is answered once it is in memory."""
        self._client.generate(
            model=self._profile.model_name,
            prompt="",
            options=self._options(),
            keep_alive=keep_alive(self._profile.model_keep_alive),
        )

    def _chat(self, prompt: Prompt) -> Reply:
        parts = self._client.chat(
            model=self._profile.model_name,
            messages=prompt.messages(),
            options=self._options(),
            keep_alive=keep_alive(self._profile.model_keep_alive),
            think=False,
            stream=True,
        )
        return self._gather(parts)

    def _gather(self, parts: Iterable[ollama.ChatResponse]) -> Reply:
        collector = Collector(self._profile.max_output_tokens)
        last: ollama.ChatResponse | None = None
        for part in parts:
            last = part
            if not collector.add(part.message.content or "") or part.done:
                break
        if last is None or not (last.done or collector.stopped_early):
            raise self.server.broken("The stream ended before the reply did.")
        if collector.endless:
            raise self.server.garbage("It sent far more than max_output_tokens allows.")
        if not collector.text:
            raise self.server.blank(last.done_reason, self._profile.max_output_tokens)
        return Reply(
            text=collector.text,
            prompt_tokens=last.prompt_eval_count,
            output_tokens=last.eval_count,
            finish_reason=last.done_reason,
        )

    def _refuse(self, status: int, reason: str) -> None:
        """Raise what an error of the server means; status -1 came inside a stream."""
        if status == NOT_FOUND:
            raise self.server.missing(reason)
        if status in (401, 403):
            raise self.server.locked(status)
        if status < 0:
            raise self.server.broken(reason)
        raise self.server.failed(status, reason)


def keep_alive(text: str) -> float | str | None:
    """Return Ollama's keep_alive in the JSON type it wants: a number of seconds, or '10m'."""
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        return text
