"""Any OpenAI-compatible server: the embedded one, llama-server, vLLM, LM Studio.

Written on http.client: it is in the standard library, imports fast in a database
backend, and lets us shut the socket from outside, which makes the server stop.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.model.collect import Collector
from nl2sql_fdw.model.failures import Server
from nl2sql_fdw.model.wait import Limit, pause, wait_for
from nl2sql_fdw.types import Poll, Profile, Prompt, Reply

CONNECT_S = 5.0
LOADING_PAUSE_S = 0.5
MAX_LINE = 1_000_000
_Body = Mapping[str, Any]


class _StillLoading(Exception):
    """The server is up, and asks to come back once it has loaded the model."""


class OpenAiModel:
    """A model behind /chat/completions at the profile's model_url (which ends in /v1)."""

    def __init__(self, profile: Profile) -> None:
        self.name = profile.model_name
        self._profile = profile
        self._server = Server(profile.model_url, profile.model_name, profile.context_tokens)
        check_url(profile.model_url)

    def complete(self, prompt: Prompt, poll: Poll) -> Reply:
        """Ask once; while the server says that it is loading, ask again under one limit."""
        body = self._body(prompt)
        headers = {"Content-Type": "application/json", **key_header(self._profile)}
        load_ms = self._profile.load_timeout_ms
        loading = Limit(load_ms, self._server.loading(load_ms))
        while True:
            try:
                reply = self._ask(body, headers, poll)
            except _StillLoading:
                pause(LOADING_PAUSE_S, loading, poll)
            else:
                return self._server.check(reply, prompt)

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        return {
            "model": self.name,
            "messages": prompt.messages(),
            "temperature": 0,
            "seed": 0,
            "max_tokens": self._profile.max_output_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def _ask(self, body: _Body, headers: Mapping[str, str], poll: Poll) -> Reply:
        limit_ms = self._profile.answer_timeout_ms
        limit = Limit(limit_ms, self._server.late(limit_ms))
        exchange = _Exchange(self._profile, self._server)
        return wait_for(lambda: exchange.run(body, headers), limit, poll, exchange.close)


class _Exchange:
    """One request and its reply. `close` may be called from another thread, at any time."""

    def __init__(self, profile: Profile, server: Server) -> None:
        self._profile = profile
        self._server = server
        self._socket: socket.socket | None = None
        self._closed = False

    def close(self) -> None:
        self._closed = True
        if self._socket is not None:
            with suppress(OSError, ValueError):  # it may be gone already, or be mid-handshake
                self._socket.shutdown(socket.SHUT_RDWR)

    def run(self, body: _Body, headers: Mapping[str, str]) -> Reply:
        connection = self._connect()
        try:
            response = self._post(connection, body, headers)
            with response:
                return self._read(response)
        except (http.client.HTTPException, OSError) as error:
            raise self._server.broken(str(error)) from error
        finally:
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        connection = open_connection(self._profile.model_url)
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
        self, connection: http.client.HTTPConnection, body: _Body, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        path = urlsplit(self._profile.model_url).path.rstrip("/") + "/chat/completions"
        connection.request("POST", path, json.dumps(body).encode(), dict(headers))
        try:
            return connection.getresponse()
        except http.client.RemoteDisconnected:
            raise
        except http.client.HTTPException as error:
            raise self._server.foreign(repr(error)) from error

    def _read(self, response: http.client.HTTPResponse) -> Reply:
        if response.status != http.client.OK:
            self._refuse(response.status, _reason(response.read(MAX_LINE)))
        if response.getheader("Content-Type", "").startswith("text/event-stream"):
            return self._gather(response)
        return self._whole(response.read())

    def _refuse(self, status: int, reason: str) -> None:
        """Raise what a status other than 200 means."""
        words = reason.lower()
        if status == http.client.SERVICE_UNAVAILABLE and "loading" in words:
            raise _StillLoading
        if status in (http.client.UNAUTHORIZED, http.client.FORBIDDEN):
            raise self._server.locked(status)
        if status == http.client.NOT_FOUND:
            raise self._server.missing(reason)
        if "context" in words and ("length" in words or "size" in words):
            raise self._server.too_long(reason)
        raise self._server.failed(status, reason)

    def _gather(self, response: http.client.HTTPResponse) -> Reply:
        """Read a stream of events up to its end mark; without one it was cut off."""
        collector = Collector(self._profile.max_output_tokens)
        usage: _Body = {}
        finish: str | None = None
        for event in self._events(response):
            usage = event.get("usage") or usage
            piece, reason = self._piece(event, "delta")
            finish = reason or finish
            if not collector.add(piece):
                break
        else:
            if finish is None:
                raise self._server.broken("The stream ended before the reply did.")
        return self._reply(collector, usage, finish)

    def _events(self, response: http.client.HTTPResponse) -> Iterator[_Body]:
        """Yield the JSON of each event; comments (a server's pings) and blank lines are skipped."""
        while line := response.readline(MAX_LINE):
            if not line.startswith(b"data:"):
                if line.strip() and not line.startswith((b":", b"event:", b"id:", b"retry:")):
                    raise self._server.garbage(line.decode(errors="replace"))
                continue
            data = line[len(b"data:") :].strip()
            if data == b"[DONE]":
                return
            yield self._parse(data)

    def _parse(self, data: bytes) -> _Body:
        try:
            event = json.loads(data)
        except ValueError as error:
            raise self._server.garbage(data.decode(errors="replace")) from error
        if not isinstance(event, dict):
            raise self._server.garbage(data.decode(errors="replace"))
        if event.get("error"):
            raise self._server.broken(_reason(data))
        return event

    def _piece(self, event: _Body, part: str) -> tuple[str, str | None]:
        """Return (text, finish reason) of an event; the last one may hold only the usage."""
        if not event.get("choices"):
            return "", None
        try:
            choice = event["choices"][0]
            return choice[part].get("content") or "", choice.get("finish_reason")
        except (LookupError, TypeError, AttributeError) as error:
            raise self._server.garbage(json.dumps(event)) from error

    def _whole(self, data: bytes) -> Reply:
        """Read a reply that came in one piece, from a server that does not stream."""
        body = self._parse(data)
        if not body.get("choices"):
            raise self._server.garbage(data.decode(errors="replace"))
        collector = Collector(self._profile.max_output_tokens)
        piece, finish = self._piece(body, "message")
        collector.add(piece)
        return self._reply(collector, body.get("usage") or {}, finish)

    def _reply(self, collector: Collector, usage: _Body, finish: str | None) -> Reply:
        if collector.endless:
            raise self._server.garbage("It sent far more than max_output_tokens allows.")
        if not collector.text:
            raise self._server.blank(finish, self._profile.max_output_tokens)
        details = usage.get("prompt_tokens_details") or {}
        return Reply(
            text=collector.text,
            prompt_tokens=usage.get("prompt_tokens"),
            cached_tokens=details.get("cached_tokens"),
            output_tokens=usage.get("completion_tokens"),
            finish_reason=finish,
        )


def open_connection(url: str) -> http.client.HTTPConnection:
    """Return an unconnected connection to the server of a checked URL."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=CONNECT_S)


def check_url(url: str) -> None:
    """Raise BadSetup unless the URL is one that http.client can reach."""
    parts = urlsplit(url)
    try:
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number
        usable = False
    if not usable:
        raise BadSetup(
            f"The profile's model_url {url!r} is no URL of a model server.",
            hint="Write it like http://127.0.0.1:8642/v1",
        )


def key_header(profile: Profile) -> dict[str, str]:
    """Return the Authorization header, its key read anew from the profile's file."""
    if profile.model_key_file is None:
        return {}
    try:
        key = Path(profile.model_key_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetup(
            f"The key file {profile.model_key_file} cannot be read.",
            getattr(error, "strerror", None) or "It is no text.",
            "Make it readable for the operating system user that runs the database server.",
        ) from None
    if not key.isascii() or not key.isprintable():
        raise BadSetup(f"The key file {profile.model_key_file} holds no key on one line.")
    return {"Authorization": f"Bearer {key}"}


def _reason(data: bytes) -> str:
    """Return the message of an error body, however the server shaped it."""
    text = data.decode(errors="replace").strip()
    try:
        body = json.loads(text)
    except ValueError:
        return text[:500]
    found = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(found, dict):
        found = found.get("message") or found.get("detail") or found
    return str(found)[:500]
