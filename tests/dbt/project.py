"""A copy of the dbt package and its integration project, and dbt itself as a subprocess."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DBT = ROOT / ".local" / "dbt" / "bin" / "dbt"
FROZEN = "macros/nl2sql_frozen.sql"

ANSWERS = {
    "how many ships has each harbour?": "SELECT h.name, count(*) AS ships FROM harbour h"
    " JOIN ship s ON s.harbour_id = h.id GROUP BY h.name",
    'what\'s the "total" tonnage of {{ ships }} {% and %} {# more #}?': "SELECT sum(tons) AS total"
    " FROM ship; -- {{ all }} of them",
    "which ship is the oldest?": "WITH first AS (SELECT min(built) AS built FROM ship)\n"
    "SELECT s.id, s.name FROM ship s JOIN first USING (built)",
    "which ships have no harbour?": "SELECT id, name FROM ship"
    " WHERE harbour_id IS NULL AND name <> '{{ boom() }}{% endset %}{% endmacro %}\u202e'",
}
"""The questions of the integration project, in the order in which they are frozen."""


@dataclass
class Done:
    """How one dbt command ended, and what it said."""

    code: int
    output: str


class _Server:
    """dbt, imported once: see run_dbt."""

    def __init__(self) -> None:
        program = DBT.with_name("python")
        self._process = subprocess.Popen(
            [program, Path(__file__).with_name("run_dbt.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        atexit.register(self._process.communicate)

    def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@cache
def _server() -> _Server:
    return _Server()


@dataclass
class Project:
    """The integration project in a folder of its own, with what its profile reads."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @classmethod
    def copied(cls, folder: Path, **env: str) -> Project:
        """Copy the package with its project and install the one into the other."""
        made = shutil.ignore_patterns("target", "dbt_packages", "logs", "package-lock.yml")
        shutil.copytree(ROOT / "sql" / "dbt", folder / "dbt", ignore=made)
        project = cls(folder / "dbt" / "integration_tests", env)
        project.must("deps")
        return project

    def run(self, *words: str, **variables: object) -> Done:
        """Run one dbt command; keywords are passed as --vars."""
        extra = ["--vars", json.dumps(variables)] if variables else []
        asked = {"words": [*words, *extra], "folder": str(self.folder), "env": self.environment()}
        return Done(**_server().ask(asked))

    def environment(self) -> dict[str, str]:
        ours = {
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            "DBT_USE_COLORS": "false",
            "DBT_PROFILES_DIR": str(self.folder),
        }
        return {**os.environ, **ours, **self.env}

    def must(self, *words: str, **variables: object) -> Done:
        done = self.run(*words, **variables)
        assert done.code == 0, f"dbt {' '.join(words)}\n{done.output}"
        return done

    def freeze(self, *words: str) -> str:
        """Freeze as the documentation says to without the nl2sql command."""
        printed = self.must("--quiet", "run-operation", "nl2sql_freeze", *words).output
        return self.write(FROZEN, printed)

    def copy(self, folder: Path) -> Project:
        """Return the project as it is, installed package and parsed state included."""
        copied = shutil.copytree(self.folder, folder, symlinks=True)
        return Project(copied, dict(self.env))

    def write(self, name: str, text: str) -> str:
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        return text

    def compiled(self) -> dict[str, str]:
        """Return the compiled SQL of the last command, by file name."""
        folder = self.folder / "target" / "compiled" / "shipyard"
        return {file.name: file.read_text("utf-8") for file in sorted(folder.rglob("*.sql"))}

    def manifest(self) -> Any:
        return json.loads((self.folder / "target" / "manifest.json").read_text("utf-8"))
