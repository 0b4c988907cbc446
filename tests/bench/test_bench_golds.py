"""What the pipeline itself costs in right answers: the gold is put into the model's mouth."""

from __future__ import annotations

from contextlib import closing

import pytest
from eval_load import evaluation
from fake_model import NAME, FakeModel

from nl2sql_fdw.bench import sandbox, strategies, suites
from nl2sql_fdw.bench.measure import Run
from nl2sql_fdw.bench.records import Journal
from nl2sql_fdw.errors import BadSetup
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


def test_a_cut_result_is_not_taken_for_a_whole_one(server, tmp_path):
    (tmp_path / "two.sql").write_text("CREATE TABLE t (i int); INSERT INTO t VALUES (1), (2);")
    item = suites.Item("own", "1", "", "Q?", ("SELECT 1",), tmp_path / "two.sql")
    with (
        FakeModel(default="SELECT i FROM t ORDER BY i") as model,
        closing(sandbox.Sandbox(f"user={server.info.user} dbname=postgres")) as box,
    ):
        profile = Profile(model_url=model.url, model_name=NAME, max_rows=1, truncate=True)
        run = Run([item], ["single"], profile, Journal(tmp_path, "own", "postgres"))
        [record] = run.go(lambda item: box.database(item.dump))
    assert (record.status, record.row_count, record.right) == ("answered", 1, False)


def test_every_strategy_is_a_change_of_a_profile():
    default = Profile()
    changed = {name: strategies.apply(name, default) for name in strategies.STRATEGIES}
    assert changed["single"].retries == 0 and changed["repair"].retries == 1
    assert len(set(changed.values())) == len(changed)


@pytest.mark.parametrize("names", ["", " , ", "magic", "single,magic"])
def test_a_strategy_that_is_not_there_is_refused(names):
    with pytest.raises(BadSetup, match="There is no strategy"):
        strategies.choose(names)


def test_each_strategy_is_run_once():
    assert strategies.choose("repair, single,repair") == ["repair", "single"]
