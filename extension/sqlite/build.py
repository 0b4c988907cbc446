"""Compile nl2sql0 into a folder: `python extension/sqlite/build.py FOLDER`. Standard library only.

The list of functions that the library lets through is made from the guard's reviewed list.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REVIEWED = HERE.parents[1] / "nl2sql_fdw" / "guard" / "sqlite_functions.txt"
NAME = "nl2sql0.dylib" if sys.platform == "darwin" else "nl2sql0.so"
FLAGS = ("-std=gnu11", "-O2", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread")
WARNINGS = ("-Wall", "-Wextra", "-Werror")


class CannotBuild(Exception):
    """There is no C compiler or no sqlite3ext.h; the message says what to install."""


def build(folder: Path) -> Path:
    """Compile the library into the folder; return its path. Raises CannotBuild."""
    compiler = _compiler()
    target = folder / NAME
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "functions.h").write_text(header(REVIEWED.read_text(encoding="utf-8")))
        draft = Path(scratch) / NAME
        sources = sorted(HERE.glob("*.c"))
        done = subprocess.run(
            [*compiler, *FLAGS, *WARNINGS, *_own_flags(), f"-I{scratch}", f"-I{HERE}",
             *sources, "-o", draft, *_libraries()],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise CannotBuild(f"{compiler[0]} failed on {HERE}:\n{done.stderr}")
        shutil.move(draft, target)
    return target


def header(reviewed: str) -> str:
    """Write the reviewed names as a sorted C array, in which bsearch looks them up."""
    lines = [line for line in reviewed.splitlines() if line and line[0] not in "#["]
    names = sorted({word.lower() for line in lines for word in line.split()})
    if not names or not all(re.fullmatch(r"\w+|->>?", name, re.ASCII) for name in names):
        raise CannotBuild(f"{REVIEWED} is no list of names")
    quoted = ",\n  ".join(f'"{name}"' for name in names)
    return f"static const char *const REVIEWED[] = {{\n  {quoted}}};\n"


def _compiler() -> list[str]:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        raise CannotBuild(f"no C compiler {compiler[0]}: apt-get install gcc libsqlite3-dev")
    probe = subprocess.run(
        [*compiler, *shlex.split(os.environ.get("CPPFLAGS", "")), "-E", "-x", "c", "-"],
        input="#include <sqlite3ext.h>\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    if probe.returncode != 0:
        raise CannotBuild("no sqlite3ext.h: apt-get install libsqlite3-dev")
    return compiler


def _own_flags() -> list[str]:
    return shlex.split(os.environ.get("CPPFLAGS", "") + " " + os.environ.get("CFLAGS", ""))


def _libraries() -> list[str]:
    return [] if sys.platform == "darwin" else ["-ldl"]


if __name__ == "__main__":
    try:
        print(build(Path(sys.argv[1]).resolve()))
    except CannotBuild as error:
        raise SystemExit(str(error)) from None
