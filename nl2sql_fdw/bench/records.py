"""What became of each question: one JSON line, written at once, so that a run can go on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from nl2sql_fdw.errors import BadSetup

Key = tuple[str, ...]
DECLINED = frozenset({"cannot_answer", "needs_clarification"})


@dataclass(frozen=True)
class Record:
    """One question asked by one strategy.

    `right` is None where there is no gold, or none that runs (`gold_error` says why).
    Token counts are None where the model server gave none: unknown, not zero.
    `timings` are milliseconds by stage, `seconds` the whole, as the asker waits.
    """

    suite: str
    dialect: str
    strategy: str
    model: str
    id: str
    db: str
    question: str
    gold: list[str]
    status: str
    seconds: float
    sql: str | None = None
    right: bool | None = None
    error: str = ""
    gold_error: str | None = None
    row_count: int | None = None
    confidence: float | None = None
    calls: int = 0
    tokens_in: int | None = None
    tokens_reused: int | None = None
    tokens_out: int | None = None
    timings: Mapping[str, float] = field(default_factory=dict)
    attempts: list[Mapping[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def key(self) -> Key:
        return key(self.strategy, self.model, self.id, self.question)

    @property
    def answered(self) -> bool:
        return self.status == "answered"

    @property
    def declined(self) -> bool:
        """A 'no' that names its reason; an SQL that failed is none."""
        return self.status in DECLINED


def key(strategy: str, model: str, number: str, question: str) -> Key:
    """Return what a line is found by; the question is in it, for files whose ids change."""
    return (strategy, model, number, question)


class Journal:
    """The lines of one suite and dialect in a folder: those there are, and room for more."""

    def __init__(self, folder: Path, suite: str, dialect: str) -> None:
        """Read what an earlier run left; a last line that was cut off is dropped.

        Raises BadSetup where another line is no record.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{suite}-{dialect}.jsonl"
        self.records: dict[Key, Record] = {}
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        whole, _, torn = text.rpartition("\n")
        if torn:
            self.path.write_text(whole + "\n" if whole else "", encoding="utf-8")
        for number, line in enumerate(whole.split("\n") if whole else (), 1):
            record = self._parse(line, number)
            self.records[record.key] = record

    def add(self, record: Record) -> None:
        """Write one line, and do not come back before the system has it."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")
        self.records[record.key] = record

    def chosen(self, keys: Iterable[Key]) -> list[Record]:
        """Return the records of these keys, in their order, as far as there are any."""
        return [self.records[key] for key in keys if key in self.records]

    def _parse(self, line: str, number: int) -> Record:
        try:
            found = json.loads(line)
            return Record(**{name: found[name] for name in _FIELDS})
        except (ValueError, KeyError, TypeError) as error:
            raise BadSetup(
                f"Line {number} of {self.path} is no record of this version's benchmark.",
                detail=f"{type(error).__name__}: {error}",
                hint="Name another --out, or remove the file.",
            ) from error


_FIELDS = tuple(each.name for each in fields(Record))
