"""The `nl2sql` command: ask a database, and look after models and servers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from nl2sql_fdw import __version__
from nl2sql_fdw.entry import cli_bench, cli_dbt, cli_explain, cli_model, cli_setup
from nl2sql_fdw.errors import Nl2sqlError, ServerError
from nl2sql_fdw.types import Answer, Profile, Result

app = typer.Typer(
    help="Ask your database in plain language, on a local model.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(cli_model.app, name="model")
app.add_typer(cli_setup.app, name="pg")
app.add_typer(cli_dbt.app, name="dbt")
app.command()(cli_setup.doctor)
app.command()(cli_bench.bench)
app.command()(cli_explain.explain)

_out = Console(highlight=False, soft_wrap=True)
_err = Console(stderr=True, highlight=False, soft_wrap=True)


@app.command()
def ask(
    subject: Annotated[str, typer.Argument(metavar="[FILE] QUESTION", show_default=False)],
    question: Annotated[str | None, typer.Argument(hidden=True)] = None,
    dsn: Annotated[str, typer.Option(help="libpq connection string or URI")] = "",
    show: Annotated[
        Literal["rows", "sql", "prompt", "plan"], typer.Option(help="what to print")
    ] = "rows",
    reader: Annotated[str, typer.Option(help="role to read as, if we may")] = "nl2sql_reader",
    schemas: Annotated[str, typer.Option(help="schemas to ask about, comma-separated")] = "",
    provider: Annotated[Literal["openai", "ollama"], typer.Option()] = "openai",
    model_url: Annotated[str, typer.Option(envvar="NL2SQL_MODEL_URL")] = Profile.model_url,
    model: Annotated[str, typer.Option(envvar="NL2SQL_MODEL")] = Profile.model_name,
    max_rows: Annotated[int, typer.Option(min=1)] = Profile.max_rows,
    time_limit_ms: Annotated[int, typer.Option(min=1)] = Profile.time_limit_ms,
) -> None:
    """Ask one question of a PostgreSQL server as the reader, or of the SQLite FILE.

    Needs nothing installed in the server. The SQL runs in a read-only transaction; a file is
    opened for reading only.
    """
    from nl2sql_fdw.entry import remote, sqlite_file

    profile = Profile(
        reader=reader,
        schemas=tuple(filter(None, schemas.split(","))) or None,
        model_provider=provider,
        model_url=model_url,
        model_name=model,
        max_rows=max_rows,
        time_limit_ms=time_limit_ms,
    )
    with _err.status("connecting") as spinner:
        if show == "prompt" and question is not None:
            _out.print(sqlite_file.prompt(question, Path(subject), profile), markup=False)
            return
        if show == "prompt":
            _out.print(remote.prompt(subject, dsn, profile), markup=False)
            return
        if question is not None:
            file = Path(subject)
            found = sqlite_file.ask(question, file, profile, show == "rows", spinner.update)
        else:
            found = remote.ask(subject, dsn, profile, show == "rows", spinner.update)
    _print(found, show)


@app.command(hidden=True)
def sqlite_worker() -> None:
    """Serve one connection of the SQLite extension, which starts this; not for the terminal."""
    from nl2sql_fdw.entry import sqlite_worker

    sqlite_worker.main()


@app.command()
def version() -> None:
    """Print the version."""
    _out.print(__version__)


def _print(found: Answer, show: str) -> None:
    if found.error:
        raise found.error
    if show == "sql":
        _out.print(found.sql, markup=False)
    elif show == "plan" and found.result and found.result.plan:
        _out.print(json.dumps(found.result.plan.tree, indent=2), markup=False)
    elif found.result:
        _err.print(found.sql, style="dim", markup=False)
        _out.print(_table(found.result))


def _table(result: Result) -> Table:
    table = Table(*(name for name, _ in result.columns))
    for row in result.rows:
        pairs = json.loads(row, object_pairs_hook=list, parse_float=str, parse_int=str)
        table.add_row(*("" if value is None else _cell(value) for _, value in pairs))
    return table


def _cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Run the command; an error is three lines on standard error, never a traceback."""
    try:
        app()
    except (Nl2sqlError, ServerError) as error:
        _err.print(f"[bold red]{error.sqlstate}[/] ", end="")
        _err.print(error.message, markup=False)
        for label, text in (("detail", error.detail), ("hint", error.hint)):
            if text:
                _err.print(f"  {label}: {text}", markup=False)
        if "NL2SQL_DEBUG" in os.environ:
            raise
        raise SystemExit(1) from None
