"""Rewrite a statement so that it means the same, or holds the same: the evader's tools."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from pglast.parser import ParseError, scan

Mutation = Callable[[str, Random], str]

COMMENTS = [
    " ",
    "\n",
    "\t",
    "/**/",
    "/* ; */",
    "/* /* x */ */",
    "--\n",
    "-- '; drop\n",
    "\r\n",
    "\f",
]

QUERY = re.compile(r"[(\s]*(select|with|values|table)\b", re.IGNORECASE)

FRAMES = [
    "({q})",
    "SELECT * FROM ({q}) AS x",
    "SELECT * FROM (SELECT * FROM ({q}) AS x) AS y",
    "WITH a AS ({q}) SELECT * FROM a",
    "WITH a AS (SELECT 1), b AS MATERIALIZED ({q}) SELECT 1 FROM a",
    "WITH RECURSIVE a AS ({q}) SELECT * FROM a",
    "SELECT 1 WHERE EXISTS ({q})",
    "SELECT 1 WHERE NOT EXISTS ({q})",
    "SELECT ARRAY({q})",
    "SELECT ({q})",
    "SELECT ROW(({q}), 1)",
    "SELECT ({q})::text",
    "SELECT (({q})::text || 'x') COLLATE \"C\"",
    "SELECT coalesce(({q})::text, '')",
    "SELECT CASE WHEN true THEN 1 ELSE ({q}) END",
    "SELECT CASE ({q}) WHEN 1 THEN 2 END",
    "SELECT 1 IN ({q})",
    "SELECT 1 > ALL ({q})",
    "SELECT (1, 2) = ANY ({q})",
    "SELECT 1 UNION ALL ({q})",
    "({q}) EXCEPT SELECT 1",
    "SELECT * FROM ship, LATERAL ({q}) AS x",
    "SELECT * FROM ship LEFT JOIN ({q}) AS x ON true",
    "SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY({q}))) AS x",
    "SELECT * FROM unnest(ARRAY({q})) WITH ORDINALITY",
    "VALUES (({q})), (1)",
    "SELECT * FROM (VALUES (1, ({q}))) AS v(a, b)",
    "SELECT count(*) FILTER (WHERE EXISTS ({q})) FROM ship",
    "SELECT array_agg(n ORDER BY ({q})) FROM ship",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ({q})) FROM ship",
    "SELECT sum(n) OVER (PARTITION BY ({q}) ORDER BY 1) FROM ship",
    "SELECT sum(n) OVER w FROM ship WINDOW w AS (ORDER BY ({q}))",
    "SELECT n FROM ship GROUP BY GROUPING SETS ((n, ({q})), ())",
    "SELECT n FROM ship GROUP BY n HAVING EXISTS ({q})",
    "SELECT n FROM ship ORDER BY ({q}) USING <",
    "SELECT n FROM ship LIMIT ({q})",
    "SELECT n FROM ship OFFSET ({q}) FETCH FIRST 1 ROW ONLY",
    "SELECT DISTINCT ON (({q})) n FROM ship",
    "SELECT * FROM ship TABLESAMPLE bernoulli (({q}))",
    "SELECT tags[({q})] FROM ship",
    "SELECT JSON_ARRAY({q})",
    "SELECT JSON_OBJECT('a': ({q}))",
    "SELECT JSON_VALUE('{{}}', '$.a' DEFAULT ({q}) ON EMPTY)",
    "SELECT * FROM JSON_TABLE(({q}), '$' COLUMNS (a int PATH '$'))",
    "SELECT make_interval(days => ({q}))",
    "SELECT ({q}) BETWEEN 1 AND 2",
    "SELECT ({q}) IS DISTINCT FROM 1",
    "SELECT ({q}) AT TIME ZONE 'UTC'",
]


def change_case(sql: str, random: Random) -> str:
    """Change the case of unquoted ASCII words, which the server folds."""
    return _each_token(sql, lambda kind, text: _recase(text, random) if _is_word(text) else text)


def add_comments(sql: str, random: Random) -> str:
    """Put space and comments between words."""
    return _each_token(sql, lambda kind, text: random.choice(COMMENTS) + text)


def escape_names(sql: str, random: Random) -> str:
    """Write unquoted names with unicode escapes, or quoted."""
    return _each_token(sql, lambda kind, text: _escape(text, random) if kind == "IDENT" else text)


def quote_by_dollars(sql: str, random: Random) -> str:
    """Write plain literals between dollar signs."""
    tag = random.choice(["", "a", "q_1"])

    def requote(kind: str, text: str) -> str:
        plain = kind == "SCONST" and text[0] == "'" and not {"\\", "$"} & set(text)
        return f" ${tag}${text[1:-1]}${tag}$ " if plain and "''" not in text else text

    return _each_token(sql, requote)


def nest(sql: str, random: Random) -> str:
    """Put a query where one may stand in another (a bare COMMIT would be a column there)."""
    if not QUERY.match(sql):
        return sql
    body = sql.rstrip().rstrip(";").rstrip()
    return random.choice(FRAMES).format(q=body + "\n")


MUTATIONS: list[Mutation] = [change_case, add_comments, escape_names, quote_by_dollars, nest]


def _each_token(sql: str, change: Callable[[str, str], str]) -> str:
    try:
        tokens = scan(sql)
    except ParseError:
        return sql
    out, at = [], 0
    for token in tokens:
        out += [sql[at : token.start], change(token.name, sql[token.start : token.end + 1])]
        at = token.end + 1
    return "".join([*out, sql[at:]])


def _is_word(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def _recase(text: str, random: Random) -> str:
    return "".join(random.choice([c.upper(), c.lower()]) for c in text)


def _escape(text: str, random: Random) -> str:
    if not _is_word(text):
        return text
    escaped = "".join(random.choice([c, f"\\{ord(c):04x}"]) for c in text.lower())
    return random.choice([f' U&"{escaped}"', f' "{text.lower()}"'])
