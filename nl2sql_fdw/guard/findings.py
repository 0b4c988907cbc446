"""What the walk has seen so far: the lists that a verdict hands to the catalog check."""

from __future__ import annotations

from dataclasses import dataclass, field

from nl2sql_fdw.guard.policy import Policy
from nl2sql_fdw.types import Verdict

Names = dict[tuple[str | None, str], None]
"""A set that keeps the order of first sight."""


@dataclass
class Findings:
    """Mutable on purpose: every rule adds to it; `verdict` freezes it."""

    policy: Policy
    relations: Names = field(default_factory=dict)
    functions: dict[tuple[str | None, str, int], None] = field(default_factory=dict)
    operators: Names = field(default_factory=dict)
    types: Names = field(default_factory=dict)
    columns: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    range_names: set[str] = field(default_factory=set)
    output_names: set[str] = field(default_factory=set)
    single_names: set[str] = field(default_factory=set)
    whole_rows: bool = False
    powers: int = 0
    products: int = 0
    grows: bool = False

    def verdict(self) -> Verdict:
        """Return the allowing verdict; a bare name of a FROM item is its whole row."""
        return Verdict(
            allowed=True,
            relations=tuple(self.relations),
            functions=tuple(self.functions),
            operators=tuple(self.operators),
            types=tuple(self.types),
            columns=tuple(sorted(self.columns)),
            attributes=tuple(sorted(self.attributes)),
            whole_rows=self.whole_rows or not self.range_names.isdisjoint(self.single_names),
        )
