"""A real streaming replica of the test cluster, for as long as a test needs it."""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from nl2sql_fdw.servers import choose
from scripts.local.place import cluster_owner

PORT = "5439"


@contextmanager
def replica(primary: psycopg.Connection) -> Iterator[tuple[Path, Path]]:
    """Copy the running cluster and follow it; gives the socket folder and the server's log."""
    account = pwd.getpwnam(cluster_owner())
    folder = Path(tempfile.mkdtemp(prefix="nl2sql-", dir="/tmp"))
    os.chown(folder, account.pw_uid, account.pw_gid)
    programs = choose(primary.info.server_version // 10_000).bindir
    data, log = folder / "data", folder / "log"

    def run(program: str, *arguments: object) -> None:
        as_owner = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        subprocess.run(
            [programs / program, *map(str, arguments)],
            check=True,
            stdout=subprocess.DEVNULL,  # a pipe would stay open as long as the server runs
            cwd="/",
            **(as_owner if os.geteuid() == 0 else {}),
        )

    try:
        info = primary.info
        where = ("-h", info.host, "-p", info.port, "-U", info.user, "-D", data)
        how = ("--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync")
        run("pg_basebackup", *where, *how)
        options = ["-c", "listen_addresses=", "-k", str(folder), "-p", PORT, "-c", "fsync=off"]
        run("pg_ctl", "-D", data, "-l", log, "-o", shlex.join(options), "-w", "start")
        try:
            yield folder, log
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)
