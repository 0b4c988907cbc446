"""Compile the SQLite extension into the wheel where a C compiler and sqlite3ext.h are there."""

from __future__ import annotations

import shutil
import sysconfig
import tempfile
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Sqlite(BuildHookInterface):  # type: ignore[type-arg]
    """Without the library the wheel is for any platform, and says at run time what is missing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        builder = SimpleNamespace(**run_path(str(root / "extension" / "sqlite" / "build.py")))
        self._scratch = tempfile.mkdtemp(prefix="nl2sql-build-")
        try:
            library = builder.build(Path(self._scratch))
        except builder.CannotBuild as error:
            self.app.display_warning(
                f"nl2sql: the wheel goes without the SQLite extension: {error}"
            )
            return
        build_data["force_include"][str(library)] = f"nl2sql_fdw/extension/{library.name}"
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self._scratch)
