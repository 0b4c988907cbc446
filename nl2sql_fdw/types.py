"""The values that stages hand to each other: frozen, and knowing nothing of any stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nl2sql_fdw.errors import Nl2sqlError

JsonText = str
"""A JSON value as text, kept unparsed so that numerics stay exact and duplicate keys survive."""

PERSONAL = (
    "email", "mail", "phone", "mobile", "fax", "ssn", "social", "passw", "pwd", "secret", "token",
    "apikey", "iban", "card", "cvv", "account", "passport", "licen", "taxid", "nationalid",
    "birth", "address", "street", "login", "username", "salary", "diagnos",
)  # fmt: skip
"""Parts of the names of columns whose values are nobody's business: the default of `redact`."""


@dataclass(frozen=True)
class Profile:
    """What the owner allows and how the model is reached: one row of nl2sql.profile.

    Times are in milliseconds, sizes in bytes, context and output in model tokens.
    With `run_as` 'caller' the `reader` is whoever asks.
    `schemas` None means every schema that both the reader and the caller may use.
    `redact` names the columns whose values are never looked up: parts of their names, or
    schema.table.column.
    """

    name: str = "default"
    reader: str = "nl2sql_reader"
    run_as: str = "reader"
    schemas: tuple[str, ...] | None = None
    model_provider: str = "openai"
    model_url: str = "http://127.0.0.1:8642/v1"
    model_name: str = "qwen2.5-coder-1.5b"
    model_key_file: str | None = None
    model_keep_alive: str = "30m"
    context_tokens: int = 8192
    max_output_tokens: int = 512
    load_timeout_ms: int = 180_000
    answer_timeout_ms: int = 120_000
    retries: int = 1
    strategy: str = "auto"
    max_question_bytes: int = 4_000
    time_limit_ms: int = 10_000
    max_rows: int = 1_000
    max_bytes: int = 8_000_000
    max_cell_bytes: int = 1_000_000
    max_memory_bytes: int = 256_000_000
    max_cost: float = 1_000_000.0
    max_plan_rows: float = 100_000_000.0
    truncate: bool = False
    allow_functions: tuple[str, ...] = ()
    allow_views: tuple[str, ...] = ()
    watch_settings: tuple[str, ...] = ()
    audit: bool = True
    audit_days: int = 90
    allowed_roles: tuple[str, ...] | None = None
    values: bool = False
    values_limit_ms: int = 300
    redact: tuple[str, ...] = PERSONAL
    cache_minutes: int = 60
    examples: int = 0
    min_link: float = 0.28
    taught: int = 3
    curators: tuple[str, ...] = ()
    thread_turns: int = 3
    approve_minutes: int = 60
    clarify: bool = True
    min_confidence: float = 0.0

    @property
    def search_path(self) -> tuple[str, ...]:
        """The schemas in which an unqualified name is looked up, after pg_catalog."""
        return self.schemas or ("public",)


@dataclass(frozen=True)
class Layers:
    """Which of the door's layers stand: all, but where a test makes an executor of its own.

    Tests switch one off to measure what the others hold. It is an argument in Python that
    no SQL text, setting or table sets. Without the guard, `identity` and `views` know no
    names and prove nothing but the profile's allowed_roles.
    """

    guard: bool = True
    identity: bool = True
    views: bool = True
    cost: bool = True
    limits: bool = True
    tripwire: bool = True
    undo: bool = True


ALL_LAYERS = Layers()


@dataclass(frozen=True)
class Column:
    """One column; `type` is as format_type writes it, `enum_labels` in their sort order."""

    name: str
    type: str
    not_null: bool = False
    comment: str | None = None
    enum_labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForeignKey:
    """Columns of one relation that point at `target_columns` of another, in pairs.

    One that is not `declared` is guessed by its names, see schema/guessed.py.
    """

    columns: tuple[str, ...]
    target_schema: str
    target: str
    target_columns: tuple[str, ...]
    declared: bool = True


@dataclass(frozen=True)
class Relation:
    """One readable relation. `kind` is table, view, materialized view or foreign table."""

    oid: int
    schema: str
    name: str
    kind: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    comment: str | None = None
    row_estimate: int = -1
    row_security: bool = False
    bypasses_row_security: bool = False


@dataclass(frozen=True)
class Schema:
    """Everything the caller may ask about, in an order that never changes without the schema."""

    relations: tuple[Relation, ...]
    search_path: tuple[str, ...]
    dialect: str = "postgres"

    def named(self, name: str) -> tuple[Relation, ...]:
        """Return every relation of that exact name, whatever its schema."""
        return tuple(r for r in self.relations if r.name == name)


@dataclass(frozen=True)
class Literal:
    """A text that a query compares with a column of a relation."""

    relation: Relation
    column: str
    text: str


@dataclass(frozen=True)
class Example:
    """A question with SQL that is right for it: `taught` on these tables, else on others."""

    question: str
    sql: str
    taught: bool = False


@dataclass(frozen=True)
class Recalled:
    """What is remembered for a caller: pairs taught, and the turns of a thread, oldest first."""

    taught: tuple[Example, ...] = ()
    turns: tuple[Example, ...] = ()


NOTHING = Recalled()


@dataclass(frozen=True)
class Prompt:
    """Chat turns: `system` and `stable` never change with the question, `tail` does.

    `later` holds the turns of a repair, as (role, content) pairs, so that the
    server's prefix cache still covers everything before them.
    `dropped` names the relations that the token budget left out; `room_tokens` is what
    the context still holds for later turns.
    """

    system: str
    stable: str
    tail: str
    later: tuple[tuple[str, str], ...] = ()
    dropped: tuple[str, ...] = ()
    estimated_tokens: int = 0
    room_tokens: int = 0

    def messages(self) -> list[dict[str, str]]:
        """Return the turns in the form that chat endpoints take."""
        turns = [("system", self.system), ("user", self.stable + self.tail), *self.later]
        return [{"role": role, "content": content} for role, content in turns]


@dataclass(frozen=True)
class Reply:
    """What a model server sent back; counts and logprobs are None where the server gave none.

    `mean_logprob` and `least_logprob` are of the natural logarithms of the probabilities that
    the model gave the tokens it chose, before any temperature.
    """

    text: str
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    finish_reason: str | None = None
    mean_logprob: float | None = None
    least_logprob: float | None = None


@dataclass(frozen=True)
class Verdict:
    """The guard's finding on one statement, and what the statement touches.

    `relations` are (schema or None, name) as written and decoded, CTE names left out;
    `functions` (schema or None, name, argument count); `operators`, and those `types`
    that no list knows, (schema or None, name). `columns` are the names any column reference
    ends in; `whole_rows` is true where a star, NATURAL join or whole-row reference may
    touch every column. `attributes` are the names that follow a dot (x.f, (x).f): where x has no
    such field, PostgreSQL calls the function f(x). A count of -1 in `functions` is syntax
    (JSON_OBJECT) that a server too old for it reads as a call.
    """

    allowed: bool
    layer: str = ""
    reason: str = ""
    hint: str = ""
    relations: tuple[tuple[str | None, str], ...] = ()
    functions: tuple[tuple[str | None, str, int], ...] = ()
    operators: tuple[tuple[str | None, str], ...] = ()
    types: tuple[tuple[str | None, str], ...] = ()
    columns: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    whole_rows: bool = False


@dataclass(frozen=True)
class Read:
    """A relation that a statement reads, and the names of its columns; None: all of them."""

    schema: str
    name: str
    columns: tuple[str, ...] | None


@dataclass(frozen=True)
class Frozen:
    """A statement that means the same under any search path, and what it reads."""

    sql: str
    reads: tuple[Read, ...]


@dataclass(frozen=True)
class Plan:
    """The planner's estimate: cost in its own units, and rows at the top."""

    cost: float
    rows: float
    tree: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Index:
    """An index that would help a query: `cost_after` is None where it was not tried."""

    statement: str
    cost_before: float
    cost_after: float | None = None


@dataclass(frozen=True)
class Touched:
    """A relation that a query reads, its name as SQL writes it, and the columns it may read."""

    relation: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """Rows as JSON object texts, with (name, type) per column and the plan that gave them.

    `notes` are for the asker. `touched` is known where the query was priced and not run.
    """

    columns: tuple[tuple[str, str], ...] = ()
    rows: tuple[JsonText, ...] = ()
    truncated: bool = False
    plan: Plan | None = None
    timings: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    indexes: tuple[Index, ...] = ()
    touched: tuple[Touched, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """One SQL text that was tried, and why it did not become the answer (None where it did)."""

    sql: str | None
    error: str | None = None
    sqlstate: str | None = None


@dataclass(frozen=True)
class Answer:
    """All that came of one question, good or bad. `timings` are milliseconds by stage.

    `cached`: no model was asked. `confidence`, from 0 to 1, is there where there is a result.
    """

    question: str
    sql: str | None = None
    result: Result | None = None
    error: Nl2sqlError | None = None
    attempts: tuple[Attempt, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    cached: bool = False
    confidence: float | None = None

    @property
    def status(self) -> str:
        return self.error.status if self.error else "answered"


Trace = Callable[[str, str], None]
"""Called as trace(stage, what happened) when a stage ends; it shows progress, never decides."""

Poll = Callable[[], None]
"""Called every 100 ms while waiting; raises when the user or the server wants the call ended."""
