"""How long the guard takes, and what it takes, for honest texts and for hostile ones."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from corpus import read_all

from nl2sql_fdw.guard import check

HOSTILE = {
    "100 kB of columns": "SELECT " + ", ".join(f"column_{i}" for i in range(8_000)) + " FROM t",
    "100 kB of one literal": "SELECT '" + "x" * 100_000 + "'",
    "5,000 brackets deep": "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "5,000 subqueries deep": "SELECT " + "(SELECT " * 5_000 + "1" + ")" * 5_000,
    "5,000 NOTs deep": "SELECT " + "NOT " * 5_000 + "true",
    "5,000 CASEs deep": "SELECT " + "CASE WHEN true THEN " * 5_000 + "1" + " END" * 5_000,
    "5,000 joins": "SELECT 1 FROM t" + ", t" * 5_000,
    "5,000 UNIONs": "SELECT 1" + " UNION SELECT 1" * 5_000,
}
MAX_MS, MAX_MB = 50, 64
ACCEPTED = Path(__file__).parents[1] / "guard" / "accepted.sql"


def speeds() -> Iterator[str]:
    """Yield the median over honest queries, and time and memory of each hostile one."""
    yield f"guard_honest_median={statistics.median(honest_ms()):.3f} ms"
    yield f"guard_attack_median={statistics.median(attack_ms()):.3f} ms"
    for name in HOSTILE:
        milliseconds, megabytes = hostile(name)
        yield f"guard_refuses {name}: {milliseconds:.1f} ms, {megabytes:.1f} MB"


def honest_ms() -> list[float]:
    text = ACCEPTED.read_text(encoding="utf-8")
    return [_time(block.partition("\n")[2]) for block in text.strip().split("\n\n")]


def attack_ms() -> list[float]:
    return [_time(attack.body) for attack in read_all()]


def _time(sql: str) -> float:
    began = time.perf_counter()
    check(sql)
    return (time.perf_counter() - began) * 1000


def hostile(name: str) -> tuple[float, float]:
    """Return milliseconds and added megabytes of one refusal, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
        text=True,
    )
    milliseconds, megabytes = done.stdout.split()
    return float(milliseconds), float(megabytes)


def main() -> None:
    """Refuse the text named on the command line; print its time and the memory it added."""
    sql = HOSTILE[sys.argv[1]]
    check("SELECT count(*) FROM t WHERE a = 1")  # the lists read, the parser loaded
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    if check(sql).allowed:
        raise SystemExit(f"{sys.argv[1]}: the guard accepts it")
    milliseconds = (time.perf_counter() - began) * 1000
    added_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(milliseconds, added_kb / 1024)


if __name__ == "__main__":
    main()
