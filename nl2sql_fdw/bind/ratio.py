"""Keep the fraction of a ratio: PostgreSQL and SQLite divide whole numbers without the rest."""

from __future__ import annotations

import re

from nl2sql_fdw.bind.text import Text
from nl2sql_fdw.types import Schema

_RATIO = re.compile(
    r"\b(?:ratios?|proportions?|percent(?:age)?s?|shares?|fractions?|rates?|average|mean|per|"
    r"verh\u00e4ltnis|anteil|prozent|durchschnitt|proporci\u00f3n|porcentaje|promedio|moyenne|pourcentage)\b|%",
    re.IGNORECASE,
)


def mend_ratio(sql: str, question: str, schema: Schema) -> tuple[str, tuple[str, ...]]:
    """Multiply by 1.0 where whole numbers are divided and the question asks for a ratio.

    Text that does not parse comes back as it is.
    """
    if "/" not in sql or _RATIO.search(question) is None:
        return sql, ()
    from pglast.parser import ParseError, parse_sql

    from nl2sql_fdw.explain import blocks, grouped

    try:
        text = Text(sql)
        for block in blocks.read(parse_sql(sql)[0], schema):
            for node in grouped.divisions(block):
                span = text.token_at(node.location)
                if span is not None:
                    text.replace(span, "* 1.0 /", "kept the fraction of a division")
    except (ParseError, RecursionError):
        return sql, ()
    return text.mended(), tuple(text.notes)
