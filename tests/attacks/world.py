"""Build the database that the attacks meet, and put it back as it was."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import psycopg
from cluster import connect
from corpus import fill
from fake_model import FakeModel
from layersets import ALL_ON, LayerSet, create_executor, create_reader, make_role
from psycopg import sql

from nl2sql_fdw.types import Profile

HERE = Path(__file__).parent
ASKER, OTHER, ASKERS = "attack_asker", "attack_other", "attack_askers"
TIME_LIMIT_MS, LONG_LIMIT_MS = 200, 700
MAX_ROWS, MAX_BYTES = 200, 200_000
PROFILE = {
    "schemas": None,
    "cache_minutes": 0,
    "min_link": 0,
    "strategy": "repair",
    "time_limit_ms": TIME_LIMIT_MS,
    "max_rows": MAX_ROWS,
    "max_bytes": MAX_BYTES,
    "max_cell_bytes": 100_000,
    "load_timeout_ms": 3000,
    "answer_timeout_ms": 3000,
    "watch_settings": ["app.tenant"],
}
VARIANTS: dict[str, dict[str, Any]] = {
    "": {},
    "long": {"time_limit_ms": LONG_LIMIT_MS, "max_cost": 1e9, "max_plan_rows": 1e12},
    "loose": {"max_cost": 1e15, "max_plan_rows": 1e18},
    "public": {"schemas": ["public"]},
    "staffed": {"schemas": ["staff", "public"]},
    "trapped": {"schemas": ["trap", "public"]},
    "allowing": {"allow_functions": ["public.trap"]},
    "closed": {"allowed_roles": ["pg_monitor"]},
}
"""Profiles beside the usual one; an attack names the one that it needs."""


@dataclass
class World:
    """One database with its admin, the listener that nothing should reach, and the model."""

    admin: psycopg.Connection
    model: FakeModel
    folder: Path
    port: int
    reached: list[Any]
    told: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.admin.info.dbname

    @property
    def places(self) -> dict[str, str]:
        """Names that the corpus writes as @DIR@, @PORT@ and so on."""
        return {
            "DIR": str(self.folder),
            "PORT": str(self.port),
            "DB": self.name,
            "SOCKET": os.environ.get("PGHOST", ""),
        }

    @property
    def spill(self) -> Path:
        """The folder of the server's temporary files."""
        found = self.admin.execute("SHOW data_directory").fetchone()
        assert found
        return Path(found[0]) / "base" / "pgsql_tmp"

    def fingerprint(self) -> dict[str, Any]:
        """Return what an attack may have changed: compare two of them."""
        found = self.admin.execute("SELECT harness.fingerprint()").fetchone()
        assert found
        return {**found[0], "files": sorted(path.name for path in self.folder.iterdir())}


@contextmanager
def build(layer_sets: tuple[LayerSet, ...]) -> Iterator[World]:
    """Make the world in a database of its own; drop it at the end."""
    name = f"nl2sql_attack_{os.getpid()}_{threading.get_ident() % 9973}"
    folder = _folder()
    with connect("postgres") as server, _listener() as (port, reached), FakeModel() as model:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            with connect(name) as admin:
                world = World(admin, model, folder, port, reached)
                admin.add_notify_handler(lambda notice: world.told.append(notice.channel))
                _fill(world, layer_sets)
                yield world
                _require_working(world, layer_sets)  # else the last attacks proved nothing
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
            shutil.rmtree(folder)


def _folder() -> Path:
    """Make a folder that the server may write into, with a secret to read."""
    folder = Path(tempfile.mkdtemp(prefix="nl2sql_attack_"))
    folder.chmod(0o777)
    (folder / "secret.txt").write_text("SECRET-FILE\n")
    return folder


@contextmanager
def _listener() -> Iterator[tuple[int, list[Any]]]:
    """Listen on a port that no question should ever reach; note who comes, and hang up."""
    reached: list[Any] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, who = server.accept()
                except OSError:
                    return
                reached.append(who)
                connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], reached
        server.shutdown(socket.SHUT_RDWR)


def _fill(world: World, layer_sets: tuple[LayerSet, ...]) -> None:
    admin = world.admin
    _create_askers(admin)
    readers = ", ".join(f'"{layers.reader}"' for layers in layer_sets)
    for layers in layer_sets:
        create_reader(admin, layers)
    admin.execute("CREATE EXTENSION nl2sql CASCADE")
    script = (HERE / "world.sql").read_text(encoding="utf-8")
    admin.execute(fill(script, {**world.places, "READERS": readers}))
    admin.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public, staff TO {readers}")
    admin.execute(f"REVOKE ALL ON vault FROM {readers}")
    for layers in layer_sets:
        create_executor(admin, layers)
        _create_profiles(world, layers)
    admin.execute("SELECT nl2sql.grant_asker(%s)", [ASKERS])
    admin.execute(f"ALTER DATABASE \"{world.name}\" SET app.key = 'SECRET-SETTING'")
    admin.execute((HERE / "fingerprint.sql").read_text(encoding="utf-8"))
    admin.execute("LISTEN pwned")
    _require_working(world, layer_sets)


def _require_working(world: World, layer_sets: tuple[LayerSet, ...]) -> None:
    """Raise unless an honest question is answered through every set: else all would 'hold'."""
    with connect(world.name, ASKER) as asker:
        for layers in layer_sets:
            honest = "SELECT name FROM ship WHERE id = 1"
            got = asker.execute(
                "SELECT nl2sql._call('run', %s, %s)::text", [honest, layers.name]
            ).fetchone()
            if not got or json.loads(got[0]).get("rows") != [{"name": "Ship 1"}]:
                raise RuntimeError(f"{layers.name} answers nothing: {got}")


def _create_askers(admin: psycopg.Connection) -> None:
    for role, options in (
        (ASKERS, "NOLOGIN"),
        (ASKER, "LOGIN NOSUPERUSER PASSWORD 'SECRET-PASSWORD'"),
        (OTHER, "LOGIN NOSUPERUSER"),
    ):
        make_role(admin, role, options)
    admin.execute(f"GRANT {ASKERS} TO {ASKER}, {OTHER}")


def _create_profiles(world: World, layers: LayerSet) -> None:
    for variant, changes in VARIANTS.items():
        if variant == "long" and layers == ALL_ON:  # where it must hold it has time to fail
            changes = {**changes, "time_limit_ms": 6 * LONG_LIMIT_MS}
        values = {**PROFILE, **changes, "reader": layers.reader, "model_url": world.model.url}
        values["name"] = f"{layers.name} {variant}".strip()
        known = {field.name for field in fields(Profile)}
        values = {key: value for key, value in values.items() if key in known}
        columns = ", ".join(values)
        marks = ", ".join(["%s"] * len(values))
        world.admin.execute(
            f"INSERT INTO nl2sql.profile ({columns}) VALUES ({marks})", list(values.values())
        )
