"""The benchmark through the loaded extension: what is asked and answered is as through Python."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import loading
import pytest
from eval_load import evaluation
from fake_model import NAME, FakeModel, Script

from nl2sql_fdw.bench import strategies, suites
from nl2sql_fdw.bench.places import ExtensionPlace, FilePlace, settings
from nl2sql_fdw.entry import outcome
from nl2sql_fdw.errors import BadSetup, ModelUnavailable
from nl2sql_fdw.types import Answer, Profile

REPLIES = [
    "SELECT name, city FROM customer ORDER BY name",
    'SELECT c.name, sum(o.total) FROM customer c JOIN "order" o ON o.customer_id = c.id GROUP BY 1',
    "SELECT 1.10 AS x, 'a\"rows\": [' AS x, NULL AS y, 9007199254740993 AS z",
    "SELECT nothing FROM customer",
    "DROP TABLE customer",
    "no SQL at all",
]
ERROR = ("status", "sqlstate", "message", "detail", "hint")
PER_FILE = 4


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeModel]:
    """A model that the real worker asks over HTTP, where the tests here else put one inside."""
    script = tmp_path / "real_worker.py"
    script.write_text("from nl2sql_fdw.entry.sqlite_worker import main\nmain()\n")
    monkeypatch.setenv("NL2SQL_WORKER", str(loading.program(tmp_path, script)))
    with FakeModel() as served:
        yield served


def both(
    file: Path, library: Path, model: FakeModel, reply: str, strategy: str = "single"
) -> tuple[Answer, Answer]:
    """Ask both ways with the same reply; what the model was asked must be the same too."""
    profile = Profile(model_url=model.url, model_name=NAME, reader="")
    profile = strategies.apply(strategy, profile)
    answers, asked = [], []
    for place in (FilePlace(file), ExtensionPlace(file, str(library))):
        model.clear()
        model.default = reply
        answers.append(place.ask("Which ones?", profile))
        asked.append([chat["messages"] for chat in model.chats])
    assert asked[0] and asked[0] == asked[1]
    return answers[0], answers[1]


def told(answer: Answer) -> Sequence[object]:
    """Return all that must be the same; the types of columns Python's sqlite3 does not know."""
    result, error = answer.result, answer.error
    return (
        answer.status,
        answer.sql,
        result and ([name for name, _ in result.columns], result.rows, result.truncated),
        error and {key: outcome.of_error(error)[key] for key in ERROR},
        answer.attempts,
        answer.notes,
    )


@pytest.mark.parametrize("strategy", ["single", "values", "vote"])
@pytest.mark.parametrize("reply", REPLIES)
def test_the_answer_is_the_same(
    library: Path, tmp_path: Path, model: FakeModel, reply: str, strategy: str
):
    file = tmp_path / "shop.db"
    loading.load(library, file).close()
    python, extension = both(file, library, model, reply, strategy)
    assert told(python) == told(extension)
    assert extension.tokens["calls"] == python.tokens["calls"] > 0


def test_a_sample_of_published_golds_has_the_same_answers(library: Path, model: FakeModel):
    seen: dict[str, int] = {}
    for item in suites.load("spider", evaluation() / "spider", "sqlite"):
        seen[item.db] = seen.get(item.db, 0) + 1
        if seen[item.db] > PER_FILE or item.dump is None:
            continue
        python, extension = both(item.dump, library, model, item.golds[0])
        assert told(python) == told(extension), item.golds
        assert extension.status == "answered", item.golds
    assert len(seen) > 1


def test_a_model_that_fails_is_the_same_failure(library: Path, tmp_path: Path, model: FakeModel):
    file = tmp_path / "shop.db"
    loading.load(library, file).close()
    profile = strategies.apply("single", Profile(model_url=model.url, model_name=NAME))
    for place in (FilePlace(file), ExtensionPlace(file, str(library))):
        model.enqueue(Script("", fault="garbage"))
        assert isinstance(place.ask("Which?", profile).error, ModelUnavailable)


def test_a_strategy_that_no_setting_tells_is_refused():
    with pytest.raises(BadSetup, match="no setting"):
        settings(Profile(min_link=0.5))
    for name in strategies.STRATEGIES:
        settings(strategies.apply(name, Profile(reader="")))


def test_what_ends_the_call_ends_the_run(library: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("NL2SQL_WORKER", str(tmp_path / "none"))
    file = tmp_path / "shop.db"
    loading.load(library, file).close()
    with pytest.raises(BadSetup):
        ExtensionPlace(file, str(library)).ask("Which?", Profile())


def test_the_command_writes_lines_of_its_own(library: Path, tmp_path: Path, model: FakeModel):
    """As it is installed: both ways into one folder, and tokens unknown rather than none."""
    if shutil.which("nl2sql") is None:
        pytest.skip("nl2sql is not installed on PATH")
    (tmp_path / "sqlite").mkdir()
    with closing(loading.load(library, tmp_path / "sqlite" / "shop.sqlite")):
        pass
    question = {"id": 0, "db_id": "shop", "question": "How many customers?",
                "gold_sqlite": "SELECT count(*) FROM customer", "sqlite_clean": True}  # fmt: skip
    (tmp_path / "questions.json").write_text(json.dumps([question]))
    model.default = "SELECT count(*) FROM customer"
    lines = {}
    for through, dialect in (("python", "sqlite"), ("extension", "sqlite-extension")):
        done = subprocess.run(
            ["nl2sql", "bench", "spider",
             "--path", str(tmp_path), "--out", str(tmp_path / "out"), "--dialect", "sqlite",
             "--through", through, "--model", NAME, "--model-url", model.url],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        lines[through] = json.loads((tmp_path / "out" / f"spider-{dialect}.jsonl").read_text())
        assert f"dialect={dialect} strategy=single n=1 ex=1.0000" in done.stdout
    python, extension = lines["python"], lines["extension"]
    same = ("sql", "right", "row_count", "calls", "status")
    assert [python[key] for key in same] == [extension[key] for key in same]
    assert python["tokens_in"] is not None and extension["tokens_in"] is None
    assert (tmp_path / "out" / "spider-sqlite-extension.html").exists()
