"""The extension built once, and a worker whose model is scripted."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import loading
import pytest
from cluster import missing


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension, compiled with warnings as errors."""
    if shutil.which("cc") is None:
        missing("no C compiler: apt-get install gcc libsqlite3-dev")
    return loading.build(tmp_path_factory.mktemp("nl2sql0"))


@pytest.fixture(scope="session")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worker")
    return loading.program(folder, Path(__file__).with_name("scripted_worker.py"))


@pytest.fixture(autouse=True)
def worker(scripted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NL2SQL_WORKER", str(scripted))


@pytest.fixture
def shop(library: Path) -> Iterator[sqlite3.Connection]:
    """A connection with the extension, and customers and orders to ask about."""
    connection = loading.load(library)
    yield connection
    connection.close()
