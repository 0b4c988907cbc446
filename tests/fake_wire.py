"""How the OpenAI and the Ollama protocol write a scripted reply."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NAME = "qwen2.5-coder-1.5b"
FAULTS = (
    "hang",  # no header, ever
    "hang_midway",  # half of the text, then nothing
    "blanks",  # whitespace without end
    "words",  # text without end
    "garbage",  # HTTP, but no JSON
    "noise",  # not even HTTP
    "broken_chunk",  # the connection ends inside a chunk
    "cut_stream",  # a clean end, without the end mark
    "no_body",  # HTTP 200 and nothing else
    "empty_object",  # the body {}
    "stream_error",  # an error object inside the stream
    "drop",  # the connection closed in place of an answer
    "loading",  # HTTP 503, "Loading model"
    "missing",  # HTTP 404, model not found
    "denied",  # HTTP 401
    "too_long",  # HTTP 400, context exceeded
    "crash",  # HTTP 500
    "no_logprobs",  # HTTP 400, logprobs are not supported
    "whole",  # a good reply, in one piece although a stream was asked for
)


@dataclass(frozen=True)
class Script:
    """One reply. `delay_s` passes before any header, anew for each connection."""

    text: str = "SELECT 1"
    fault: str = ""
    delay_s: float = 0.0
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    finish_reason: str = "stop"
    tool_call: bool = False
    logprobs: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        assert self.fault in ("", *FAULTS), self.fault


class Wire:
    """How one protocol writes a reply to one question."""

    content_type: str

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.name = body.get("model", NAME)
        text = "".join(m.get("content", "") for m in body.get("messages", ()))
        self.prompt_tokens = len(text.encode()) // 4

    @property
    def count(self) -> int:
        """How many choices the question asks for."""
        return 1

    def pieces(self, script: Script, index: int = 0) -> Iterator[bytes]:
        for start in range(0, len(script.text), 7):
            yield self.piece(script.text[start : start + 7], index)

    def refusals(self) -> dict[str, tuple[int, Any]]:
        raise NotImplementedError

    def piece(self, text: str, index: int = 0) -> bytes:
        raise NotImplementedError

    def end(self, *scripts: Script) -> Iterator[bytes]:
        raise NotImplementedError

    def whole(self, script: Script) -> dict[str, Any]:
        raise NotImplementedError

    def error(self, text: str) -> bytes:
        raise NotImplementedError

    def read(self, script: Script) -> int:
        return self.prompt_tokens if script.prompt_tokens is None else script.prompt_tokens


class OpenAi(Wire):
    content_type = "text/event-stream"

    def refusals(self) -> dict[str, tuple[int, Any]]:
        def say(message: str) -> dict[str, Any]:
            return {"error": {"message": message, "type": "x"}}

        return {
            "loading": (503, say("Loading model")),
            "missing": (404, say(f"model '{self.name}' not found")),
            "denied": (401, say("Invalid API key")),
            "too_long": (400, say("This model's maximum context length is 2048 tokens.")),
            "crash": (500, say("internal error")),
            "no_logprobs": (400, say("logprobs is not supported")),
        }

    def _event(self, **parts: Any) -> bytes:
        event = json.dumps({"object": "chat.completion.chunk", **parts})
        return f"data: {event}\n\n".encode()

    @property
    def count(self) -> int:
        return self.body.get("n", 1)

    def piece(self, text: str, index: int = 0) -> bytes:
        choice = {"index": index, "delta": {"content": text}, "finish_reason": None}
        return b": ping\n\n" + self._event(choices=[choice])

    def _usage(self, script: Script) -> dict[str, Any]:
        return {
            "prompt_tokens": self.read(script),
            "completion_tokens": len(script.text) // 3,
            "prompt_tokens_details": {"cached_tokens": script.cached_tokens},
        }

    def _call(self, script: Script) -> dict[str, Any]:
        if not script.tool_call:
            return {}
        call = {"name": "run_sql", "arguments": '{"again": true}'}
        return {"tool_calls": [{"index": 0, "id": "1", "type": "function", "function": call}]}

    def _probable(self, script: Script) -> dict[str, Any]:
        if not (self.body.get("logprobs") and script.logprobs):
            return {}
        tokens = [{"token": "?", "logprob": logprob} for logprob in script.logprobs]
        return {"logprobs": {"content": tokens}}

    def end(self, *scripts: Script) -> Iterator[bytes]:
        for index, script in enumerate(scripts):
            choice = {"index": index, "delta": self._call(script), **self._probable(script)}
            yield self._event(choices=[{**choice, "finish_reason": script.finish_reason}])
        yield self._event(choices=[], usage=self._usage(scripts[0]))
        yield b"data: [DONE]\n\n"

    def whole(self, script: Script) -> dict[str, Any]:
        message = {"role": "assistant", "content": script.text, **self._call(script)}
        choice = {"index": 0, "message": message, "finish_reason": script.finish_reason}
        choice |= self._probable(script)
        return {"choices": [choice], "usage": self._usage(script)}

    def error(self, text: str) -> bytes:
        return b"data: " + json.dumps({"error": {"message": text}}).encode() + b"\n\n"


class Ollama(Wire):
    content_type = "application/x-ndjson"

    def refusals(self) -> dict[str, tuple[int, Any]]:
        return {
            "missing": (404, {"error": f"model '{self.name}' not found"}),
            "denied": (401, {"error": "unauthorized"}),
            "crash": (500, {"error": "internal error"}),
        }

    def _line(self, **parts: Any) -> bytes:
        stamp = {"model": self.name, "created_at": "2026-01-01T00:00:00Z"}
        return json.dumps({**stamp, **parts}).encode() + b"\n"

    def piece(self, text: str, index: int = 0) -> bytes:
        return self._line(message={"role": "assistant", "content": text}, done=False)

    def _last(self, script: Script, text: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if script.tool_call:
            call = {"name": "run_sql", "arguments": {"again": True}}
            message["tool_calls"] = [{"function": call}]
        return {
            "message": message,
            "done": True,
            "done_reason": script.finish_reason,
            "prompt_eval_count": self.read(script),
            "eval_count": len(script.text) // 3,
        }

    def end(self, *scripts: Script) -> Iterator[bytes]:
        yield self._line(**self._last(scripts[0], ""))

    def whole(self, script: Script) -> dict[str, Any]:
        return json.loads(self._line(**self._last(script, script.text)))

    def error(self, text: str) -> bytes:
        return json.dumps({"error": text}).encode() + b"\n"
