"""A scripted model server on a real socket, speaking the OpenAI and the Ollama protocol.

    with FakeModel() as model:
        model.enqueue("SELECT 1", "SELECT 2")          # one reply per question
        model.enqueue(Script("", fault="hang"))        # or one that misbehaves
        Profile(model_url=model.url)                   # provider openai
        Profile(model_url=model.ollama_url, model_provider="ollama")
        model.chats                                    # the bodies of the questions asked

A question that asks for several choices takes as many from the queue, `max_choices` at most.
With nothing enqueued it repeats `default`, or fails with HTTP 500 where that is None.
"""

from __future__ import annotations

import json
import select
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fake_wire import NAME, Ollama, OpenAi, Script, Wire

__all__ = ["NAME", "FakeModel", "Request", "Script"]


@dataclass(frozen=True)
class Request:
    """What a client sent; `body` is the decoded JSON, {} for a GET; header names in lower case."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass
class FakeModel:
    """The server; start it with `with`, or with start() and stop()."""

    default: str | None = None
    load_s: float = 0.0
    max_choices: int = 100
    port: int = 0
    requests: list[Request] = field(default_factory=list)
    abandoned: list[float] = field(default_factory=list)
    """When a client closed its connection before the reply was over (time.monotonic)."""

    def __post_init__(self) -> None:
        self._queue: list[Script] = []
        self._over = threading.Event()
        self._loaded = self.load_s == 0.0
        fake = self

        class Handler(_Handler):
            model = fake

        self._server = _Server(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def ollama_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The bodies of the questions, oldest first."""
        return [r.body for r in self.requests if r.path.endswith(("/completions", "/api/chat"))]

    def enqueue(self, *replies: str | Script) -> None:
        self._queue += [r if isinstance(r, Script) else Script(r) for r in replies]

    def clear(self) -> None:
        """Forget what is enqueued and what was asked."""
        self._queue.clear()
        self.requests.clear()
        self.abandoned.clear()

    def next(self) -> Script:
        if self._queue:
            return self._queue.pop(0)
        return Script(self.default) if self.default is not None else Script(fault="crash")

    def start(self) -> FakeModel:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._over.set()  # ends the handlers that hang
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> FakeModel:
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that left; anything else is a fault of this file."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    model: FakeModel
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing: pytest's output is for pytest."""

    def do_GET(self) -> None:
        self._record({})
        if self.path.endswith("/models"):
            self._json(200, {"object": "list", "data": [{"id": NAME, "object": "model"}]})
        elif self.path in ("/api/tags", "/api/ps"):
            self._json(200, {"models": [{"name": NAME, "model": NAME}]})
        else:
            self._json(404, {"error": "no such page"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._record(body)
        try:
            if self.path == "/api/generate" and body.get("prompt") == "":
                self._load(body)
            elif self.path == "/api/chat":
                self._answer(Ollama(body))
            elif self.path.endswith("/chat/completions"):
                self._answer(OpenAi(body))
            else:
                self._json(404, {"error": "no such page"})
        except OSError:
            self._abandon()

    def _record(self, body: dict[str, Any]) -> None:
        self.model.requests.append(
            Request(self.path, body, {k.lower(): v for k, v in self.headers.items()})
        )

    def _abandon(self) -> None:
        self.close_connection = True
        self.model.abandoned.append(time.monotonic())

    def _load(self, body: dict[str, Any]) -> None:
        """Answer Ollama's preload; the load starts anew when the connection is lost."""
        queue = self.model._queue
        if queue and queue[0].fault in ("missing", "hang", "noise", "drop", "crash"):
            self._answer(Ollama(body))
        elif self.model._loaded or self.wait(self.model.load_s):
            self.model._loaded = True
            done = {"model": body["model"], "created_at": "2026-01-01T00:00:00Z"}
            self._json(200, {**done, "response": "", "done": True, "done_reason": "load"})

    def wait(self, seconds: float) -> bool:
        """Wait; return False (and note it) when the client left, or the server stops."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            if self.model._over.is_set():
                self.close_connection = True
                return False
            if select.select([self.connection], [], [], min(left, 0.02))[0]:
                self._abandon()
                return False
        return True

    def _answer(self, wire: Wire) -> None:
        script = self.model.next()
        if not self.wait(script.delay_s):
            return
        refusal = wire.refusals().get(script.fault)
        if refusal is not None:
            self._json(*refusal)
        elif (misbehave := getattr(self, f"_{script.fault}", None)) is not None:
            misbehave(wire, script)
        else:
            self._stream(wire, script)

    def _stream(self, wire: Wire, script: Script) -> None:
        more = min(wire.count, self.model.max_choices) - 1
        scripts = [script, *(self.model.next() for _ in range(more))]
        self._start(wire.content_type)
        for index, script in enumerate(scripts):
            for piece in wire.pieces(script, index):
                self.chunk(piece)
        if script.fault != "cut_stream":
            for piece in wire.end(*scripts):
                self.chunk(piece)
        self.wfile.write(b"0\r\n\r\n")

    def _hang(self, wire: Wire, script: Script) -> None:
        self.wait(3600)

    def _hang_midway(self, wire: Wire, script: Script) -> None:
        self._start(wire.content_type)
        self.chunk(wire.piece(script.text[: len(script.text) // 2]))
        self.wait(3600)

    def _blanks(self, wire: Wire, script: Script) -> None:
        self._endless(wire, script.text, " \n")

    def _words(self, wire: Wire, script: Script) -> None:
        self._endless(wire, script.text, "more " * 20)

    def _endless(self, wire: Wire, text: str, more: str) -> None:
        self._start(wire.content_type)
        self.chunk(wire.piece(text))
        while self.wait(0.001):
            self.chunk(wire.piece(more))

    def _garbage(self, wire: Wire, script: Script) -> None:
        self._start(wire.content_type)
        self.chunk(b"<html>404 not here</html>\n")
        self.wfile.write(b"0\r\n\r\n")

    def _noise(self, wire: Wire, script: Script) -> None:
        self.wfile.write(b"-ERR unknown command\r\n\r\n")
        self.close_connection = True

    def _broken_chunk(self, wire: Wire, script: Script) -> None:
        self._start(wire.content_type)
        self.chunk(wire.piece(script.text))
        self.wfile.write(b"ff\r\nnot 255 bytes")
        self.close_connection = True

    def _no_body(self, wire: Wire, script: Script) -> None:
        self._start(wire.content_type)
        self.wfile.write(b"0\r\n\r\n")

    def _empty_object(self, wire: Wire, script: Script) -> None:
        self._json(200, {})

    def _stream_error(self, wire: Wire, script: Script) -> None:
        self._start(wire.content_type)
        self.chunk(wire.piece("SELECT"))
        self.chunk(wire.error("the runner has crashed"))
        self.wfile.write(b"0\r\n\r\n")

    def _drop(self, wire: Wire, script: Script) -> None:
        self.close_connection = True

    def _whole(self, wire: Wire, script: Script) -> None:
        self._json(200, wire.whole(script))

    def _start(self, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _json(self, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    """Serve until interrupted: `python tests/fake_model.py PORT 'SELECT 1'`."""
    fake = FakeModel(default=sys.argv[2], port=int(sys.argv[1]))
    with fake, suppress(KeyboardInterrupt):
        threading.Event().wait()


if __name__ == "__main__":
    main()
