"""Two readings of one SQLite text, the guard's and SQLite's own, must name the same tables."""

from __future__ import annotations

from collections.abc import Iterable

from nl2sql_fdw.database.sqlite_link import Prepared
from nl2sql_fdw.errors import NoValidSql, Refused
from nl2sql_fdw.types import Relation, Schema, Verdict


def named(verdict: Verdict, sql: str, schema: Schema) -> tuple[Relation, ...]:
    """Return the relations that the verdict names.

    Raises NoValidSql for one that is not there, Refused for one of another database, and for
    the tables in which a virtual table keeps its own.
    """
    known = {relation.name.lower(): relation for relation in schema.relations}
    found = {}
    for database, name in verdict.relations:
        if database is not None and database.lower() not in schema.search_path:
            raise Refused(
                f"Refused: {database}.{name} is in another database.",
                detail=f"Layer: tables. SQL: {sql}",
                hint=f"Only {', '.join(schema.search_path)} may be asked.",
            )
        if name.lower() not in known:
            raise NoValidSql(
                f"no such table: {name}",
                f"Layer: tables. SQL: {sql}",
                f"There are: {', '.join(relation.name for relation in schema.relations)[:500]}.",
                "42P01",
            )
        found[name.lower()] = known[name.lower()]
    return tuple(found.values())


def require(
    prepared: Prepared, relations: Iterable[Relation], under: Iterable[str], sql: str
) -> frozenset[str]:
    """Return the tables, in lower case, that the text may read; raise Refused on a difference.

    `under` are the tables that the views among the relations read. A read without database and
    column may be of a WITH query: SQLite names those too where only their rows are counted.
    """
    wanted = {relation.name.lower() for relation in relations}
    may = wanted | {name.lower() for name in under}
    seen = {table.lower() for _, table, _ in prepared.reads}
    surely = {table.lower() for database, table, column in prepared.reads if database or column}
    if surely <= may and wanted <= seen:
        return frozenset(may | seen)
    differ = ", ".join(sorted((surely - may) | (wanted - seen)))
    raise Refused(
        f"Refused: the guard and SQLite do not read the same tables: {differ}.",
        detail=f"Layer: agreement. SQL: {sql}",
        hint="Write the query in plainer words.",
        mendable=True,
    )
