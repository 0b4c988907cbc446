"""The order of the stages, and nothing else: a question in, an Answer out.

    question -> context -> model -> bind -> guard -> identity -> cost gate -> execution

`answer` is the asker's half; `run` is the door that every SQL text goes through, the
model's and anybody else's. In a backend the door runs inside the executor function,
owned by the reader; elsewhere inside a read-only transaction as the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import lru_cache, partial
from math import inf

from nl2sql_fdw import (
    bind,
    cost,
    examples,
    execute,
    guard,
    identity,
    prompt,
    screen,
    tripwire,
    trust,
    views,
    visibility,
)
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import (
    MemoryLimit,
    Nl2sqlError,
    NoValidSql,
    Refused,
    ServerError,
    TimeLimit,
    blame,
)
from nl2sql_fdw.lookup import Lookup
from nl2sql_fdw.model.extract import extract
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.schema import catalog, catalog_sqlite
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import (
    ALL_LAYERS,
    Answer,
    Attempt,
    Layers,
    Plan,
    Profile,
    Prompt,
    Reply,
    Result,
    Schema,
    Trace,
    Verdict,
)

Door = Callable[[str], Result]
"""Runs, or only checks and prices, one SQL text under the restricted role."""


def answer(
    question: str,
    db: Database,
    model: Model,
    profile: Profile,
    door: Door,
    trace: Trace,
    look: Door | None = None,
) -> Answer:
    """Answer one question; what went wrong is in the Answer's `error`.

    `look` is a door that runs what it is given, where `door` may only check: values are looked
    up through it where the profile opens them. Only a ServerError that ends the whole call
    (a cancel, a lost connection) is raised.
    """
    watch = Watch(trace)
    work = _Work(model, door, watch)
    try:
        screen.admit(question, profile)
        with watch("context") as step:
            schema = readable(db, profile)
            if look is not None and profile.values:
                work.lookup = Lookup(question, schema, db, profile, look, watch)
            draft = _draft(question, schema, db, profile, work.lookup)
            step.says(_describe(schema, draft))
        work.solve(draft, schema, db, profile)
    except Nl2sqlError as error:
        work.error = error
    return work.answer(question)


def show(question: str, db: Database, profile: Profile, look: Door | None = None) -> Prompt:
    """Return the exact prompt that `answer` would send first."""
    screen.admit(question, profile)
    schema = readable(db, profile)
    lookup = None
    if look is not None and profile.values:
        watch = Watch(lambda stage, text: None)
        lookup = Lookup(question, schema, db, profile, look, watch)
    return _draft(question, schema, db, profile, lookup)


def _draft(
    question: str, schema: Schema, db: Database, profile: Profile, lookup: Lookup | None
) -> Prompt:
    hits = lookup.hits() if lookup is not None else ()
    alike = examples.choose(question, schema, examples.bank(db.dialect), profile.examples)
    return prompt.build(question, schema, profile, prompt.clock(db), hits, alike)


def denied(db: Database, profile: Profile, schema: Schema) -> Sequence[views.Denial]:
    """Return the relations of a schema that a question must not use, and why."""
    oids = [relation.oid for relation in schema.relations]
    return views.denied(db, oids, profile, _view_check(profile))


def run(
    sql: str,
    db: Database,
    profile: Profile,
    trace: Trace,
    fetch: bool = True,
    layers: Layers = ALL_LAYERS,
    cells: bool = False,
) -> Result:
    """Take one SQL text through the door: guard, identity, cost gate, execution.

    With `fetch` false it stops after the cost gate: nothing is run. With `cells` the columns
    are always told, and values come as text (see execute.fetch). Raises Nl2sqlError.
    """
    watch = Watch(trace)
    profile = loosened(profile, layers)
    with watch("verdict") as step:
        touched = _judge(sql, db, profile, layers)
        step.says(f"one SELECT on {len(touched)} tables, allowed for {db.caller()}")
    try:
        with (
            _undoing(db, layers),
            db.bounded(profile.max_memory_bytes),
            tripwire.watching(db, profile),
        ):
            identity.enter_path(db, profile)
            plan = _price(sql, db, profile, watch, layers.cost or not fetch)
            if not fetch:
                columns = db.describe(sql, profile.time_limit_ms) if cells else ()
                return Result(columns, plan=plan, timings=watch.timings)
            with watch("rows") as step:
                found = execute.fetch(db, sql, plan, profile, watch.timings, cells)
                step.says(f"{len(found.rows)} rows{', cut' if found.truncated else ''}")
            return replace(found, notes=tuple(visibility.notes(db, touched, found.rows, profile)))
    except TimeLimit as late:
        raise too_long(late, sql, profile) from late
    except MemoryLimit as large:
        raise _too_large(large, sql, profile) from large
    except ServerError as error:
        raise blame(error, sql) from error


def _judge(sql: str, db: Database, profile: Profile, layers: Layers) -> tuple[int, ...]:
    """Let guard, identity and views decide; return the OIDs of what the statement names."""
    caller = db.caller()
    if layers.identity:
        identity.require_role(db, profile, caller)
        identity.require_bound(db, profile, caller)
    verdict = guard.check(sql, policy(profile)) if layers.guard else Verdict(allowed=True)
    if not verdict.allowed:
        raise refusal(verdict, sql)
    touched = identity.require(db, verdict, profile, caller) if layers.identity else ()
    trust.require(db, touched, profile, caller)
    if layers.views:
        views.require(db, touched, profile, _view_check(profile))
    return touched


def _price(sql: str, db: Database, profile: Profile, watch: Watch, planned: bool) -> Plan:
    """Let the cost gate decide; without it nothing is planned, and all costs nothing."""
    with watch("cost") as step:
        plan = cost.price(db, sql, profile) if planned else Plan(0, 0)
        cost.admit(plan, sql, profile)
        step.says(f"cost {plan.cost:.0f}, about {plan.rows:.0f} rows at the widest point")
    return plan


def readable(db: Database, profile: Profile) -> Schema:
    """Return what may be asked about: readable, and not behind a view that is denied."""
    if db.dialect == "sqlite":
        return catalog_sqlite.read(db)
    schema = catalog.read(db, profile)
    return views.without(schema, denied(db, profile, schema))


class _Work:
    """What has been tried for one question so far."""

    def __init__(self, model: Model, door: Door, watch: Watch) -> None:
        self.model = model
        self.door = door
        self.watch = watch
        self.error: Nl2sqlError | None = None
        self.sql: str | None = None
        self.result: Result | None = None
        self.attempts: list[Attempt] = []
        self.tokens = {"calls": 0, "prompt": 0, "cached": 0, "output": 0}
        self.notes: list[str] = []
        self.lookup: Lookup | None = None

    def solve(self, draft: Prompt, schema: Schema, db: Database, profile: Profile) -> None:
        """Ask, and on a failure that words can mend ask again, `retries` times."""
        for left in range(profile.retries, -1, -1):
            reply = self._ask(draft, db)
            try:
                self.result = self._try(reply, schema)
                return
            except Nl2sqlError as error:
                self.attempts.append(Attempt(self.sql, str(error), error.sqlstate))
                if not left or not _repairable(error):
                    raise
                draft = prompt.repair(draft, reply.text, self.sql, error, schema)

    def _ask(self, draft: Prompt, db: Database) -> Reply:
        self.watch.begins("call", f"asking {self.model.name}")
        with self.watch("call") as step:
            reply = _as_text(self.model.complete(draft, db.poll))
            step.says(f"{self.model.name} wrote {reply.output_tokens or '?'} tokens")
        counted = (1, reply.prompt_tokens, reply.cached_tokens, reply.output_tokens)
        for name, count in zip(self.tokens, counted, strict=True):
            self.tokens[name] += count or 0
        return reply

    def _try(self, reply: Reply, schema: Schema) -> Result:
        self.sql = None
        self.sql = extract(reply.text, cut_off=reply.finish_reason == "length")
        self.sql, mended = bind.bind(self.sql, schema)
        self.notes.extend(mended)
        if self.lookup is not None:
            self.sql, mended = bind.mend_literals(self.sql, schema, self.lookup.alike)
            self.notes.extend(mended)
        result = self.door(self.sql)
        self.attempts.append(Attempt(self.sql))
        return result

    def answer(self, question: str) -> Answer:
        timings = {**self.watch.timings, **(self.result.timings if self.result else {})}
        return Answer(
            question=question,
            sql=self.sql,
            result=self.result,
            error=self.error,
            attempts=tuple(self.attempts),
            timings=timings,
            tokens=self.tokens,
            notes=(*self.notes, *(self.result.notes if self.result else ())),
        )


def _as_text(reply: Reply) -> Reply:
    """Put marks for what no text in a database can hold: NULs and halves of characters."""
    marked = reply.text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    return replace(reply, text=marked)


def _undoing(db: Database, layers: Layers) -> AbstractContextManager[None]:
    """Whatever a query does beside reading is undone: not even a fault of the guard writes."""
    return db.undone() if layers.undo else nullcontext()


def loosened(profile: Profile, layers: Layers) -> Profile:
    """Return the profile without the limits of the layers that are off; as it is in real life."""
    most = 2**31 - 2
    if not layers.limits:
        profile = replace(
            profile, time_limit_ms=most, max_rows=most, max_bytes=most, max_cell_bytes=most,
            max_memory_bytes=2**62,
        )  # fmt: skip
    if not layers.cost:
        profile = replace(profile, max_cost=inf, max_plan_rows=inf)
    return profile if layers.tripwire else replace(profile, watch_settings=())


def too_long(late: TimeLimit, sql: str, profile: Profile) -> TimeLimit:
    return TimeLimit(
        late.message,
        detail=f"Layer: time limit. SQL: {sql}",
        hint="Ask for a narrower period or a smaller part of the data. The owner may raise "
        f"time_limit_ms of profile {profile.name}.",
    )


def _too_large(large: MemoryLimit, sql: str, profile: Profile) -> MemoryLimit:
    return MemoryLimit(
        large.message,
        detail=f"Layer: memory limit. SQL: {sql}",
        hint="Ask for totals rather than long lists or texts. The owner may raise "
        f"max_memory_bytes of profile {profile.name}.",
    )


def policy(profile: Profile) -> guard.Policy:
    """Return the profile's share in the guard."""
    return guard.Policy(functions=profile.allow_functions, schemas=profile.schemas)


def _view_check(profile: Profile) -> views.Check:
    """Return the guard for a view's definition: any schema, and longer than a question's SQL."""
    return partial(_check_view, profile.allow_functions)


@lru_cache(maxsize=2_000)
def _check_view(
    functions: tuple[str, ...], text: str, operator_schemas: tuple[str, ...]
) -> Verdict:
    longer = guard.Policy(functions, operator_schemas, max_bytes=128_000, max_tokens=32_000)
    return guard.check(text, longer)


def refusal(verdict: Verdict, sql: str) -> Refused:
    """Say no in the guard's words; what is no SELECT, or far too large, is not worth a repair."""
    return Refused(
        f"Refused: {verdict.reason}",
        detail=f"Layer: guard ({verdict.layer}). SQL: {sql}",
        hint=verdict.hint,
        mendable=verdict.layer not in ("statement", "size"),
    )


def _repairable(error: Nl2sqlError) -> bool:
    """Tell whether the model may do better when told: not for a write, a limit or a 'no'."""
    return isinstance(error, NoValidSql) or (isinstance(error, Refused) and error.mendable)


def _describe(schema: Schema, draft: Prompt) -> str:
    left_out = f", {len(draft.dropped)} left out" if draft.dropped else ""
    return f"{len(schema.relations)} tables{left_out}, about {draft.estimated_tokens} tokens"
