"""Finding the server, and the Python that its plpython3 is linked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2sql_fdw import servers
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.servers import Server

LDD = """\tlinux-vdso.so.1 (0x00007f76c7179000)
\tlibpython3.{minor}.so.1.0 => {path} (0x00007f76c6800000)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f76c661e000)
"""


def fake_server(folder: Path, major: int, plpython: bool) -> Path:
    """Write a pg_config that answers as an installation of that version would."""
    for name in ("bin", "lib", "share/extension"):
        (folder / name).mkdir(parents=True)
    (folder / "bin" / "postgres").touch()
    if plpython:
        (folder / "lib" / "plpython3.so").write_bytes(b"not a library")
    config = folder / "bin" / "pg_config"
    config.write_text(
        "#!/bin/sh\ncase $1 in\n"
        f"--version) echo 'PostgreSQL {major}.3 (Debian {major}.3-1)' ;;\n"
        f"--bindir) echo '{folder}/bin' ;;\n"
        f"--pkglibdir) echo '{folder}/lib' ;;\n"
        f"--sharedir) echo '{folder}/share' ;;\nesac\n"
    )
    config.chmod(0o755)
    return config


def server(major: int, python: str | None) -> Server:
    here = Path("/nowhere")
    return Server(here, major, here, here, here, python)


@pytest.mark.parametrize("minor", [9, 11, 13])
def test_the_linked_version_is_read_with_both_digits(minor):
    ldd = LDD.format(minor=minor, path=f"/lib/x86_64-linux-gnu/libpython3.{minor}.so.1.0")
    assert servers.linked_python(ldd) == f"3.{minor}"


@pytest.mark.parametrize("text", ["", "\tlibc.so.6 => /lib/libc.so.6 (0x1)\n"])
def test_no_python_in_ldd_means_none(text):
    assert servers.linked_python(text) is None


def test_a_library_that_the_loader_misses_is_absent():
    assert servers.linked_python(LDD.format(minor=11, path="not found")) is None


def test_a_custom_build_outside_the_standard_path():
    assert servers.linked_python(LDD.format(minor=12, path="/opt/py/libpython3.12.so")) == "3.12"


@pytest.mark.parametrize(
    ("text", "major"),
    [("PostgreSQL 15.20 (Debian 15.20-0+deb12u1)", 15), ("PostgreSQL 18beta1", 18)],
)
def test_major_version(text, major):
    assert servers.major_version(text) == major


def test_the_newest_server_with_plpython_wins(monkeypatch):
    found = [server(14, "3.11"), server(16, "3.11"), server(17, None)]
    monkeypatch.setattr(servers, "find", lambda: iter(found))
    assert servers.choose().major == 16
    assert servers.choose(major=14).major == 14


def test_i3_a_host_without_plpython_is_told_what_still_works(tmp_path, monkeypatch):
    monkeypatch.setenv("PG_CONFIG", str(fake_server(tmp_path, 16, plpython=False)))
    with pytest.raises(BadSetup) as error:
        servers.choose()
    assert "does not offer PL/Python" in error.value.message
    assert "postgresql-plpython3-16" in error.value.hint
    assert "SQLite" in error.value.hint
    assert "--dsn" in error.value.hint


def test_a_version_that_is_not_here_is_named(monkeypatch):
    monkeypatch.setattr(servers, "find", lambda: iter([server(17, "3.11")]))
    with pytest.raises(BadSetup, match="PostgreSQL 15 "):
        servers.choose(major=15)


def test_a_stand_in_on_the_path_is_passed_over(tmp_path, monkeypatch):
    """Debian's libpq-dev puts a pg_config on PATH that fails without the server's package."""
    monkeypatch.delenv("PG_CONFIG", raising=False)
    broken = tmp_path / "broken" / "pg_config"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    good = fake_server(tmp_path / "good", 16, plpython=True)
    monkeypatch.setattr(servers, "DEBIAN_CONFIGS", f"{tmp_path}/none/pg_config")
    monkeypatch.setenv("PATH", f"{broken.parent}:{good.parent}:/usr/bin")
    assert next(servers.find()).major == 16


def test_no_server_at_all(tmp_path, monkeypatch):
    monkeypatch.delenv("PG_CONFIG", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(servers, "DEBIAN_CONFIGS", f"{tmp_path}/*/pg_config")
    with pytest.raises(BadSetup, match="No PostgreSQL server"):
        servers.choose()


def test_a_pg_config_that_does_not_run_is_named(tmp_path):
    with pytest.raises(BadSetup, match="cannot be run"):
        servers.describe(tmp_path / "pg_config")


def test_pg_config_names_every_directory(tmp_path):
    found = servers.describe(fake_server(tmp_path, 16, plpython=True))
    assert (found.major, found.python) == (16, None)
    assert found.extensions == tmp_path / "share" / "extension"


def test_a_missing_interpreter_is_named(monkeypatch):
    with pytest.raises(BadSetup, match=r"python3\.99"):
        servers.interpreter(server(15, "3.99"))
