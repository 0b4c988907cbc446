"""An outcome as JSON text: the form in which sockets, executors and the CLI report.

Rows are spliced in as the text the server made, never parsed: numerics stay exact
and duplicate column names survive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from nl2sql_fdw.account import Account
from nl2sql_fdw.errors import Nl2sqlError, NoValidSql, Refused, ServerError
from nl2sql_fdw.explain import plans
from nl2sql_fdw.explain.score import PARTS
from nl2sql_fdw.types import Answer, JsonText, Result


def text(values: Mapping[str, Any]) -> JsonText:
    return json.dumps(values, ensure_ascii=False)


def header(result: Result, explained: bool = False) -> dict[str, Any]:
    """Return all of a result but its rows; the plan and the indexes where it was `explained`.

    The plan is told without its expressions, which may be those of policies.
    """
    more: dict[str, Any] = {}
    if explained and result.plan:
        more = {"plan": plans.slim(result.plan.tree), "indexes": [*map(asdict, result.indexes)]}
    return {
        **more,
        "columns": result.columns,
        "row_count": len(result.rows),
        "truncated": result.truncated,
        "cost": result.plan.cost if result.plan else None,
        "plan_rows": result.plan.rows if result.plan else None,
        "timings": dict(result.timings),
        "notes": result.notes,
        "touched": [asdict(each) for each in result.touched],
    }


def of_result(result: Result) -> JsonText:
    return with_rows(header(result), result)


def of_answer(found: Answer) -> JsonText:
    """Return one question's whole outcome; an error's fields are null where it was answered."""
    values: dict[str, Any] = {
        "status": found.status,
        "sql": found.sql,
        "timings": dict(found.timings),
        "tokens": dict(found.tokens),
        "attempts": [asdict(attempt) for attempt in found.attempts],
        "notes": found.notes,
        "confidence": found.confidence,
    }
    if found.error:
        return text({**of_error(found.error), **values})
    if found.result is None:
        raise ValueError("an answer has a result or an error")
    columns = [{"name": name, "type": kind} for name, kind in found.result.columns]
    return with_rows({**header(found.result), **values, "columns": columns}, found.result)


def of_account(told: Account) -> JsonText:
    """Return all that is to be said of one query, an error's fields where it would not run."""
    values = {
        "sql": told.sql,
        "words": told.words or "This is no SELECT that the parser knows.",
        "safety": told.score.whole,
        "scores": {
            part: {
                "score": told.score.of(part),
                "reasons": [asdict(reason) for reason in getattr(told.score, part)],
            }
            for part in PARTS
        },
        "joins": told.joins,
        "findings": [asdict(finding) for finding in told.findings],
        "indexes": [asdict(index) for index in told.indexes],
        "cost": told.plan_cost,
        "plan_rows": told.plan_rows,
    }
    return text({**(of_error(told.error) if told.error else {}), **values})


def of_error(error: Nl2sqlError | ServerError) -> dict[str, Any]:
    """Return an error's fields; none of the words is ever empty."""
    values: dict[str, Any] = {
        "status": error.status if isinstance(error, Nl2sqlError) else "server_error",
        "sqlstate": error.sqlstate,
        "message": error.message,
        "detail": error.detail or "Layer: server.",
        "hint": error.hint or _hint(error),
    }
    if isinstance(error, NoValidSql):
        values["server_sqlstate"] = error.server_sqlstate
    if isinstance(error, Refused):
        values["mendable"] = error.mendable
    return values


def _hint(error: Nl2sqlError | ServerError) -> str:
    if isinstance(error, ServerError) and error.canceled:
        return "Nothing was changed. An answer can take seconds: see statement_timeout."
    return "Ask again in other words, or see nl2sql_ask() for every attempt."


def of_fault(error: Exception) -> dict[str, Any]:
    """Return what to tell of a fault of our own; the traceback is in the server's log."""
    return {
        "status": "error",
        "sqlstate": "XX000",
        "message": f"nl2sql failed inside: {type(error).__name__}: {error}",
        "detail": "The server's log has the traceback.",
        "hint": "Please report it with that traceback.",
    }


def numbered(outcome: JsonText, number: str | None) -> JsonText:
    """Return an outcome with the id under which the call is remembered."""
    return f'{outcome[:-1]}, "id": {json.dumps(number)}}}'


def with_rows(values: Mapping[str, Any], result: Result) -> JsonText:
    rows = ",".join(result.rows)
    return f'{text(values)[:-1]}, "rows": [{rows}]}}'
