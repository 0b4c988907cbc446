"""Find what is probably wrong with the logic of one SELECT: it runs, and answers something else.

A pure function of the tree and the schema. Each check has a code; what it proves is in the
function that looks for it. `error` says that hardly any honest query has it, `warning` that few
have, `note` that many do and a reader may want to know. Of 2,682 published golds (Spider, Spider
train, Defog) no error and no warning is found in more than 1 % of those of a suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from nl2sql_fdw.explain import compared, grouped, joined
from nl2sql_fdw.explain.blocks import Block, read
from nl2sql_fdw.types import Schema

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing that is probably wrong, in a sentence for a person."""

    code: str
    words: str
    severity: Severity


_CHECKS: tuple[tuple[str, Severity, Callable[[Block], Iterator[str]]], ...] = (
    ("cross_join", "error", joined.unconnected),
    ("wrong_key", "error", joined.beside_the_key),
    ("no_key", "note", joined.without_a_key),
    ("fan_out", "warning", joined.fan_out),
    ("outer_undone", "warning", joined.outer_undone),
    ("counts_absent", "warning", joined.counts_absent),
    ("never_true", "error", compared.never_true),
    ("equals_null", "error", compared.equals_null),
    ("not_in_null", "note", compared.not_in_null),
    ("day_cut_short", "warning", compared.day_cut_short),
    ("compares_as_text", "warning", compared.compares_as_text),
    ("date_as_text", "warning", compared.date_as_text),
    ("integer_division", "warning", grouped.integer_division),
    ("limit_unordered", "warning", grouped.limit_unordered),
    ("distinct_measure", "warning", grouped.distinct_measure),
    ("grouped_measure", "warning", grouped.grouped_measure),
    ("grouped_by_name", "note", grouped.by_name),
)
CODES = tuple(code for code, _, _ in _CHECKS)


def find(tree: Any, schema: Schema) -> Sequence[Finding]:
    """Return what is probably wrong with one parsed SELECT, the gravest first, each once.

    `tree` is pglast's RawStmt or SelectStmt, its names bound. A tree of any other form has no
    findings.
    """
    try:
        found = list(_found(tree, schema))
    except RecursionError:  # deeper than any honest query: the guard answers for it
        return ()
    order = ("error", "warning", "note")
    return sorted(dict.fromkeys(found), key=lambda finding: order.index(finding.severity))


def _found(tree: Any, schema: Schema) -> Iterator[Finding]:
    blocks = read(tree, schema)
    for code, severity, check in _CHECKS:
        for block in blocks:
            for words in check(block):
                yield Finding(code, words, severity)
