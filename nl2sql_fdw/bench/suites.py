"""Read the questions of a benchmark suite: what is asked, of which database, and its golds.

Every suite lies in a folder DIR, its dumps in DIR/pg/<database>.sql, its SQLite files in
DIR/sqlite/<database>.sqlite. The data is no part of the project.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nl2sql_fdw.errors import BadSetup

_Entry = Mapping[str, Any]
_GOLD_NAMES = ("gold", "gold_pg", "SQL", "query")


@dataclass(frozen=True)
class Item:
    """One question. Any of `golds` counts; without golds the right reply is to decline.

    `wide` lets an answer carry columns that the gold lacks (Defog's rule). `dump` is what the
    database is made of, or the SQLite file itself; None where the database is already there.
    """

    suite: str
    id: str
    db: str
    question: str
    golds: tuple[str, ...]
    dump: Path | None
    wide: bool = False

    @property
    def answerable(self) -> bool:
        return bool(self.golds)


def load(suite: str, path: Path, dialect: str = "postgres") -> list[Item]:
    """Return every question of a suite that has a gold on the dialect, or none to be had.

    Raises BadSetup where a file is absent or has another form.
    """
    try:
        if dialect == "sqlite":
            items = list(_on_sqlite(suite, path))
        else:
            items = list(_READERS[suite](path))
        _require_own_ids(items)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSetup(
            f"The questions of {suite} cannot be read from {path}.",
            detail=f"{type(error).__name__}: {error}",
            hint="docs/evaluation.md describes the files of each suite.",
        ) from error
    if not items:
        raise BadSetup(f"There are no questions of {suite} in {path}.")
    return items


def _require_own_ids(items: Sequence[Item]) -> None:
    """Raise ValueError where two questions share an id: a run could not tell them apart."""
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise ValueError(f"two questions have the id {item.id}")
        seen.add(item.id)


def sample(items: Sequence[Item], limit: int | None, seed: int) -> list[Item]:
    """Draw `limit` answerable questions, and the same share of the unanswerable ones.

    The same seed draws the same questions. They come ordered by database: questions of
    one schema in a row let the model server reuse the beginning of the prompt.
    """
    answerable = [item for item in items if item.answerable]
    others = [item for item in items if not item.answerable]
    if limit is not None and limit < len(answerable):
        draw = random.Random(seed)  # noqa: S311  a sample, no secret
        share = limit / len(answerable)
        answerable = draw.sample(answerable, limit)
        others = draw.sample(others, round(len(others) * share))
    place = {item: n for n, item in enumerate(items)}
    return sorted([*answerable, *others], key=lambda item: (item.db, place[item]))


def _on_sqlite(suite: str, path: Path) -> Iterator[Item]:
    """Read Spider, or one's own questions in its form: gold_sqlite or gold, and db_id."""
    if suite not in ("spider", "questions"):
        raise ValueError(f"{suite} has no golds for SQLite")
    for n, entry in enumerate(_read(path / "questions.json")):
        golds = tuple(entry[name] for name in ("gold_sqlite", "gold") if name in entry)[:1]
        if entry.get("sqlite_clean", bool(golds) or entry.get("unanswerable")):
            file = path / "sqlite" / f"{entry['db_id']}.sqlite"
            item = _item(suite, path, entry, str(entry.get("id", n)), golds)
            yield replace(item, dump=file)


def _spider(path: Path) -> Iterator[Item]:
    for entry in _read(path / "questions.json"):
        if entry["pg_clean"]:
            yield _item("spider", path, entry, str(entry["id"]), (entry["gold_pg"],))


def _spider_train(path: Path) -> Iterator[Item]:
    for n, entry in enumerate(_read(path / "questions.json")):
        if entry["pg"] == "ok":
            yield _item("spider_train", path, entry, str(n), (entry["gold_pg"],))


def _defog(path: Path) -> Iterator[Item]:
    for entry in _read(path / "questions_pg.json"):
        golds = tuple(entry["golds"])
        if not golds:
            raise ValueError(f"question {entry['id']} has no gold")
        yield _item("defog", path, entry, str(entry["id"]), golds, entry["instructions"], True)
    unanswerable = path / "unanswerable.json"
    for n, entry in enumerate(_read(unanswerable) if unanswerable.exists() else ()):
        yield _item("defog", path, entry, f"u{n}", ())


def _questions(path: Path) -> Iterator[Item]:
    """Read a user's own questions, BIRD's names of the fields included."""
    for n, entry in enumerate(_read(path / "questions.json")):
        found = [entry[name] for name in _GOLD_NAMES if name in entry]
        golds = tuple(entry["golds"] if "golds" in entry else found[:1])
        if not golds and not entry.get("unanswerable"):
            raise ValueError(f"question {n} has no gold, nor is it marked as unanswerable")
        more = str(entry.get("evidence") or "")
        yield _item("questions", path, entry, str(entry.get("id", n)), golds, more)


_READERS = {
    "spider": _spider,
    "spider_train": _spider_train,
    "defog": _defog,
    "questions": _questions,
}
SUITES = tuple(_READERS)


def _item(
    suite: str,
    path: Path,
    entry: _Entry,
    number: str,
    golds: tuple[str, ...],
    more: str = "",
    wide: bool = False,
) -> Item:
    """Return the item; what a suite gives beside the question is asked with it."""
    question = f"{entry['question']}\n{more}".strip()
    db = str(entry.get("db_id", ""))
    dump = path / "pg" / f"{db}.sql" if db else None
    return Item(suite, number, db, question, golds, dump, wide)


def _read(path: Path) -> list[_Entry]:
    found: list[_Entry] = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, list):
        raise ValueError(f"{path} holds no list")
    return found
