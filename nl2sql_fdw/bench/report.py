"""The report of a run: one HTML page that needs no other file, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from nl2sql_fdw.bench.coverage import curve
from nl2sql_fdw.bench.plots import COLOURS, Bar, Dot, parts, shares, times
from nl2sql_fdw.bench.records import Record
from nl2sql_fdw.bench.summary import Share, Summary, compare, outcome, share_by_database, summarise

Records = Mapping[str, Sequence[Record]]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: #111827; }
h2 { margin-top: 2.5rem; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: #374151; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr + tr { border-top: 1px solid #e5e7eb; }
pre { background: #f3f4f6; padding: .5rem; white-space: pre-wrap; margin: .2rem 0; }
details { border-top: 1px solid #e5e7eb; padding: .4rem 0; } summary { cursor: pointer; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .3em; }
.key span { margin-right: 1.2em; } .note, dt { color: #6b7280; } dd { margin: 0; }
"""


def page(records: Records, model: str) -> str:
    """Return the page for the records of each strategy, of which each must have one at least."""
    sums = {name: summarise(found) for name, found in records.items()}
    first = next(iter(sums.values()))
    title = f"{first.suite} on {first.dialect}, {model}"
    body = [
        f"<h1>{escape(title)}</h1>",
        _table(sums),
        "<h2>Right answers</h2>",
        "<p class=note>Share of questions whose rows are the gold's, exact 95 % interval.</p>",
        shares(_dots({name: each.right for name, each in sums.items()}), "share right"),
        *_comparisons(records),
        *_coverage(records),
        "<h2>What became of the questions</h2>",
        parts({name: each.outcomes for name, each in sums.items()}, "outcomes"),
        *_refusals(sums),
        "<h2>Time</h2>",
        "<p class=note>Bar: median; line: 90th percentile.</p>",
        *_latency(sums),
        "<h2>By database</h2>",
        *_databases(records),
        "<h2>Not right</h2>",
        *_failures(records),
    ]
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f"<style>{_STYLE}</style><body>{''.join(body)}</body></html>\n"
    )


def _table(sums: Mapping[str, Summary]) -> str:
    heads = (
        "strategy", "questions", "right", "95 %", "answered", "right of answered", "median s",
        "p90 s", "calls", "tokens in", "reused", "out",
    )  # fmt: skip
    rows = [_row("th", heads)]
    for name, each in sums.items():
        tokens = ("unknown" if n is None else f"{n:,}" for n in each.tokens.values())
        rows.append(
            _row(
                "td",
                (
                    name,
                    str(each.right.n),
                    _percent(each.right.value),
                    _range(each.right),
                    _percent(each.answered.value),
                    _percent(each.right_of_answered.value),
                    _plain(each.median_s),
                    _plain(each.p90_s),
                    f"{each.calls:,}",
                    *tokens,
                ),
            )
        )
    lost = sum(each.not_judged for each in sums.values())
    note = f"<p>{lost} answers could not be judged: their gold fails.</p>" if lost else ""
    return f"<table>{''.join(rows)}</table>{note}"


def _comparisons(records: Records) -> Iterator[str]:
    """Yield each two strategies' paired difference in words."""
    for first, second, n, split in compare(records):
        yield (
            f"<p>{escape(first)} less {escape(second)}, on the same {n} questions:"
            f" <b>{split.difference * 100:+.1f} points</b>. Only {escape(first)} right:"
            f" {split.only_first}; only {escape(second)} right: {split.only_second};"
            f" exact McNemar p = {split.p_value:.3f}.</p>"
        )


def _coverage(records: Records) -> Iterator[str]:
    """Yield how right the surest answers are, where answers tell how sure they are."""
    for name, found in records.items():
        dots = {
            f"{point.answered.value:.0%} answered, from {point.threshold:.2f} on": point.right
            for point in curve(found)
        }
        if dots:
            yield f"<h3>The surest answers of {escape(name)}</h3>"
            yield "<p class=note>Share right where only answers of that confidence are given.</p>"
            yield shares(_dots(dots), f"share right by confidence, {name}")


def _refusals(sums: Mapping[str, Summary]) -> Iterator[str]:
    """Yield what became of the questions that cannot be answered, where there are any."""
    declined = {name: each.declined for name, each in sums.items() if each.declined.n}
    if not declined:
        return
    yield "<h2>Questions that cannot be answered</h2>"
    yield "<p class=note>Share declined with a reason; SQL that merely failed is not counted.</p>"
    yield shares(_dots(declined), "declined")
    for name, each in sums.items():
        yield (
            f"<p>{escape(name)}: no answer to {_percent(each.unanswered.value)} of them for any"
            f" reason; declined {_percent(each.declined_answerable.value)} of the answerable.</p>"
        )


def _latency(sums: Mapping[str, Summary]) -> Iterator[str]:
    """Yield the times of each strategy: the whole, then the stages by their order."""
    for n, (name, each) in enumerate(sums.items()):
        bars = [Bar("whole", each.median_s or 0, each.p90_s or 0, COLOURS[n % len(COLOURS)])]
        bars += [
            Bar(stage, *took, COLOURS[n % len(COLOURS)]) for stage, took in each.stages.items()
        ]
        yield f"<h3>{escape(name)}</h3>{times(bars, f'time by stage, {name}')}"


def _databases(records: Records) -> Iterator[str]:
    for n, (name, found) in enumerate(records.items()):
        dots = _dots(share_by_database(found), COLOURS[n % len(COLOURS)])
        yield f"<h3>{escape(name)}</h3>{shares(dots, f'share right by database, {name}')}"


def _failures(records: Records) -> Iterator[str]:
    """Yield each question that was not answered as it should be, with the gold and the SQL."""
    for name, found in records.items():
        missed = [record for record in found if _missed(record)]
        yield f"<h3>{escape(name)}: {len(missed)} of {len(found)}</h3>"
        yield from map(_failure, missed)


def _missed(record: Record) -> bool:
    return not record.right if record.gold else not record.declined


def _failure(record: Record) -> str:
    what = outcome(record) if record.gold else f"{record.status}, should decline"
    parts_of_it = {
        "gold": "\n-- or\n".join(record.gold),
        "answer": record.sql or "",
        "error": record.error,
        "error of the gold": record.gold_error or "",
        "tried before": "\n".join(
            f"{each['sql']}\n-- {each['error']}" for each in record.attempts[:-1]
        ),
    }
    shown = "".join(
        f"<dt>{label}</dt><dd><pre>{escape(text)}</pre></dd>"
        for label, text in parts_of_it.items()
        if text
    )
    head = f"{record.db or record.suite} {record.id}: {record.question}"
    return (
        f"<details><summary>{escape(head)} <b>{escape(what)}</b></summary>"
        f"<dl>{shown}</dl></details>"
    )


def _dots(found: Mapping[str, Share], colour: str = COLOURS[0]) -> list[Dot]:
    rows = []
    for label, share in found.items():
        if share.value is not None and share.bounds is not None:
            words = f"{share.value * 100:.1f} % ({share.k} of {share.n})"
            rows.append(Dot(label, share.value, *share.bounds, words, colour))
    return rows


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{value * 100:.1f} %"


def _plain(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _range(share: Share) -> str:
    if share.bounds is None:
        return "none"
    low, high = share.bounds
    return f"{low * 100:.0f} to {high * 100:.0f} %"
