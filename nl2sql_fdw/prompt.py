"""Build the chat turns: rules and schema first, what changes with the question last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from string import Template

from nl2sql_fdw import periods
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import Nl2sqlError, NoValidSql
from nl2sql_fdw.names import literal
from nl2sql_fdw.schema import rank, render
from nl2sql_fdw.schema.render import Names, columns, estimate
from nl2sql_fdw.schema.values import Hit
from nl2sql_fdw.types import Example, Profile, Prompt, Relation, Schema

_TURN_TOKENS = 12
"""What a chat template adds around each turn, roughly."""

_REPAIR_SHARE = 0.15
"""Of the context, kept free for the turns of a repair."""

_EXAMPLES_SHARE = 0.1
"""Of the context, what examples may take: they change with the question and are read anew."""

_TURNS_SHARE = 0.15
"""Of the context, what earlier turns of a conversation may take."""

FORMS: Mapping[str, tuple[str, Callable[[Iterable[Relation], Names], str]]] = {
    "code": ("schema", render.as_code),
    "text": ("schema_text", render.as_text),
    "comment": ("schema_comment", render.as_comments),
    "structured": ("schema_structured", render.as_structure),
}
"""The ways to write the schema: the template around it, and what writes each relation."""

_CLOCK = """
SELECT to_char(now(), 'YYYY-MM-DD') AS today, trim(to_char(now(), 'Day')) AS weekday,
       current_setting('TimeZone') AS zone
"""


@dataclass(frozen=True)
class Clock:
    """The session's date, in its own time zone."""

    today: str
    weekday: str
    zone: str


def clock(db: Database) -> Clock:
    """Read the date and the time zone of the session."""
    if db.dialect == "sqlite":  # which has no zone of its own: 'localtime' is this process's
        now = datetime.now().astimezone()
        return Clock(f"{now:%Y-%m-%d}", f"{now:%A}", str(now.tzinfo))
    row = db.query(_CLOCK)[0]
    return Clock(row["today"], row["weekday"], row["zone"])


def build(
    question: str,
    schema: Schema,
    profile: Profile,
    now: Clock,
    hits: Sequence[Hit] = (),
    examples: Sequence[Example] = (),
    form: str = "code",
    ranking: rank.Ranking = rank.BY_WORDS,
    turns: Sequence[Example] = (),
) -> Prompt:
    """Return the prompt for one question, with as much of the schema as the context holds.

    `hits` are values in the data that the question names, `examples` those most like it,
    the best last. `form` is how the schema is written, one of FORMS. `turns` are the earlier
    questions of the conversation, oldest first. Raises BadSetup where the context is too small
    for any of it.
    """
    names = Names(schema)
    system = _fill("rules" if schema.dialect == "postgres" else f"rules_{schema.dialect}")
    tail = _exemplify(examples, profile) + _fill(
        "question",
        clock=_fill("clock", **vars(now)) if periods.needs_clock(question) else "",
        periods=_spell(periods.find(question, date.fromisoformat(now.today))),
        question=question.strip(),
        values="".join(f"\n{_tell(hit, names)}" for hit in hits),
    )
    frame, write = FORMS[form]
    turns = _lately(turns, profile)
    tail, later = _converse(turns, tail)
    said = estimate(tail) + sum(estimate(content) + _TURN_TOKENS for _, content in later)
    fixed = estimate(system) + said + estimate(_fill(frame, schema=""))
    room = profile.context_tokens - profile.max_output_tokens - 2 * _TURN_TOKENS - fixed
    kept_free = int(profile.context_tokens * _REPAIR_SHARE)
    asked = " ".join((*(turn.question for turn in turns), question))
    selection = rank.select(asked, schema, names, room - kept_free, ranking)
    stable = _fill(frame, schema=write(selection.relations, names))
    used = estimate(system) + estimate(stable) + said + 2 * _TURN_TOKENS
    return Prompt(
        system=system,
        stable=stable,
        tail=tail,
        later=later,
        dropped=selection.dropped,
        estimated_tokens=used,
        room_tokens=max(0, profile.context_tokens - profile.max_output_tokens - used),
    )


def repair(
    prompt: Prompt, reply: str, sql: str | None, error: Nl2sqlError, schema: Schema
) -> Prompt:
    """Add the reply and a turn with the error, its hint and the real columns.

    The columns are those of the relations that the SQL (or the reply) names; of all, by
    name only, where it names none. Every part is cut to what the context still holds.
    """
    share = max(200, (prompt.room_tokens - 2 * _TURN_TOKENS) * 3 // 4)  # bytes, for each of four
    turn = _fill(
        "repair",
        error=_cut(_without_values(error, sql or ""), share),
        hint=_cut(error.hint, share),
        columns=_cut("\n".join(_real_columns(sql or reply, schema)), share),
    )
    later = (("assistant", _cut(reply, share)), ("user", turn))
    added = sum(estimate(content) + _TURN_TOKENS for _, content in later)
    return replace(
        prompt,
        later=prompt.later + later,
        estimated_tokens=prompt.estimated_tokens + added,
        room_tokens=max(0, prompt.room_tokens - added),
    )


def _lately(turns: Sequence[Example], profile: Profile) -> tuple[Example, ...]:
    """Return as many of the last turns as a share of the context holds."""
    left = int(profile.context_tokens * _TURNS_SHARE)
    kept: list[Example] = []
    for turn in reversed(turns):
        left -= estimate(turn.question) + estimate(turn.sql) + 2 * _TURN_TOKENS
        if left < 0:
            break
        kept.insert(0, turn)
    return tuple(kept)


def _converse(turns: Sequence[Example], tail: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the end of the first user's turn, and the turns after it, up to the question."""
    said: list[tuple[str, str]] = []
    for turn in turns:
        said.append(("user", f"Question: {_one_line(turn.question)}\n"))
        said.append(("assistant", f"```sql\n{_one_line(turn.sql)}\n```"))
    (_, first), *later = (*said, ("user", tail))
    return first, tuple(later)


def _exemplify(examples: Sequence[Example], profile: Profile) -> str:
    """Write the examples, as many of the best as a share of the context holds."""
    left = int(profile.context_tokens * _EXAMPLES_SHARE)
    pairs: list[str] = []
    for example in reversed(examples):
        where = "these" if example.taught else "other"
        pair = _fill("example", where=where, question=_one_line(example.question),
                     sql=_one_line(example.sql))  # fmt: skip
        left -= estimate(pair)
        if left < 0:
            break
        pairs.insert(0, pair)
    return "".join(pairs)


def _one_line(text: str) -> str:
    """Return a text that neither breaks a line nor ends a fence: it is data, whoever wrote it."""
    return " ".join(text.split()).replace("```", "'''")


def _spell(found: Iterable[periods.Period]) -> str:
    """Write the periods that a question names on a line of their own, if any."""
    spelled = [f'"{p.phrase}" is from {p.start} until before {p.end}' for p in found]
    return f"\n({'; '.join(spelled)})" if spelled else ""


def _tell(hit: Hit, names: Names) -> str:
    """Say on one line where a value stands that the question names."""
    table = names.of(hit.place.schema, hit.place.relation)
    return f"{literal(hit.text)} is a value of {table}.{names.write(hit.place.column)}"


def _without_values(error: Nl2sqlError, sql: str) -> str:
    """Return the message, less what a data error (class 22) quotes of a row: no row is shown."""
    message = str(error)
    if not (isinstance(error, NoValidSql) and error.server_sqlstate.startswith("22")):
        return message
    return re.sub(
        r'"(.*)"',
        lambda quoted: quoted[0] if quoted[1] in sql else '"..."',
        message,
        flags=re.DOTALL,
    )


def _real_columns(text: str, schema: Schema) -> Iterable[str]:
    names = Names(schema)
    written = {word.lower() for word in re.findall(r"\w+", text)}
    involved = [r for r in schema.relations if set(re.findall(r"\w+", r.name.lower())) <= written]
    if involved:
        return (columns(relation, names) for relation in involved)
    return (names.of(relation.schema, relation.name) for relation in schema.relations)


def _cut(text: str, size: int) -> str:
    """Cut to `size` bytes, at the end of a character."""
    data = text.encode()
    return text if len(data) <= size else data[:size].decode(errors="ignore") + " ..."


def _fill(name: str, **values: str) -> str:
    return _template(name).substitute(values)


@cache
def _template(name: str) -> Template:
    """Read a template, less the header of lines with # that lists its variables."""
    text = (files("nl2sql_fdw.prompts") / f"{name}.txt").read_text("utf-8")
    return Template(re.sub(r"\A(#.*\n)+", "", text))
