"""The door on SQLite: the order of its stages, and nothing else.

    SQL -> guard -> tables -> SQLite's own reading -> agreement -> cost gate -> rows

SQLite knows no roles: whoever holds the connection may read the file. What stands here for the
reader of PostgreSQL is the authorizer, under which SQLite prepares and runs the text.
"""

from __future__ import annotations

from nl2sql_fdw import agreement, cost, cost_sqlite, guard
from nl2sql_fdw.database.sqlite import SqliteDatabase
from nl2sql_fdw.database.sqlite_link import Caps
from nl2sql_fdw.errors import CapReached, MemoryLimit, ServerError, TimeLimit, blame
from nl2sql_fdw.execute import over
from nl2sql_fdw.guard import sqlite as guard_sqlite
from nl2sql_fdw.pipeline import loosened, refusal, too_large, too_long
from nl2sql_fdw.schema import catalog_sqlite
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import ALL_LAYERS, Layers, Plan, Profile, Relation, Result, Schema, Trace


def run(
    sql: str,
    db: SqliteDatabase,
    profile: Profile,
    trace: Trace,
    fetch: bool = True,
    layers: Layers = ALL_LAYERS,
) -> Result:
    """Take one SQL text through the door; with `fetch` false nothing is run.

    Raises Nl2sqlError. Of the layers there are here: guard, identity (SQLite's own reading and
    its agreement with the guard's), cost and limits.
    """
    watch = Watch(trace)
    profile = loosened(profile, layers)
    try:
        schema = catalog_sqlite.read(db)
        with watch("verdict") as step:
            tables = _judge(sql, db, profile, schema, layers)
            step.says(f"one SELECT on {len(tables or ())} tables")
        with watch("cost") as step:
            plan = Plan(0, 0)
            if layers.cost or not fetch:
                plan = _price(sql, db, profile, schema, layers.guard)
            step.says(f"about {plan.rows:.0f} rows visited")
        if not fetch:
            return Result(db.describe(sql, profile.time_limit_ms), plan=plan, timings=watch.timings)
        with watch("rows") as step:
            found = _fetch(sql, db, profile, plan, tables, watch)
            step.says(f"{len(found.rows)} rows{', cut' if found.truncated else ''}")
        return found
    except TimeLimit as late:
        raise too_long(late, sql, profile) from late
    except MemoryLimit as large:
        raise too_large(large, sql, profile) from large
    except CapReached as cap:
        raise CapReached(cap.message, f"{cap.detail} SQL: {sql}", cap.hint) from cap
    except ServerError as error:
        raise blame(error, sql) from error


def _judge(
    sql: str, db: SqliteDatabase, profile: Profile, schema: Schema, layers: Layers
) -> frozenset[str] | None:
    """Let guard and SQLite decide; return the tables that may be read, None for any."""
    if not layers.guard:
        return None
    verdict = guard_sqlite.check(sql, guard.Policy(functions=profile.allow_functions))
    if not verdict.allowed:
        raise refusal(verdict, sql)
    relations = agreement.named(verdict, sql, schema)
    if not layers.identity:
        return None
    prepared = db.prepare(sql)
    db.prepare(guard_sqlite.only_names(sql))
    called = [name for _, name, _ in verdict.functions]  # json_each may stand as a table
    under = [*called, *(table for view in relations for table in _under(view, db))]
    tables = agreement.require(prepared, relations, under, sql)
    return tables | _kept_by(tables, db)


def _kept_by(tables: frozenset[str], db: SqliteDatabase) -> frozenset[str]:
    """Return what the virtual tables among these read of their own while they run."""
    shadows = (name.lower() for name in db.shadows())
    return frozenset(
        name for name in shadows if any(name.startswith(f"{table}_") for table in tables)
    )


def _under(relation: Relation, db: SqliteDatabase) -> list[str]:
    """Return what a view reads, through other views too."""
    if relation.kind != "view":
        return []
    prepared = db.prepare(f"SELECT * FROM {guard_sqlite.written(relation.name)}")
    return [table for _, table, _ in prepared.reads]


def _price(sql: str, db: SqliteDatabase, profile: Profile, schema: Schema, guarded: bool) -> Plan:
    lines = db.explain(sql, profile.time_limit_ms)
    aliases = guard_sqlite.aliases(sql) if guarded else {}
    plan = cost_sqlite.price(lines, aliases, schema)
    cost.admit(plan, sql, profile)
    return plan


def _fetch(
    sql: str,
    db: SqliteDatabase,
    profile: Profile,
    plan: Plan,
    tables: frozenset[str] | None,
    watch: Watch,
) -> Result:
    caps = Caps(
        profile.max_rows,
        profile.max_bytes,
        profile.max_cell_bytes,
        profile.time_limit_ms,
        int(min(profile.max_plan_rows * cost_sqlite.STEPS_OF_A_ROW, 2**62)),
    )
    found = db.read(sql, tables, caps)
    if not found.complete and not profile.truncate:
        raise over(sql, found.rows, profile)
    return Result(found.columns, tuple(found.rows), not found.complete, plan, watch.timings)
