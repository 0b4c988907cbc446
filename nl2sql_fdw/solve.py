"""Draw candidates for one question, by the steps of the profile's strategy, until one stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nl2sql_fdw import bind, confidence, doubts, guard, link, prompt, strategies, vote
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import (
    CannotAnswer,
    Nl2sqlError,
    NoValidSql,
    Refused,
    TooExpensive,
)
from nl2sql_fdw.lookup import Lookup
from nl2sql_fdw.model.extract import extract
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.schema import guessed
from nl2sql_fdw.strategies import Step
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import Answer, Attempt, Profile, Prompt, Reply, Result, Schema
from nl2sql_fdw.vote import Candidate

_TEMPERATURE = 0.7

Draft = Callable[[str], Prompt]
"""Returns the prompt of a question in one form."""


class Solver:
    """What has been tried for one question so far, and the means to try more."""

    def __init__(
        self,
        db: Database,
        model: Model,
        profile: Profile,
        door: Callable[[str], Result],
        watch: Watch,
        fetched: bool,
        question: str = "",
    ) -> None:
        self._question = question
        self.watch = watch
        self.error: Nl2sqlError | None = None
        self.lookup: Lookup | None = None
        self.off_topic: Callable[[], bool] = lambda: False
        self.readings: Callable[[Sequence[str]], None] = lambda candidates: None
        self._db = db
        self._model = model
        self._profile = profile
        self._door = door
        self._fetched = fetched
        self._candidates: list[Candidate] = []
        self._chosen: Candidate | None = None
        self._failed: tuple[Prompt, Reply, Candidate] | None = None
        self._tokens = {"calls": 0, "prompt": 0, "cached": 0, "output": 0}

    def solve(self, draft: Draft, schema: Schema) -> None:
        """Take the steps that are needed, then choose; raise the last error where none stands."""
        steps, repairs = strategies.choose(self._profile.strategy), self._profile.retries
        for place, step in enumerate(steps):
            to_come = sum(max(1, s.count) for s in steps[place:] if not s.repair)
            if not self._is_needed(step, to_come):
                continue
            for _ in range(repairs if step.repair else 1):
                if step.repair and self._stands():
                    break
                self._take(step, draft, schema)
        self._choose(schema)

    def _is_needed(self, step: Step, to_come: int) -> bool:
        if not self._candidates or step.when == "always":
            return True
        last = self._candidates[0].error
        if last is not None and not (_repairable(last) or isinstance(last, CannotAnswer)):
            return False
        if step.when == "failed":
            return not self._stands()
        return not vote.settled(self._candidates, to_come)

    def _stands(self) -> bool:
        return any(candidate.finding is not None for candidate in self._candidates)

    def _take(self, step: Step, draft: Draft, schema: Schema) -> None:
        if step.repair:
            if self._failed is None:
                return
            shown, reply, failed = self._failed
            if failed.error is None or not _repairable(failed.error):
                return
            asked = prompt.repair(shown, reply.text, failed.sql, failed.error, schema)
        else:
            asked = draft(step.form)
        for reply in self._ask(asked, step.count):
            candidate = self._try(reply, schema, greedy=not step.count)
            self._candidates.append(candidate)
            if candidate.error is not None and (step.repair or not step.count):
                self._failed = (asked, reply, candidate)

    def _ask(self, asked: Prompt, count: int) -> Sequence[Reply]:
        self.watch.begins("call", f"asking {self._model.name}")
        with self.watch("call") as step:
            if count:
                drawn = self._model.sample(asked, self._db.poll, count, _TEMPERATURE)
            else:
                drawn = [self._model.complete(asked, self._db.poll)]
            replies = [_as_text(reply) for reply in drawn]
            written = sum(reply.output_tokens or 0 for reply in replies)
            step.says(f"{self._model.name} wrote {written or '?'} tokens")
        self._tokens["calls"] += 1
        for reply in replies:
            self._tokens["prompt"] += reply.prompt_tokens or 0
            self._tokens["cached"] += reply.cached_tokens or 0
            self._tokens["output"] += reply.output_tokens or 0
        return replies

    def _try(self, reply: Reply, schema: Schema, greedy: bool) -> Candidate:
        """Take one reply through extraction, binding and the door."""
        made = Candidate(
            None, greedy=greedy, ran=self._fetched,
            mean_logprob=reply.mean_logprob, least_logprob=reply.least_logprob,
        )  # fmt: skip
        try:
            sql = extract(reply.text, cut_off=reply.finish_reason == "length")
            made = replace(made, sql=sql)
            sql, notes = self._mended(sql, schema)
            made = replace(made, sql=sql, notes=notes)
            result = self._run(sql)
        except Nl2sqlError as error:
            return replace(made, error=error)
        plain = guessed.without(schema)
        found = doubts.find(self._question, sql, result, reply, plain, self._fetched)
        return replace(made, result=result, doubts=found)

    def _mended(self, sql: str, schema: Schema) -> tuple[str, tuple[str, ...]]:
        if not guard.is_bounded(sql):  # the door refuses it; no parser may see it
            return sql, ()
        sql, notes = bind.bind(sql, schema)
        sql, more = bind.mend_ratio(sql, self._question, schema)
        notes += more
        if self.lookup is not None:
            sql, more = bind.mend_literals(sql, schema, self.lookup.alike)
            notes += more
        return sql, notes

    def _run(self, sql: str) -> Result:
        """Let the door run a text that no candidate has had, or give back what it found then."""
        for earlier in self._candidates:
            if earlier.sql == sql and earlier.result is not None:
                return earlier.result
            if earlier.sql == sql and earlier.error is not None:
                raise earlier.error
        return self._door(sql)

    def _choose(self, schema: Schema) -> None:
        """Settle on the best candidate; its error, or the last where none found anything, stands.

        A question that is near no name here, and that found nothing, is declined.
        """
        if len(groups := vote.group(self._candidates)) > 1:
            self.readings([sql for each in groups if (sql := each.best.sql)])
        best = vote.choose(self._candidates)
        self._chosen = best or self._candidates[-1]
        self.error = self._chosen.error
        nothing = isinstance(self.error, NoValidSql) or "empty" in self._chosen.doubts
        if nothing and self.off_topic():
            why = f"its SQL failed: {self.error}." if self.error else "nothing was found."
            self.error = link.decline(schema, self._profile, why)
        elif self.error is None:
            self.error = confidence.require(self._chosen, self._candidates, self._profile)

    def answer(self) -> Answer:
        """Return all that came of the question."""
        chosen = self._chosen or Candidate(None)
        result = chosen.result if self.error is None else None
        return Answer(
            question=self._question,
            sql=chosen.sql,
            result=result,
            error=self.error,
            attempts=tuple(map(_attempt, self._in_order())),
            timings={**self.watch.timings, **(result.timings if result else {})},
            tokens=self._tokens,
            notes=(*chosen.notes, *(result.notes if result else ())),
            confidence=confidence.of(chosen, self._candidates) if result else None,
        )

    def _in_order(self) -> list[Candidate]:
        """Return the candidates as they came, the one that was chosen last."""
        others = [candidate for candidate in self._candidates if candidate is not self._chosen]
        return [*others, self._chosen] if self._chosen is not None else others


def _attempt(candidate: Candidate) -> Attempt:
    error = candidate.error
    if error is None:
        return Attempt(candidate.sql)
    return Attempt(candidate.sql, str(error), error.sqlstate)


def _as_text(reply: Reply) -> Reply:
    """Put marks for what no text in a database can hold: NULs and halves of characters."""
    marked = reply.text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    return replace(reply, text=marked)


def _repairable(error: Nl2sqlError) -> bool:
    """Tell whether the model may do better when told: not for a write, a limit or a 'no'."""
    return isinstance(error, NoValidSql | TooExpensive) or (
        isinstance(error, Refused) and error.mendable
    )
