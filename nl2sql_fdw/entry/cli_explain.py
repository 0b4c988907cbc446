"""`nl2sql explain`: a query, or the query for a question, in words and points."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from nl2sql_fdw.account import Account
from nl2sql_fdw.explain.score import PARTS
from nl2sql_fdw.types import Index, Profile

_out = Console(highlight=False, soft_wrap=True)
_err = Console(stderr=True, highlight=False, soft_wrap=True)


def explain(
    subject: Annotated[str, typer.Argument(help="a SELECT, or a question")],
    dsn: Annotated[str, typer.Option(help="libpq connection string or URI")] = "",
    reader: Annotated[str, typer.Option(help="role to read as, if we may")] = "nl2sql_reader",
    schemas: Annotated[str, typer.Option(help="schemas to read, comma-separated")] = "",
    provider: Annotated[Literal["openai", "ollama"], typer.Option()] = "openai",
    model_url: Annotated[str, typer.Option(envvar="NL2SQL_MODEL_URL")] = Profile.model_url,
    model: Annotated[str, typer.Option(envvar="NL2SQL_MODEL")] = Profile.model_name,
) -> None:
    """Say in words what a query does, how safe it is and what would make it faster; run nothing."""
    from nl2sql_fdw.entry import remote

    profile = Profile(
        reader=reader,
        schemas=tuple(filter(None, schemas.split(","))) or None,
        model_provider=provider,
        model_url=model_url,
        model_name=model,
    )
    with _err.status("connecting") as spinner:
        told = remote.explain(subject, dsn, profile, spinner.update)
    _print(told)


def _print(told: Account) -> None:
    _err.print(told.sql, style="dim", markup=False)
    if told.error:
        _out.print(f"It would not run: {told.error.message}", markup=False)
    _out.print(told.words, markup=False)
    _out.print(_scores(told))
    for join in told.joins:
        _out.print(
            f"join: {join['on']}: {join['key'] or join['warning'] or 'derived'}", markup=False
        )
    for index in told.indexes:
        _out.print(_advice(index), markup=False)


def _scores(told: Account) -> Table:
    table = Table("part", "score", "why", title=f"Safety {told.score.whole} of 100")
    for part in PARTS:
        reasons = [f"-{each.points} {each.words}" for each in getattr(told.score, part)]
        table.add_row(part, str(told.score.of(part)), "\n".join(reasons))
    return table


def _advice(index: Index) -> str:
    if index.cost_after is None:
        return f"index: {index.statement}; (from the plan, not tried)"
    return f"index: {index.statement}; (cost {index.cost_before:.0f} -> {index.cost_after:.0f})"
