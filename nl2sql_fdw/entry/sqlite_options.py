"""The profile of a question on SQLite: defaults, then environment, then settings, then options.

SQLite has no owner who could keep settings from askers, so each source may do what fits it.
The environment and `temp.nl2sql_settings`, a table that only the program which holds the
connection can make, set anything below. An argument of a call may only tighten limits: where
people type SQL into a web page, no text of theirs sends the schema to a server of their own
choice. A table of that name in a file is never looked at.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nl2sql_fdw.database.sqlite_link import Link
from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.types import Profile

LIMITS = ("max_rows", "max_bytes", "max_cell_bytes", "max_memory_bytes", "time_limit_ms",
          "answer_timeout_ms", "max_cost", "max_plan_rows", "retries",
          "max_output_tokens")  # fmt: skip
SETTINGS = (*LIMITS, "model_provider", "model_url", "model_name", "model_keep_alive",
            "model_key_file", "context_tokens", "load_timeout_ms", "max_question_bytes",
            "truncate", "strategy", "values", "examples")  # fmt: skip
TABLE = "nl2sql_settings"
_ENVIRONMENT = {"model_url": "NL2SQL_MODEL_URL", "model_name": "NL2SQL_MODEL",
                "model_provider": "NL2SQL_MODEL_PROVIDER"}  # fmt: skip


def profile(link: Link, options: str, given: Profile | None = None) -> Profile:
    """Return the profile for one call; raises BadSetup for a name or value that is none.

    A profile that the host has `given` stands in for the environment and the settings.
    """
    if given is not None:
        return _tightened(given, options)
    named = {key: os.environ[name] for key, name in _ENVIRONMENT.items() if os.environ.get(name)}
    found = _with(Profile(name="sqlite"), {**named, **_table(link)}, SETTINGS)
    return _tightened(found, options)


def _table(link: Link) -> dict[str, Any]:
    there = link.rows("SELECT 1 FROM sqlite_temp_master WHERE type = 'table' AND name = ?", [TABLE])
    if not there:
        return {}
    rows = link.rows(f"SELECT name, value FROM temp.{TABLE}")
    return {str(row["name"]): row["value"] for row in rows}


def _tightened(found: Profile, options: str) -> Profile:
    if not options:
        return found
    try:
        wanted = json.loads(options)
    except ValueError:
        wanted = None
    if not isinstance(wanted, dict):
        raise BadSetup(
            f"The options are no JSON object: {options[:80]}",
            hint=f"""Write them as '{{"max_rows": 10}}'; there are {", ".join(LIMITS)}.""",
        )
    asked = _with(found, wanted, LIMITS)
    return replace(found, **{k: min(getattr(found, k), getattr(asked, k)) for k in wanted})


def _with(before: Profile, values: Mapping[str, Any], allowed: tuple[str, ...]) -> Profile:
    changes = {}
    for name, value in values.items():
        if name not in allowed:
            raise BadSetup(
                f"There is no setting {name!r} here.",
                hint=f"There are {', '.join(allowed)}.",
            )
        try:
            changes[name] = _as(type(getattr(Profile(), name)), value)
        except (TypeError, ValueError):
            raise BadSetup(f"{value!r} is no value for the setting {name}.") from None
    return replace(before, **changes)


def _as(kind: type, value: Any) -> Any:
    """Turn a value into the type of the setting's default; numbers must be positive."""
    if kind is bool:
        return {"1": True, "0": False, "true": True, "false": False}[str(value).lower()]
    if kind is str or kind is type(None):
        return str(value)
    number = kind(value)
    if not number >= 0:
        raise ValueError
    return number
