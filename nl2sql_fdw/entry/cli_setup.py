"""`nl2sql pg install` and `nl2sql doctor`."""

from __future__ import annotations

import pwd
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nl2sql_fdw.types import Profile

if TYPE_CHECKING:
    from nl2sql_fdw.doctor import Check

app = typer.Typer(help="Put the extension into a PostgreSQL server.", no_args_is_help=True)
_out = Console(highlight=False, soft_wrap=True)
_COLOURS = {"ok": "green", "warning": "yellow", "missing": "red"}

Dest = Annotated[
    Path | None,
    typer.Option(envvar="NL2SQL_PG_DEST", help="folder put before every path, as DESTDIR is"),
]


@app.callback()
def _pg() -> None:
    """Put the extension into a PostgreSQL server."""


@app.command()
def install(
    pg_config: Annotated[
        Path | None, typer.Option(envvar="PG_CONFIG", help="the pg_config of the server")
    ] = None,
    dest: Dest = None,
    server_user: Annotated[
        str, typer.Option(help="account the server runs as; it must be able to read the package")
    ] = "",
) -> None:
    """Copy the extension's files into the server, with this package's import path written in."""
    from nl2sql_fdw import servers
    from nl2sql_fdw.install import install, roles_script

    server = servers.describe(pg_config.resolve()) if pg_config else servers.choose()
    done = install(server, dest and dest.resolve(), server_user or _server_user())
    for file in done.files:
        state = "written" if file in done.changed else "unchanged"
        _out.print(f"{state:10}{file}", markup=False)
    folders = ", ".join(map(str, done.import_path))
    _out.print(f"Python {server.python} of the server imports from {folders}", markup=False)
    _out.print("Next, in each database, as a superuser:", markup=False)
    _out.print('  psql -c "CREATE EXTENSION nl2sql CASCADE"', markup=False)
    _out.print(f"  psql -f {roles_script()} -v asker=WHO_MAY_ASK -v schemas=public", markup=False)


def _server_user() -> str | None:
    """Return the account that Debian's and most packages run the server as, if it is here."""
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return None


def doctor(
    dsn: Annotated[str, typer.Option(help="libpq connection string or URI")] = "",
    profile: Annotated[str, typer.Option(help="the profile whose parts are checked")] = "default",
    model: Annotated[str, typer.Option(envvar="NL2SQL_MODEL")] = Profile.model_name,
    model_url: Annotated[str, typer.Option(envvar="NL2SQL_MODEL_URL")] = Profile.model_url,
    dest: Dest = None,
    deep: Annotated[bool, typer.Option("--deep", help="also hash the model's file")] = False,
) -> None:
    """Name whatever is missing, and the command that mends it; exit status 1 if anything is."""
    from nl2sql_fdw import doctor

    def checks() -> Iterator[Check]:
        yield from doctor.machine(dest)
        yield from doctor.runtime(model, model_url, deep)
        yield from doctor.database(dsn, profile)

    missing = 0
    for check in checks():
        missing += check.status == "missing"
        _show(check)
    if missing:
        raise typer.Exit(1)


def _show(check: Check) -> None:
    """Print one finding, its command whole and on a line of its own, to be copied."""
    colour = _COLOURS.get(check.status, "red")
    _out.print(f"[{colour}]{check.status:8}[/]{check.component:24}{escape(check.detail)}")
    if check.hint:
        _out.print(f"{'':8}{'to mend it:':24}{escape(check.hint)}")
