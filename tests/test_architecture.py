"""The arrows of ARCHITECTURE.md: who may import whom inside the package."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "nl2sql_fdw"
LEAVES = {"types", "errors", "arrays"}
STAGES = {
    "schema", "prompts", "prompt", "model", "guard", "bind", "identity", "cost", "cost_sqlite",
    "execute", "agreement",
    "screen", "names", "periods", "views", "tripwire", "visibility", "trust", "examples",
    "explain", "doubts", "vote", "clarify", "confidence", "strategies", "link",
    "embeddings",
}  # fmt: skip
USED = {
    "prompt": {"schema", "periods"}, "examples": {"schema"}, "confidence": {"vote"},
    "doubts": {"explain", "periods", "vote"}, "clarify": {"schema", "periods", "explain"},
    "link": {"schema", "periods"}, "explain": {"grammar"}, "bind": {"schema", "explain"},
}  # fmt: skip
"""Stages that a stage may use beside itself."""
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Return the parts of the package that a module imports, by their first name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("nl2sql_fdw.")}
    return found - {"__version__"}


def part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_arrows_point_down(path: Path):
    own, seen = part(path), imported(path)
    if own in LEAVES:
        assert seen <= LEAVES - {own}
    elif own in STAGES:
        more = USED.get(own, set())
        allowed = LEAVES | {own, "database", "names"} | more
        assert seen <= allowed, seen - allowed
    elif own == "database":
        assert seen <= LEAVES | {"database"}
    elif own not in ("entry", "bench", "sqlite"):
        assert not seen & {"entry", "bench"}


def test_plpy_is_passed_in_and_never_imported():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            assert "plpy" not in names, path


def test_a_backend_loads_nothing_heavy():
    """Importing what the sockets import must stay light: 400 ms for a whole first call."""
    heavy = {"ollama", "numpy", "rich", "typer", "psycopg", "httpx", "pydantic"}
    code = "import sys, nl2sql_fdw.entry.plpython; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert not heavy & set(loaded)


def test_modules_and_functions_stay_short():
    for path in MODULES:
        assert len(path.read_text().splitlines()) <= 350, path
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert node.end_lineno - node.lineno <= 60, f"{path}: {node.name}"
