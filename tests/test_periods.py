"""Relative periods: found in a question, and right on the server on awkward days."""

from __future__ import annotations

import pytest

from nl2sql_fdw import periods


def phrases(question: str) -> list[str]:
    return [period.phrase for period in periods.find(question)]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("sales last month", ["last month"]),
        ("Sales THIS  Year versus last year", ["this year", "last year"]),
        ("last month's orders, and last month's returns", ["last month"]),
        ("who joined yesterday?", ["yesterday"]),
        ("the last 3 months", []),
        ("the last customer of the month", []),
        ("blast week and monthly totals", []),
    ],
)
def test_phrases_are_found(question, found):
    assert phrases(question) == found


@pytest.mark.parametrize(
    ("today", "phrase", "start", "end"),
    [
        ("2026-01-02", "last month", "2025-12-01", "2026-01-01"),
        ("2024-03-01", "last month", "2024-02-01", "2024-03-01"),
        ("2024-03-01", "yesterday", "2024-02-29", "2024-03-01"),
        ("2024-12-31", "next year", "2025-01-01", "2026-01-01"),
        ("2026-01-02", "last quarter", "2025-10-01", "2026-01-01"),
        ("2026-01-02", "this quarter", "2026-01-01", "2026-04-01"),
        ("2026-01-02", "last week", "2025-12-22", "2025-12-29"),
        ("2026-01-31", "next month", "2026-02-01", "2026-03-01"),
        ("2026-01-02", "tomorrow", "2026-01-03", "2026-01-04"),
        ("2026-01-02", "today", "2026-01-02", "2026-01-03"),
    ],
)
def test_ranges_are_right(server, today, phrase, start, end):
    """Reported at vanna#946 and lightdash#25185: relative dates, on 2 January and 1 March."""
    (period,) = periods.find(phrase)
    sql = f"SELECT ({period.start})::date::text, ({period.end})::date::text"
    assert server.execute(sql.replace("CURRENT_DATE", f"date '{today}'")).fetchone() == (start, end)
