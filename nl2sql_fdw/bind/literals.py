"""Mend a text that does not occur in the column it is compared with, but in the data does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nl2sql_fdw.bind.fold import Alike, asked_as_spelled, folded
from nl2sql_fdw.bind.scope import Scope, Source
from nl2sql_fdw.bind.spelling import fold, near
from nl2sql_fdw.bind.text import Span, Text
from nl2sql_fdw.bind.walk import Ctes, Walker
from nl2sql_fdw.names import literal, quote
from nl2sql_fdw.types import Literal, Relation, Schema

Meaning = tuple[str, str]
"""The column and the value that are meant."""


@dataclass(frozen=True)
class Comparison:
    """A column compared with texts by =, <> or IN, and where each stands."""

    column: Span
    literals: tuple[Literal, ...]
    spans: tuple[Span, ...]


def mend_literals(sql: str, schema: Schema, alike: Alike) -> tuple[str, tuple[str, ...]]:
    """Return the SQL with its texts as they stand in the data, and a note on each mend.

    A text is mended to the one value of its column that differs in case and word breaks, or
    by a slip of the pen; else its column to the one other column of the table that has it.
    Where several could be meant nothing is changed. Text that does not parse stays as it is.
    """
    from pglast.parser import ParseError

    if schema.dialect == "sqlite":
        schema, alike = folded(schema), asked_as_spelled(schema, alike)
    try:
        text = Text(sql)
        found = _comparisons(text, schema)
    except (ParseError, RecursionError):
        return sql, ()
    known = alike([each for one in found for each in one.literals]) if found else {}
    for comparison in found:
        _mend(comparison, known, text)
    return text.mended(), tuple(text.notes)


def choose(sought: Literal, pairs: Sequence[Meaning]) -> Meaning | None:
    """Return what the literal means; None where nothing, or more than one thing, is like it."""
    own = [value for column, value in pairs if column == sought.column]
    if sought.text in own:
        return sought.column, sought.text
    same = [value for value in own if fold(value) == fold(sought.text)]
    if same:
        return (sought.column, same[0]) if len(same) == 1 else None
    elsewhere = [pair for pair in pairs if pair[0] != sought.column]
    exact = [pair for pair in elsewhere if pair[1] == sought.text]
    slip = near(sought.text, own, ())
    if elsewhere:
        return None if slip or len({c for c, _ in elsewhere}) > 1 else _only(exact or elsewhere)
    return (sought.column, slip) if slip else None


def _only(pairs: Sequence[Meaning]) -> Meaning | None:
    return pairs[0] if len(pairs) == 1 else None


def _mend(comparison: Comparison, known: Mapping[Literal, tuple[Meaning, ...]], text: Text) -> None:
    """Mend the texts in their column, or move all of them to the one other column."""
    meant = [choose(each, known.get(each, ())) for each in comparison.literals]
    column = comparison.literals[0].column
    columns = {meaning[0] if meaning else column for meaning in meant}
    if len(columns) > 1:
        return
    moved = columns.pop()
    if moved != column:
        text.replace(comparison.column, quote(moved), "read {old} as {new}, which has the value")
    for span, meaning in zip(comparison.spans, meant, strict=True):
        if meaning:
            text.replace(span, literal(meaning[1]), "read {old} as {new}, as the data has it")


def _comparisons(text: Text, schema: Schema) -> list[Comparison]:
    from pglast import ast
    from pglast.parser import parse_sql

    statements = parse_sql(text.sql)
    if len(statements) != 1 or not isinstance(statements[0].stmt, ast.SelectStmt):
        return []
    walker = _Finder(text, schema)
    walker.select(statements[0].stmt, None, {})
    return walker.found


class _Finder(Walker):
    """Walks a statement whose names are mended, and keeps its comparisons with texts."""

    def __init__(self, text: Text, schema: Schema) -> None:
        super().__init__(Text(text.sql), schema)  # the edits of names were made before
        self._original = text
        self.found: list[Comparison] = []

    def _comparison(self, node: Any, scope: Scope, ctes: Ctes) -> None:
        from pglast.enums import A_Expr_Kind

        super()._comparison(node, scope, ctes)
        kinds = (A_Expr_Kind.AEXPR_OP, A_Expr_Kind.AEXPR_IN)
        if node.kind not in kinds or node.name[-1].sval not in ("=", "<>"):
            return
        left, right = node.lexpr, node.rexpr
        if isinstance(right, self._ast.ColumnRef):
            left, right = right, left
        values = [self._value(v) for v in (right if isinstance(right, tuple) else (right,))]
        texts = [value for value in values if value is not None]
        if isinstance(left, self._ast.ColumnRef) and len(texts) == len(values):
            self._keep(left, texts, node.location, scope)

    def _keep(self, ref: Any, texts: Sequence[str], location: int, scope: Scope) -> None:
        ast = self._ast
        if not all(isinstance(part, ast.String) for part in ref.fields):
            return
        parts = [str(part.sval) for part in ref.fields]
        names = self._original.names(ref.location, parts)
        spans = self._original.constants(location, texts)
        relation = _relation(parts, scope)
        if names is not None and spans is not None and relation is not None:
            literals = tuple(Literal(relation, parts[-1], text) for text in texts)
            self.found.append(Comparison(names[-1], literals, tuple(spans)))

    def _value(self, node: Any) -> str | None:
        """Return the text of a string constant; None for anything else."""
        ast = self._ast
        if isinstance(node, ast.A_Const) and isinstance(node.val, ast.String):
            return str(node.val.sval)
        return None


def _relation(parts: Sequence[str], scope: Scope) -> Relation | None:
    """Return the relation whose column it plainly is; None where an alias list renames some."""
    source = _source(parts, scope)
    if source is None or source.relation is None:
        return None
    names = tuple(column.name for column in source.relation.columns)
    return source.relation if source.columns == names else None


def _source(parts: Sequence[str], scope: Scope) -> Source | None:
    """Return the one source that the column is of, None where that is not plain."""
    if len(parts) == 2:
        place = scope.find(parts[0])
        return place[1] if place and place[1].has(parts[1]) else None
    if len(parts) != 1:
        return None
    for level in scope.levels():
        holders = level.with_column(parts[0])
        if holders or not level.known:
            return holders[0] if len(holders) == 1 and level.known else None
    return None
