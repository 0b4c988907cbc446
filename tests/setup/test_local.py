"""What `make up` makes under .local, as far as it can be seen without making it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nl2sql_fdw.servers import Server
from scripts.local import cluster, environment, llama, package, place, steps
from scripts.local.place import Place

HERE = Path("/somewhere")


def server(folder: Path = HERE) -> Server:
    return Server(
        folder / "bin/pg_config", 15, folder / "bin", folder / "lib", folder / "share", "3.11"
    )


def sourced(script: Path, command: str) -> str:
    """Run a command in a bare shell that has sourced the script twice."""
    done = subprocess.run(
        ["sh", "-c", f'. "$0"; . "$0"; {command}', script],
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def checkout(tmp_path) -> Place:
    folder = tmp_path / "it's a path"
    folder.mkdir()
    return Place(folder, folder, "postgres")


@pytest.mark.parametrize("name", ["PGPORT", "PGUSER", "PGDATABASE", "PGHOST", "NL2SQL_MODEL_URL"])
def test_env_sh_exports(checkout, name):
    environment.write(checkout, server())
    values = {
        "PGPORT": "5432",
        "PGUSER": "analyst",
        "PGDATABASE": "demo",
        "PGHOST": str(checkout.sockets),
        "NL2SQL_MODEL_URL": "http://127.0.0.1:8642/v1",
    }
    shown = sourced(checkout.local / "env.sh", f'env | grep "^{name}="')
    assert shown == f"{name}={values[name]}\n"


def test_env_sh_twice_extends_path_once(checkout):
    environment.write(checkout, server())
    path = sourced(checkout.local / "env.sh", 'printf %s "$PATH"')
    assert path == f"{checkout.venv}/bin:/somewhere/bin:/usr/bin:/bin"


def test_the_asker_is_not_the_superuser():
    text = environment.text(Place(HERE, HERE / ".local", "me"), server())
    assert "export PGUSER=analyst\n" in text
    assert "export NL2SQL_ADMIN=postgres\n" in text


def test_sockets_stay_in_local_where_the_path_is_short():
    assert Place(HERE, HERE / ".local", "me").sockets == HERE / ".local" / "run"


def test_sockets_move_where_the_path_is_too_long_for_one():
    deep = Place(HERE, Path("/" + "x" * 120), "me")
    other = Place(HERE, Path("/" + "y" * 120), "me")
    socket = deep.sockets / f".s.PGSQL.{cluster.PORT}.lock"
    assert len(bytes(socket)) < 108
    assert deep.sockets != other.sockets


def test_a_socket_folder_of_somebody_else_is_refused(tmp_path):
    (tmp_path / "target").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "target")
    with pytest.raises(SystemExit, match="remove it"):
        cluster._own_folder(tmp_path / "run", Place(tmp_path, tmp_path, place.cluster_owner()))


def test_the_private_tree_links_to_the_servers_and_keeps_its_own_extension(tmp_path):
    made = tmp_path / "server"
    for name in ("bin/postgres", "lib/a.so", "share/postgres.bki", "share/extension/x.control"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text("old")
    (made / "share/extension/nl2sql.control").write_text("the system's")
    here = Place(tmp_path, tmp_path / "local", "me")
    for content in ("old", "newer program"):
        (made / "bin/postgres").write_text(content)
        cluster.mirror(here, server(made))
        mirrored = here.root / made.relative_to("/")
        assert (mirrored / "bin/postgres").read_text() == content
        assert not (mirrored / "bin/postgres").is_symlink()
    assert (mirrored / "share/postgres.bki").is_symlink()
    assert (mirrored / "share/extension/x.control").is_symlink()
    assert not (mirrored / "share/extension/nl2sql.control").exists()
    assert (mirrored / "lib").resolve() == made / "lib"


def test_the_wheel_is_kept_without_a_home(monkeypatch):
    """I4: the home directory comes from the account when HOME is not set."""
    for name in ("HOME", "XDG_CACHE_HOME", "NL2SQL_CACHE"):
        monkeypatch.delenv(name, raising=False)
    folder = llama.wheel_folder("3.11")
    assert folder.is_absolute()
    assert folder.parts[-4:-1] == (".cache", "nl2sql", "wheels")


def test_another_way_of_building_is_another_wheel(monkeypatch):
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    ours = llama.wheel_folder("3.11")
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_CUDA=on")
    assert llama.wheel_folder("3.11") != ours
    assert llama.cmake_args() == "-DGGML_CUDA=on"


def test_the_wheel_is_kept_per_processor():
    one = llama.instructions("processor: 0\nflags\t\t: sse4_2 avx2 fma\n\nprocessor: 1\n")
    assert one == llama.instructions("flags : fma avx2 sse4_2")
    assert one != llama.instructions("flags : fma avx2 sse4_2 avx512f")
    assert one != llama.instructions("Features : asimd")


def test_a_changed_source_changes_the_fingerprint(tmp_path):
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "b.py").write_text("2")
    files = sorted(tmp_path.iterdir())
    before = package.fingerprint(files)
    assert package.fingerprint(files) == before
    (tmp_path / "a.py").write_text("3")
    assert package.fingerprint(files) != before


def test_the_fingerprint_covers_what_the_wheel_ships():
    root = Path(__file__).parents[2]
    names = {str(p.relative_to(root)) for p in package.package_files(root)}
    assert {"pyproject.toml", "extension/sql/50_front_door.sql", "nl2sql_fdw/types.py"} <= names
    assert not any(name.endswith(".pyc") for name in names)


def test_a_step_that_fails_shows_the_end_of_its_output(tmp_path, capfd):
    command = [sys.executable, "-c", "print('the reason'); raise SystemExit(3)"]
    with pytest.raises(SystemExit, match=r"the reason\nFailed: trying"):
        steps.run("trying", command, tmp_path / "log")


def test_ninja_lines_become_progress(tmp_path, capfd):
    code = "import time\nfor n in range(1, 5): print(f'  [{n}/4] cc', flush=True); time.sleep(0.7)"
    steps.run("building", [sys.executable, "-c", code], tmp_path / "log")
    shown = capfd.readouterr().out
    assert "3/4" in shown
    assert (tmp_path / "log").read_text().count("cc") == 4
