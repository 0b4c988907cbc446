"""The page: whole, self-contained, and safe from what questions and replies hold."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from nl2sql_fdw.bench import plots, report
from nl2sql_fdw.bench.records import Record

BASE = Record(
    suite="spider", dialect="postgres", strategy="single", model="m", id="0", db="sea",
    question="How many ships?", gold=["SELECT gold_zero"], status="answered", seconds=1.0,
    right=True, sql="SELECT answer_zero", calls=1, timings={"context": 20.0, "call": 900.0},
)  # fmt: skip
WRONG = replace(BASE, id="1", right=False, db="lake", gold=["SELECT a", "SELECT b"])
EVIL = "<script>alert(1)</script>"
HOSTILE = replace(
    BASE, id="2", right=False, status="no_valid_sql", db=EVIL, question=EVIL, gold=[EVIL],
    sql=EVIL, error=EVIL, attempts=[{"sql": EVIL, "error": EVIL}, {"sql": EVIL, "error": None}],
)  # fmt: skip
UNANSWERABLE = replace(BASE, id="u0", gold=[], right=None, question="Why?")


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def page() -> str:
    found = [BASE, WRONG, HOSTILE, UNANSWERABLE]
    return report.page({"single": found, "repair": [replace(r, right=True) for r in found]}, "m")


def test_the_page_needs_nothing_from_elsewhere(page):
    tags = Tags()
    tags.feed(page)
    assert {"svg", "table", "details", "style"} <= {tag for tag, _ in tags.seen}
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in tags.seen}
    assert not any(name in ("src", "href") for _, attrs in tags.seen for name in attrs)


def test_what_a_model_or_a_question_wrote_is_text(page):
    assert EVIL not in page
    assert "&lt;script&gt;" in page


def test_every_plot_is_well_formed(page):
    drawn = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawn) >= 6
    for svg in drawn:
        ElementTree.fromstring(svg)


def test_what_was_not_right_is_listed_with_its_golds_and_its_sql():
    page = report.page({"single": [BASE, WRONG, UNANSWERABLE]}, "m")
    missed = page.partition("<h2>Not right</h2>")[2]
    assert "single: 2 of 3" in missed
    assert "SELECT a\n-- or\nSELECT b" in missed and "answer_zero" in missed
    assert "gold_zero" not in missed
    assert "should decline" in missed


def test_figures_are_in_words_too():
    page = report.page({"single": [BASE, WRONG]}, "m")
    assert "50.0 % (1 of 2)" in page
    assert "1 to 99 %" in page
    assert "unknown" in page


def test_a_share_is_drawn_where_it_belongs():
    svg = ElementTree.fromstring(plots.shares([plots.Dot("x", 0.5, 0.0, 1.0, "half")], "t"))
    [dot] = [each for each in svg if each.tag == "circle"]
    [interval] = [each for each in svg if each.tag == "line" and each.get("stroke-width") == "3"]
    ends = float(interval.get("x1")), float(interval.get("x2"))
    assert float(dot.get("cx")) == sum(ends) / 2
    assert ends[0] < ends[1]


def test_the_parts_of_a_bar_fill_it():
    svg = plots.parts({"single": {"right": 3, "wrong": 1}}, "t").partition("<p")[0]
    widths = [
        float(each.get("width")) for each in ElementTree.fromstring(svg) if each.tag == "rect"
    ]
    assert widths[0] == pytest.approx(3 * widths[1], abs=0.1)


def test_what_is_right_comes_first_in_a_bar():
    svg = plots.parts({"single": {"no_valid_sql": 1, "wrong": 1, "right": 2}}, "t").partition("<p")[
        0
    ]
    titles = [each[0].text for each in ElementTree.fromstring(svg) if each.tag == "rect"]
    assert titles == ["right: 2", "wrong: 1", "no_valid_sql: 1"]


def test_a_long_name_is_cut_and_whole_in_its_title():
    name = "customers_and_products_and_contacts"
    svg = plots.shares([plots.Dot(name, 0.5, 0.0, 1.0, "half")], "t")
    assert f"<title>{name}</title>" in svg and f">{name}</text>" not in svg
