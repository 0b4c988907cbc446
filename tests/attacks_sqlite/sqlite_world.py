"""A file worth attacking, a host that holds more, and what each attack would leave."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from nl2sql_fdw.database.growth import measure

HERE = Path(__file__).parent
FILE = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, pay REAL);
INSERT INTO person VALUES (1, 'Ada', 10), (2, 'Bob', 20), (3, 'Cyd', 30);
CREATE TABLE sale (id INTEGER PRIMARY KEY AUTOINCREMENT, person_id INT, at TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)
  INSERT INTO sale SELECT i, i % 3 + 1, 'day ' || i FROM n;
CREATE INDEX sale_at ON sale (at);
ANALYZE;
DELETE FROM sqlite_stat1 WHERE tbl = 'person';
CREATE TABLE note (body TEXT DEFAULT 'SCHEMA-SECRET');
CREATE VIEW v_pay AS SELECT sum(pay) AS pay FROM person;
CREATE VIEW v_schema AS SELECT sql FROM sqlite_master;
CREATE VIEW v_secret AS SELECT host_secret() AS x;
CREATE VIEW v_secret2 AS SELECT x || '!' AS x FROM v_secret;
CREATE VIEW v_write AS SELECT host_write('made.txt', name) AS x FROM person;
CREATE VIRTUAL TABLE doc USING fts5(body);
INSERT INTO doc VALUES ('a long text');
"""
VAULT = "CREATE TABLE gold (code TEXT); INSERT INTO gold VALUES ('VAULT-SECRET')"
PRAGMAS = (
    "writable_schema", "query_only", "foreign_keys", "secure_delete", "cache_size", "temp_store",
    "synchronous", "locking_mode", "reverse_unordered_selects", "recursive_triggers",
    "journal_size_limit",
)  # fmt: skip


class Attack(NamedTuple):
    """One statement, and what would be true had it worked: a predicate and its argument."""

    place: str
    predicate: str
    argument: str
    sql: str


def corpus() -> list[Attack]:
    """Return the attacks of corpus.sql: a line `-- predicate argument: words`, then the SQL."""
    found, line = [], 1
    text = (HERE / "corpus.sql").read_text()
    for block in text.strip().split("\n\n"):
        head, sql = block.split("\n", 1)
        told = head.removeprefix("-- ").split(": ")[0]
        predicate, _, argument = told.partition(" ")
        found.append(Attack(f"corpus.sql:{line}", predicate, argument, sql))
        line += block.count("\n") + 2
    return found


class World:
    """A folder with the file, open on a connection of a host that has opened everything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = sqlite3.connect(folder / "data.db", isolation_level=None)
        self._dress()
        self.host.executescript(FILE)
        with sqlite3.connect(folder / "vault.db") as vault:
            vault.executescript(VAULT)
        vault.close()
        self.host.execute("ATTACH ? AS vault", [str(folder / "vault.db")])
        self.host.execute("CREATE TEMP TABLE scratch AS SELECT 'TEMP-SECRET' AS word")
        self.host.execute("SELECT count(*) FROM json_each('[]')").fetchone()

    def _dress(self) -> None:
        def write(name: str, text: str) -> int:
            (self.folder / name).write_text(str(text))
            return 1

        def order(one: str, other: str) -> int:
            (self.folder / "ordered").write_text("HOST-SECRET")
            return (one > other) - (one < other)

        self.host.create_function("host_secret", 0, lambda: "HOST-SECRET")
        self.host.create_function("host_write", 2, write)
        self.host.create_function("regexp", 2, lambda pattern, name: write(name, pattern))
        self.host.create_function("match", 2, write)
        self.host.create_aggregate("host_sum", 1, _Sum)  # type: ignore[arg-type]
        self.host.create_collation("host_order", order)
        self.host.enable_load_extension(True)

    def state(self) -> dict[str, Any]:
        """Return all that an attack may leave different."""
        read = self.host.execute
        return {
            "changed": [_rows(self.host, "main"), _rows(self.host, "vault"),
                        read("PRAGMA main.user_version").fetchall(),
                        read("PRAGMA main.application_id").fetchall()],
            "session": [
                *(read(f"PRAGMA main.{name}").fetchall() for name in PRAGMAS),
                read("SELECT name FROM pragma_database_list").fetchall(),
                read("SELECT name FROM sqlite_temp_master").fetchall(),
                _table(self.host, "temp", "scratch"),
                self.host.in_transaction,
                read("SELECT 'a' LIKE 'A'").fetchone(),
            ],
            "files": sorted(path.name for path in self.folder.iterdir()),
        }  # fmt: skip


class _Sum:
    def step(self, value: object) -> None:
        """Take one row."""

    def finalize(self) -> str:
        return "HOST-SECRET"


def _rows(host: sqlite3.Connection, database: str) -> list[Any]:
    schema = host.execute(f"SELECT type, name, sql FROM {database}.sqlite_master").fetchall()
    tables = [name for kind, name, _ in schema if kind == "table"]
    return [schema, *(_table(host, database, name) for name in tables)]


def _table(host: sqlite3.Connection, database: str, name: str) -> object:
    try:
        return host.execute(f'SELECT * FROM {database}."{name}"').fetchall()
    except sqlite3.OperationalError as error:
        return str(error)


def spent() -> dict[str, float]:
    """Return this process's own seconds, its highest memory and what it has written."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    now = measure()
    assert now is not None
    return {"slow": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss * 1024, "disk": now[1]}


def worked(
    attack: Attack,
    reply: str,
    before: dict[str, Any],
    after: dict[str, Any],
    used: dict[str, float],
    rows: Iterable[object],
) -> bool:
    """Tell whether the attacker got what was wanted; an error or a refusal is no predicate."""
    predicate, argument = attack.predicate, attack.argument
    if predicate in ("changed", "session"):
        return before[predicate] != after[predicate]
    if predicate == "file":
        return argument in after["files"]
    if predicate == "shows":
        return argument in reply or (argument == "HOST-SECRET" and "ordered" in after["files"])
    if predicate in LIMITS:
        return used[predicate] > LIMITS[predicate]
    listed = list(rows)
    if predicate == "many":
        return len(listed) > MAX_ROWS or len(reply) > MAX_BYTES * 2
    assert predicate == "silent"
    return bool(listed)


MAX_ROWS, MAX_BYTES = 200, 200_000
LIMITS = {"slow": 4.0, "memory": 400_000_000, "disk": 400_000_000}
"""Seconds of this process, bytes of memory, bytes written: well over the profile's limits."""
