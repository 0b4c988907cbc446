"""The safety score of a query: four parts from 0 to 100, each with its reasons.

Every part begins with 100 and loses what docs/explain.md lists; the whole is the lowest of them.
The same query, schema and plan always have the same score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nl2sql_fdw.errors import Nl2sqlError, NoValidSql, TooExpensive
from nl2sql_fdw.explain import plans
from nl2sql_fdw.explain.checks import Finding
from nl2sql_fdw.types import Plan, Profile, Schema, Verdict

_POINTS = {"error": 40, "warning": 15, "note": 5}
PARTS = ("security", "syntax", "logic", "performance")


@dataclass(frozen=True)
class Reason:
    """What a part lost points for."""

    code: str
    words: str
    points: int


@dataclass(frozen=True)
class Score:
    """The four parts, each as its reasons."""

    security: tuple[Reason, ...] = ()
    syntax: tuple[Reason, ...] = ()
    logic: tuple[Reason, ...] = ()
    performance: tuple[Reason, ...] = ()

    def of(self, part: str) -> int:
        """Return the points that are left of one part."""
        reasons: tuple[Reason, ...] = getattr(self, part)
        return max(0, 100 - sum(reason.points for reason in reasons))

    @property
    def whole(self) -> int:
        return min(map(self.of, PARTS))


def rate(
    verdict: Verdict,
    error: Nl2sqlError | None,
    findings: Sequence[Finding],
    plan: Plan | None,
    schema: Schema,
    profile: Profile,
    mends: Sequence[str] = (),
) -> Score:
    """Return the score of one statement; `mends` are what had to be put right before it."""
    return Score(
        security=tuple(_security(verdict, error, profile)),
        syntax=tuple(_syntax(verdict, error, mends)),
        logic=tuple(Reason(f.code, f.words, _POINTS[f.severity]) for f in findings),
        performance=tuple(_performance(error, plan, schema, profile)),
    )


def _security(verdict: Verdict, error: Nl2sqlError | None, profile: Profile) -> Iterable[Reason]:
    if not verdict.allowed and verdict.layer != "parse":
        yield Reason("refused", verdict.reason, 100)
    elif error is not None and not isinstance(error, (NoValidSql, TooExpensive)):
        yield Reason(error.status, error.message, 100)
    personal = sorted({name for name in verdict.columns if _is_personal(name, profile)})
    if personal:
        yield Reason("personal", f"It reads what may be personal: {', '.join(personal)}.", 20)
    if verdict.whole_rows:
        yield Reason("whole_rows", "It reads every column of a table, now and later.", 5)
    opened = sorted(
        name for _, name, _ in verdict.functions
        if any(name == each.rsplit(".", 1)[-1] for each in profile.allow_functions)
    )  # fmt: skip
    if opened:
        yield Reason("opened", f"It calls what the owner opened: {', '.join(opened)}.", 10)


def _is_personal(name: str, profile: Profile) -> bool:
    squeezed = name.lower().replace("_", "")
    return any("." not in part and part in squeezed for part in profile.redact)


def _syntax(verdict: Verdict, error: Nl2sqlError | None, mends: Sequence[str]) -> Iterable[Reason]:
    if verdict.layer == "parse":
        yield Reason("parse", verdict.reason, 100)
    elif isinstance(error, NoValidSql):
        yield Reason("server", error.message, 70)
    for mend in mends:
        yield Reason("mended", mend, 10)


def _performance(
    error: Nl2sqlError | None, plan: Plan | None, schema: Schema, profile: Profile
) -> Iterable[Reason]:
    if isinstance(error, TooExpensive):
        yield Reason("too_expensive", error.message, 100)
    if plan is None:
        return
    share = plan.cost / profile.max_cost
    if share > 0.1:
        words = f"The planner expects {share:.0%} of the cost that is allowed."
        yield Reason("cost", words, 40 if share > 0.5 else 20)
    if plan.tree.get("Plan Rows", 0) > profile.max_rows:
        words = f"About {plan.tree['Plan Rows']:.0f} rows, and {profile.max_rows} are allowed."
        yield Reason("rows", words, 10)
    for scan in plans.large_scans(plan.tree, schema):
        words = f"{scan.table} is read whole, about {scan.rows} rows, for {scan.kept} of them."
        yield Reason("scan", words, 15)
    for outer, inner in plans.large_loops(plan.tree):
        words = f"A nested loop goes through {inner:.0f} rows for each of {outer:.0f}."
        yield Reason("loop", words, 20)
