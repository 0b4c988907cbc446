"""What the names of one FROM clause mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from nl2sql_fdw.bind.spelling import fold
from nl2sql_fdw.types import Relation

Columns = tuple[str, ...] | None
"""The names that can be asked of a source; None where they are not known."""

SYSTEM_COLUMNS = frozenset({"ctid", "tableoid", "xmin", "xmax", "cmin", "cmax"})


@dataclass(frozen=True)
class Source:
    """One item of FROM. `written` is the relation's name as the text had it, before mending."""

    name: str
    columns: Columns
    relation: Relation | None = None
    written: str = ""

    def has(self, column: str) -> bool:
        return self.columns is not None and column in self.columns

    def is_called(self, name: str) -> bool:
        """Tell whether someone who writes `name` as a qualifier may well mean this source."""
        relation = {self.written} | ({self.relation.name} if self.relation else set())
        return name in relation or fold(name) in {fold(self.name), *map(fold, relation)}


@dataclass
class Scope:
    """The sources of one SELECT, inside those of the SELECTs around it.

    `equated` are columns that an inner join's condition makes equal, as (source, column) pairs.
    """

    outer: Scope | None = None
    sources: list[Source] = field(default_factory=list)
    aliases: set[str] = field(default_factory=set)
    equated: set[frozenset[tuple[str, str]]] = field(default_factory=set)

    def levels(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    @property
    def known(self) -> bool:
        return all(source.columns is not None for source in self.sources)

    def find(self, name: str) -> tuple[Scope, Source] | None:
        """Return the source of exactly that name, and the level that it is on."""
        for level in self.levels():
            for source in level.sources:
                if source.name == name:
                    return level, source
        return None

    def is_equated(self, column: str) -> bool:
        """Tell whether several sources have the column, and joins make it the same in them all."""
        holders = [source.name for source in self.with_column(column)]
        return len(holders) > 1 and all(
            frozenset({(one, column), (other, column)}) in self.equated
            for one, other in pairwise(holders)
        )

    def with_column(self, column: str) -> list[Source]:
        return [source for source in self.sources if source.has(column)]
