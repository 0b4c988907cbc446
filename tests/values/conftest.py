"""Fixtures: the haven database with the extension, a scripted model, and values opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from fake_model import FakeModel
from haven import TABLES, Haven, make


@pytest.fixture(scope="module")
def haven_server(make_database: Callable[[str], psycopg.Connection]) -> Iterator[Haven]:
    admin = make_database("CREATE EXTENSION nl2sql CASCADE;" + TABLES)
    make(admin)
    with FakeModel() as model:
        yield Haven(admin, model)


@pytest.fixture
def haven(haven_server: Haven) -> Iterator[Haven]:
    """The haven with a fresh default profile, values open, and nothing enqueued."""
    haven_server.model.clear()
    haven_server.set()
    yield haven_server
    while haven_server.opened:
        haven_server.opened.pop().close()
