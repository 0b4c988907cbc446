"""Write what the engine makes in the shapes of OpenAI's chat completions."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from typing import Any

from nl2sql_fdw.model.server.job import Done, Piece

Object = dict[str, Any]


class Completion:
    """One answer: `chunk` by `chunk`, or `whole`."""

    def __init__(self, model: str, logprobs: bool) -> None:
        self._frame = {
            "id": f"chatcmpl-{secrets.token_hex(12)}",
            "created": int(time.time()),
            "model": model,
        }
        self._logprobs = logprobs

    def chunk(self, piece: Piece) -> Object:
        """Return the event for a piece of a reply."""
        choice = {"index": piece.index, "delta": {"content": piece.text}}
        return self._event([{**choice, **self._probable([piece]), "finish_reason": piece.finish}])

    def opening(self, index: int) -> Object:
        """Return the event that begins a reply."""
        delta = {"role": "assistant", "content": ""}
        return self._event([{"index": index, "delta": delta, "finish_reason": None}])

    def closing(self, done: Done) -> Object:
        """Return the event that tells what it cost."""
        return {**self._event([]), "usage": usage(done)}

    def whole(self, pieces: Iterable[Piece], done: Done) -> Object:
        """Return all replies at once."""
        by_index: dict[int, list[Piece]] = {}
        for piece in pieces:
            by_index.setdefault(piece.index, []).append(piece)
        choices = [
            {
                "index": index,
                "message": {"role": "assistant", "content": "".join(p.text for p in parts)},
                **self._probable(parts),
                "finish_reason": parts[-1].finish,
            }
            for index, parts in sorted(by_index.items())
        ]
        frame = {**self._frame, "object": "chat.completion"}
        return {**frame, "choices": choices, "usage": usage(done)}

    def _event(self, choices: list[Object]) -> Object:
        return {**self._frame, "object": "chat.completion.chunk", "choices": choices}

    def _probable(self, pieces: Iterable[Piece]) -> Object:
        """Return the logprobs; the text stands with the last token of its piece."""
        if not self._logprobs:
            return {}
        found: list[Object] = []
        for piece in pieces:
            texts = ["" for _ in piece.logprobs[1:]] + [piece.text]
            found += [
                {"token": text, "logprob": logprob, "bytes": None, "top_logprobs": []}
                for text, logprob in zip(texts, piece.logprobs, strict=False)
            ]
        return {"logprobs": {"content": found}}


def usage(done: Done) -> Object:
    return {
        "prompt_tokens": done.prompt,
        "prompt_tokens_details": {"cached_tokens": done.cached},
        "completion_tokens": done.written,
        "total_tokens": done.prompt + done.written,
    }


def error(message: str, code: str) -> Object:
    """Return the body of a refusal."""
    kind = "server_error" if code == "server_error" else "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
