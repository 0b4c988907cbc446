"""The journal: what was measured survives a run that is stopped anywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2sql_fdw.bench.records import Journal, Record
from nl2sql_fdw.errors import BadSetup

ONE = Record(
    suite="spider", dialect="postgres", strategy="single", model="m", id="1", db="sea",
    question="How many\u2028ships — “all”?", gold=["SELECT 1"], status="answered", seconds=1.5,
    right=True, sql="SELECT 1", tokens_in=5, timings={"call": 3.5},
    attempts=[{"sql": "SELECT 1", "error": None}], notes=["a note"],
)  # fmt: skip
TWO = replace(ONE, id="2", right=None, gold_error="no such table")


def journal(folder) -> Journal:
    return Journal(folder, "spider", "postgres")


def test_what_is_written_is_read_back(tmp_path):
    first = journal(tmp_path / "new")
    first.add(ONE)
    first.add(TWO)
    again = journal(tmp_path / "new")
    assert again.chosen([TWO.key, ("no", "such", "", ""), ONE.key]) == [TWO, ONE]


@pytest.mark.parametrize("cut", [1, 20, 300])
def test_a_last_line_that_was_cut_off_is_dropped_and_written_anew(tmp_path, cut):
    first = journal(tmp_path)
    first.add(ONE)
    first.add(TWO)
    first.path.write_bytes(first.path.read_bytes()[:-cut])
    again = journal(tmp_path)
    assert list(again.records.values()) == [ONE]
    again.add(TWO)
    assert list(journal(tmp_path).records.values()) == [ONE, TWO]


def test_a_first_line_that_was_cut_off_leaves_nothing(tmp_path):
    first = journal(tmp_path)
    first.path.write_text('{"suite": "spi', encoding="utf-8")
    assert journal(tmp_path).records == {}
    first.add(ONE)
    assert list(journal(tmp_path).records.values()) == [ONE]


@pytest.mark.parametrize("line", ["nonsense", "{}", "[]", ""])
def test_another_line_that_is_no_record_is_named(tmp_path, line):
    first = journal(tmp_path)
    first.path.write_text(f"{line}\n", encoding="utf-8")
    first.add(ONE)
    with pytest.raises(BadSetup, match="Line 1 of"):
        journal(tmp_path)


def test_a_question_that_changed_under_its_id_is_another(tmp_path):
    assert replace(ONE, question="Which ships?").key != ONE.key
    assert replace(ONE, strategy="repair").key != ONE.key
    assert replace(ONE, model="other").key != ONE.key


@pytest.mark.parametrize(
    "status, declined",
    [("cannot_answer", True), ("needs_clarification", True), ("no_valid_sql", False),
     ("answered", False), ("refused", False)],
)  # fmt: skip
def test_only_a_no_with_a_reason_declines(status, declined):
    assert replace(ONE, status=status).declined is declined
