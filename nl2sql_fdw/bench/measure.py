"""Ask every question through the pipeline as a user does, judge it, and write the line.

Database by database, and in each strategy by strategy: the prompts of consecutive
questions then begin alike, as they do for a user who asks one database.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from itertools import groupby

from nl2sql_fdw.bench import strategies
from nl2sql_fdw.bench.gold import GoldFailed, Judge, is_right, join_rows
from nl2sql_fdw.bench.places import Place
from nl2sql_fdw.bench.records import Journal, Record, key
from nl2sql_fdw.bench.suites import Item
from nl2sql_fdw.errors import BadSetup, ModelUnavailable, ServerError
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.probe import probe
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import Answer, Poll, Profile, Prompt, Reply

WARMING = "How many rows are there?"
_BUSY_S = 60.0
"""How long a model server may list nothing after it failed: it may still be at the question."""

Opening = Callable[[Item], AbstractContextManager[Place]]
"""Makes ready the database of an item, for as long as its questions are asked."""


@dataclass(frozen=True)
class Run:
    """One run: its questions, the strategies to compare, and the journal they go to.

    With `warm_up` each strategy first asks each database one question that is not
    recorded: else the first strategy pays for reading the schema, and those after it find
    it in the model server's cache.
    """

    items: Sequence[Item]
    names: Sequence[str]
    profile: Profile
    journal: Journal
    warm_up: bool = False
    cool_down_s: float = 0.0

    def keys(self, name: str) -> list[tuple[str, ...]]:
        """Return what the lines of one strategy are found by, question by question."""
        return [self._key(name, item) for item in self.items]

    def records(self, name: str) -> list[Record]:
        """Return the lines of one strategy that there are."""
        return self.journal.chosen(self.keys(name))

    def _key(self, name: str, item: Item) -> tuple[str, ...]:
        return key(name, self.profile.model_name, item.id, item.question)

    def left(self) -> list[tuple[Item, str]]:
        """Return what is still to be asked, in the order in which it will be."""
        wanted: list[tuple[Item, str]] = []
        for _, items in groupby(self.items, key=lambda item: item.db):
            group = list(items)
            wanted += [(item, name) for name in self.names for item in group]
        return [
            (item, name)
            for item, name in wanted
            if self._key(name, item) not in self.journal.records
        ]

    def go(self, opening: Opening) -> Generator[Record, None, None]:
        """Ask what is left, and yield each line once it is written.

        Close it where it is left before its end: a database is open meanwhile. Raises
        ModelUnavailable or BadSetup where the model server is gone, ServerError or BadSetup
        where the database is: the next run asks the question at hand again.
        """
        for _, group in groupby(self.left(), key=lambda pair: pair[0].db):
            pairs = list(group)
            with opening(pairs[0][0]) as place, closing(place.judge()) as judge:
                for name, asked in groupby(pairs, key=lambda pair: pair[1]):
                    yield from self._ask(name, [item for item, _ in asked], place, judge)

    def _ask(
        self, name: str, items: Sequence[Item], place: Place, judge: Judge
    ) -> Iterator[Record]:
        profile = as_asked(name, place, self.profile)
        if self.warm_up:
            place.ask(WARMING, profile, fetch=False)
        for item in items:
            record = measure(item, name, place, judge, profile)
            self.journal.add(record)
            yield record
            time.sleep(self.cool_down_s)


def as_asked(name: str, place: Place, profile: Profile) -> Profile:
    """Return the profile as a strategy has it, for one database and the role that reads it."""
    changed = strategies.apply(name, profile)
    return replace(changed, reader=place.reader, schemas=place.schemas)


def measure(item: Item, name: str, place: Place, judge: Judge, profile: Profile) -> Record:
    """Ask one question by one strategy, and compare the answer with the golds, run now."""
    counter = _Counter(connect(profile))
    began = time.perf_counter()
    try:
        answer = place.ask(item.question, profile, model=counter)
    except ServerError as error:
        if error.sqlstate.startswith(("08", "57P")):
            raise
        answer = Answer(item.question)
        status, words = "server_error", f"{error.sqlstate}: {error.message}"
    else:
        status, words = answer.status, _words(answer)
    seconds = time.perf_counter() - began
    if isinstance(answer.error, ModelUnavailable | BadSetup):
        probe(profile, _BUSY_S)  # one that is gone ends the run; one that is there has failed
    record = Record(
        suite=item.suite,
        dialect=place.dialect,
        strategy=name,
        model=profile.model_name,
        id=item.id,
        db=item.db,
        question=item.question,
        gold=list(item.golds),
        seconds=round(seconds, 4),
        sql=answer.sql,
        row_count=len(answer.result.rows) if answer.result else None,
        timings=dict(answer.timings),
        attempts=[vars(attempt) for attempt in answer.attempts],
        confidence=answer.confidence,
        notes=list(answer.notes),
        status=status,
        error=words,
    )
    if place.asks_here:
        record = counter.counted(record)
    else:
        record = replace(record, calls=answer.tokens.get("calls", 0))
    return _judged(record, item, answer, judge)


def _words(answer: Answer) -> str:
    if answer.error is None:
        return ""
    return " ".join(filter(None, (answer.error.message, answer.error.detail)))


def _judged(record: Record, item: Item, answer: Answer, judge: Judge) -> Record:
    """Say whether the answer is right; a cut result is never compared with a whole one."""
    if not item.answerable:
        return record
    whole = answer.result if answer.result and not answer.result.truncated else None
    rows = join_rows(whole.rows) if whole else None
    try:
        return replace(record, right=is_right(judge, item.golds, rows, item.wide))
    except GoldFailed as failed:
        return replace(record, gold_error=str(failed))


class _Counter:
    """A model that counts calls and tokens; one count that is missing leaves the sum unknown."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self._model = model
        self._calls = self._answered = 0
        self._replies: list[Reply] = []

    def complete(self, prompt: Prompt, poll: Poll) -> Reply:
        self._calls += 1
        reply = self._model.complete(prompt, poll)
        self._count(reply)
        return reply

    def sample(self, prompt: Prompt, poll: Poll, count: int, temperature: float) -> Sequence[Reply]:
        self._calls += 1
        replies = self._model.sample(prompt, poll, count, temperature)
        self._count(*replies)
        return replies

    def _count(self, *replies: Reply) -> None:
        self._answered += 1
        self._replies += replies

    def counted(self, record: Record) -> Record:
        return replace(
            record,
            calls=self._calls,
            tokens_in=self._sum([reply.prompt_tokens for reply in self._replies]),
            tokens_reused=self._sum([reply.cached_tokens for reply in self._replies]),
            tokens_out=self._sum([reply.output_tokens for reply in self._replies]),
        )

    def _sum(self, counts: Sequence[int | None]) -> int | None:
        """Add up; a call that failed has no reply, and what it cost is unknown too."""
        known = [count for count in counts if count is not None]
        complete = len(known) == len(counts) and self._answered == self._calls
        return sum(known) if complete else None
