"""What the pipeline itself costs in right answers: the gold is put into the model's mouth."""

from __future__ import annotations

from contextlib import closing

import pytest
from eval_load import evaluation
from fake_model import NAME, FakeModel

from nl2sql_fdw.bench import sandbox, suites
from nl2sql_fdw.bench.measure import Run
from nl2sql_fdw.bench.records import Journal
from nl2sql_fdw.types import Profile


@pytest.mark.parametrize("suite, db", [("spider", "concert_singer"), ("defog", "ewallet")])
def test_every_gold_is_right_by_itself(server, tmp_path, suite, db):
    items = [i for i in suites.load(suite, evaluation() / suite) if i.db == db and i.answerable]
    assert len(items) > 20
    with (
        FakeModel() as model,
        closing(sandbox.Sandbox(f"user={server.info.user} dbname=postgres")) as box,
    ):
        profile = Profile(model_url=model.url, model_name=NAME)
        run = Run(items, ["single"], profile, Journal(tmp_path, suite, "postgres"))
        model.enqueue(*[item.golds[-1] for item in items])
        found = list(run.go(lambda item: box.database(item.dump)))
    assert len(found) == len(items)
    assert [(r.id, r.status, r.error) for r in found if not r.right] == []
