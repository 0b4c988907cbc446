"""The verbs that the documentation names exist, and each is described."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import nl2sql_fdw
from nl2sql_fdw import install

ROOT = Path(__file__).parents[2]
VERBS = ["demo", "test", "up", "down", "lint", "clean", "check"]


def described() -> dict[str, str]:
    text = (ROOT / "Makefile").read_text()
    return dict(re.findall(r"^([a-z-]+):.*?## (.+)$", text, re.MULTILINE))


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_in_the_help(verb):
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.search(rf"^{verb} +\S", shown.stdout, re.MULTILINE)


def test_every_target_is_described_and_phony():
    text = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))
    phony = set(re.search(r"^\.PHONY: (.+)$", text, re.MULTILINE)[1].split())
    assert targets == set(described()) == phony


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md"])
def test_every_verb_that_a_page_names_exists(page):
    if not (ROOT / page).exists():
        pytest.skip(f"there is no {page}")
    named = set(re.findall(r"`make ([a-z-]+)`|^make ([a-z-]+)$", (ROOT / page).read_text(), re.M))
    assert {a or b for a, b in named} <= set(described())


def test_the_readme_begins_with_both_commands():
    head = (ROOT / "README.md").read_text().splitlines()[:40]
    assert any("make demo" in line for line in head)
    assert any("make test" in line for line in head)


def test_the_benchmarks_behind_the_verbs_exist():
    modules = re.findall(r"python -m (nl2sql_fdw\.\S+)", (ROOT / "Makefile").read_text())
    assert modules
    for module in modules:
        assert (ROOT / (module.replace(".", "/") + ".py")).exists(), module


def test_the_version_is_written_once():
    """The control file's version is the extension's own; the scripts must lead to it."""
    pyproject = (ROOT / "pyproject.toml").read_text()
    assert not re.search(r"^version\s*=", pyproject, re.MULTILINE)
    control = (ROOT / "extension" / "nl2sql.control").read_text()
    extension = re.search(r"^default_version = '(.+)'$", control, re.MULTILINE)[1]
    assert f"nl2sql--{extension}.sql" == install.SCRIPT
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", nl2sql_fdw.__version__)
    assert nl2sql_fdw.__version__.startswith(extension + ".")


@pytest.mark.parametrize("script", ["scripts/packages.sh", ".ci/run"])
def test_scripts_stop_at_the_first_error_and_are_executable(script):
    file = ROOT / script
    assert "set -euo pipefail" in file.read_text()
    assert file.stat().st_mode & 0o111
