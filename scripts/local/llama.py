"""llama-cpp-python, built from its source once per kind of processor and kept in the cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nl2sql_fdw.model import places
from scripts.local import steps
from scripts.local.place import Place

VERSION = "0.3.36"
_CMAKE_ARGS = "-DLLAVA_BUILD=OFF -DMTMD_BUILD=OFF -DLLAMA_BUILD_TOOLS=OFF"
_WITHOUT_AMX = "-mno-amx-tile -mno-amx-int8 -mno-amx-bf16"
"""For x86: gcc before 12.4, which Debian 12 has, gets llama.cpp's AMX code wrong."""


def ensure(place: Place, python: str) -> None:
    """Install llama-cpp-python into the environment, building it if need be."""
    site = place.venv / "lib" / f"python{python}" / "site-packages"
    if (site / f"llama_cpp_python-{VERSION}.dist-info").exists():
        return
    wheel = _built(place, python)
    steps.run(
        "llama-cpp-python",
        [*_pip(place), "install", f"llama-cpp-python @ {wheel.as_uri()}"],
        place.logs / "llama-install.log",
    )


def _built(place: Place, python: str) -> Path:
    """Return the wheel for this processor, from the cache or built into it."""
    cache = wheel_folder(python)
    with _only_one(cache):
        found = next(cache.glob("*.whl"), None)
        return found or _build(place, cache)


def _build(place: Place, cache: Path) -> Path:
    print("llama.cpp is built for this processor once; later checkouts reuse it. Minutes:")
    with tempfile.TemporaryDirectory(dir=cache) as draft:
        steps.run(
            f"llama-cpp-python {VERSION}",
            [
                *_pip(place), "wheel", "--verbose", "--no-deps", "--no-cache-dir",
                "--no-binary", "llama-cpp-python", "--wheel-dir", draft,
                f"llama-cpp-python=={VERSION}",
            ],
            place.logs / "llama-build.log",
            env={**os.environ, "CMAKE_ARGS": cmake_args()},
        )  # fmt: skip
        made = next(Path(draft).glob("*.whl"))
        return made.rename(cache / made.name)


def cmake_args() -> str:
    """Return the build's options, or those that CMAKE_ARGS asks for (a GPU, another BLAS)."""
    if "CMAKE_ARGS" in os.environ:
        return os.environ["CMAKE_ARGS"]
    if platform.machine() != "x86_64":
        return _CMAKE_ARGS
    flags = (f"-DCMAKE_{kind}_FLAGS='{_WITHOUT_AMX}'" for kind in ("C", "CXX"))
    return " ".join([_CMAKE_ARGS, *flags])


def wheel_folder(python: str) -> Path:
    """Return the cache folder for this Python, processor, way of building, and version."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.exists() else platform.processor()
    kind = hashlib.sha256(f"{instructions(text)}\n{cmake_args()}".encode()).hexdigest()[:12]
    return places.cache() / "wheels" / f"{python}-{platform.machine()}-{kind}-{VERSION}"


def instructions(cpuinfo: str) -> str:
    """Read the instruction sets that /proc/cpuinfo lists, in one order for all processors.

    llama.cpp is compiled for exactly these, so a home shared by machines needs several wheels.
    """
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", cpuinfo, re.MULTILINE)
    return " ".join(sorted((found[1] if found else cpuinfo).split()))


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, so that two checkouts do not build the same wheel at once."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _pip(place: Place) -> list[object]:
    return [place.venv / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
