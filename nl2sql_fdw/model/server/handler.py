"""The server's HTTP side: chat completions in one piece or as a stream, models, health."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from nl2sql_fdw.model.server.completion import Completion, error
from nl2sql_fdw.model.server.job import Done, Job, Piece
from nl2sql_fdw.model.server.request import Refused, Request, parse
from nl2sql_fdw.model.server.service import Left, Service

MAX_BODY = 4_000_000
MAX_CLIENTS = 64
_IDLE_S = 30.0
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Server(ThreadingHTTPServer):
    """A thread for each connection, up to a number; further ones are turned away."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], service: Service) -> None:
        self.service = service
        self._clients = 0
        super().__init__(address, Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._clients >= MAX_CLIENTS:
            self.shutdown_request(request)
            return
        self._clients += 1
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._clients -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that left; anything else is a fault of ours."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "nl2sql"
    sys_version = ""
    timeout = _IDLE_S
    _routes: ClassVar[dict[tuple[str, str], str]] = {
        ("GET", "/health"): "_health",
        ("GET", "/v1/models"): "_models",
        ("POST", "/v1/chat/completions"): "_complete",
    }

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: questions are nobody's business, and a log of them would grow."""

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def _answer(self, method: str) -> None:
        self._began = False
        try:
            self._check_host()
            path = self.path.partition("?")[0]
            name = self._routes.get((method, path))
            if name is None:
                raise Refused(404, f"There is no {method} {path} here.", "not_found")
            if name != "_health":
                self.server.service.admit(self.headers.get("Authorization"))
            getattr(self, name)()
        except Refused as refused:
            self._refuse(refused)
        except (Left, OSError):
            self.close_connection = True

    def _check_host(self) -> None:
        """Refuse a page that a browser took from elsewhere, and that reaches us by its name."""
        listens = self.server.server_address[0]
        host = self.headers.get("Host", "").rpartition(":")
        name = host[0] if host[2].isdigit() else "".join(host)
        if listens in _LOOPBACK and name.lower() not in _LOOPBACK:
            raise Refused(421, "This server answers to loopback names only.", "wrong_host")

    def _health(self) -> None:
        self._json(200, {"status": "ok"})

    def _models(self) -> None:
        model = {"id": self.server.service.name, "object": "model", "owned_by": "nl2sql"}
        self._json(200, {"object": "list", "data": [model]})

    def _complete(self) -> None:
        service = self.server.service
        request = parse(self._body())
        job = service.job(request)
        completion = Completion(service.name, request.logprobs)
        if request.stream:
            self._stream(completion, request, job)
        else:
            news = list(service.run(job, self.connection))
            pieces = [piece for piece in news if isinstance(piece, Piece)]
            (done,) = [end for end in news if isinstance(end, Done)]
            self._json(200, completion.whole(pieces, done))

    def _body(self) -> bytes:
        if self.headers.get_content_type() != "application/json":  # what no form of a page can send
            raise Refused(415, "The body must be application/json.")
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            raise Refused(411, "The body's length is missing.")
        if int(length) > MAX_BODY:
            raise Refused(413, f"The body is longer than {MAX_BODY} bytes.")
        return self.rfile.read(int(length))

    def _stream(self, completion: Completion, request: Request, job: Job) -> None:
        begun: set[int] = set()
        for news in self.server.service.run(job, self.connection):
            if not self._began:
                self._begin_stream()
            if isinstance(news, Piece):
                if news.index not in begun:
                    begun.add(news.index)
                    self._event(completion.opening(news.index))
                self._event(completion.chunk(news))
            elif request.usage:
                self._event(completion.closing(news))
        self._chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _begin_stream(self) -> None:
        self._began = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _event(self, event: Any) -> None:
        self._chunk(b"data: " + json.dumps(event).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _refuse(self, refused: Refused) -> None:
        """Say so by status, or inside a stream that has begun; the connection ends with it."""
        self.close_connection = True
        body = error(refused.message, refused.code)
        if self._began:
            self._event(body)
            self.wfile.write(b"0\r\n\r\n")
        else:
            self._json(refused.status, body)

    def _json(self, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)
