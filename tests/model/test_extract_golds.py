"""Every published gold query comes back as it went in, however a model dresses it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from eval_load import evaluation

from nl2sql_fdw.model.extract import extract

FORMS = {
    "bare": "{}",
    "semicolon": "{};",
    "fenced": "Here is the query:\n```sql\n{};\n```\nIt answers the question.",
    "explained": "{};\n\nThis query answers the question.",
    "explained without": "{}\n\nThis query answers the question.",
    "thought": "<think>It's a count; or is it?</think>\n{}",
}


FILES = (
    "spider/questions.json",
    "spider_train/questions.json",
    "defog/questions_pg.json",
    "bird/mini_dev_pg_gold.json",
)


def golds() -> Iterator[str]:
    for file in FILES:
        for question in json.loads((evaluation() / file).read_text()):
            texts = [
                question.get("gold_pg"),
                question.get("gold_sqlite"),
                *question.get("golds", ()),
            ]
            yield from filter(None, texts)


@pytest.mark.parametrize("form", FORMS)
def test_gold_queries_come_back_verbatim(form: str) -> None:
    sent = {sql.strip().rstrip(";").rstrip() for sql in golds()}
    assert len(sent) > 5000
    changed = [sql for sql in sent if extract(FORMS[form].format(sql)) != sql]
    assert not changed
