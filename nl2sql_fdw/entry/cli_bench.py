"""`nl2sql bench`: measure how often the answers are right, and what they cost."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.types import Profile

if TYPE_CHECKING:
    from nl2sql_fdw.bench.measure import Opening, Run
    from nl2sql_fdw.bench.places import Place
    from nl2sql_fdw.bench.suites import Item

_err = Console(stderr=True, highlight=False, soft_wrap=True)

Suite = Literal["spider", "spider_train", "defog", "questions", "merged", "ranking"]
Out = Annotated[Path, typer.Option(file_okay=False, help="folder of the results; a rerun goes on")]


def bench(
    suite: Suite,
    path: Annotated[
        Path, typer.Option(exists=True, file_okay=False, help="the suite's folder, or its parent")
    ],
    out: Out = Path("results"),
    strategy: Annotated[
        str, typer.Option(help="comma-separated: single, repair, values")
    ] = "single",
    dialect: Annotated[Literal["postgres", "sqlite"], typer.Option()] = "postgres",
    through: Annotated[
        Literal["python", "extension"], typer.Option(help="sqlite: how each file is asked")
    ] = "python",
    limit: Annotated[int | None, typer.Option(min=1, help="ask a sample of so many")] = None,
    seed: Annotated[int, typer.Option(help="which sample")] = 0,
    dsn: Annotated[
        str, typer.Option(help="a test server, as a role that may make databases and roles")
    ] = "",
    provider: Annotated[Literal["openai", "ollama"], typer.Option()] = "openai",
    model: Annotated[str, typer.Option(envvar="NL2SQL_MODEL")] = Profile.model_name,
    model_url: Annotated[str, typer.Option(envvar="NL2SQL_MODEL_URL")] = Profile.model_url,
    reader: Annotated[
        str, typer.Option(help="questions without a dump: role to read as, if we may")
    ] = "nl2sql_reader",
    schemas: Annotated[
        str, typer.Option(help="questions without a dump: schemas, comma-separated")
    ] = "",
    cool_down: Annotated[
        float, typer.Option(min=0.0, help="seconds to rest after each question")
    ] = 0.0,
    warm_up: Annotated[
        bool, typer.Option(help="ask each database one question first, not recorded")
    ] = True,
) -> None:
    """Ask a suite's questions, compare with the gold run live, and write an HTML report.

    Each dump is loaded into a throw-away database of the server, and read by a role made
    for the run. A run that was stopped goes on where it stood. `merged` and `ranking` take
    the folder above spider_train and spider, and load all their dumps into one database;
    `ranking` asks no model: it tells how often the tables of the gold are ranked first.
    """
    from nl2sql_fdw.bench import measure, merged, records, strategies

    items, every = _items(suite, path, dialect, limit, seed)
    if suite == "ranking":
        _rank(items, every, dsn)
        return
    profile = Profile(model_provider=provider, model_url=model_url, model_name=model)
    journal = records.Journal(out, suite, _way(dialect, through))
    run = measure.Run(items, strategies.choose(strategy), profile, journal, warm_up, cool_down)
    with ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # clear up as for Ctrl-C
        if dialect == "sqlite":
            _ask(run, _opening_files(through))
        elif suite == "merged":
            _ask(run, _opening_merged(stack, dsn, merged.dumps(every)))
        else:
            _ask(run, _opening(run, stack, dsn, reader, schemas))
    _report(run, out)


def _way(dialect: str, through: str) -> str:
    """Return the dialect as the results are named by it."""
    if through == "python":
        return dialect
    if dialect != "sqlite":
        raise BadSetup("--through extension is for --dialect sqlite.")
    return "sqlite-extension"


def _items(
    suite: str, path: Path, dialect: str, limit: int | None, seed: int
) -> tuple[Sequence[Item], Sequence[Item]]:
    """Return the sample that is asked, and all that it was drawn from."""
    from nl2sql_fdw.bench import merged, suites

    if suite in ("merged", "ranking"):
        if dialect == "sqlite":
            raise BadSetup(f"The suite {suite} is one database with schemas: not on SQLite.")
        every = merged.load(path)
    else:
        every = suites.load(suite, path / suite if (path / suite).is_dir() else path, dialect)
    return suites.sample(every, limit, seed), every


def _rank(items: Sequence[Item], every: Sequence[Item], dsn: str) -> None:
    """Load all dumps into one database, read its catalog as the asker does, and rank."""
    from nl2sql_fdw import pipeline
    from nl2sql_fdw.bench import merged, ranking, sandbox
    from nl2sql_fdw.database.dsn import DsnDatabase
    from nl2sql_fdw.schema import catalog

    with (
        closing(sandbox.Sandbox(dsn)) as made,
        _err.status("loading") as status,
        made.database(*merged.dumps(every)) as place,
    ):
        profile = Profile(reader=place.reader)
        with closing(DsnDatabase(place.dsn)) as db:
            schema = catalog.read(db, profile)
            for name, variant in ranking.variants(pipeline.ranking(db, profile)):
                status.update(f"{len(items)} of {len(schema.relations)} relations: {name}")
                built = profile if name == "all" else None
                print(ranking.measure(items, schema, variant, built).line(name))


def _opening_merged(stack: ExitStack, dsn: str, dumps: Sequence[Path]) -> Opening:
    """Return the one database of all dumps; the golds look in the schema of their item."""
    from nl2sql_fdw.bench import sandbox

    made = stack.enter_context(closing(sandbox.Sandbox(dsn)))
    place = stack.enter_context(made.database(*dumps))
    return lambda item: nullcontext(replace(place, schemas=None, path=(item.db,)))


def _opening(run: Run, stack: ExitStack, dsn: str, reader: str, schemas: str) -> Opening:
    """Return how a question's database is made ready; without a dump it is the one of `dsn`."""
    from nl2sql_fdw.bench import sandbox

    shown = tuple(filter(None, schemas.split(","))) or None
    dumps = any(item.dump for item, _ in run.left())
    made = stack.enter_context(closing(sandbox.Sandbox(dsn))) if dumps else None

    def opening(item: Item) -> AbstractContextManager[Place]:
        if made and item.dump:
            return made.database(item.dump)
        return nullcontext(sandbox.live(dsn, reader, shown))

    return opening


def _opening_files(through: str) -> Opening:
    """Return how a question's SQLite file is made ready: it is there."""
    from nl2sql_fdw.bench.places import ExtensionPlace, FilePlace
    from nl2sql_fdw.sqlite import extension_path

    library = extension_path() if through == "extension" else ""

    def opening(item: Item) -> AbstractContextManager[Place]:
        if item.dump is None or not item.dump.is_file():
            raise BadSetup(f"There is no file {item.dump} for the questions on {item.db}.")
        file = item.dump
        return nullcontext(ExtensionPlace(file, library) if library else FilePlace(file))

    return opening


def _ask(run: Run, opening: Opening) -> None:
    total = len(run.items) * len(run.names)
    done = total - len(run.left())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=_err) as bar:
        task = bar.add_task("asking", total=total, completed=done)
        try:
            with closing(run.go(opening)) as records:
                for record in records:
                    where = f"{record.db or record.suite} {record.strategy}"
                    bar.update(task, advance=1, description=where)
        finally:
            if left := len(run.left()):
                _err.print(f"{left} questions are left: the same command goes on with them.")


def _report(run: Run, out: Path) -> None:
    """Write the report, warn of what it does not cover, and print the closing lines."""
    from nl2sql_fdw.bench import coverage, report, summary

    records = {name: run.records(name) for name in run.names}
    sums = [summary.summarise(found) for found in records.values()]
    page = out / f"{sums[0].suite}-{sums[0].dialect}.html"
    page.write_text(report.page(records, run.profile.model_name), encoding="utf-8")
    _err.print(f"report: {page}", markup=False)
    for each in sums:
        if each.not_judged:
            _err.print(f"{each.not_judged} golds of {each.strategy} fail: not counted", style="red")
    if any(count is None for each in sums for count in each.tokens.values()):
        _err.print("The model server gave no token counts for some calls: shown as unknown.")
    for first, second, n, split in summary.compare(records):
        print(summary.paired_line(first, second, n, split))
    for name, found in records.items():
        for line in coverage.lines(name, found):
            print(line)
    for each in sums:
        if each.declined.n:
            print(each.refusal_line())
    for each in sums:
        print(each.line())
