"""The extension, built from this checkout and loaded into connections of Python's sqlite3."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

ROOT = Path(__file__).parents[2]
SHOP = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, total REAL);
INSERT INTO customer (name, city) VALUES ('Ann', 'Oslo'), ('Bob', 'Rome'), ('Cy', 'Oslo');
INSERT INTO "order" (customer_id, total) VALUES (1, 10.5), (1, 4), (2, 3);
"""


def build(folder: Path) -> Path:
    return run_path(str(ROOT / "extension" / "sqlite" / "build.py"))["build"](folder)


def program(folder: Path, script: Path) -> Path:
    """Write a program that runs a Python script of the tests, as NL2SQL_WORKER names one."""
    path = folder / script.stem
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    path.chmod(0o755)
    return path


def load(library: Path, database: str | Path = ":memory:", **options: Any) -> sqlite3.Connection:
    """Open a database with the extension in it; a new one gets the shop."""
    fresh = str(database) == ":memory:" or not Path(database).exists()
    connection = sqlite3.connect(database, isolation_level=None, **options)
    connection.enable_load_extension(True)
    connection.load_extension(str(library))
    connection.enable_load_extension(False)
    if fresh:
        connection.executescript(SHOP)
    return connection


def one(connection: sqlite3.Connection, sql: str, *values: object) -> Any:
    """Return the first value of the first row."""
    return connection.execute(sql, values).fetchone()[0]


def children() -> dict[int, str]:
    """Return the processes that this one has started and not waited for, with their state."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,stat=,comm=", "--ppid", str(os.getpid())],
        capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    found = (line.split(None, 2) for line in listed.splitlines())
    return {int(pid): state for pid, state, command in found if command != "ps"}
