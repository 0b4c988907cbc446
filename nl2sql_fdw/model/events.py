"""Reads the body of an OpenAI-compatible reply: a stream of events, or one JSON object."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nl2sql_fdw.model.collect import Choice
from nl2sql_fdw.model.failures import Server
from nl2sql_fdw.types import Reply

MAX_LINE = 1_000_000
_REASON_CHARS = 500
_FIELDS = (b":", b"event:", b"id:", b"retry:")
"""Lines of a stream that carry no data; servers send the first as a ping."""

_Body = Mapping[str, Any]
_Choices = dict[int, Choice]


class NoEvents(Exception):
    """The stream ended without having said anything."""


@dataclass
class Reader:
    """Reads replies of at most `max_output_tokens`; raises ModelUnavailable for what is none."""

    server: Server
    max_output_tokens: int

    def read(self, response: http.client.HTTPResponse) -> list[Reply]:
        """Return the reply of each choice in their order, less those that are empty."""
        if response.getheader("Content-Type", "").startswith("text/event-stream"):
            return self._gather(response)
        return self._whole(response.read())

    def _gather(self, response: http.client.HTTPResponse) -> list[Reply]:
        """Read a stream up to its end mark; http.client hides that one was cut off."""
        choices: _Choices = {}
        usage: _Body = {}
        event: _Body | None = None
        for event in self._events(response):
            usage = event.get("usage") or usage
            self._take(event, "delta", choices)
            if choices and all(choice.stopped_early for choice in choices.values()):
                return self._replies(choices, usage)
        if event is None:
            raise NoEvents
        if not choices or any(choice.unfinished for choice in choices.values()):
            raise self.server.broken("The stream ended before the reply did.")
        return self._replies(choices, usage)

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

    def _take(self, event: _Body, part: str, choices: _Choices) -> None:
        """Add what an event holds to the choices; the last one may hold only the usage."""
        try:
            for sent in event.get("choices") or ():
                index = sent.get("index") or 0
                if index not in choices:
                    choices[index] = Choice(self.max_output_tokens)
                logprobs = (sent.get("logprobs") or {}).get("content") or ()
                choices[index].logprobs += [float(token["logprob"]) for token in logprobs]
                choices[index].add(sent[part].get("content") or "")
                choices[index].finish = sent.get("finish_reason") or choices[index].finish
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise self.server.garbage(json.dumps(event)) from error

    def _whole(self, data: bytes) -> list[Reply]:
        """Read replies that came in one piece, from a server that does not stream."""
        body = self._parse(data)
        if not body.get("choices"):
            raise self.server.garbage(data.decode(errors="replace"))
        choices: _Choices = {}
        self._take(body, "message", choices)
        return self._replies(choices, body.get("usage") or {})

    def _replies(self, choices: _Choices, usage: _Body) -> list[Reply]:
        """Return the replies that hold something; the first bears what all share of the counts.

        The prompt of the others was read once already, so their share of it is all cached.
        """
        if any(choice.endless for choice in choices.values()):
            raise self.server.garbage("It sent far more than max_output_tokens allows.")
        ordered = [choices[index] for index in sorted(choices)]
        if not any(choice.text for choice in ordered):
            raise self.server.blank(ordered[0].finish, self.max_output_tokens)
        details = usage.get("prompt_tokens_details") or {}
        prompt, cached = usage.get("prompt_tokens"), details.get("cached_tokens")
        spent = usage.get("completion_tokens") if len(ordered) == 1 else None
        replies = []
        for choice in ordered:
            if choice.text:
                replies.append(choice.reply(prompt, cached, spent))
                cached = prompt
        return replies


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
