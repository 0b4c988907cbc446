"""Fixtures: the shipyard, as the tests of the surface have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from fake_model import FakeModel
from shipyard import ASKER, SHIPS, Shipyard, run_roles_script


@pytest.fixture(scope="module")
def shipyard_server(
    make_database: Callable[[str], psycopg.Connection],
) -> Iterator[Shipyard]:
    admin = make_database("CREATE EXTENSION nl2sql CASCADE;" + SHIPS)
    admin.execute(
        f"DO $$ BEGIN CREATE ROLE {ASKER} LOGIN; EXCEPTION WHEN duplicate_object THEN END $$"
    )
    admin.execute(f"GRANT SELECT ON ship, harbour TO {ASKER}")
    run_roles_script(admin)
    with FakeModel() as model:
        yield Shipyard(admin, model, [])


@pytest.fixture
def shipyard(shipyard_server: Shipyard) -> Iterator[Shipyard]:
    """The shipyard with a fresh default profile and nothing enqueued."""
    shipyard_server.model.clear()
    shipyard_server.profile()
    yield shipyard_server
    while shipyard_server.opened:
        shipyard_server.opened.pop().close()


@pytest.fixture
def ask(shipyard: Shipyard) -> psycopg.Connection:
    """A connection as the asker."""
    return shipyard.asker()
