"""The ways to answer, all over one mechanism: which replies are drawn, and when one suffices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from nl2sql_fdw.errors import BadSetup

When = Literal["always", "doubt", "failed"]


@dataclass(frozen=True)
class Step:
    """One call of the model: a draft in a form of the prompt, or the repair of what failed.

    `count` 0 is the one reply that is most likely (greedy), else so many are drawn. `when`:
    always; where what there is leaves a doubt; where nothing that there is has run.
    """

    form: str = "code"
    count: int = 0
    when: When = "always"
    repair: bool = False


_REPAIR = Step(when="failed", repair=True)

STRATEGIES: Mapping[str, tuple[Step, ...]] = {
    "single": (Step(),),
    "text": (Step("text"),),
    "comment": (Step("comment"),),
    "structured": (Step("structured"),),
    "repair": (Step(), _REPAIR),
    "prompt_flow": (
        Step(), _REPAIR, Step("text", when="failed"), _REPAIR, Step("comment", when="failed"),
        _REPAIR,
    ),
    "vote": (Step(), Step("text"), Step("comment"), Step(count=3)),
    "auto": (Step(), Step(count=3, when="doubt"), Step("comment", when="doubt"), _REPAIR),
}  # fmt: skip


def choose(name: str) -> tuple[Step, ...]:
    """Return the steps of a strategy; raise BadSetup where there is none of that name."""
    try:
        return STRATEGIES[name]
    except KeyError:
        raise BadSetup(
            f"There is no strategy {name}.", hint=f"There are: {', '.join(STRATEGIES)}."
        ) from None
