"""Relative periods: found in a question, and right on awkward days."""

from __future__ import annotations

from datetime import date

import pytest

from nl2sql_fdw import periods


def phrases(question: str) -> list[str]:
    return [period.phrase for period in periods.find(question, date(2026, 1, 2))]


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
def test_ranges_are_right(today, phrase, start, end):
    """Reported at vanna#946 and lightdash#25185: relative dates, on 2 January and 1 March."""
    (period,) = periods.find(phrase, date.fromisoformat(today))
    assert (str(period.start), str(period.end)) == (start, end)


def test_months_agree_with_the_servers_date_trunc(server):
    days = "SELECT d, date_trunc(%s, d)::date FROM generate_series("
    days += "timestamp '2023-12-01', '2025-02-01', '1 day') d"
    for unit in ("week", "month", "quarter", "year"):
        for day, start in server.execute(days, [unit]):
            (period,) = periods.find(f"this {unit}", day.date())
            assert period.start == start
