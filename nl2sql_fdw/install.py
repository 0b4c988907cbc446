"""Put the extension's files where CREATE EXTENSION finds them, with the import path written in."""

from __future__ import annotations

import os
import pwd
import stat
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.servers import Server, without_plpython

PLACEHOLDER = "@NL2SQL_PATH@"
SCRIPT = "nl2sql--1.0.sql"
_PACKAGE = Path(__file__).parent
_IMPORTED_IN_BACKEND = ("pglast", "numpy", "rapidfuzz", "ollama")


@dataclass(frozen=True)
class Installed:
    """What an installation left: every file's path, those that changed, and the import path."""

    files: tuple[Path, ...]
    changed: tuple[Path, ...]
    import_path: tuple[Path, ...]


def install(server: Server, dest: Path | None = None, server_user: str | None = None) -> Installed:
    """Copy the control file and the SQL scripts into the server's extension directory.

    `dest` is put before every path written to, as DESTDIR is by make; `server_user` is the
    account that must be able to read the package. Raises BadSetup, nothing written, when the
    server could not import what would be installed.
    """
    check_interpreter(server)
    paths = import_path()
    if server_user:
        check_readable(paths, server_user)
    target = staged(server.extensions, dest)
    contents = {target / name: _filled(text, paths) for name, text in sources().items()}
    changed = tuple(file for file, text in contents.items() if _write(file, text))
    return Installed(tuple(contents), changed, paths)


def staged(path: Path, dest: Path | None) -> Path:
    """Return the path under `dest`, or itself without one."""
    return path if dest is None else dest / path.relative_to("/")


def check_interpreter(server: Server) -> None:
    """Raise BadSetup unless this Python is of the version that the server embeds."""
    if server.python is None:
        raise without_plpython([server])
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    if ours != server.python:
        raise BadSetup(
            f"This nl2sql runs on Python {ours}, but the server's plpython3u embeds "
            f"Python {server.python} and could not import it.",
            detail=f"interpreter {sys.executable}, server {server.pkglibdir / 'plpython3.so'}",
            hint=f"python{server.python} -m venv /opt/nl2sql && "
            "/opt/nl2sql/bin/pip install nl2sql-fdw && /opt/nl2sql/bin/nl2sql pg install",
        )


def import_path() -> tuple[Path, ...]:
    """Return the directories the backend needs: the package's, then its dependencies'."""
    folders = [_PACKAGE.parent.resolve()]
    for name in _IMPORTED_IN_BACKEND:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise BadSetup(
                f"The Python module {name} is not installed for {sys.executable}.",
                detail="sys.path: " + ", ".join(sys.path),
                hint=f"{sys.executable} -m pip install nl2sql-fdw",
            )
        folder = Path(spec.origin).resolve().parent.parent
        if folder not in folders:
            folders.append(folder)
    return tuple(folders)


def check_readable(paths: tuple[Path, ...], user: str) -> None:
    """Raise BadSetup when the account the server runs as cannot read the package."""
    try:
        account = pwd.getpwnam(user)
    except KeyError as error:
        raise BadSetup(
            f"There is no user {user} on this machine, so its access cannot be checked.",
            hint="Name the server's account with --server-user NAME.",
        ) from error
    groups = set(os.getgrouplist(user, account.pw_gid))
    for path in (*paths, _PACKAGE / "__init__.py"):
        blocked = first_unreadable(path, account.pw_uid, groups)
        if blocked:
            raise BadSetup(
                f"The server runs as {user}, who cannot read {blocked}.",
                detail=f"needed for the import path {path}",
                hint=f"chmod o+rx {blocked}, or install nl2sql in a directory that {user} "
                "can read, such as /opt/nl2sql.",
            )


def first_unreadable(path: Path, uid: int, groups: set[int]) -> Path | None:
    """Return the outermost part of a path that the user's permission bits deny, or None."""
    if uid == 0:
        return None
    resolved = path.resolve()
    for part in (*reversed(resolved.parents), resolved):
        found = part.stat()
        shift = 6 if found.st_uid == uid else 3 if found.st_gid in groups else 0
        bits = (found.st_mode >> shift) & 0o7
        read = 0o4 if part == resolved else 0
        enter = 0o1 if stat.S_ISDIR(found.st_mode) else 0
        if ~bits & (read | enter):
            return part
    return None


def sources() -> dict[str, str]:
    """Return the extension's own files, name and text: the script is its parts, in order."""
    for folder in (_PACKAGE / "extension", _PACKAGE.parent / "extension"):
        if (folder / "nl2sql.control").exists():
            parts = sorted((folder / "sql").glob("*.sql"))
            script = "\n".join(part.read_text(encoding="utf-8") for part in parts)
            control = (folder / "nl2sql.control").read_text(encoding="utf-8")
            return {"nl2sql.control": control, SCRIPT: script}
    raise BadSetup(
        "The extension's files are missing from this installation of nl2sql.",
        detail=f"looked for nl2sql.control in {_PACKAGE / 'extension'}",
        hint=f"{sys.executable} -m pip install --force-reinstall nl2sql-fdw",
    )


def roles_script() -> Path:
    """Return the script that makes the reader and lets people ask."""
    installed = _PACKAGE / "extension" / "roles.sql"
    return installed if installed.exists() else _PACKAGE.parent / "sql" / "roles.sql"


def _filled(text: str, paths: tuple[Path, ...]) -> str:
    return text.replace(PLACEHOLDER, as_list(paths))


def as_list(paths: tuple[Path, ...]) -> str:
    """Write paths as a Python list; it stands in dollar-quoted bodies, one a format() string."""
    for path in paths:
        for sign in "$%":
            if sign in str(path):
                raise BadSetup(
                    f"nl2sql cannot be installed from {path}: the {sign} in the path would change "
                    "the meaning of the SQL script.",
                    hint="Install it in a directory without one, such as /opt/nl2sql.",
                )
    return repr([str(path) for path in paths])


def _write(file: Path, text: str) -> bool:
    """Write a file whole or not at all; return whether it changed."""
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return False
    draft = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.chmod(0o644)
        draft.replace(file)
    except PermissionError as error:
        raise BadSetup(
            f"You may not write to {file.parent}.",
            detail=str(error),
            hint=f"sudo {sys.executable} -m nl2sql_fdw.entry.cli pg install, or --dest DIR.",
        ) from error
    return True
