"""The file .local/env.sh: what a shell needs so that psql and nl2sql just work."""

from __future__ import annotations

import shlex

from nl2sql_fdw.servers import Server
from scripts.local import cluster, database, model
from scripts.local.place import Place


def write(place: Place, server: Server) -> None:
    """Write .local/env.sh, to be sourced by any POSIX shell from any directory."""
    (place.local / "env.sh").write_text(text(place, server), encoding="utf-8")


def text(place: Place, server: Server) -> str:
    """Return the export lines; PATH is only added to once, however often it is sourced."""
    variables = {
        "PGHOST": place.sockets,
        "PGPORT": cluster.PORT,
        "PGUSER": database.ASKER,
        "PGDATABASE": database.NAME,
        "PG_CONFIG": server.pg_config,
        "NL2SQL_ADMIN": cluster.SUPERUSER,
        "NL2SQL_PG_DEST": place.root,
        "NL2SQL_MODEL_URL": model.URL,
    }
    exports = [f"export {name}={shlex.quote(str(value))}" for name, value in variables.items()]
    programs = shlex.quote(f"{place.venv / 'bin'}:{server.bindir}")
    path = f'case ":$PATH:" in *:{programs}:*) ;; *) export PATH={programs}:"$PATH" ;; esac'
    return "\n".join(["# Written by `make up`. Use it with: . .local/env.sh", *exports, path, ""])
