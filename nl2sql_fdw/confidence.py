"""How sure an answer is: the share of such answers that were right, as far as it was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nl2sql_fdw.errors import CannotAnswer
from nl2sql_fdw.types import Profile
from nl2sql_fdw.vote import Candidate, group

_BASE = 1.4
_PER_LOGPROB = 4.0
_PER_DOUBT = -0.9
_ALONE, _AGREED, _SPLIT = 0.0, 0.5, -1.6
"""Weights of a logistic curve; docs/evaluation.md says what they were set on."""


def of(chosen: Candidate, candidates: Sequence[Candidate]) -> float:
    """Return a confidence from 0 to 1 in the chosen candidate, among all that were drawn."""
    score = _BASE + _PER_LOGPROB * max(-0.5, chosen.mean_logprob or 0.0)
    score += _PER_DOUBT * len(chosen.doubts)
    if len(candidates) == 1:
        score += _ALONE
    else:
        support = len(group_of(chosen, candidates)) / len(candidates)
        score += _SPLIT + (_AGREED - _SPLIT) * support
    return round(1 / (1 + math.exp(-score)), 3)


def require(
    chosen: Candidate, candidates: Sequence[Candidate], profile: Profile
) -> CannotAnswer | None:
    """Return the no to an answer that is less sure than the profile asks for, else None."""
    found = of(chosen, candidates)
    if found >= profile.min_confidence:
        return None
    return CannotAnswer(
        f"No answer is sure enough: {found:.0%}, where {profile.min_confidence:.0%} is asked for.",
        detail=f"Layer: confidence. SQL: {chosen.sql}",
        hint="Ask in other words, or check that SQL and run it by nl2sql_run(). The owner may "
        f"lower min_confidence of profile {profile.name}.",
    )


def group_of(chosen: Candidate, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates that found the same as the chosen one, itself included."""
    return next((g.members for g in group(candidates) if chosen in g.members), (chosen,))
