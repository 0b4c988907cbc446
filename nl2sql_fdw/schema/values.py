"""Find what the question, or a query, says in the columns of the tables, live and under the door.

Nothing is stored and nothing is read here: each lookup is one SELECT that goes through the door
like the model's own, so that privileges, policies, limits and read-only hold by construction.
What leaves a table is only what says the same as the words looked for, so that no row can
tell the model anything that the question does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from nl2sql_fdw.names import literal
from nl2sql_fdw.schema.searchable import Place
from nl2sql_fdw.types import JsonText, Literal

Look = Callable[[str], Sequence[JsonText]]
"""Runs one generated SELECT through the door, within the limits; returns its rows."""

_LONGEST = 60
_MOST_WORDS = 5
_MOST_PHRASES = 400
_MOST_COLUMNS = 40
_MOST_HITS = 8
_MOST_SAME = 20
_MOST_NEAR = 100
_MOST_BRANCHES = 90
_SHORTEST_NEAR = 5
_SHORTEST_STEM = 4
_ENDINGS = (("ful", 3), ("al", 2), ("ed", 2), ("ing", 3), ("an", 1), ("an", 2))
_WORD = re.compile(r"\w+(?:['\u2019&.]\w+)*")
_QUOTED = re.compile(r"""["\u201c`]+\s*([^"\u201c\u201d`']+?)\s*["\u201d`']""")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a all also amount an and any are as at average be been between both but by can count "
        "date day days did different display distinct do does each either ever every few find "
        "first for from get give had has have her highest his how i if in is it its largest last "
        "least less list longest lowest many maximum may me mean minimum month months more most "
        "much my name no not now number of off old on one only or other our out over per price "
        "return same shortest show since smallest so some such sum tell than that the their them "
        "then there these they this those to today together top total under until up us was we "
        "week weeks were what when where which while who whom whose why will with year years yes "
        "yesterday you your",
    )
)


@dataclass(frozen=True)
class Hit:
    """A value that says what the question says, and where it stands."""

    place: Place
    text: str


def phrases(question: str) -> dict[str, int]:
    """Return what a value might say in the question's words, folded, with its length in words.

    What stands in double quotes, and runs of words: plurals also as singulars and the like, no
    single word that any question may hold.
    """
    quoted = map(fold, _QUOTED.findall(question))
    found = {text: _MOST_WORDS for text in quoted if len(text) <= _LONGEST}
    words = _WORD.findall(question.replace("_", " "))
    for size in range(1, min(_MOST_WORDS, len(words)) + 1):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if size == 1 and not _tells(run[0]):
                continue
            for form in _stems(run[-1].lower()):
                text = fold(" ".join([*run[:-1], form]))
                if len(text) <= _LONGEST and len(found) < _MOST_PHRASES:
                    found.setdefault(text, size)
    return found


def find(question: str, places: Sequence[Place], look: Look) -> tuple[Hit, ...]:
    """Return the values that say a part of the question, longer parts first.

    A value that says only a part of what another hit says (York beside New York) is left out.
    """
    asked = phrases(question)
    places = [place for place in places if place.categorical][:_MOST_COLUMNS]
    if not asked or not places:
        return ()
    rows = map(json.loads, look(_search(asked, places)))
    hits = [Hit(places[row["_n"]], row["_v"]) for row in rows]
    hits.sort(key=lambda hit: (-asked.get(fold(hit.text), 0), hit.place.rank, hit.text))
    longest = {fold(hit.text) for hit in hits}
    kept = [hit for hit in hits if not _is_within(fold(hit.text), longest)]
    return tuple(kept[:_MOST_HITS])


def alike(
    sought: Sequence[Literal], places: Sequence[Place], look: Look
) -> Mapping[Literal, tuple[tuple[str, str], ...]]:
    """Return for each literal the (column, value) pairs of its table that may be meant.

    In its own column these are the values that say the same, or nearly the same; in the other
    columns those that say the same. A literal is absent where its own column may not be
    searched, or where there are too many values like it to tell. The labels of an enum are
    known without a lookup.
    """
    labels = {each: _labels(each) for each in sought if _labels(each)}
    branches: list[_Branch] = []
    asked: list[Literal] = []
    for each in dict.fromkeys(sought):
        more = _branches(each, places)
        if more and len(branches) + len(more) <= _MOST_BRANCHES:
            asked.append(each)
            branches += more
    if not branches:
        return labels
    selects = [branch.select(n) for n, branch in enumerate(branches)]
    found: list[list[str]] = [[] for _ in branches]
    for row in map(json.loads, look("\nUNION ALL\n".join(selects))):
        found[row["_n"]].append(row["_v"])
    pairs: dict[Literal, dict[tuple[str, str], None]] = {each: {} for each in asked}
    for branch, values in zip(branches, found, strict=True):
        if len(values) < branch.limit:
            pairs[branch.sought].update({(branch.place.column, value): None for value in values})
        elif not branch.near:
            asked.remove(branch.sought)
    return labels | {each: tuple(pairs[each]) for each in asked}


def _labels(sought: Literal) -> tuple[tuple[str, str], ...]:
    own = [column for column in sought.relation.columns if column.name == sought.column]
    return tuple((column.name, label) for column in own for label in column.enum_labels)


@dataclass(frozen=True)
class _Branch:
    """One SELECT of a lookup: the values of one column that are like one literal."""

    sought: Literal
    place: Place
    near: bool = False

    @property
    def limit(self) -> int:
        return _MOST_NEAR if self.near else _MOST_SAME

    def select(self, n: int) -> str:
        text = fold(self.sought.text)
        if not self.near:
            return _select(n, self.place, f"{_folded(self.place)} = {literal(text)}", self.limit)
        alike = (
            f"substr({_folded(self.place)}, 1, 1) = {literal(text[:1])}"
            f" AND length({_VALUE}) BETWEEN {len(text) - 2} AND {len(text) + 2}"
        )
        return _select(n, self.place, alike, self.limit)


def _branches(sought: Literal, places: Sequence[Place]) -> list[_Branch]:
    """Return what to select for one literal; nothing where its own column is closed."""
    table = [place for place in places if place.holds(sought.relation)]
    own = [place for place in table if place.column == sought.column]
    if not own or len(sought.text) > _LONGEST:
        return []
    near = [_Branch(sought, own[0], near=True)] if len(sought.text) >= _SHORTEST_NEAR else []
    return [*(_Branch(sought, place) for place in table), *near]


def fold(text: str) -> str:
    """Return what the database's `_fold` makes of a text."""
    return text.lower().translate(str.maketrans("_-", "  "))


def _tells(word: str) -> bool:
    """Tell whether a word alone may name a value; US may, us does not."""
    if len(word) < 2 or word.isdigit():
        return False
    return word.isupper() or word.lower() not in _STOP


def _stems(word: str) -> Iterable[str]:
    """Yield the word, its singular, and what it is without an ending: success of successful."""
    yield word
    if word.endswith(("'s", "\u2019s")):
        yield word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
        if word.endswith(("ses", "xes", "zes", "ches", "shes")):
            yield word[:-2]
        if word.endswith("ies"):
            yield word[:-3] + "y"
    for ending, cut in _ENDINGS:
        if word.endswith(ending) and len(word) - cut >= _SHORTEST_STEM:
            yield word[:-cut]


def _is_within(text: str, others: Collection[str]) -> bool:
    return any(text != other and f" {text} " in f" {other} " for other in others)


def _search(asked: Iterable[str], places: Sequence[Place]) -> str:
    listed = ", ".join(f"({literal(text)})" for text in asked)
    branches = (
        _select(n, place, f"{_folded(place)} IN (SELECT _w FROM asked)", _MOST_HITS)
        for n, place in enumerate(places)
    )
    return f"WITH asked(_w) AS (VALUES {listed})\n" + "\nUNION ALL\n".join(branches)


_VALUE = "v._v"
"""The names begin with _ so as not to be those of a closed column."""


def _folded(place: Place) -> str:
    """Write `fold` of the value for the database; SQLite's lower knows ASCII only."""
    if place.dialect == "sqlite":
        return "replace(replace(lower(v._v), '_', ' '), '-', ' ')"
    return "translate(lower(v._v), '_-', '  ')"


def _select(n: int, place: Place, condition: str, limit: int) -> str:
    """Select distinct values of a column, none longer than a line of the prompt has room for.

    Distinct comes first: to fold every row of a column of few values took twice as long.
    """
    return (
        f"SELECT _n, _v FROM (SELECT {n} AS _n, v._v FROM (SELECT DISTINCT"
        f" CAST({place.write(place.column)} AS text) AS _v FROM {place.written}) AS v"
        f" WHERE {condition} AND length(v._v) <= {_LONGEST} LIMIT {limit}) AS found"
    )
