"""The doctor names what is missing, with the command that mends it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nl2sql_fdw import doctor, install, servers
from nl2sql_fdw.entry import cli_setup
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.model import weights
from nl2sql_fdw.servers import Server

ROOT = Path(__file__).parents[2]
CLOSED = "http://127.0.0.1:9/v1"


@pytest.fixture
def installed_server(monkeypatch) -> Server:
    """An installed server whose Python is the one that runs these tests."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    here = Path("/usr")
    found = Server(here / "bin/pg_config", 15, here / "bin", here / "lib", here / "share", version)
    monkeypatch.setattr(servers, "choose", lambda major=None: found)
    return found


def by_part(checks) -> dict[str, doctor.Check]:
    return {check.component: check for check in checks}


def test_i3_no_plpython_ends_the_look_at_the_machine(monkeypatch):
    def none(major=None):
        raise servers.without_plpython([])

    monkeypatch.setattr(servers, "choose", none)
    (check,) = doctor.machine()
    assert (check.component, check.status) == ("plpython3u", "missing")
    assert "apt-get install" in check.hint


def test_another_interpreter_is_named(installed_server, monkeypatch, tmp_path):
    def differs(_):
        raise BadSetup("This nl2sql runs on Python 3.14", hint="python3.11 -m venv /opt/nl2sql")

    monkeypatch.setattr(install, "check_interpreter", differs)
    check = by_part(doctor.machine(tmp_path))["interpreter"]
    assert (check.status, check.hint) == ("missing", "python3.11 -m venv /opt/nl2sql")


def test_missing_files_name_the_command(installed_server, tmp_path):
    check = by_part(doctor.machine(tmp_path))["extension files"]
    assert check.status == "missing"
    assert check.hint == f"nl2sql pg install --dest {tmp_path}"


def test_installed_files_are_found_and_importable(installed_server, tmp_path):
    install.install(installed_server, tmp_path)
    checks = by_part(doctor.machine(tmp_path))
    assert checks["extension files"].status == "ok"
    assert checks["import"].status == "ok", checks["import"].detail


def test_i1_a_path_that_no_longer_holds_the_package_is_named(
    installed_server, tmp_path, monkeypatch
):
    monkeypatch.setattr(install, "import_path", lambda: (tmp_path / "removed",))
    install.install(installed_server, tmp_path)
    check = by_part(doctor.machine(tmp_path))["extension files"]
    assert check.status == "missing"
    assert str(tmp_path / "removed") in check.detail


def test_i1_a_missing_module_is_named(installed_server, tmp_path, monkeypatch):
    monkeypatch.setattr(install, "import_path", lambda: (ROOT,))
    install.install(installed_server, tmp_path)
    check = by_part(doctor.machine(tmp_path))["import"]
    assert check.status == "missing"
    assert "No module named" in check.detail
    assert "pip install" in check.hint


def test_a_model_server_that_is_down_names_the_command():
    check = by_part(doctor.runtime("qwen2.5-coder-1.5b", CLOSED))["model server"]
    assert check.status == "missing"
    assert "nl2sql model serve" in check.hint


def test_a_database_that_is_down_names_the_command(tmp_path):
    (check,) = doctor.database(f"host={tmp_path}", "default")
    assert (check.component, check.status) == ("database", "missing")
    assert "make up" in check.hint


def test_a_database_without_the_extension(make_database):
    database = make_database()
    dsn = f"dbname={database.info.dbname} user={database.info.user}"
    checks = by_part(doctor.database(dsn, "default"))
    assert checks["database"].status == "ok"
    assert checks["extension"].status == "missing"
    assert checks["extension"].hint


def test_a_database_with_it_shows_what_the_server_finds(make_database):
    database = make_database()
    database.execute("CREATE EXTENSION nl2sql CASCADE")
    dsn = f"dbname={database.info.dbname} user={database.info.user}"
    checks = list(doctor.database(dsn, "default"))
    assert by_part(checks)["extension"].status == "ok"
    inside = [check for check in checks if check.component.startswith("server: ")]
    assert any(check.status == "missing" and "roles.sql" in check.hint for check in inside)


def test_somebody_who_may_not_ask_is_told_how_to_be_let_in(make_database):
    database = make_database()
    database.execute("CREATE EXTENSION nl2sql CASCADE")
    database.execute("CREATE ROLE nl2sql_test_outsider LOGIN")
    try:
        dsn = f"dbname={database.info.dbname} user=nl2sql_test_outsider"
        check = by_part(doctor.database(dsn, "default"))["nl2sql_status()"]
    finally:
        database.execute("DROP ROLE nl2sql_test_outsider")
    assert check.status == "missing"
    assert "asker=nl2sql_test_outsider" in check.hint


def test_the_command_fails_when_something_is_missing(installed_server, tmp_path):
    options = ["--dest", str(tmp_path), "--dsn", f"host={tmp_path}", "--model-url", CLOSED]
    app = cli_setup.typer.Typer()
    app.command()(cli_setup.doctor)
    result = CliRunner().invoke(app, options)
    assert result.exit_code == 1
    assert f"nl2sql pg install --dest {tmp_path}" in result.output


@pytest.fixture
def weights_at(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("NL2SQL_CACHE", str(tmp_path))
    path = weights.find(weights.DEFAULT).path
    assert path.parent == tmp_path
    return path


@pytest.mark.parametrize("size", [None, 10])
def test_weights_that_are_not_whole_name_the_command(weights_at, size):
    if size:
        weights_at.write_bytes(b"x" * size)
    check = doctor.weights_file(weights.DEFAULT)
    assert (check.status, check.hint) == ("warning", f"nl2sql model pull {weights.DEFAULT}")


def test_wrong_weights_of_the_right_size_are_found_by_hash_only(weights_at):
    with weights_at.open("wb") as file:
        file.truncate(weights.find(weights.DEFAULT).bytes)  # sparse: no blocks are written
    assert doctor.weights_file(weights.DEFAULT).status == "ok"


def test_the_hash_is_compared_where_asked(weights_at, monkeypatch):
    with weights_at.open("wb") as file:
        file.truncate(weights.find(weights.DEFAULT).bytes)
    monkeypatch.setattr(doctor, "hashed", lambda _: "0" * 64)
    check = doctor.weights_file(weights.DEFAULT, deep=True)
    assert check.status == "missing"
    assert "another hash" in check.detail


def test_hashed(tmp_path):
    (tmp_path / "abc").write_bytes(b"abc")
    assert doctor.hashed(tmp_path / "abc").startswith("ba7816bf8f01cfea")


def test_a_model_of_somebody_elses_server_needs_no_file():
    assert doctor.weights_file("llama3.1:8b").status == "ok"
