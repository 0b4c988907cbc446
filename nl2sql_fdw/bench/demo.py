"""Ask the demo's twenty questions through the database's own SQL, and count the right answers.

    python -m nl2sql_fdw.bench.demo --dsn 'dbname=demo user=analyst'

Right means the gold's rows and no others, in order where the gold orders, and no column
more (see compare.same_result). The last line is for scripts.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import psycopg
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from nl2sql_fdw.bench.compare import Rows, same_result
from nl2sql_fdw.bench.confidence import interval
from nl2sql_fdw.bench.gold import read_rows, run_gold

QUESTIONS = Path(__file__).parents[2] / "sql" / "demo_questions.json"
ASK = "SELECT status, sql, rows::text, truncated, message FROM nl2sql_ask(%s)"


@dataclass(frozen=True)
class Question:
    """`gold` is SQL that gives the one right answer, in order where `ordered` says so."""

    question: str
    gold: str
    ordered: bool


@dataclass(frozen=True)
class Reply:
    """What nl2sql_ask said; `rows` is None where there is no answer, and `message` says why."""

    sql: str | None
    rows: Rows | None
    message: str
    seconds: float


@dataclass(frozen=True)
class Score:
    """One question's outcome; `right_if_wider` overlooks columns that nobody asked for."""

    question: Question
    reply: Reply
    right: bool
    right_if_wider: bool


def load(path: Path) -> list[Question]:
    """Read the questions and their gold SQL."""
    return [Question(**entry) for entry in json.loads(path.read_text())]


def measure(
    questions: Sequence[Question], asker: psycopg.Connection, judge: psycopg.Connection
) -> Iterator[Score]:
    """Ask each question as `asker`, run its gold as `judge`, and compare.

    Both connections autocommit. Raises psycopg.Error where a gold fails or a connection is lost.
    """
    for question in questions:
        reply = ask(asker, question.question)
        gold = run_gold(judge, question.gold)
        yield Score(
            question,
            reply,
            _matches(question, gold, reply),
            _matches(question, gold, reply, extra_columns=True),
        )


def ask(asker: psycopg.Connection, question: str) -> Reply:
    """Ask one question; an error the function raises is a reply too, unless it cut the line."""
    start = time.perf_counter()
    try:
        found = asker.execute(ASK, [question]).fetchone()
    except psycopg.Error as error:
        if asker.closed:
            raise
        return Reply(None, None, f"{error.sqlstate}: {error}", time.perf_counter() - start)
    seconds = time.perf_counter() - start
    if found is None:
        raise ValueError("nl2sql_ask gave no row")
    status, sql, rows, truncated, message = found
    if status != "answered" or truncated:
        why = "only a part of the rows" if truncated else f"{status}: {message}"
        return Reply(sql, None, why, seconds)
    return Reply(sql, read_rows(rows), "", seconds)


def _matches(question: Question, gold: Rows, reply: Reply, extra_columns: bool = False) -> bool:
    return reply.rows is not None and same_result(gold, reply.rows, question.ordered, extra_columns)


def show(scores: Sequence[Score], console: Console) -> None:
    """Print a line per question, with the SQL or the reason where the answer is wrong."""
    table = Table("question", "right", "seconds", "what it did instead", show_lines=True)
    for score in scores:
        instead = "\n".join(filter(None, (score.reply.sql, score.reply.message)))
        table.add_row(
            score.question.question,
            "[green]yes[/]" if score.right else "[red]no[/]",
            f"{score.reply.seconds:.1f}",
            "" if score.right else _plain(instead),
        )
    console.print(table)


def _plain(text: str) -> str:
    """Return text that rich prints as it is: SQL has square brackets too."""
    from rich.markup import escape

    return escape(text)


def summary(scores: Sequence[Score]) -> list[str]:
    """Return the closing lines; scripts read the last one."""
    total, right = len(scores), sum(score.right for score in scores)
    wider = sum(score.right_if_wider for score in scores)
    low, high = interval(right, total)
    median = statistics.median(score.reply.seconds for score in scores)
    return [
        f"share right {right / total:.0%}, 95 % interval {low:.0%} to {high:.0%};"
        f" {wider} right if columns nobody asked for are overlooked",
        f"demo right={right} total={total} median_s={median:.2f}",
    ]


def main(
    dsn: Annotated[str, typer.Option(help="who asks: libpq string; PG* variables fill it")] = "",
    gold_dsn: Annotated[str, typer.Option(help="who runs the gold SQL (default: who asks)")] = "",
    questions: Annotated[Path, typer.Option(exists=True, dir_okay=False)] = QUESTIONS,
    at_least: Annotated[int, typer.Option(help="exit with 1 when fewer are right")] = 0,
) -> None:
    """Ask the demo's questions and count the right answers."""
    asked = load(questions)
    with (
        psycopg.connect(dsn, autocommit=True) as asker,
        psycopg.connect(gold_dsn or dsn, autocommit=True) as judge,
    ):
        outcomes = measure(asked, asker, judge)
        progress = Console(stderr=True)
        scores = list(track(outcomes, "asking", total=len(asked), console=progress))
    show(scores, Console())
    for line in summary(scores):
        print(line)
    if sum(score.right for score in scores) < at_least:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
