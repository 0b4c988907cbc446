"""A Link over a socket: the worker's end; the loadable extension holds the connection.

A message is fields of bytes; the message, and each field in it, has its length in four bytes, high
first, before it. The extension begins with (action, subject, options); the worker may then send
requests, each of which is answered, and ends with ("done", "ok" or "error", ...).
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nl2sql_fdw.database.sqlite_link import Caps, Prepared, Rows, Rules, Scalar, error_of
from nl2sql_fdw.database.sqlite_python import row_text, text
from nl2sql_fdw.types import JsonText, Profile

Field = bytes | str | int


class HungUp(Exception):
    """The extension is gone: its connection was closed, or its process ended."""


class Wire:
    """Messages over one socket."""

    def __init__(self, stream: socket.socket) -> None:
        self._stream = stream

    def send(self, *fields: Field) -> None:
        """Send one message; numbers are written in decimal."""
        data = [f if isinstance(f, bytes) else _utf8(str(f)) for f in fields]
        whole = b"".join(part for field in data for part in (_length(field), field))
        try:
            self._stream.sendall(_length(whole) + whole)
        except OSError as error:
            raise HungUp from error

    def receive(self) -> list[bytes]:
        """Wait for one message."""
        size = int.from_bytes(self._exactly(4), "big")
        return list(_fields(self._exactly(size)))

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                more = self._stream.recv(min(size - len(data), 1 << 20))
            except OSError as error:
                raise HungUp from error
            if not more:
                raise HungUp
            data += more
        return bytes(data)


class PipeLink:
    """The Link of the connection that has asked; see sqlite_link for what each call means."""

    def __init__(self, wire: Wire) -> None:
        """Take the wire; `memory_bytes` is what a query may add to the host, or to its files."""
        self._wire = wire
        self.memory_bytes = Profile.max_memory_bytes

    def rows(self, sql: str, values: Sequence[Scalar] = ()) -> list[Mapping[str, Any]]:
        return _mappings(self._ask("rows", sql, *map(_tagged, values)))

    def prepare(self, sql: str, rules: Rules) -> Prepared:
        reply = iter(self._ask("prepare", sql, *_rules(rules)))
        columns = _columns(reply)
        read = [text(next(reply)) for _ in range(3 * int(next(reply)))]
        reads = dict.fromkeys(zip(read[::3], read[1::3], read[2::3], strict=True))
        return Prepared(columns, tuple(reads), tuple(dict.fromkeys(map(text, reply))))

    def plan(self, sql: str, rules: Rules) -> list[Mapping[str, Any]]:
        lines = _mappings(self._ask("plan", sql, *_rules(rules)))
        return [{key: line[key] for key in ("id", "parent", "detail")} for line in lines]

    def fetch(self, sql: str, rules: Rules, caps: Caps) -> Rows:
        bounds = (
            caps.max_rows, caps.max_bytes, caps.max_cell_bytes, caps.limit_ms, caps.max_steps,
            self.memory_bytes,
        )  # fmt: skip
        reply = iter(self._ask("fetch", sql, *_rules(rules), *bounds))
        columns = _columns(reply)
        return _take(columns, reply, caps)

    def poll(self) -> None:
        self._ask("poll")

    def _ask(self, *request: Field) -> list[bytes]:
        self._wire.send(*request)
        verdict, *rest = self._wire.receive()
        if verdict == b"ok":
            return rest
        code, message, stopped = rest
        raise error_of(int(code), text(message), text(stopped))


def _take(columns: tuple[tuple[str, str], ...], reply: Iterator[bytes], caps: Caps) -> Rows:
    """Write the rows as JSON up to the caps; the extension stops counting a little later."""
    names = [name for name, _ in columns]
    rows: list[JsonText] = []
    size = 0
    for row in _rows(reply, len(columns)):
        line = row_text(names, row)
        size += len(line.encode())
        if len(rows) == caps.max_rows or size > caps.max_bytes:
            return Rows(columns, rows, complete=False)
        rows.append(line)
    return Rows(columns, rows, complete=True)


def _mappings(reply: list[bytes]) -> list[Mapping[str, Any]]:
    fields = iter(reply)
    names = [text(next(fields)) for _ in range(int(next(fields)))]
    return [dict(zip(names, row, strict=True)) for row in _rows(fields, len(names))]


def _columns(reply: Iterator[bytes]) -> tuple[tuple[str, str], ...]:
    return tuple((text(next(reply)), text(next(reply))) for _ in range(int(next(reply))))


def _rows(cells: Iterator[bytes], width: int) -> Iterator[list[object]]:
    for first in cells:
        yield [_value(first), *(_value(next(cells)) for _ in range(width - 1))]


def _value(cell: bytes) -> object:
    """Read a cell: a letter for the type, then an integer's digits, a real's 8 bytes, or bytes."""
    kind, rest = cell[:1], cell[1:]
    if kind == b"i":
        return int(rest)
    if kind == b"f":
        return struct.unpack("=d", rest)[0]
    if kind == b"t":
        return text(rest)
    return rest if kind == b"b" else None


def _tagged(value: Scalar) -> bytes:
    if value is None:
        return b"n"
    if isinstance(value, int):
        return b"i%d" % value
    if isinstance(value, float):
        return b"f" + struct.pack("=d", value)
    return b"t" + _utf8(value)


def _rules(rules: Rules) -> list[Field]:
    tables = sorted(rules.tables or ())
    any_table = rules.tables is None
    return [
        len(rules.functions), *sorted(rules.functions), -1 if any_table else len(tables), *tables,
    ]  # fmt: skip


def _fields(message: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(message):
        size = int.from_bytes(message[at : at + 4], "big")
        yield message[at + 4 : at + 4 + size]
        at += 4 + size


def _length(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big")


def _utf8(value: str) -> bytes:
    """Encode; halves of characters, which no database holds, become question marks."""
    return value.encode("utf-8", "replace")
