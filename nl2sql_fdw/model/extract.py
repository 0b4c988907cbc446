"""Takes the one SQL statement out of whatever a model wrote around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nl2sql_fdw.errors import CannotAnswer, NoValidSql
from nl2sql_fdw.model.scan import code, first_word

_QUERY = re.compile(
    r"""[(\s]* (?: SELECT\b
    | VALUES\s*\(
    | TABLE\s+(?:ONLY\s+)?[\w."]+\s*
        (?: $|;|\)|--|/\*|(?:ORDER|LIMIT|OFFSET|FETCH|UNION|EXCEPT|INTERSECT)\b )
    | WITH\s+(?:RECURSIVE\s+)?(?:\w+|"[^"]+")\s*(?:\([^()]*\))?\s*AS\b )""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER = re.compile(
    r"""(?: ABORT|ALTER|ANALY[SZ]E|ATTACH|BEGIN|CALL|CHECKPOINT|CLOSE|CLUSTER|COMMENT|COMMIT|COPY
    | CREATE|DEALLOCATE|DECLARE|DELETE|DETACH|DISCARD|DO|DROP|END|EXECUTE|EXPLAIN|FETCH|GRANT
    | IMPORT|INSERT|LISTEN|LOAD|LOCK|MERGE|MOVE|NOTIFY|PRAGMA|PREPARE|REASSIGN|REFRESH|REINDEX
    | RELEASE|REPLACE|RESET|REVOKE|ROLLBACK|SAVEPOINT|SECURITY|SET|SHOW|START|TRUNCATE|UNLISTEN
    | UPDATE|VACUUM )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_REFUSAL = re.compile(r"[\s`*-]*CANNOT[ _]ANSWER\b[\s:.*-]*(.*)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:[A-Z][a-z']*|\*\*\w+),? +[a-z`(]")
_CLAUSES = (
    "AND|AS|BETWEEN|CASE|CROSS|ELSE|END|EXCEPT|FETCH|FOR|FROM|FULL|GROUP|HAVING|ILIKE|IN|INNER"
    "|INTERSECT|IS|JOIN|LATERAL|LEFT|LIKE|LIMIT|NATURAL|NOT|OFFSET|ON|OR|ORDER|RIGHT|SELECT"
    "|TABLE|THEN|UNION|USING|VALUES|WHEN|WHERE|WINDOW|WITH"
)
_CLAUSE = re.compile(rf"(?:{_CLAUSES})\b", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:[,(=<>+*/|.-]|\b(?:{_CLAUSES}|ALL|BY|DISTINCT))\s*$", re.IGNORECASE)
_LABEL = re.compile(r"\s*(?:\*\*)?[A-Za-z][A-Za-z _-]{0,30}(?:\*\*)?:(?:\*\*)?(?=\s|$)")
_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*")
_LANGUAGE = re.compile(r"(?:\w*sql\w*|postgres|text|plaintext|code|markdown|md)\b", re.IGNORECASE)
_TAGS = ("think", "thinking", "reasoning", "tool_call")
_END_MARKS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "</s>")
_REASON_CHARS = 300


@dataclass(frozen=True)
class _Block:
    """A piece of the reply that may be SQL; `closed` where its end was marked."""

    text: str
    closed: bool


def extract(text: str, cut_off: bool = False) -> str:
    """Return the SQL of a model's reply, verbatim, without its trailing semicolon.

    Thinking and tool calls are dropped. Of several fenced blocks the last that starts
    a query counts, else the last that starts any statement; without one, the first
    statement that starts a line (or follows a label, or stands in backticks). A
    semicolon ends it when prose follows. When another statement follows, all of it is
    returned as it stands: refusing that by name is the guard's job.

    `cut_off` says that the model ran out of tokens: SQL without a marked end is then
    refused, for its missing rest may be what made it right.

    Raises CannotAnswer for prose and for a line `CANNOT ANSWER: reason`, NoValidSql for
    a reply that is empty, unfinished, or no words at all.
    """
    reply = _without_asides(_trimmed(text))
    if not reply:
        raise NoValidSql("The model's reply held no SQL: it was empty.")
    if refusal := _REFUSAL.match(reply):
        raise CannotAnswer(*_cannot(refusal[1]))
    block = _choose(reply)
    if block is None:
        raise _no_sql(reply)
    sql, ended = _statement(block.text)
    if cut_off and not (ended or block.closed):
        raise NoValidSql(
            "The model's reply was cut off in the middle of its SQL.",
            sql,
            "Raise the profile's max_output_tokens.",
        )
    return sql


def _trimmed(text: str) -> str:
    """Strip blanks, byte order marks, NULs and the end marks of chat templates."""
    text = text.strip().strip("\ufeff\u200b\0").strip()
    for mark in _END_MARKS:
        text = text.removesuffix(mark).rstrip()
    return text


def _without_asides(text: str) -> str:
    """Drop what stands between tags that open at the start of a line.

    A template may have opened the tag in the prompt: then the reply has only its end.
    """
    for tag in _TAGS:
        opening, closing = re.compile(rf"^[ \t]*<{tag}>", re.I | re.M), f"</{tag}>"
        while found := opening.search(text):
            end = text.lower().find(closing, found.end())
            if end < 0:
                if tag == "tool_call":
                    text = text[: found.start()]
                    break
                raise NoValidSql("The model was still thinking when its reply ended.")
            text = (text[: found.start()] + text[end + len(closing) :]).strip()
        if not _starts_sql(text) and closing in text.lower():
            text = text[text.lower().rfind(closing) + len(closing) :].strip()
    return text


def _choose(reply: str) -> _Block | None:
    blocks = [block for block in _fenced(reply) if _starts_sql(block.text)]
    queries = [block for block in blocks if _starts_query(block.text)]
    if queries or blocks:
        return (queries or blocks)[-1]
    return _unfenced(reply)


def _fenced(text: str) -> list[_Block]:
    """Return the fenced blocks in order; a fence within a longer fence gives its own."""
    found: list[_Block] = []
    at = 0
    while opening := _FENCE.search(text, at):
        language = _LANGUAGE.match(text, opening.end())
        start = language.end() if language else opening.end()
        closing = re.compile(rf"{opening[1][0]}{{{len(opening[1])},}}(?=[ \t\r]*$)", re.M)
        end = closing.search(text, start)
        inner = text[start : end.start() if end else len(text)].strip()
        found += _fenced(inner) or [_Block(inner, end is not None)]
        at = end.end() if end else len(text)
    return found


def _unfenced(reply: str) -> _Block | None:
    """Return the reply from its first statement on."""
    if _starts_sql(reply):
        return _Block(reply, False)
    label = _LABEL.match(reply)
    if label and _starts_sql(reply[label.end() :]):
        return _Block(reply[label.end() :].strip(), False)
    for place in re.finditer(r"^|:\s|`", reply, re.M):
        rest = reply[place.end() :]
        if _QUERY.match(rest) and not _is_sentence(rest):
            tick = rest.find("`") if place[0] == "`" else -1
            return _Block(rest[:tick].strip() if tick >= 0 else rest.strip(), tick >= 0)
    return None


def _starts_query(text: str) -> bool:
    return _QUERY.match(text, first_word(text)) is not None


def _starts_sql(text: str) -> bool:
    """Tell whether text starts as a statement, of whatever kind, and is not a sentence."""
    start = first_word(text)
    known = _QUERY.match(text, start) or _OTHER.match(text, start)
    return known is not None and not _is_sentence(text[start:])


def _is_sentence(text: str) -> bool:
    """Tell prose from SQL in capitals and small letters; a semicolon speaks for SQL."""
    found = _SENTENCE.match(text) and text.rstrip().endswith((".", "!", "?", ":"))
    return bool(found) and ";" not in text


def _statement(text: str) -> tuple[str, bool]:
    """Return the statement at the start of text, and whether its end was marked."""
    depth = 0
    for at in code(text):
        if text[at] == ";":
            return _ended(text, at)
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth <= 0 and at and text[at - 1] == "\n" and _is_aside(text, at):
            return text[:at].rstrip(), True
    return text.rstrip(), False


def _ended(text: str, semicolon: int) -> tuple[str, bool]:
    """Cut after the semicolon, unless a further statement follows it."""
    rest = text[semicolon:]
    while (start := first_word(rest)) < len(rest) and rest[start] == ";":
        rest = rest[start + 1 :]
    if _starts_sql(rest):
        return text, True
    return text[:semicolon].rstrip(), True


def _is_aside(text: str, at: int) -> bool:
    """Tell whether the line that starts at `at` ends the SQL: a fence, a label or a sentence."""
    line_on = text[at:].lstrip(" \t")
    if _FENCE.match(line_on) or _LABEL.match(line_on):
        return True
    if not _is_sentence(line_on) or _CLAUSE.match(line_on):
        return False
    return _GOES_ON.search(text[max(0, at - 40) : at]) is None


def _no_sql(reply: str) -> CannotAnswer | NoValidSql:
    """Say why a reply without SQL is none: the model's own words, where it has any."""
    if reply[0] in "{[<" or not any(char.isalpha() for char in reply):
        return NoValidSql("The model's reply held no SQL.", reply[:_REASON_CHARS])
    last = [found[1] for line in reply.splitlines() if (found := _REFUSAL.match(line))]
    return CannotAnswer(*_cannot(last[0] if last else reply))


def _cannot(reason: str) -> tuple[str, str, str]:
    """Return message, detail and hint of CannotAnswer."""
    reason = " ".join(reason.replace("`", "").split()).strip()[:_REASON_CHARS]
    return (
        f"The model cannot answer this: {reason or 'it gave no reason.'}",
        "",
        "Ask about what the database holds, or name the tables you mean.",
    )
