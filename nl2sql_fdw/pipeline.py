"""The order of the stages, and nothing else: a question in, an Answer out.

    question -> context -> model -> bind -> guard -> identity -> cost gate -> execution

`answer` is the asker's half; `run` is the door that every SQL text goes through, the
model's and anybody else's. In a backend the door runs inside the executor function,
owned by the reader; elsewhere inside a read-only transaction as the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import lru_cache, partial
from math import inf
from typing import TYPE_CHECKING

from nl2sql_fdw import (
    clarify,
    cost,
    embeddings,
    examples,
    execute,
    guard,
    identity,
    link,
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
    NeedsClarification,
    Nl2sqlError,
    Refused,
    ServerError,
    TimeLimit,
    blame,
)
from nl2sql_fdw.lookup import Lookup
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.schema import catalog, catalog_sqlite, frequent, guessed, rank
from nl2sql_fdw.schema.values import Hit
from nl2sql_fdw.solve import Solver
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import (
    ALL_LAYERS,
    NOTHING,
    Answer,
    Layers,
    Plan,
    Profile,
    Prompt,
    Recalled,
    Result,
    Schema,
    Trace,
    Verdict,
)

if TYPE_CHECKING:
    from nl2sql_fdw.schema.relevance import Embed

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
    fetched: bool = True,
    recalled: Recalled = NOTHING,
) -> Answer:
    """Answer one question; what went wrong is in the Answer's `error`.

    `look` is a door that runs what it is given, where `door` may only check (`fetched` false):
    values are looked up through it where the profile opens them. `recalled` is what is
    remembered for whoever asks. Only a ServerError that ends the whole call (a cancel, a lost
    connection) is raised.
    """
    watch = Watch(trace)
    solver = Solver(db, model, profile, door, watch, fetched, question)
    try:
        screen.admit(question, profile)
        with watch("context") as step:
            schema = guessed.with_keys(readable(db, profile))
            if look is not None and profile.values:
                solver.lookup = Lookup(question, schema, db, profile, look, watch)
            drafts = _Drafts(question, schema, db, profile, solver.lookup, recalled)
            solver.readings = partial(_ask_back, question, schema, profile, drafts.hits)
            solver.readings(())
            if not (drafts.hits or drafts.taught or recalled.turns):
                solver.off_topic = partial(link.is_weak, question, schema, profile, _embed)
            step.says(_describe(schema, drafts("code")))
        solver.solve(drafts, schema)
    except Nl2sqlError as error:
        solver.error = error
    return solver.answer()


def show(
    question: str,
    db: Database,
    profile: Profile,
    look: Door | None = None,
    recalled: Recalled = NOTHING,
) -> Prompt:
    """Return the exact prompt that `answer` would send first."""
    screen.admit(question, profile)
    schema = guessed.with_keys(readable(db, profile))
    lookup = None
    if look is not None and profile.values:
        watch = Watch(lambda stage, text: None)
        lookup = Lookup(question, schema, db, profile, look, watch)
    return _Drafts(question, schema, db, profile, lookup, recalled)("code")


class _Drafts:
    """The prompts of one question: what they hold is found once, whatever their form."""

    def __init__(
        self,
        question: str,
        schema: Schema,
        db: Database,
        profile: Profile,
        lookup: Lookup | None,
        recalled: Recalled,
    ) -> None:
        self.hits = lookup.hits() if lookup is not None else ()
        self.taught = examples.choose(question, schema, recalled.taught, profile.taught)
        bank = examples.choose(question, schema, examples.bank(db.dialect), profile.examples)
        self._build = partial(
            prompt.build,
            question,
            schema,
            profile,
            prompt.clock(db),
            self.hits,
            (*bank, *self.taught),
            turns=recalled.turns,
            ranking=ranking(db, profile),
        )
        self._made: dict[str, Prompt] = {}

    def __call__(self, form: str) -> Prompt:
        """Return the prompt in one form, always the same."""
        if form not in self._made:
            self._made[form] = self._build(form=form)
        return self._made[form]


def ranking(db: Database, profile: Profile) -> rank.Ranking:
    """Return how relations are ranked where the schema is too long to send."""

    def said(question: str, schema: Schema) -> Mapping[int, float]:
        return frequent.said(question, db, schema, profile.redact)

    return rank.Ranking(_embed, said)


def _embed() -> Embed | None:
    found = embeddings.connect()
    return found.embed if found else None


def _ask_back(
    question: str,
    schema: Schema,
    profile: Profile,
    hits: Sequence[Hit],
    candidates: Sequence[str],
) -> None:
    """Raise NeedsClarification where the question, or what candidates make of it, is ambiguous."""
    known = hits if candidates else ()  # a value in two columns is no doubt until answers differ
    found = clarify.find(question, schema, known, candidates) if profile.clarify else None
    if found is not None:
        listed = "; ".join(found.readings)
        raise NeedsClarification(
            found.question,
            detail=f"Layer: clarify. The readings: {listed}.",
            hint="Ask again in "
            f"the words of one of them. The owner may set clarify of profile {profile.name} off.",
        )


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
        verdict, touched = _judge(sql, db, profile, layers)
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
                named = identity.touched(db, verdict, touched)
                return Result(columns, plan=plan, timings=watch.timings, touched=named)
            with watch("rows") as step:
                found = execute.fetch(db, sql, plan, profile, watch.timings, cells)
                step.says(f"{len(found.rows)} rows{', cut' if found.truncated else ''}")
            return replace(found, notes=tuple(visibility.notes(db, touched, found.rows, profile)))
    except TimeLimit as late:
        raise too_long(late, sql, profile) from late
    except MemoryLimit as large:
        raise too_large(large, sql, profile) from large
    except ServerError as error:
        raise blame(error, sql) from error


def _judge(
    sql: str, db: Database, profile: Profile, layers: Layers
) -> tuple[Verdict, tuple[int, ...]]:
    """Let guard, identity and views decide; return the OIDs of what the statement names too."""
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
    return verdict, touched


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


def too_large(large: MemoryLimit, sql: str, profile: Profile) -> MemoryLimit:
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


def _describe(schema: Schema, draft: Prompt) -> str:
    left_out = f", {len(draft.dropped)} left out" if draft.dropped else ""
    return f"{len(schema.relations)} tables{left_out}, about {draft.estimated_tokens} tokens"
