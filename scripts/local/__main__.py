"""The verbs behind the Makefile: `python3 -m scripts.local venv | model | up | down | clean`."""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import sys
from pathlib import Path

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.servers import Server, choose
from scripts.local import cluster, database, environment, llama, model, package, steps
from scripts.local.place import Place, locate

CHECKOUT = Path(__file__).resolve().parents[2]


def venv(place: Place) -> Server:
    """Make the environment with the package in it, and .local/env.sh; nothing is started."""
    server = choose(cluster.version(place))
    package.ensure(place, server)
    environment.write(place, server)
    return server


def up(place: Place) -> None:
    """Bring everything up: package, cluster, extension files, demo database, model."""
    server = venv(place)
    cluster.start(place, server)
    nl2sql = [place.venv / "bin" / "nl2sql", "pg", "install", "--pg-config", server.pg_config]
    options = ["--dest", place.root, "--server-user", place.owner]
    steps.run("Extension files", [*nl2sql, *options], place.logs / "install.log")
    database.ensure(place, server)
    llama.ensure(place, str(server.python))
    model.start(place)
    print("Up. In a shell: . .local/env.sh")


def serve(place: Place) -> None:
    """Bring the model up, and nothing that a SQLite file does not need."""
    server = venv(place)
    llama.ensure(place, str(server.python))
    model.start(place)


def down(place: Place) -> None:
    """Stop the cluster, and the model server where this checkout started it."""
    model.stop(place)
    cluster.stop(place)
    print("Down.")


def clean(place: Place) -> None:
    """Stop everything, then remove .local; the user's cache of weights and wheels stays."""
    down(place)
    if place.sockets.parent != place.local:
        shutil.rmtree(place.sockets, ignore_errors=True)
    shutil.rmtree(place.local)
    link = place.checkout / ".local"
    if link.is_symlink():
        link.unlink()


VERBS = {"venv": venv, "model": serve, "up": up, "down": down, "clean": clean}


def main() -> None:
    """Run one verb, alone in this checkout."""
    parser = argparse.ArgumentParser(prog="scripts.local", description=__doc__)
    parser.add_argument("verb", choices=VERBS)
    verb = VERBS[parser.parse_args().verb]
    os.umask(0o022)
    place = locate(CHECKOUT)
    with (place.local / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        verb(place)


if __name__ == "__main__":
    try:
        main()
    except BadSetup as error:
        sys.exit("\n".join(filter(None, (error.message, error.detail, error.hint))))
    except KeyboardInterrupt:
        sys.exit("Stopped. Run it again to go on from here.")
