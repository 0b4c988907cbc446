"""The virtual environment of the server's own Python, with this checkout installed in it."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

from nl2sql_fdw.servers import Server, interpreter
from scripts.local import steps
from scripts.local.place import Place

_BUILD_BACKEND = "hatchling>=1.24"


def ensure(place: Place, server: Server) -> None:
    """Make the environment and install the package; again only what has changed since."""
    make_environment(place, server)
    dependencies = fingerprint([place.checkout / "pyproject.toml"])
    package = fingerprint(package_files(place.checkout))
    pip = [place.venv / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check"]
    if _stamp(place, "dependencies") != dependencies:
        steps.run(
            "Python packages",
            [*pip, _BUILD_BACKEND, f"{place.checkout}[dev]"],
            place.logs / "pip.log",
        )
    elif _stamp(place, "package") != package:
        again = ["--no-deps", "--no-build-isolation", "--force-reinstall"]
        steps.run("nl2sql, changed", [*pip, *again, place.checkout], place.logs / "pip.log")
    _write_stamp(place, "dependencies", dependencies)
    _write_stamp(place, "package", package)


def make_environment(place: Place, server: Server) -> None:
    """Create .local/venv, anew where it is of another Python than the server embeds."""
    program = place.venv / "bin" / "python"
    if _version(program) == server.python:
        return
    if place.venv.exists():
        shutil.rmtree(place.venv)
    steps.run(
        f"Virtual environment of Python {server.python}, as plpython3u embeds it",
        [interpreter(server), "-m", "venv", place.venv],
        place.logs / "venv.log",
    )


def _version(program: Path) -> str | None:
    if not program.exists():
        return None
    asked = "import pip, sys; print('%d.%d' % sys.version_info[:2])"
    answer = subprocess.run([program, "-c", asked], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or None


def package_files(checkout: Path) -> list[Path]:
    """List what the wheel is made of, in a fixed order."""
    found = [checkout / "pyproject.toml", checkout / "README.md"]
    for folder in ("nl2sql_fdw", "extension", "sql"):
        found += sorted(p for p in (checkout / folder).rglob("*") if _is_source(p))
    return found


def _is_source(path: Path) -> bool:
    return path.is_file() and path.suffix != ".pyc"


def fingerprint(files: list[Path]) -> str:
    """Hash the names and contents of the files."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def _stamp(place: Place, name: str) -> str | None:
    file = place.venv / f"{name}.sha256"
    return file.read_text() if file.exists() else None


def _write_stamp(place: Place, name: str, value: str) -> None:
    (place.venv / f"{name}.sha256").write_text(value)
