"""Relative periods: found in a question, and right on awkward days."""

from __future__ import annotations

import unicodedata
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


TWINS = {
    "last month": "¿Ventas del mes pasado? | ventes du mois dernier | Umsatz im letzten Monat | "
    "vendite dello scorso mese | vendas do mês passado | omzet vorige maand | "
    "продажи в прошлом месяце | 先月の売上は? | 上个月的销售额",
    "this week": "ventas esta semana | ventes cette semaine | Umsatz dieser Woche | "
    "vendite questa settimana | omzet deze week | продажи на этой неделе | 今週の売上 | 本周销售额",
    "last year": "ventas del año pasado | ventes de l'année dernière | Umsatz letztes Jahr | "
    "vendite dell'anno scorso | vendas do ano passado | omzet vorig jaar | "
    "продажи прошлого года | 去年の売上 | 昨年の売上",
    "next quarter": "próximo trimestre | trimestre prochain | nächstes Quartal | 下季度",
    "yesterday": "ayer | les ventes d'hier | gestern | ieri | ontem | gisteren | вчера | "
    "昨日 | 昨天",
    "today": "hoy | aujourd'hui | heute | oggi | hoje | vandaag | сегодня | 今日 | 今天",
}


@pytest.mark.parametrize(
    ("english", "twin"), [(e, twin) for e, all_ in TWINS.items() for twin in all_.split(" | ")]
)
def test_a_period_in_another_language_is_the_same_range(english, twin):
    """Q6: in ten languages, decomposed letters too."""
    for today in (date(2026, 1, 2), date(2024, 3, 1)):
        (expected,) = periods.find(english, today)
        for form in ("NFC", "NFD"):
            (found,) = periods.find(unicodedata.normalize(form, twin), today)
            assert (found.start, found.end) == (expected.start, expected.end)


@pytest.mark.parametrize(
    "question",
    ["上上个月的销售额", "一昨年の売上", "再来週の予約", "上周五的订单", "vorletzten Monat",
     "anteayer", "Wie viele Schiffe liegen hier?", "jeden Morgen", "por la mañana", "позавчера"],
)  # fmt: skip
def test_what_means_another_time_is_not_a_period(question):
    assert phrases(question) == []


def test_months_agree_with_the_servers_date_trunc(server):
    days = "SELECT d, date_trunc(%s, d)::date FROM generate_series("
    days += "timestamp '2023-12-01', '2025-02-01', '1 day') d"
    for unit in ("week", "month", "quarter", "year"):
        for day, start in server.execute(days, [unit]):
            (period,) = periods.find(f"this {unit}", day.date())
            assert period.start == start
