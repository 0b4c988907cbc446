"""What an owner may open or narrow in the guard, and the refusal that its rules raise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """A profile's share in the guard; the default is the reviewed lists and nothing more.

    `functions` adds to the reviewed list: 'schema.name' opens that call and the bare name
    (the catalog check then proves that the bare name means that schema), 'name' opens the
    bare name or pg_catalog's. `operator_schemas` may stand in OPERATOR(schema.+).
    `schemas` None means every schema but the server's own and ours. Nesting counts open
    brackets and CASEs, a chain counts tokens without a comma, AND, OR or SELECT between,
    depth counts levels of the parse tree, parts those of the tree with subqueries unfolded.
    """

    functions: tuple[str, ...] = ()
    operator_schemas: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    schemas: tuple[str, ...] | None = None
    max_bytes: int = 32_000
    max_tokens: int = 8_000
    max_nesting: int = 100
    max_chain: int = 1_000
    max_depth: int = 500
    max_parts: int = 100_000
    max_series: int = 1_000_000
    max_repeat: int = 10_000
    max_exponent: int = 1_000
    max_powers: int = 20
    max_products: int = 60
    max_long_products: int = 15


class Refusal(Exception):
    """One rule's no: `layer` names the rule's kind, `reason` the thing, `hint` the way out."""

    def __init__(self, layer: str, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.layer = layer
        self.reason = reason
        self.hint = hint
