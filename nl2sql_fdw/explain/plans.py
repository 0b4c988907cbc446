"""What a plan tells that is worth a reader's while: large scans, large loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nl2sql_fdw.types import Schema

_KEPT = (
    "Node Type", "Relation Name", "Alias", "Plan Rows", "Total Cost", "Startup Cost", "Index Name",
    "Join Type", "Parent Relationship",
)  # fmt: skip
LARGE = 10_000
"""Rows of a table from which on reading all of it is worth a word."""


@dataclass(frozen=True)
class Scan:
    """A table that is read whole for some of its rows; `alias` is its name in the query."""

    table: str
    alias: str
    rows: int
    kept: int


def slim(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan without its expressions, which may be those of policies and views."""
    kept = {name: tree[name] for name in _KEPT if name in tree}
    if "Filter" in tree:
        kept["Filtered"] = True
    if "Plans" in tree:
        kept["Plans"] = [slim(each) for each in tree["Plans"]]
    return kept


def nodes(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a plan's nodes, from the top."""
    yield tree
    for each in tree.get("Plans", ()):
        yield from nodes(each)


def large_scans(tree: Mapping[str, Any], schema: Schema) -> Iterator[Scan]:
    """Yield the large tables that are read whole, of which a tenth or less is expected to stay."""
    for node in nodes(tree):
        if node.get("Node Type") != "Seq Scan" or not (node.get("Filter") or node.get("Filtered")):
            continue
        name = str(node["Relation Name"])
        rows = max((relation.row_estimate for relation in schema.named(name)), default=0)
        kept = int(node["Plan Rows"])
        if rows >= LARGE and kept <= rows / 10:
            yield Scan(name, str(node.get("Alias", name)), rows, kept)


def large_loops(tree: Mapping[str, Any]) -> Iterator[tuple[float, float]]:
    """Yield the (outer, inner) rows of nested loops whose inner side is no index's."""
    for node in nodes(tree):
        if node.get("Node Type") != "Nested Loop" or len(node.get("Plans", ())) != 2:
            continue
        outer, inner = node["Plans"]
        indexed = any("Index" in str(each.get("Node Type")) for each in nodes(inner))
        if outer["Plan Rows"] > 1_000 and inner["Plan Rows"] > 1_000 and not indexed:
            yield outer["Plan Rows"], inner["Plan Rows"]
