"""Reads the body of an OpenAI-compatible reply: a stream of events, or one JSON object."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nl2sql_fdw.model.collect import Collector
from nl2sql_fdw.model.failures import Server
from nl2sql_fdw.types import Reply

MAX_LINE = 1_000_000
_REASON_CHARS = 500
_FIELDS = (b":", b"event:", b"id:", b"retry:")
"""Lines of a stream that carry no data; servers send the first as a ping."""

_Body = Mapping[str, Any]


class NoEvents(Exception):
    """The stream ended without having said anything."""


@dataclass
class Reader:
    """Reads one reply of at most `max_output_tokens`; raises ModelUnavailable for what is none."""

    server: Server
    max_output_tokens: int

    def read(self, response: http.client.HTTPResponse) -> Reply:
        if response.getheader("Content-Type", "").startswith("text/event-stream"):
            return self._gather(response)
        return self._whole(response.read())

    def _gather(self, response: http.client.HTTPResponse) -> Reply:
        """Read a stream up to its end mark; http.client hides that one was cut off."""
        collector = Collector(self.max_output_tokens)
        usage: _Body = {}
        finish: str | None = None
        event: _Body | None = None
        for event in self._events(response):
            usage = event.get("usage") or usage
            piece, reason = self._piece(event, "delta")
            finish = reason or finish
            if not collector.add(piece):
                return self._reply(collector, usage, finish)
        if event is None:
            raise NoEvents
        if finish is None:
            raise self.server.broken("The stream ended before the reply did.")
        return self._reply(collector, usage, finish)

    def _events(self, response: http.client.HTTPResponse) -> Iterator[_Body]:
        while line := response.readline(MAX_LINE):
            if line.startswith(b"data:"):
                data = line[len(b"data:") :].strip()
                if data == b"[DONE]":
                    return
                yield self._parse(data)
            elif line.strip() and not line.startswith(_FIELDS):
                raise self.server.garbage(line.decode(errors="replace"))

    def _parse(self, data: bytes) -> _Body:
        try:
            event = json.loads(data)
        except ValueError as error:
            raise self.server.garbage(data.decode(errors="replace")) from error
        if not isinstance(event, dict):
            raise self.server.garbage(data.decode(errors="replace"))
        if event.get("error"):
            raise self.server.broken(reason(data))
        return event

    def _piece(self, event: _Body, part: str) -> tuple[str, str | None]:
        """Return (text, finish reason) of an event; the last one may hold only the usage."""
        if not event.get("choices"):
            return "", None
        try:
            choice = event["choices"][0]
            return choice[part].get("content") or "", choice.get("finish_reason")
        except (LookupError, TypeError, AttributeError) as error:
            raise self.server.garbage(json.dumps(event)) from error

    def _whole(self, data: bytes) -> Reply:
        """Read a reply that came in one piece, from a server that does not stream."""
        body = self._parse(data)
        if not body.get("choices"):
            raise self.server.garbage(data.decode(errors="replace"))
        collector = Collector(self.max_output_tokens)
        piece, finish = self._piece(body, "message")
        collector.add(piece)
        return self._reply(collector, body.get("usage") or {}, finish)

    def _reply(self, collector: Collector, usage: _Body, finish: str | None) -> Reply:
        if collector.endless:
            raise self.server.garbage("It sent far more than max_output_tokens allows.")
        if not collector.text:
            raise self.server.blank(finish, self.max_output_tokens)
        details = usage.get("prompt_tokens_details") or {}
        return Reply(
            text=collector.text,
            prompt_tokens=usage.get("prompt_tokens"),
            cached_tokens=details.get("cached_tokens"),
            output_tokens=usage.get("completion_tokens"),
            finish_reason=finish,
        )


def reason(data: bytes) -> str:
    """Return the message of an error body, however the server shaped it."""
    text = data.decode(errors="replace").strip()
    try:
        body = json.loads(text)
    except ValueError:
        return text[:_REASON_CHARS]
    found = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(found, dict):
        found = found.get("message") or found.get("detail") or found
    return str(found)[:_REASON_CHARS]
