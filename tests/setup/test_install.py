"""`nl2sql pg install`, into a staging directory."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nl2sql_fdw import doctor, install
from nl2sql_fdw.entry import cli_setup
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.servers import Server

ROOT = Path(__file__).parents[2]
OURS = f"{sys.version_info.major}.{sys.version_info.minor}"


def server(python: str | None = OURS) -> Server:
    return Server(
        Path("/usr/bin/pg_config"),
        15,
        Path("/usr/lib/postgresql/15/bin"),
        Path("/usr/lib/postgresql/15/lib"),
        Path("/usr/share/postgresql/15"),
        python,
    )


@pytest.fixture
def extension(tmp_path):
    return tmp_path / "usr/share/postgresql/15/extension"


def test_the_files_go_under_the_staging_directory(tmp_path, extension):
    done = install.install(server(), tmp_path)
    assert {file.name for file in extension.iterdir()} >= {"nl2sql.control", "nl2sql--1.0.sql"}
    assert set(done.files) == set(extension.iterdir())


def test_the_import_path_is_written_in(tmp_path, extension):
    install.install(server(), tmp_path)
    script = (extension / "nl2sql--1.0.sql").read_text()
    assert install.PLACEHOLDER not in script
    assert ROOT in doctor.written_path(script)


def test_the_placeholder_is_where_we_think_it_is():
    script = install.sources()[install.SCRIPT]
    assert install.PLACEHOLDER in script
    assert doctor.written_path(script) == ()


def test_a_second_run_changes_nothing(tmp_path):
    first = install.install(server(), tmp_path)
    again = install.install(server(), tmp_path)
    assert set(first.changed) == set(first.files)
    assert again.changed == ()


def test_an_old_path_is_replaced(tmp_path, extension):
    install.install(server(), tmp_path)
    (extension / "nl2sql--1.0.sql").write_text("an older release")
    changed = install.install(server(), tmp_path).changed
    assert [file.name for file in changed] == ["nl2sql--1.0.sql"]


def test_another_python_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(BadSetup) as error:
        install.install(server("3.9"), tmp_path)
    assert "Python 3.9" in error.value.message
    assert "python3.9 -m venv" in error.value.hint
    assert list(tmp_path.iterdir()) == []


def test_i3_a_server_without_plpython_is_refused(tmp_path):
    with pytest.raises(BadSetup, match="does not offer PL/Python"):
        install.install(server(None), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sign", ["$", "%"])
def test_a_path_that_would_change_the_script_is_refused(sign):
    with pytest.raises(BadSetup, match=re.escape(sign)):
        install.as_list((Path(f"/opt/a{sign}b"),))


@pytest.mark.parametrize("name", ["it's", 'a "b"', "back\\slash", "naïve 路", "@extschema"])
@pytest.mark.parametrize("count", [1, 2])
def test_any_other_path_survives_the_quoting(name, count):
    paths = tuple(Path(f"/opt/{name}/{n}") for n in range(count))
    script = f"    for directory in reversed({install.as_list(paths)}):\n"
    assert doctor.written_path(script) == paths


def open_to_all(folder: Path) -> Path:
    """Let everybody into pytest's own private folders, down to this one."""
    for part in (folder, *folder.parents[:2]):
        part.chmod(0o755)
    return folder


def test_i1_a_package_the_server_cannot_read_is_refused(tmp_path):
    closed = open_to_all(tmp_path) / "closed"
    (closed / "site").mkdir(parents=True)
    closed.chmod(0o700)
    nobody, groups = 65534, {65534}
    (closed / "site").chmod(0o755)
    assert install.first_unreadable(closed / "site", nobody, groups) == closed
    assert install.first_unreadable(closed / "site", 0, {0}) is None


def test_a_file_needs_reading_and_a_directory_also_entering(tmp_path):
    nobody, groups = 65534, {65534}
    folder = open_to_all(tmp_path) / "folder"
    folder.mkdir()
    for mode, blocked in ((0o755, None), (0o754, folder), (0o751, folder)):
        folder.chmod(mode)
        assert install.first_unreadable(folder, nobody, groups) == blocked
    file = tmp_path / "file"
    file.touch()
    for mode, blocked in ((0o644, None), (0o640, file)):
        file.chmod(mode)
        assert install.first_unreadable(file, nobody, groups) == blocked


def test_an_unknown_account_is_named():
    with pytest.raises(BadSetup, match="no user no-such-account"):
        install.check_readable((Path("/usr"),), "no-such-account")


def test_a_directory_that_may_not_be_written_gives_one_clear_error(tmp_path, monkeypatch):
    def denied(self, *_, **__):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "write_text", denied)
    with pytest.raises(BadSetup, match="You may not write to") as error:
        install.install(server(), tmp_path)
    assert error.value.hint.startswith("sudo ")


def test_the_command_says_what_it_did(tmp_path, monkeypatch):
    monkeypatch.setattr("nl2sql_fdw.servers.choose", server)
    monkeypatch.delenv("PG_CONFIG", raising=False)
    monkeypatch.setattr(cli_setup, "_server_user", lambda: None)
    result = CliRunner().invoke(cli_setup.app, ["install", "--dest", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "written" in result.output
    assert "CREATE EXTENSION nl2sql CASCADE" in result.output
    assert str(install.roles_script()) in result.output


def test_the_roles_script_is_there():
    assert install.roles_script().is_file()


def test_i4_no_home_is_needed(tmp_path):
    """The import path, the quoting and the writing work for an account without HOME."""
    code = (
        "from pathlib import Path; from nl2sql_fdw import install, servers;"
        "import sys; here = Path('/usr');"
        f"s = servers.Server(here, 15, here, here, here / 'share', '{OURS}');"
        "print(len(install.install(s, Path(sys.argv[1])).files))"
    )
    bare = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        env=bare,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 2
