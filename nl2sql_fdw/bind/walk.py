"""Walk one SELECT with its scopes, and mend each name on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nl2sql_fdw.bind.columns import ColumnMender
from nl2sql_fdw.bind.relations import RelationMender
from nl2sql_fdw.bind.scope import Columns, Scope, Source
from nl2sql_fdw.bind.spelling import same
from nl2sql_fdw.bind.text import Text
from nl2sql_fdw.names import quote
from nl2sql_fdw.types import Schema

Ctes = Mapping[str, Columns]


class Walker:
    """Visits the SELECTs of one statement from the inside of each WITH and FROM outwards."""

    def __init__(self, text: Text, schema: Schema) -> None:
        from pglast import ast

        self._ast = ast
        self._text = text
        self._columns = ColumnMender(text, schema)
        self._relations = RelationMender(text, schema)
        self._mended: dict[int, str | None] = {}

    def select(self, stmt: Any, outer: Scope | None, ctes: Ctes) -> Columns:
        """Mend one SELECT and return the names of its output columns."""
        ctes = self._with(stmt.withClause, outer, ctes)
        if stmt.larg is not None:
            outputs = self.select(stmt.larg, outer, ctes)
            self.select(stmt.rarg, outer, ctes)
            return outputs
        scope = Scope(outer, aliases={t.name for t in stmt.targetList or () if t.name})
        for item in stmt.fromClause or ():
            scope.sources.extend(self._source(item, scope, ctes))
        for item in stmt.fromClause or ():
            self._conditions(item, scope, ctes)
        for part in stmt:
            if part not in ("withClause", "fromClause"):
                self._expression(getattr(stmt, part), scope, ctes)
        if stmt.valuesLists:
            return tuple(f"column{n}" for n in range(1, len(stmt.valuesLists[0]) + 1))
        return self._outputs(stmt, scope)

    def _with(self, clause: Any, outer: Scope | None, ctes: Ctes) -> Ctes:
        if clause is None:
            return ctes
        seen = dict(ctes)
        if clause.recursive:  # any of them may name any other, itself too
            seen.update({cte.ctename: None for cte in clause.ctes})
        for cte in clause.ctes:
            outputs: Columns = None
            if isinstance(cte.ctequery, self._ast.SelectStmt):
                outputs = self.select(cte.ctequery, outer, seen)
            seen[cte.ctename] = _renamed(outputs, cte.aliascolnames)
        return seen

    def _source(self, item: Any, scope: Scope, ctes: Ctes) -> Iterator[Source]:
        """Yield the sources of one item of FROM, the scope holding those to its left."""
        ast = self._ast
        alias = getattr(item, "alias", None)
        if isinstance(item, ast.RangeVar):
            yield self._relation(item, ctes)
        elif isinstance(item, ast.JoinExpr):
            for side in (item.larg, item.rarg):
                inner = list(self._source(side, scope, ctes))
                if alias is None:
                    yield from inner
            if alias is not None:
                yield Source(alias.aliasname, None)
        elif isinstance(item, ast.RangeSubselect):
            around = scope if item.lateral else scope.outer
            outputs = self.select(item.subquery, around, ctes)
            if alias is not None:
                yield Source(alias.aliasname, _renamed(outputs, alias.colnames))
            else:
                yield Source("", outputs)
        else:  # functions, samples, XMLTABLE and the like: anything may come out
            yield Source(alias.aliasname if alias is not None else "", None)

    def _relation(self, var: Any, ctes: Ctes) -> Source:
        alias = var.alias
        if var.schemaname is None and var.relname in ctes:
            relation, columns = None, ctes[var.relname]
        else:
            relation = self._relations.mend(var)
            columns = tuple(column.name for column in relation.columns) if relation else None
        name = alias.aliasname if alias else relation.name if relation else var.relname
        columns = _renamed(columns, alias.colnames if alias else None)
        return Source(name, columns, relation, var.relname)

    def _conditions(self, item: Any, scope: Scope, ctes: Ctes) -> None:
        """Mend what FROM itself holds of expressions: ON, USING, arguments of functions."""
        ast = self._ast
        if isinstance(item, ast.JoinExpr):
            self._conditions(item.larg, scope, ctes)
            self._conditions(item.rarg, scope, ctes)
            self._expression(item.quals, scope, ctes)
            if item.jointype.name == "JOIN_INNER":
                scope.equated.update(_equated(item.quals))
        elif not isinstance(item, (ast.RangeVar, ast.RangeSubselect)):
            self._expression(item, scope, ctes)

    def _expression(self, node: Any, scope: Scope, ctes: Ctes) -> None:
        ast = self._ast
        if isinstance(node, tuple):
            for each in node:
                self._expression(each, scope, ctes)
        elif isinstance(node, ast.A_Expr):
            self._comparison(node, scope, ctes)
        elif isinstance(node, ast.ColumnRef):
            self._mended[id(node)] = self._columns.mend(node, scope)
        elif isinstance(node, ast.SQLValueFunction):
            self._columns.mend_user(node, scope)
        elif isinstance(node, ast.SelectStmt):
            self.select(node, scope, ctes)
        elif isinstance(node, ast.Node):
            for part in node:
                self._expression(getattr(node, part), scope, ctes)

    def _comparison(self, node: Any, scope: Scope, ctes: Ctes) -> None:
        self._expression(node.lexpr, scope, ctes)
        for each in node.rexpr if isinstance(node.rexpr, tuple) else (node.rexpr,):
            if isinstance(each, self._ast.ColumnRef):
                self._columns.mend(each, scope, compared=True)
            else:
                self._expression(each, scope, ctes)

    def _outputs(self, stmt: Any, scope: Scope) -> Columns:
        names: list[str] = []
        for target in stmt.targetList or ():
            if target.name:
                names.append(target.name)
                continue
            found = self._output(target.val, scope)
            if found is None:
                return None
            names.extend(found)
        return tuple(names)

    def _output(self, value: Any, scope: Scope) -> Columns:
        """Return the names that one unnamed target gives; None where that is not known."""
        ast = self._ast
        if isinstance(value, ast.ColumnRef):
            name = self._mended.get(id(value))
            return (name,) if name is not None else self._star(value, scope)
        if isinstance(value, ast.FuncCall):
            return (value.funcname[-1].sval,)
        if isinstance(value, (ast.A_Const, ast.A_Expr, ast.BoolExpr, ast.NullTest)):
            return ("?column?",)
        return None

    def _star(self, ref: Any, scope: Scope) -> Columns:
        sources = scope.sources
        if len(ref.fields) > 1:
            name = ref.fields[0].sval
            sources = [s for s in sources if s.name == name or s.is_called(name)]
        columns: list[str] = []
        for source in sources:
            if source.columns is None:
                return None
            columns.extend(source.columns)
        return tuple(columns) if columns else None


def _equated(quals: Any) -> Iterator[frozenset[tuple[str, str]]]:
    """Yield the pairs of qualified columns that a condition, or one of its ANDs, makes equal."""
    parts = quals.args if type(quals).__name__ == "BoolExpr" else (quals,)
    if type(quals).__name__ == "BoolExpr" and quals.boolop.name != "AND_EXPR":
        return
    for part in parts:
        if type(part).__name__ != "A_Expr" or [name.sval for name in part.name] != ["="]:
            continue
        sides: list[Any] = [getattr(side, "fields", ()) for side in (part.lexpr, part.rexpr)]
        if all(len(fields) == 2 and hasattr(fields[1], "sval") for fields in sides):
            yield frozenset((fields[0].sval, fields[1].sval) for fields in sides)


def mend_using(text: Text, columns: frozenset[str]) -> None:
    """Mend the names in JOIN ... USING (...): their nodes carry no location."""
    inside = False
    for before, token in zip(text.tokens, text.tokens[1:], strict=False):
        if before.name == "USING" and token.name == "ASCII_40":
            inside = True
        elif token.name == "ASCII_41":
            inside = False
        elif inside and (name := text.decode(token)) is not None and name not in columns:
            found = same(name, columns)
            if found is not None:
                text.replace((token.start, token.end + 1), quote(found), "read {old} as {new}")


def _renamed(columns: Columns, aliases: Any) -> Columns:
    """Put the column aliases, which may be fewer, over the first of the columns."""
    if not aliases:
        return columns
    names = tuple(alias.sval for alias in aliases)
    return None if columns is None else names + columns[len(names) :]
