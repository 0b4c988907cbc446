"""Write every name with its schema, so that a text means the same under any search path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nl2sql_fdw.bind.text import Text
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.names import quote
from nl2sql_fdw.types import Profile, Schema, Verdict

_TYPES = """
SELECT DISTINCT ON (t.typname) t.typname::text AS name, n.nspname::text AS schema
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typname = ANY ($1::text[]) AND n.nspname = ANY ($2::text[])
ORDER BY t.typname, array_position($2::text[], n.nspname::text)
"""

_FUNCTIONS = """
SELECT DISTINCT ON (p.proname) p.proname::text AS name, n.nspname::text AS schema
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.proname = ANY ($1::text[]) AND n.nspname = ANY ($2::text[])
ORDER BY p.proname, array_position($2::text[], n.nspname::text)
"""


def in_full(sql: str, verdict: Verdict, schema: Schema, db: Database, profile: Profile) -> str:
    """Return an allowed statement with the schema before each relation, type and function.

    What PostgreSQL itself brings stays as it is: pg_catalog always comes first. Comments and
    a closing semicolon go, so that the text can stand in parentheses. A name whose schema is
    not found stays too: whoever needs all of them looks at the new text's own verdict.
    """
    from pglast.parser import parse_sql

    text = Text(sql)
    writer = _Writer(
        text,
        relations=_first(schema),
        types=_find(db, _TYPES, [n for s, n in verdict.types if s is None], profile),
        functions=_find(db, _FUNCTIONS, [n for s, n, _ in verdict.functions if s is None], profile),
    )
    writer.visit(parse_sql(sql)[0].stmt, frozenset())
    return _bare(text.mended())


def _first(schema: Schema) -> dict[str, str]:
    """Return the schema that each name is found in first."""
    places = {name: place for place, name in reversed(list(enumerate(schema.search_path)))}
    found = [r for r in schema.relations if r.schema in places]
    return {r.name: r.schema for r in sorted(found, key=lambda r: -places[r.schema])}


def _find(db: Database, query: str, names: Sequence[str], profile: Profile) -> dict[str, str]:
    if not names:
        return {}
    rows = db.query(query, sorted(set(names)), ["pg_catalog", *profile.search_path])
    return {row["name"]: row["schema"] for row in rows if row["schema"] != "pg_catalog"}


def _bare(sql: str) -> str:
    from pglast.parser import scan

    pieces, end = [], 0
    for token in scan(sql):
        if token.name.endswith("COMMENT") or token.name == "ASCII_59":
            pieces += [sql[end : token.start], " "]
            end = token.end + 1
    return "".join([*pieces, sql[end:]]).strip()


class _Writer:
    """Visits the nodes of one statement with the names of the CTEs that each can see."""

    def __init__(
        self,
        text: Text,
        relations: Mapping[str, str],
        types: Mapping[str, str],
        functions: Mapping[str, str],
    ) -> None:
        from pglast import ast

        self._ast = ast
        self._text = text
        self._relations = relations
        self._types = types
        self._functions = functions

    def visit(self, node: Any, ctes: frozenset[str]) -> None:
        ast = self._ast
        if isinstance(node, tuple):
            for each in node:
                self.visit(each, ctes)
        elif isinstance(node, ast.SelectStmt):
            seen = self._with(node.withClause, ctes)
            for part in node:
                if part != "withClause":
                    self.visit(getattr(node, part), seen)
        elif isinstance(node, ast.Node):
            self._write(node, ctes)
            for part in node:
                self.visit(getattr(node, part), ctes)

    def _with(self, clause: Any, ctes: frozenset[str]) -> frozenset[str]:
        if clause is None:
            return ctes
        if clause.recursive:  # any of them may name any other, itself too
            ctes = ctes | {cte.ctename for cte in clause.ctes}
        for cte in clause.ctes:
            self.visit(cte.ctequery, ctes)
            ctes = ctes | {cte.ctename}
        return ctes

    def _write(self, node: Any, ctes: frozenset[str]) -> None:
        ast = self._ast
        if isinstance(node, ast.RangeVar):
            if node.schemaname is None and node.relname not in ctes:
                self._prefix(node.location, [node.relname], self._relations)
        elif isinstance(node, ast.TypeName):
            self._prefix(node.location, [part.sval for part in node.names or ()], self._types)
        elif isinstance(node, ast.FuncCall):
            self._prefix(node.location, [part.sval for part in node.funcname], self._functions)

    def _prefix(self, location: int, parts: Sequence[str], schemas: Mapping[str, str]) -> None:
        schema = schemas.get(parts[0]) if len(parts) == 1 else None
        spans = self._text.names(location, parts) if schema is not None else None
        if schema is not None and spans is not None:
            start, end = spans[0]
            written = self._text.sql[start:end]
            self._text.replace((start, end), f"{quote(schema)}.{written}", "read {old} as {new}")
