"""Plots as inline SVG: shares with their intervals, parts of a whole, times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_LABEL = 190
_WIDTH = 460
_VALUE = 190
_ROW = 26
_LETTERS = 26
COLOURS = ("#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#0891b2", "#65a30d", "#6b7280")


@dataclass(frozen=True)
class Dot:
    """One row of a plot of shares: a value in 0..1 with its interval, and words beside it."""

    label: str
    value: float
    low: float
    high: float
    words: str
    colour: str = COLOURS[0]


@dataclass(frozen=True)
class Bar:
    """One row of a plot of times: a bar for the median, a whisker up to the 90th percentile."""

    label: str
    median: float
    p90: float
    colour: str = COLOURS[0]


def shares(rows: Sequence[Dot], title: str) -> str:
    """Draw each share as a dot on a scale of 0 to 100 %, with a line for its interval."""
    marks = [_tick(x / 4, f"{x * 25} %", len(rows)) for x in range(5)]
    for n, row in enumerate(rows):
        y = _middle(n)
        marks += [
            _label(y, row.label),
            _line(_x(row.low), y, _x(row.high), y, row.colour, 3),
            f'<circle cx="{_x(row.value):.1f}" cy="{y}" r="5" fill="{row.colour}">'
            f"<title>{escape(f'{row.label}: {row.words}')}</title></circle>",
            _text(_LABEL + _WIDTH + 14, y, row.words),
        ]
    return _svg(marks, len(rows), title)


def parts(rows: Mapping[str, Mapping[str, int]], title: str) -> str:
    """Draw each row as one bar divided by outcome; the colours are named below."""
    first = ("right", "wrong")
    found = dict.fromkeys(kind for row in rows.values() for kind in row)
    kinds = [*filter(found.__contains__, first), *(kind for kind in found if kind not in first)]
    colours = {kind: outcome_colour(kind, n) for n, kind in enumerate(kinds)}
    marks: list[str] = []
    for n, (label, counts) in enumerate(rows.items()):
        y, total, at = _middle(n), sum(counts.values()), 0.0
        marks.append(_label(y, label))
        for kind in kinds:
            share = counts.get(kind, 0) / total if total else 0.0
            marks.append(_piece(at, share, y, colours[kind], f"{kind}: {counts.get(kind, 0)}"))
            at += share
        marks.append(_text(_LABEL + _WIDTH + 14, y, f"{total} questions"))
    key = " ".join(
        f'<span><i style="background:{colours[kind]}"></i>{escape(kind)}'
        f" ({', '.join(str(row.get(kind, 0)) for row in rows.values())})</span>"
        for kind in kinds
    )
    return _svg(marks, len(rows), title) + f'<p class="key">{key}</p>'


def times(rows: Sequence[Bar], title: str) -> str:
    """Draw seconds: a bar for the median, a thin line on to the 90th percentile."""
    longest = max((row.p90 for row in rows), default=0.0) or 1.0
    marks = [_tick(x / 4, f"{longest * x / 4:.2g} s", len(rows)) for x in range(5)]
    for n, row in enumerate(rows):
        y, median, p90 = _middle(n), row.median / longest, row.p90 / longest
        words = f"{_seconds(row.median)}, p90 {_seconds(row.p90)}"
        marks += [
            _label(y, row.label),
            _piece(0.0, median, y, row.colour, words),
            _line(_x(median), y, _x(p90), y, row.colour, 2),
            _text(_LABEL + _WIDTH + 14, y, words),
        ]
    return _svg(marks, len(rows), title)


def outcome_colour(kind: str, n: int) -> str:
    """Return green for right and red for wrong, the others by their place."""
    return {"right": "#059669", "wrong": "#dc2626"}.get(
        kind, ("#d97706", "#6b7280", "#9333ea", "#0891b2", "#a16207", "#475569")[n % 6]
    )


def _seconds(value: float) -> str:
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def _x(share: float) -> float:
    return _LABEL + share * _WIDTH


def _middle(row: int) -> int:
    return row * _ROW + _ROW // 2


def _tick(share: float, words: str, rows: int) -> str:
    bottom = rows * _ROW
    return _line(_x(share), 0, _x(share), bottom, "#d1d5db", 1) + _text(
        _x(share), bottom + 10, words, "middle"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1}" x2="{x2:.1f}" y2="{y2}" stroke="{colour}"'
        f' stroke-width="{width}"/>'
    )


def _piece(at: float, share: float, y: int, colour: str, words: str) -> str:
    if not share:
        return ""
    return (
        f'<rect x="{_x(at):.1f}" y="{y - 8}" width="{max(share * _WIDTH, 0.5):.1f}" height="16"'
        f' fill="{colour}"><title>{escape(words)}</title></rect>'
    )


def _label(y: float, words: str) -> str:
    """Return the name of a row; one too long for its room is cut, and whole in its title."""
    if len(words) <= _LETTERS:
        return _text(_LABEL - 8, y, words, "end")
    cut = _text(_LABEL - 8, y, words[: _LETTERS - 1] + "…", "end")
    return f"<g><title>{escape(words)}</title>{cut}</g>"


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y + 4}" text-anchor="{anchor}">{escape(words)}</text>'


def _svg(marks: Sequence[str], rows: int, title: str) -> str:
    width, height = _LABEL + _WIDTH + _VALUE, rows * _ROW + 20
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img"'
        f' aria-label="{escape(title)}">{"".join(marks)}</svg>'
    )
