"""Index advice: what an index on the columns that a query filters by would spare.

With hypopg in the database each is tried, as a hypothetical index of this session that is
dropped at once; without, it follows from the plan and is said to be untried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pglast.enums import A_Expr_Kind

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.explain import plans
from nl2sql_fdw.explain.blocks import Block, Source
from nl2sql_fdw.explain.tree import ast, nodes
from nl2sql_fdw.names import quote
from nl2sql_fdw.types import Index, Plan, Schema

_MOST = 5
_WORTH = 0.8
_RANGES = ("<", "<=", ">", ">=")

_HYPOPG = """
SELECT n.nspname::text AS schema FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_extension'::regclass
 AND d.refobjid = e.oid AND d.deptype = 'e' AND d.classid = 'pg_catalog.pg_proc'::regclass
JOIN pg_catalog.pg_proc p ON p.oid = d.objid
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE e.extname = 'hypopg' AND p.proname IN ('hypopg_create_index', 'hypopg_drop_index')
  AND has_schema_privilege(n.oid, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE')
GROUP BY 1 HAVING count(*) = 2
"""

_INDEXED = """
SELECT 1 AS yes FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indrelid = $1::bigint::oid AND a.attname = $2 AND i.indisvalid AND i.indpred IS NULL
"""


def advise(
    db: Database,
    blocks: Sequence[Block],
    plan: Plan,
    schema: Schema,
    price: Callable[[], Plan],
) -> tuple[Index, ...]:
    """Return the indexes worth making for one query; `price` plans it again.

    Runs as the reader, outside the path of the query. What is already indexed is left out; with
    hypopg, so is what would spare less than a fifth of the cost.
    """
    wanted = list(_wanted(blocks, plan, schema))
    hypopg = db.query(_HYPOPG) if wanted else ()
    found: list[Index] = []
    for source, columns in wanted[:_MOST]:
        relation = source.relation
        if relation is None or db.query(_INDEXED, relation.oid, columns[0]):
            continue
        listed = ", ".join(map(quote, columns))
        table = f"{quote(relation.schema)}.{quote(relation.name)}"
        index = Index(f"CREATE INDEX ON {table} ({listed})", plan.cost)
        if hypopg:
            index = _tried(db, hypopg[0]["schema"], index, price)
        if index.cost_after is None or index.cost_after <= _WORTH * plan.cost:
            found.append(index)
    return tuple(found)


def _tried(db: Database, schema: str, index: Index, price: Callable[[], Plan]) -> Index:
    """Return the index with what the query would cost if it were there."""
    where = quote(schema)
    made = db.query(f"SELECT indexrelid::bigint AS oid FROM {where}.hypopg_create_index($1)",
                    index.statement)  # fmt: skip
    try:
        db.query("SELECT set_config('hypopg.enabled', 'on', true)")
        after = price().cost
    finally:
        db.query("SELECT set_config('hypopg.enabled', 'off', true)")
        for row in made:
            db.query(f"SELECT {where}.hypopg_drop_index($1::bigint::oid)", row["oid"])
    return Index(index.statement, index.cost_before, after)


def _wanted(
    blocks: Sequence[Block], plan: Plan, schema: Schema
) -> Iterator[tuple[Source, tuple[str, ...]]]:
    """Yield the tables that are scanned for a few rows, with the columns that choose them."""
    scans = {(scan.table, scan.alias) for scan in plans.large_scans(plan.tree, schema)}
    for block in blocks:
        for source in block.sources:
            relation = source.relation
            if relation is None or (relation.name, source.name) not in scans:
                continue
            columns = _columns(block, source)
            if columns:
                yield source, columns


def _columns(block: Block, source: Source) -> tuple[str, ...]:
    """Return the columns compared with constants: by equality first, then one by range."""
    equal: list[str] = []
    ranged: list[str] = []
    for condition in (*block.filters, *(c for join in block.joins for c in join.conditions)):
        name = _column(condition, block, source)
        if name is None:
            continue
        (ranged if _is_range(condition) else equal).append(name)
    chosen = [*dict.fromkeys(equal), *[name for name in ranged if name not in equal][:1]]
    return tuple(chosen[:3])


def _column(condition: Any, block: Block, source: Source) -> str | None:
    """Return the source's column that a condition compares with what is no column."""
    if not isinstance(condition, ast.A_Expr) or not isinstance(condition.lexpr, ast.ColumnRef):
        return None
    place = block.find(condition.lexpr)
    if place is None or place.source is not source or _has_column(condition.rexpr):
        return None
    between = condition.kind in (A_Expr_Kind.AEXPR_BETWEEN, A_Expr_Kind.AEXPR_IN)
    plain = condition.kind == A_Expr_Kind.AEXPR_OP and condition.name[-1].sval in ("=", *_RANGES)
    return place.output.name if between or plain else None


def _is_range(condition: Any) -> bool:
    return condition.kind == A_Expr_Kind.AEXPR_BETWEEN or condition.name[-1].sval in _RANGES


def _has_column(node: Any) -> bool:
    return any(isinstance(each, (ast.ColumnRef, ast.SelectStmt)) for each in nodes(node))
