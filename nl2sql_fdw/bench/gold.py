"""Run gold SQL and judge an answer by it: both come as the JSON that the server makes of rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Protocol

import psycopg

from nl2sql_fdw.bench.compare import Rows, same_result


class GoldFailed(Exception):
    """No gold of a question runs: there is nothing to judge an answer by."""


def run_gold(judge: psycopg.Connection[Any], gold: str) -> Rows:
    """Return a gold's rows; its values take the way through JSON that the answer's took.

    Raises psycopg.Error where it does not run.
    """
    text = gold.strip().rstrip(";")
    wrapped = f"SELECT coalesce(json_agg(row_to_json(gold)), '[]')::text FROM (\n{text}\n) AS gold"
    found = judge.execute(wrapped.encode()).fetchone()
    return read_rows(found[0]) if found else []


def read_rows(text: str) -> Rows:
    """Return the values of a JSON array of objects: numerics exact, duplicate names kept."""
    rows: Rows = json.loads(text, parse_float=Decimal, object_pairs_hook=_values)
    return rows


def join_rows(rows: Sequence[str]) -> Rows:
    """Return the values of rows that are a JSON object each, as an Answer has them."""
    return read_rows(f"[{','.join(rows)}]")


def _values(pairs: list[tuple[str, Any]]) -> tuple[Any, ...]:
    return tuple(value for _, value in pairs)


class Judge(Protocol):
    """Runs golds; `failures` are the errors of a gold, `closed` says that none can run any more."""

    @property
    def failures(self) -> tuple[type[Exception], ...]: ...

    @property
    def closed(self) -> bool: ...

    def rows(self, gold: str) -> Rows:
        """Return a gold's rows; raise one of `failures` where it does not run."""

    def orders(self, gold: str) -> bool:
        """Tell whether a gold orders its result."""

    def close(self) -> None: ...


class PostgresJudge:
    """A connection to the database that was asked."""

    failures = (psycopg.Error,)

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection

    @property
    def closed(self) -> bool:
        return self.connection.closed

    def close(self) -> None:
        self.connection.close()

    def rows(self, gold: str) -> Rows:
        return run_gold(self.connection, gold)

    def orders(self, gold: str) -> bool:
        return orders(gold)


def is_right(judge: Judge, golds: Iterable[str], rows: Rows | None, wide: bool) -> bool:
    """Tell whether the rows are those of any gold; None for rows is no answer, hence wrong.

    Order counts where the gold orders. Raises GoldFailed where no gold runs.
    """
    errors, ran, right = [], False, False
    for gold in golds:
        try:
            wanted = judge.rows(gold)
        except judge.failures as error:
            if judge.closed:
                raise
            errors.append(str(error).strip())
            continue
        ran = True
        right = right or (rows is not None and same_result(wanted, rows, judge.orders(gold), wide))
    if not ran:
        raise GoldFailed("; ".join(errors) or "no gold")
    return right


def orders(sql: str) -> bool:
    """Tell whether a query orders its result: ORDER BY at its top level, not below it."""
    from pglast import parse_sql

    return bool(getattr(parse_sql(sql)[0].stmt, "sortClause", None))
