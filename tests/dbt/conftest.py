"""Fixtures: the shipyard database, an asker who may write to a schema of its own, and dbt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from cluster import missing
from fake_model import FakeModel
from project import ANSWERS, DBT, Project
from shipyard import ASKER, SHIPS, Shipyard, run_roles_script


@pytest.fixture(scope="module")
def shipyard_server(
    make_database: Callable[[str], psycopg.Connection],
) -> Iterator[Shipyard]:
    if not DBT.exists():
        missing("no dbt: run `make dbt`")
    admin = make_database("CREATE EXTENSION nl2sql CASCADE;" + SHIPS)
    admin.execute(
        f"DO $$ BEGIN CREATE ROLE {ASKER} LOGIN; EXCEPTION WHEN duplicate_object THEN END $$"
    )
    admin.execute(f"GRANT SELECT ON ship, harbour TO {ASKER}")
    admin.execute(f"GRANT CREATE ON DATABASE {admin.info.dbname} TO {ASKER}")
    run_roles_script(admin)
    with FakeModel() as model:
        yield Shipyard(admin, model, [])


@pytest.fixture
def shipyard(shipyard_server: Shipyard) -> Shipyard:
    shipyard_server.model.clear()
    shipyard_server.profile()
    return shipyard_server


@pytest.fixture(scope="module")
def installed(shipyard_server: Shipyard, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The integration project with the package installed in it."""
    database = shipyard_server.admin.info.dbname
    folder = tmp_path_factory.mktemp("dbt")
    return Project.copied(folder, PGUSER=ASKER, PGDATABASE=database)


@pytest.fixture
def project(installed: Project, shipyard: Shipyard, tmp_path: Path) -> Project:
    """The integration project, with nothing frozen and nothing built."""
    shipyard.admin.execute("DROP SCHEMA IF EXISTS analytics CASCADE")
    return installed.copy(tmp_path / "project")


@pytest.fixture(scope="module")
def kept(
    installed: Project, shipyard_server: Shipyard, tmp_path_factory: pytest.TempPathFactory
) -> Project:
    """The project with every question frozen."""
    shipyard_server.profile()
    shipyard_server.model.clear()
    shipyard_server.model.enqueue(*ANSWERS.values())
    project = installed.copy(tmp_path_factory.mktemp("kept") / "project")
    project.freeze()
    assert len(shipyard_server.model.chats) == len(ANSWERS)
    return project


@pytest.fixture
def frozen(kept: Project, shipyard: Shipyard, tmp_path: Path) -> Project:
    """A copy of the project with every question frozen; the model has nothing to say."""
    return kept.copy(tmp_path / "frozen")
