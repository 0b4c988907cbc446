"""Read the body of a request for a chat completion, and say what is wrong with it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ROLES = ("system", "user", "assistant", "tool", "developer")
MAX_CHOICES = 32
MAX_STOPS = 16
_Body = Mapping[str, Any]


class Refused(Exception):
    """What is wrong with a request: a status, words, and OpenAI's code for it."""

    def __init__(self, status: int, message: str, code: str = "invalid_request") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code


@dataclass(frozen=True)
class Request:
    """What a client asks for; `max_tokens` None means as many as the context holds."""

    messages: tuple[Mapping[str, str], ...]
    model: str | None
    count: int
    temperature: float
    top_p: float
    seed: int
    max_tokens: int | None
    stops: tuple[str, ...]
    stream: bool
    usage: bool
    logprobs: bool


def parse(data: bytes) -> Request:
    """Return the request; raises Refused for what is no such request."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise Refused(400, "The body is no JSON.") from None
    if not isinstance(body, dict):
        raise Refused(400, "The body is no JSON object.")
    most = body.get("max_tokens", body.get("max_completion_tokens"))
    options = body.get("stream_options")
    return Request(
        messages=_messages(body.get("messages")),
        model=_text(body, "model"),
        count=int(_number(body, "n", 1, 1, MAX_CHOICES, whole=True)),
        temperature=_number(body, "temperature", 1.0, 0, 10),
        top_p=_number(body, "top_p", 0.95, 1e-6, 1),
        seed=_seed(body),
        max_tokens=None
        if most is None
        else int(_number({"max_tokens": most}, "max_tokens", 1, 1, 2**31, whole=True)),
        stops=_stops(body.get("stop")),
        stream=bool(body.get("stream")),
        usage=isinstance(options, dict) and bool(options.get("include_usage")),
        logprobs=bool(body.get("logprobs")),
    )


def _messages(sent: Any) -> tuple[Mapping[str, str], ...]:
    if not isinstance(sent, list) or not sent:
        raise Refused(400, "messages must be a list of turns.")
    return tuple(map(_turn, sent))


def _turn(sent: Any) -> Mapping[str, str]:
    if not isinstance(sent, dict) or sent.get("role") not in ROLES:
        raise Refused(400, f"Each turn needs a role: {', '.join(ROLES)}.")
    content = sent.get("content")
    if isinstance(content, list):
        content = "".join(map(_part, content))
    if not isinstance(content, str):
        raise Refused(400, "The content of a turn must be text.")
    return {"role": sent["role"], "content": content}


def _part(sent: Any) -> str:
    if isinstance(sent, dict) and sent.get("type") == "text" and isinstance(sent.get("text"), str):
        return str(sent["text"])
    raise Refused(400, "The content of a turn must be text.")


def _text(body: _Body, name: str) -> str | None:
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise Refused(400, f"{name} must be a string.")
    return value


def _number(
    body: _Body, name: str, default: float, least: float, most: float, whole: bool = False
) -> float:
    value = body.get(name)
    if value is None:
        return default
    kinds = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        kind = "a whole number" if whole else "a number"
        raise Refused(400, f"{name} must be {kind} from {least:g} to {most:g}.")
    return float(value)


def _seed(body: _Body) -> int:
    value = body.get("seed")
    if value is None or value == -1:
        return secrets.randbits(63)
    return int(_number(body, "seed", 0, 0, 2**53, whole=True))


def _stops(sent: Any) -> tuple[str, ...]:
    stops = [sent] if isinstance(sent, str) else sent or []
    if (
        not isinstance(stops, list)
        or len(stops) > MAX_STOPS
        or not all(isinstance(stop, str) and 0 < len(stop) <= 200 for stop in stops)
    ):
        raise Refused(400, f"stop must be a string, or a list of {MAX_STOPS} at most.")
    return tuple(stops)
