"""Fixtures: a database in which sql/rls.sql has run twice, with a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from fake_model import FakeModel
from tenants import Tenancy, run_script


@pytest.fixture(scope="module")
def tenancy_server(make_database: Callable[[str], psycopg.Connection]) -> Iterator[Tenancy]:
    admin = make_database("CREATE EXTENSION nl2sql CASCADE; CREATE SCHEMA tenancy")
    run_script(admin, "roles.sql", schemas="tenancy")
    for _ in range(2):  # the script is idempotent
        run_script(admin, "rls.sql", prefix="nl2sql_test_")
    with FakeModel() as model:
        admin.execute(
            "UPDATE nl2sql.profile SET model_url = %s, cache_minutes = 0, min_link = 0,"
            " strategy = 'repair'",
            [model.url],
        )
        yield Tenancy(admin, model)


@pytest.fixture
def tenancy(tenancy_server: Tenancy) -> Iterator[Tenancy]:
    tenancy_server.model.clear()
    yield tenancy_server
    while tenancy_server.opened:
        tenancy_server.opened.pop().close()
