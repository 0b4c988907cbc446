"""A real pgbouncer in transaction mode before the test cluster, for as long as a test needs it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from cluster import missing

from scripts.local.place import cluster_owner

PORT = "5441"

CONFIG = """
[databases]
* = host={host} port={port}
[pgbouncer]
pool_mode = transaction
unix_socket_dir = {folder}
listen_addr =
listen_port = {own_port}
auth_type = trust
auth_file = {folder}/users
logfile = {folder}/log
ignore_startup_parameters = extra_float_digits
default_pool_size = 2
"""


@contextmanager
def pooler(primary: psycopg.Connection, *users: str) -> Iterator[str]:
    """Give the folder of its socket; its port is PORT."""
    program = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if program is None:
        missing("no pgbouncer: run scripts/packages.sh")
        return
    account = pwd.getpwnam(cluster_owner())
    folder = Path(tempfile.mkdtemp(prefix="nl2sql-pooler-", dir="/tmp"))
    values = {"host": primary.info.host, "port": primary.info.port}
    text = CONFIG.format(folder=folder, own_port=PORT, **values)
    (folder / "config").write_text(text)
    (folder / "users").write_text("".join(f'"{user}" ""\n' for user in users))
    as_owner = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    for path in (folder, *folder.iterdir()):
        os.chown(path, account.pw_uid, account.pw_gid)
    process = subprocess.Popen(
        [program, "-q", str(folder / "config")],
        cwd="/",
        stderr=subprocess.DEVNULL,
        **(as_owner if os.geteuid() == 0 else {}),
    )
    try:
        deadline = time.monotonic() + 20
        while not (folder / f".s.PGSQL.{PORT}").exists():
            assert process.poll() is None and time.monotonic() < deadline, "pgbouncer is not up"
            time.sleep(0.02)
        yield str(folder)
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)
