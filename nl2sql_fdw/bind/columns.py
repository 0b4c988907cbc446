"""Mend one column reference inside its scope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nl2sql_fdw.bind.bridge import reach
from nl2sql_fdw.bind.scope import SYSTEM_COLUMNS, Scope, Source
from nl2sql_fdw.bind.spelling import near, same
from nl2sql_fdw.bind.text import Span, Text
from nl2sql_fdw.names import literal, quote
from nl2sql_fdw.schema.guessed import names_key
from nl2sql_fdw.types import Schema

_WHY = "read {old} as {new}"
_Choose = Callable[[str, Sequence[str]], "str | None"]


class ColumnMender:
    """Mends references in one statement."""

    def __init__(self, text: Text, schema: Schema) -> None:
        self._text = text
        self._schema = schema
        self._known = frozenset(column.name for r in schema.relations for column in r.columns)

    def mend(self, ref: Any, scope: Scope, compared: bool = False) -> str | None:
        """Mend the reference where that is clear; return the column's name, None for a star.

        `compared` says that it stands to the right of a comparison, where a string may stand.
        """
        from pglast import ast

        star = isinstance(ref.fields[-1], ast.A_Star)
        parts = [str(part.sval) for part in ref.fields if isinstance(part, ast.String)]
        spans = self._text.names(ref.location, parts)
        if spans is None or len(parts) + star > 2:
            return None if star else parts[-1]
        if star:
            if parts:
                self._qualifier(parts[0], spans[0], scope)
            return None
        if len(parts) == 1:
            return self._bare(parts[0], spans[0], scope, compared)
        return self._qualified(parts, spans, scope)

    def mend_user(self, value: Any, scope: Scope) -> None:
        """Quote a plain `user` that is a column here: unquoted it is the role that asks."""
        spans = self._text.names(value.location, ["user"])
        if spans is not None and any(level.with_column("user") for level in scope.levels()):
            self._text.replace(spans[0], quote("user"), _WHY)

    def _bare(self, name: str, span: Span, scope: Scope, compared: bool) -> str:
        levels = list(scope.levels())
        if name in SYSTEM_COLUMNS or name in scope.aliases:
            return name
        for level in levels:
            if level.known and level.is_equated(name):
                self._tell_apart(name, level, span)
            if not level.known or level.with_column(name) or level.find(name):
                return name
        found = self._first(same, name, levels) or self._own_key(name, scope.sources)
        if found is None and self._reach(name, scope.sources, span):
            return name
        found = found or self._first(self._near, name, levels)
        if found is not None:
            self._text.replace(span, quote(found), _WHY)
        elif compared and self._text.sql[span[0]] == '"':
            self._text.replace(span, literal(name), _WHY)
        return found or name

    def _first(self, choose: _Choose, name: str, levels: Sequence[Scope]) -> str | None:
        """Return the choice of the innermost level that has one."""
        choices = (choose(name, [*_all_columns(lev.sources), *lev.aliases]) for lev in levels)
        return next(filter(None, choices), None)

    def _qualified(self, parts: Sequence[str], spans: Sequence[Span], scope: Scope) -> str:
        qualifier, name = parts
        place = scope.find(qualifier) or self._meant(qualifier, scope)
        if place is None:
            self._move(name, spans, scope)
            return name
        level, source = place
        if source.columns is None or name in SYSTEM_COLUMNS:
            return name
        found = name if source.has(name) else same(name, source.columns)
        found = found or self._own_key(name, [source])
        whole = (spans[0][0], spans[1][1])
        if found is None and (
            self._move(name, spans, level)
            or self._reach(name, [source], whole)
            or (level.known and self._reach(name, level.sources, whole))
        ):
            return name
        found = found or self._near(name, source.columns)
        if found is None:
            return name
        if source.name != qualifier:
            self._text.replace(spans[0], quote(source.name), _WHY)
        if found != name:
            self._text.replace(spans[1], quote(found), _WHY)
        return found

    def _qualifier(self, name: str, span: Span, scope: Scope) -> None:
        place = scope.find(name) or self._meant(name, scope)
        if place is not None and place[1].name != name:
            self._text.replace(span, quote(place[1].name), _WHY)

    def _meant(self, qualifier: str, scope: Scope) -> tuple[Scope, Source] | None:
        """Find the one source that an unknown qualifier means: its relation, or other case."""
        for level in scope.levels():
            meant = [source for source in level.sources if source.is_called(qualifier)]
            if meant:
                return (level, meant[0]) if len(meant) == 1 else None
        return None

    def _move(self, name: str, spans: Sequence[Span], level: Scope) -> bool:
        """Change the qualifier to the one source of the level that has the column."""
        holders = level.with_column(name)
        if len(holders) != 1 or not level.known:
            return False
        self._text.replace(
            (spans[0][0], spans[1][1]), f"{quote(holders[0].name)}.{quote(name)}", _WHY
        )
        return True

    def _own_key(self, name: str, sources: Sequence[Source]) -> str | None:
        """Return the key of the one source that a name like order_id is of: in orders it is id."""
        keys = [names_key(name, s.relation) for s in sources if s.relation is not None]
        found = [key.name for key in keys if key is not None]
        return found[0] if len(found) == 1 else None

    def _tell_apart(self, name: str, level: Scope, span: Span) -> None:
        """Name a source of a column that several have, and that a join makes equal in all."""
        first = level.with_column(name)[0]
        self._text.replace(span, f"{quote(first.name)}.{quote(name)}", _WHY)

    def _reach(self, name: str, sources: Sequence[Source], span: Span) -> bool:
        """Put a subquery in the place of a column that is one foreign key away."""
        way = reach(name, sources, self._schema)
        if way is None:
            return False
        self._text.replace(span, way[0], "read {old} as " + way[1])
        return True

    def _near(self, name: str, names: Sequence[str]) -> str | None:
        return near(name, names, self._known)


def _all_columns(sources: Sequence[Source]) -> tuple[str, ...]:
    return tuple(column for source in sources for column in source.columns or ())
