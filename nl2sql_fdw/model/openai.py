"""Any OpenAI-compatible server: the embedded one, llama-server, vLLM, LM Studio.

Written on http.client: it is in the standard library, imports fast in a database
backend, and lets us shut the socket from outside, which makes the server stop.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from nl2sql_fdw.model.endpoint import check_url, key_header, open_connection
from nl2sql_fdw.model.events import MAX_LINE, NoEvents, Reader, reason
from nl2sql_fdw.model.failures import Server
from nl2sql_fdw.model.wait import Limit, pause, wait_for
from nl2sql_fdw.types import Poll, Profile, Prompt, Reply

LOADING_PAUSE_S = 0.5
_Body = Mapping[str, Any]


class _StillLoading(Exception):
    """The server is up, and asks to come back once it has loaded the model."""


class _NoLogprobs(Exception):
    """The server refuses to say how probable its tokens were."""


class OpenAiModel:
    """A model behind /chat/completions at the profile's model_url (which ends in /v1)."""

    def __init__(self, profile: Profile) -> None:
        check_url(profile.model_url)
        self.name = profile.model_name
        self._profile = profile
        self._logprobs = True
        self._server = Server(profile.model_url, profile.model_name, profile.context_tokens)

    def complete(self, prompt: Prompt, poll: Poll) -> Reply:
        """Ask for the most probable reply."""
        return self._replies(prompt, poll, {"temperature": 0, "seed": 0})[0]

    def sample(self, prompt: Prompt, poll: Poll, count: int, temperature: float) -> Sequence[Reply]:
        """Ask for all at once, then for the rest where the server gives fewer than asked for."""
        replies: list[Reply] = []
        while (left := count - len(replies)) > 0:
            drawn = {"temperature": temperature, "seed": 1 + len(replies)}
            more = {"n": left} if left > 1 else {}
            replies += self._replies(prompt, poll, {**drawn, **more})[:left]
        return replies

    def _replies(self, prompt: Prompt, poll: Poll, settings: _Body) -> list[Reply]:
        """Ask once; while the server says that it is loading, ask again under one limit."""
        headers = {"Content-Type": "application/json", **key_header(self._profile)}
        load_ms = self._profile.load_timeout_ms
        loading = Limit(load_ms, self._server.loading(load_ms))
        while True:
            try:
                replies = self._ask({**self._body(prompt), **settings}, headers, poll)
            except _StillLoading:
                pause(LOADING_PAUSE_S, loading, poll)
            except _NoLogprobs:
                self._logprobs = False
            else:
                return [self._server.check(reply, prompt) for reply in replies]

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        return {
            "model": self.name,
            "messages": prompt.messages(),
            "max_tokens": self._profile.max_output_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
            **({"logprobs": True} if self._logprobs else {}),
        }

    def _ask(self, body: _Body, headers: Mapping[str, str], poll: Poll) -> list[Reply]:
        limit_ms = self._profile.answer_timeout_ms
        limit = Limit(limit_ms, self._server.late(limit_ms))
        exchange = _Exchange(self._profile, self._server, headers)
        return wait_for(lambda: exchange.run(body), limit, poll, exchange.close)


class _Exchange:
    """One request and its reply. `close` may be called from another thread, at any time."""

    def __init__(self, profile: Profile, server: Server, headers: Mapping[str, str]) -> None:
        self._url = profile.model_url
        self._reader = Reader(server, profile.max_output_tokens)
        self._server = server
        self._headers = dict(headers)
        self._socket: socket.socket | None = None
        self._closed = False

    def close(self) -> None:
        self._closed = True
        if self._socket is not None:
            with suppress(OSError, ValueError):  # it may be gone already, or be mid-handshake
                self._socket.shutdown(socket.SHUT_RDWR)

    def run(self, body: _Body) -> list[Reply]:
        connection = self._connect()
        try:
            with self._post(connection, body) as response:
                if response.status != http.client.OK:
                    self._refuse(response.status, reason(response.read(MAX_LINE)), body)
                return self._reader.read(response)
        except NoEvents:
            connection.close()
            return self._ask_why(body)
        except (http.client.HTTPException, OSError) as error:
            raise self._server.broken(str(error)) from error
        finally:
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        connection = open_connection(self._url)
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            raise self._server.down(str(error)) from error
        connection.sock.settimeout(None)  # from here on the caller's limit rules
        self._socket = connection.sock
        if self._closed:
            self.close()
        return connection

    def _post(
        self, connection: http.client.HTTPConnection, body: _Body
    ) -> http.client.HTTPResponse:
        path = urlsplit(self._url).path.rstrip("/") + "/chat/completions"
        connection.request("POST", path, json.dumps(body).encode(), self._headers)
        try:
            return connection.getresponse()
        except http.client.RemoteDisconnected:
            raise
        except http.client.HTTPException as error:
            raise self._server.foreign(repr(error)) from error

    def _refuse(self, status: int, words: str, body: _Body) -> None:
        """Raise what a status other than 200 means."""
        if status == http.client.SERVICE_UNAVAILABLE and "loading" in words.lower():
            raise _StillLoading
        if status in (http.client.UNAUTHORIZED, http.client.FORBIDDEN):
            raise self._server.locked(status)
        if status == http.client.NOT_FOUND:
            raise self._server.missing(words)
        if "logprobs" in body and "logprobs" in words.lower():
            raise _NoLogprobs
        if "context" in words.lower():
            raise self._server.too_long(words)
        raise self._server.failed(status, words)

    def _ask_why(self, body: _Body) -> list[Reply]:
        """Ask for one token without streaming, and raise what the server says to that.

        llama-cpp-python's server refuses a prompt only after it has begun its stream,
        and then says nothing at all.
        """
        if body["stream"]:
            self.run({**body, "stream": False, "stream_options": None, "max_tokens": 1})
        raise self._server.broken("The stream ended before it began.")
