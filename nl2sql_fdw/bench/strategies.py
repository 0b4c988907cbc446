"""The ways to answer that a benchmark can measure: a name, and what it changes in a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.types import Profile

STRATEGIES: Mapping[str, Mapping[str, Any]] = {
    "single": {"strategy": "single", "retries": 0},
    "repair": {"strategy": "repair", "retries": 1},
    "values": {"strategy": "repair", "retries": 1, "values": True},
    "prompt_flow": {"strategy": "prompt_flow", "retries": 1, "values": True},
    "vote": {"strategy": "vote", "values": True},
    "auto": {"strategy": "auto", "retries": 1, "values": True},
    "text": {"strategy": "text", "retries": 0},
    "comment": {"strategy": "comment", "retries": 0},
    "structured": {"strategy": "structured", "retries": 0},
    "examples": {"strategy": "single", "retries": 0, "examples": 3},
    "auto_blind": {"strategy": "auto", "retries": 1},
}
"""`auto_blind` is `auto` that never looks into the data; `text`, `comment` and `structured` are
single calls in that form, `examples` is one with three examples."""


def choose(names: str) -> list[str]:
    """Return the strategies of a comma-separated list, each once; raise BadSetup for another."""
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    unknown = [name for name in wanted if name not in STRATEGIES]
    if unknown or not wanted:
        raise BadSetup(
            f"There is no strategy {', '.join(unknown) or 'named'}.",
            hint=f"There are: {', '.join(STRATEGIES)}.",
        )
    return wanted


def apply(name: str, profile: Profile) -> Profile:
    """Return the profile as the strategy has it."""
    return replace(profile, **STRATEGIES[name])
