"""Look at every part that an answer needs; name what is missing and the command that mends it."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from nl2sql_fdw import install, servers
from nl2sql_fdw.errors import Nl2sqlError
from nl2sql_fdw.servers import Server
from nl2sql_fdw.types import Profile

if TYPE_CHECKING:
    import psycopg

_WRITTEN_PATH = re.compile(r"^ *for directory in .*?(\[.*\]).*:$", re.MULTILINE)
_IMPORTS = "import sys; sys.path[:0] = sys.argv[1:]; import nl2sql_fdw.entry.plpython, pglast"


@dataclass(frozen=True)
class Check:
    """One finding; status is ok, warning or missing, and the hint is a command where it can be."""

    component: str
    status: str
    detail: str
    hint: str = ""


def machine(dest: Path | None = None, major: int | None = None) -> Iterator[Check]:
    """Check the server installed here, its Python, and the extension's files under `dest`."""
    try:
        server = servers.choose(major)
    except Nl2sqlError as error:
        yield failed("plpython3u", error)
        return
    yield Check(
        "plpython3u", "ok", f"PostgreSQL {server.major} at {server.bindir}, Python {server.python}"
    )
    yield attempt("interpreter", lambda: _interpreter(server))
    script = install.staged(server.extensions, dest) / install.SCRIPT
    if not script.exists():
        yield Check("extension files", "missing", f"no {script}", _install_command(dest))
        return
    yield from _written(script, server, dest)


def _interpreter(server: Server) -> str:
    install.check_interpreter(server)
    return f"nl2sql and the server both run Python {server.python}"


def _written(script: Path, server: Server, dest: Path | None) -> Iterator[Check]:
    paths = written_path(script.read_text(encoding="utf-8"))
    if not any((path / "nl2sql_fdw").is_dir() for path in paths):
        shown = ", ".join(map(str, paths)) or "none"
        detail = f"{script} imports from {shown}, where nl2sql_fdw is not"
        yield Check("extension files", "missing", detail, _install_command(dest))
        return
    yield Check("extension files", "ok", str(script))
    yield _importable(paths, server)


def written_path(script: str) -> tuple[Path, ...]:
    """Read the import path out of an installed SQL script; empty where none was written."""
    found = _WRITTEN_PATH.search(script)
    return tuple(map(Path, ast.literal_eval(found[1]))) if found else ()


def _importable(paths: tuple[Path, ...], server: Server) -> Check:
    """Import the package as the server would: its interpreter, and its path alone."""
    program = servers.interpreter(server)
    command = [str(program), "-I", "-c", _IMPORTS, *map(str, paths)]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return Check("import", "ok", f"{program} imports nl2sql_fdw from {paths[0]}")
    reason = (tried.stderr.strip().splitlines() or ["no reason given"])[-1]
    hint = f"{program} -m pip install --target {paths[0]} nl2sql-fdw"
    return Check("import", "missing", f"{program}: {reason}", hint)


def _install_command(dest: Path | None) -> str:
    return f"nl2sql pg install --dest {dest}" if dest else "sudo nl2sql pg install"


def attempt(component: str, look: Callable[[], str]) -> Check:
    """Turn what a look returns, or the error it raises, into a finding."""
    try:
        return Check(component, "ok", look())
    except Nl2sqlError as error:
        return failed(component, error)


def failed(component: str, error: Nl2sqlError) -> Check:
    """Turn an error into a finding, its hint kept."""
    detail = f"{error.message} {error.detail}".strip()
    return Check(component, "missing", detail, error.hint)


def runtime(name: str, url: str, deep: bool = False) -> Iterator[Check]:
    """Check the weights, the embedded model's runtime, and the server that the URL names.

    The weights are looked at by size, and by hash where `deep`; they and the runtime are
    needed only by a server on this machine.
    """
    yield weights_file(name, deep)
    if find_spec("llama_cpp"):
        yield Check("llama_cpp", "ok", f"llama-cpp-python {version('llama-cpp-python')}")
    else:
        hint = f"{sys.executable} -m pip install 'nl2sql-fdw[serve]'"
        found = "llama-cpp-python is not installed; only the embedded server needs it"
        yield Check("llama_cpp", "warning", found, hint)
    yield attempt("model server", lambda: _server(name, url))


def weights_file(name: str, deep: bool = False) -> Check:
    """Check one known set of weights; a warning where there are none, as a server may be remote."""
    from nl2sql_fdw.model import weights

    known = weights.registry().get(name)
    pull = f"nl2sql model pull {name}"
    if known is None:
        return Check("model file", "ok", f"{name} is not one of ours: its server looks after it")
    if not known.present:
        return Check("model file", "warning", f"no whole {known.path}", pull)
    if deep and hashed(known.path) != known.sha256:
        return Check("model file", "missing", f"{known.path} has another hash", pull)
    how = "by hash" if deep else "by size"
    return Check("model file", "ok", f"{known.path}, {known.bytes:,} bytes, checked {how}")


def hashed(path: Path) -> str:
    """Return a file's SHA-256."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _server(name: str, url: str) -> str:
    from nl2sql_fdw.model.probe import probe

    probe(Profile(model_name=name, model_url=url))
    return f"{name} at {url}"


def database(dsn: str, profile: str) -> Iterator[Check]:
    """Check the database from inside: the extension, then what nl2sql_status() finds."""
    import psycopg

    try:
        connection = psycopg.connect(dsn, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError as error:
        reason = str(error).strip().splitlines()[-1]
        yield Check("database", "missing", reason, "make up && . .local/env.sh, or give --dsn")
        return
    with connection:
        where = connection.info
        detail = f"{where.dbname} at {where.host or 'the default socket'} as {where.user}"
        yield Check("database", "ok", detail)
        found = connection.execute(
            "SELECT e.extname, a.default_version, e.extnamespace::regnamespace::text"
            " FROM pg_available_extensions a LEFT JOIN pg_extension e ON e.extname = a.name"
            " WHERE a.name = 'nl2sql'"
        ).fetchone()
        yield from _extension(connection, found, profile)


def _extension(
    connection: psycopg.Connection[tuple[object, ...]],
    found: tuple[object, ...] | None,
    profile: str,
) -> Iterator[Check]:
    import psycopg
    from psycopg import sql

    if found is None:
        yield Check(
            "extension", "missing", "the server finds no nl2sql.control", "sudo nl2sql pg install"
        )
        return
    name, extension, schema = found
    if name is None:
        create = 'psql -c "CREATE EXTENSION nl2sql CASCADE"'
        yield Check("extension", "missing", "not created in this database", create)
        return
    yield Check("extension", "ok", f"nl2sql {extension} in schema {schema}")
    status = sql.SQL("SELECT component, status, detail, hint FROM {}.nl2sql_status(%s)").format(
        sql.Identifier(str(schema))
    )
    try:
        rows = connection.execute(status, [profile]).fetchall()
    except psycopg.errors.InsufficientPrivilege as error:
        grant = f"psql -f {install.roles_script()} -v asker={connection.info.user}"
        yield Check("nl2sql_status()", "missing", str(error.diag.message_primary), grant)
        return
    for component, state, detail, hint in rows:
        yield Check(f"server: {component}", str(state), str(detail), str(hint or ""))
