"""Read the attacks: one file per threat in corpus/, an attack a block, its goal above it.

    -- shows SECRET-VAULT: an error text that quotes the value
    -- before: SET DateStyle = 'SQL'
    SELECT code::int FROM vault

The first line is `-- predicate [argument]: note`; what would be true had it worked is
defined once in predicates.py. Further lines that may follow it:

    -- before: a statement that the asker runs first, in the same session
    -- question: the question, where the body is the model's reply to it
    -- direct: the body is the asker's own statement, not a text for nl2sql_run()
    -- profile: another profile of the world than the usual one
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("corpus")
HEADER = re.compile(r"-- (?P<predicate>[a-z]+)(?: (?P<argument>[^:]+))?: (?P<note>.+)")
OPTION = re.compile(r"-- (before|question|direct|profile):\s?(.*)")
UNPRINTABLE = re.compile(r"<([A-Z]+)>")
CHARACTERS = {
    "NUL": "\0", "LONE": "\ud800", "BELL": "\x07", "NBSP": "\u00a0", "RLO": "\u202e",
    "ZWSP": "\u200b", "BOM": "\ufeff", "CR": "\r", "FF": "\f", "VT": "\v",
}  # fmt: skip
"""Characters that a file of text cannot hold or show, written <NUL> in it."""
REPEATED = re.compile(r"<(\d+) \* (.*?)>", re.DOTALL)
"""`<5000 * (>` stands for 5,000 opening brackets: a file of text stays readable."""


@dataclass(frozen=True)
class Attack:
    """One attack: what is tried, how it is sent, and how its success would be seen."""

    place: str
    threat: str
    predicate: str
    argument: str
    note: str
    body: str
    before: tuple[str, ...] = ()
    question: str | None = None
    direct: bool = False
    profile: str = ""


def read_all() -> list[Attack]:
    """Return every attack, file by file."""
    return [attack for path in sorted(FOLDER.glob("*.sql")) for attack in read(path)]


def read(path: Path) -> list[Attack]:
    """Return the attacks of one file; blank lines part them."""
    attacks, line = [], 1
    text = path.read_text(encoding="utf-8")
    for block in re.split(r"\n(?:[ \t]*\n)+", text.strip("\n")):
        attacks.append(_parse(block, f"{path.name}:{line}", path.stem.replace("_", " ")))
        line += block.count("\n") + 2
    return attacks


def _parse(block: str, place: str, threat: str) -> Attack:
    lines = block.split("\n")
    header = HEADER.fullmatch(lines[0])
    if header is None:
        raise ValueError(f"{place}: the first line is not `-- predicate [argument]: note`")
    options: dict[str, list[str]] = {}
    at = 1
    while at < len(lines) and (option := OPTION.fullmatch(lines[at])):
        options.setdefault(option[1], []).append(option[2])
        at += 1
    body = "\n".join(lines[at:])
    if not body:
        raise ValueError(f"{place}: there is no statement")
    return Attack(
        place, threat, header["predicate"], header["argument"] or "", header["note"],
        spell(body), tuple(options.get("before", ())),
        spell(options["question"][0]) if "question" in options else None,
        "direct" in options, options.get("profile", [""])[0],
    )  # fmt: skip


def spell(text: str) -> str:
    """Put in the characters and repetitions that the file writes by name."""
    text = REPEATED.sub(lambda found: found[2] * int(found[1]), text)
    return UNPRINTABLE.sub(lambda found: CHARACTERS[found[1]], text)


def fill(text: str, places: Mapping[str, str]) -> str:
    """Put the world's own names (@DIR@, @PORT@ ...) into a text."""
    return re.sub(r"@([A-Z]+)@", lambda found: places.get(found[1], found[0]), text)
