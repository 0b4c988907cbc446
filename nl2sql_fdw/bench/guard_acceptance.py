"""Count how many honest queries the guard lets through: python -m ... --path DIR.

DIR holds the gold queries of Spider, Spider train, Defog and BIRD. A query counts where
PostgreSQL accepts it: Spider's by their own mark, Defog's as given, BIRD's (which come
without databases) where the parser does. Ends with `gold accepted=A total=B`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nl2sql_fdw.guard import check


class Gold(NamedTuple):
    """One query that a person wrote, and the suite it comes from."""

    suite: str
    sql: str


def golds(path: Path) -> Iterator[Gold]:
    """Yield every gold query below the path that PostgreSQL accepts, each text once a suite."""
    seen: set[Gold] = set()
    for gold in _all_golds(path):
        if gold not in seen:
            seen.add(gold)
            yield gold


def _all_golds(path: Path) -> Iterator[Gold]:
    for item in _read(path / "spider" / "questions.json"):
        if item["pg_clean"]:
            yield Gold("spider", item["gold_pg"])
    for item in _read(path / "spider_train" / "questions.json"):
        if item["pg"] == "ok":
            yield Gold("spider_train", item["gold_pg"])
    for item in _read(path / "defog" / "questions_pg.json"):
        for sql in item["golds"]:
            yield Gold("defog", sql)
    for item in _read(path / "bird" / "mini_dev_pg_gold.json"):
        if _parses(item["gold_pg"]):
            yield Gold("bird", item["gold_pg"])


def _read(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _parses(sql: str) -> bool:
    from pglast.parser import ParseError, parse_sql

    try:
        parse_sql(sql)
    except ParseError:
        return False
    return True


def timings(path: Path) -> list[float]:
    """Return the guard's time for each BIRD and Spider gold, in milliseconds."""
    check("SELECT 1")  # the lists are read and the parser loaded once, not per query
    times = []
    for gold in golds(path):
        if gold.suite in ("bird", "spider"):
            start = time.perf_counter()
            check(gold.sql)
            times.append((time.perf_counter() - start) * 1000)
    return times


def main() -> int:
    """Print each refusal with its reason, the suites, the median time and the total."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--path", type=Path, required=True)
    path = parser.parse_args().path
    totals: dict[str, list[int]] = {}
    for gold in golds(path):
        verdict = check(gold.sql)
        counts = totals.setdefault(gold.suite, [0, 0])
        counts[0] += verdict.allowed
        counts[1] += 1
        if not verdict.allowed:
            print(f"refused {gold.suite} {verdict.layer}: {verdict.reason}\n    {gold.sql}")
    for suite, (accepted, total) in totals.items():
        print(f"{suite} accepted={accepted} total={total}")
    print(f"guard_median={statistics.median(timings(path)):.3f} ms")
    accepted = sum(counts[0] for counts in totals.values())
    print(f"gold accepted={accepted} total={sum(counts[1] for counts in totals.values())}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
