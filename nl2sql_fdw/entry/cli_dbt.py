"""`nl2sql dbt freeze`: write what dbt's own Jinja can only print."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from nl2sql_fdw.errors import BadSetup

app = typer.Typer(help="Freeze the answers of a dbt project.", no_args_is_help=True)

_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


@app.command(context_settings=_PASSED_ON)
def freeze(
    context: typer.Context,
    project: Annotated[Path, typer.Option(help="folder of dbt_project.yml")] = Path(),
    out: Annotated[Path, typer.Option(help="the file to write, below the project")] = Path(
        "macros/nl2sql_frozen.sql"
    ),
    dbt: Annotated[str, typer.Option(help="the dbt program")] = "dbt",
    refresh: Annotated[bool, typer.Option(help="ask again what is frozen already")] = False,
) -> None:
    """Ask the questions that are not frozen yet, and write their SQL into the project.

    What else is given is passed on to dbt (--target, --profiles-dir, ...). A question without an
    answer is named and makes the command fail, after the others are written.
    """
    target = project / out
    words = [
        "--quiet",
        "run-operation",
        "nl2sql_freeze",
        "--args",
        f"{{refresh: {refresh}}}".lower(),
    ]
    done = subprocess.run(
        [_program(dbt), *words, *context.args],
        cwd=project,
        env={**os.environ, "DBT_USE_COLORS": "false"},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
    )
    written, said = _parted(done.stdout)
    if written:
        _replace(target, written)
        (project / "target" / "partial_parse.msgpack").unlink(
            missing_ok=True
        )  # knows no new parent
        print(f"Wrote {target}: read the SQL, and commit it.")
    if said:
        print(said, file=sys.stderr)
    if done.returncode or not written:
        raise typer.Exit(done.returncode or 1)


def _program(dbt: str) -> str:
    found = shutil.which(dbt)
    if found is None:
        raise BadSetup(
            f"There is no program {dbt}.",
            detail="Layer: dbt. It is looked for on PATH.",
            hint="Activate dbt's environment, or name the program: nl2sql dbt freeze --dbt PATH",
        )
    return str(Path(found).absolute())


def _parted(output: str) -> tuple[str, str]:
    """Part the printed file from dbt's words around it; no file where it is not whole."""
    start = output.find("{# Written by nl2sql_freeze")
    closing = "\n{% endmacro %}\n"
    end = output.find(closing, max(start, 0))
    if start < 0 or end < 0:
        return "", output.strip()
    end += len(closing)
    return output[start:end], (output[:start] + output[end:]).strip()


def _replace(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.new")
    draft.write_text(text, "utf-8")
    draft.replace(target)
