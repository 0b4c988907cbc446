"""A whole benchmark on a real server, with a scripted model: as the command runs it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from cluster import connect
from fake_model import NAME, FakeModel, Script
from typer.testing import CliRunner

from nl2sql_fdw.bench import sandbox
from nl2sql_fdw.bench.measure import WARMING
from nl2sql_fdw.entry.cli import app
from nl2sql_fdw.errors import BadSetup, ModelUnavailable

DUMP = """
CREATE SCHEMA "sea";
CREATE TABLE "sea"."ship" ("id" int PRIMARY KEY, "name" text, "weight" numeric(8, 2));
COPY "sea"."ship" ("id", "name", "weight") FROM STDIN;
1\tAda\t10.50
2\tBee\t7
3\tCod\t\\N
\\.
"""
OTHER = """
CREATE TABLE harbour (code text, depth int);
INSERT INTO harbour VALUES ('HAM', 15), ('RTM', 24);
"""
QUESTIONS = [
    {"id": "heavy", "db_id": "sea", "question": "Heaviest ship?",
     "gold": "SELECT name FROM ship WHERE weight IS NOT NULL ORDER BY weight DESC LIMIT 1"},
    {"id": "deep", "db_id": "port", "question": "Harbours by depth?",
     "gold": "SELECT code, depth FROM harbour ORDER BY depth DESC"},
    {"id": "count", "db_id": "sea", "question": "How many ships?",
     "gold": "SELECT count(*) FROM ship"},
    {"id": "moon", "db_id": "sea", "question": "Who built the moon?", "unanswerable": True},
]  # fmt: skip
DEEP = "SELECT code, depth FROM harbour ORDER BY depth DESC"
HEAVY = "SELECT name FROM sea.ship ORDER BY weight DESC NULLS LAST LIMIT 1"
COUNT = "SELECT count(*) FROM ship"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "pg").mkdir()
    (tmp_path / "pg" / "sea.sql").write_text(DUMP)
    (tmp_path / "pg" / "port.sql").write_text(OTHER)
    (tmp_path / "questions.json").write_text(json.dumps(QUESTIONS))
    return tmp_path


@pytest.fixture
def model():
    with FakeModel() as fake:
        yield fake


@pytest.fixture
def bench(server: psycopg.Connection, suite: Path, model: FakeModel):
    """Return a function that runs the command in this process, and gives its result."""
    dsn = f"user={server.info.user} dbname=postgres"

    def run(*more: str):
        told = ["bench", "questions", "--path", str(suite), "--out", str(suite / "out")]
        told += ["--dsn", dsn, "--model", NAME, "--model-url", model.url, "--no-warm-up"]
        return CliRunner().invoke(app, [*told, *more])

    return run


def lines(suite: Path) -> list[dict]:
    text = (suite / "out" / "questions-postgres.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_a_run_ends_with_a_line_a_report_and_a_record_per_question(bench, suite, model):
    model.enqueue(DEEP, HEAVY, "SELECT 4", "I cannot tell from these tables.")
    done = bench()
    assert done.exit_code == 0, done.output
    found = {line["id"]: line for line in lines(suite)}
    assert list(found) == ["deep", "heavy", "count", "moon"]
    assert [line["right"] for line in found.values()] == [True, True, False, None]
    assert found["moon"]["status"] == "cannot_answer"
    assert found["count"]["gold"] == [COUNT] and found["count"]["sql"] == "SELECT 4"
    assert found["deep"]["tokens_in"] > 0 and found["deep"]["calls"] == 1
    assert {"context", "call", "rows"} <= set(found["deep"]["timings"])
    refusals, last = done.stdout.splitlines()[-2:]
    assert last.startswith("suite=questions dialect=postgres strategy=single n=3 ex=0.6667 lo=")
    assert " answered=1.0000 right_of_answered=0.6667 " in last and " calls=3 " in last
    assert "n=1 declined=1.0000" in refusals
    assert "Not right" in (suite / "out" / "questions-postgres.html").read_text()


def test_the_prompt_shows_only_the_questions_own_database(bench, model):
    model.enqueue(DEEP, HEAVY, COUNT, "No.")
    bench()
    prompts = [str(chat["messages"]) for chat in model.chats]
    assert ["harbour" in text for text in prompts] == [True, False, False, False]
    assert ["weight" in text for text in prompts] == [False, True, True, True]


def test_a_rerun_asks_only_what_is_left(bench, suite, model):
    model.enqueue(DEEP, HEAVY, COUNT, "I cannot tell.")
    first = bench().stdout
    journal = suite / "out" / "questions-postgres.jsonl"
    whole = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(whole[:2]) + whole[2][:50])
    model.clear()
    model.enqueue(COUNT, "I cannot tell.")
    assert bench().exit_code == 0
    assert len(model.chats) == 2
    assert [line["id"] for line in lines(suite)] == ["deep", "heavy", "count", "moon"]
    model.clear()
    again = bench()
    assert again.exit_code == 0 and model.chats == []
    assert " n=3 ex=1.0000 " in again.stdout and " n=3 ex=1.0000 " in first


def test_a_model_server_that_is_gone_ends_the_run_and_nothing_is_held_against_it(bench, suite):
    with FakeModel(default=DEEP) as gone:
        url = gone.url
    done = bench("--model-url", url)
    assert isinstance(done.exception, ModelUnavailable)
    assert not (suite / "out" / "questions-postgres.jsonl").exists()
    assert "4 questions are left" in done.stderr


def test_a_reply_that_never_comes_from_a_server_that_is_there_is_a_failure(bench, suite, model):
    model.enqueue(Script("", fault="crash"), HEAVY, COUNT, "No.")
    assert bench().exit_code == 0
    first = lines(suite)[0]
    assert (first["status"], first["right"], first["calls"]) == ("model_unavailable", False, 1)
    assert first["tokens_in"] is None


def test_strategies_are_compared_in_pairs(bench, suite, model):
    broken = "SELECT nothing FROM harbour"
    single, repair = (broken, DEEP), (HEAVY, COUNT, "I cannot tell.")
    model.enqueue(single[0], broken, single[1], *repair, *repair)
    done = bench("--strategy", "single,repair")
    assert done.exit_code == 0, done.output
    assert "paired first=single second=repair n=3 only_first=0 only_second=1" in done.stdout
    one, two = done.stdout.splitlines()[-2:]
    assert "strategy=single n=3 ex=0.6667" in one and "strategy=repair n=3 ex=1.0000" in two
    attempts = {(line["id"], line["strategy"]): line["attempts"] for line in lines(suite)}
    assert len(attempts["deep", "single"]) == 1 and len(attempts["deep", "repair"]) == 2


def test_a_warm_up_is_asked_of_each_database_by_each_strategy_and_not_recorded(bench, suite, model):
    model.default = "SELECT 1"
    assert bench("--warm-up", "--strategy", "single,repair").exit_code == 0
    asked = [chat["messages"][-1]["content"] for chat in model.chats]
    first = [n for n, text in enumerate(asked) if WARMING in text]
    assert (first, len(asked)) == ([0, 2, 4, 8], 12)
    assert len(lines(suite)) == 8


def test_a_sample_is_asked_where_a_limit_is_set(bench, model):
    model.default = "SELECT 1"
    assert " n=1 " in bench("--limit", "1").stdout
    assert len(model.chats) == 1


def test_a_gold_that_fails_is_told_and_not_counted(bench, suite, model):
    entries = [{**QUESTIONS[1], "gold": "SELECT nothing FROM harbour"}, QUESTIONS[0]]
    (suite / "questions.json").write_text(json.dumps(entries))
    model.enqueue(DEEP, HEAVY)
    done = bench()
    assert "1 golds of single fail" in done.stderr
    assert " n=1 ex=1.0000 " in done.stdout
    assert "nothing" in lines(suite)[0]["gold_error"]


def test_nothing_stays_behind(bench, suite, model, server, monkeypatch):
    monkeypatch.setattr(sandbox.secrets, "token_hex", lambda size: "testrun")
    model.enqueue(DEEP)
    (suite / "pg" / "sea.sql").write_text("CREATE TABLE broken (id nonsense);")
    done = bench()
    assert isinstance(done.exception, BadSetup) and "nonsense" in str(done.exception)
    assert len(lines(suite)) == 1
    assert left_behind(server, "nl2sql_bench_testrun") == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_clears_up_and_says_what_is_left(server, suite, model, number):
    model.enqueue(DEEP, Script("", fault="hang"))
    name = f"nl2sql_bench_{number.name.lower()}"
    code = (
        "import secrets; from nl2sql_fdw.entry.cli import main;"
        f"secrets.token_hex = lambda size: '{number.name.lower()}'; main()"
    )
    told = ["bench", "questions", "--path", suite, "--out", suite / "out", "--no-warm-up"]
    told += ["--dsn", f"user={server.info.user} dbname=postgres"]
    told += ["--model", NAME, "--model-url", model.url]
    command = [sys.executable, "-c", code, *map(str, told)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        wait_until(lambda: len(model.chats) == 2)
        assert left_behind(server, name) == [f"{name}_2", name]
        run.send_signal(number)
        said = run.communicate(timeout=20)[1]
    assert run.returncode != 0
    assert "3 questions are left" in said
    assert left_behind(server, name) == []
    assert [line["id"] for line in lines(suite)] == ["deep"]


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.05)


def left_behind(server: psycopg.Connection, name: str) -> list[str]:
    """Return the databases, then the roles, of a run."""
    found = server.execute(
        "SELECT datname::text FROM pg_database WHERE starts_with(datname, %(name)s)"
        " UNION ALL SELECT rolname::text FROM pg_roles WHERE starts_with(rolname, %(name)s)",
        {"name": name},
    )
    return [row[0] for row in found]


def test_an_unknown_strategy_and_a_missing_file_are_refused(bench):
    assert "There are: single, repair, " in str(bench("--strategy", "magic").exception.hint)
    assert "There is no file " in str(bench("--dialect", "sqlite").exception)


def test_the_asker_reads_its_database_and_can_do_no_more(server, suite):
    with (
        closing(sandbox.Sandbox(f"user={server.info.user} dbname=postgres")) as box,
        box.database(suite / "pg" / "sea.sql") as place,
        psycopg.connect(place.dsn, autocommit=True) as asker,
    ):
        assert place.schemas == ("sea",)
        assert asker.execute("SELECT count(*) FROM sea.ship").fetchone() == (3,)
        for forbidden in (
            "INSERT INTO sea.ship VALUES (9)", "CREATE TABLE public.x (i int)",
            "CREATE TABLE sea.x (i int)", "CREATE SCHEMA x", "CREATE TEMP TABLE x (i int)",
            "CREATE ROLE x", "SELECT * FROM pg_authid", "SELECT pg_read_file('/etc/passwd')",
        ):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                asker.execute(forbidden)
        with closing(place.judge()) as judge, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            judge.connection.execute("CREATE TEMP TABLE x (i int)")


def test_a_database_of_ones_own_is_asked_as_it_is_but_never_as_a_superuser(
    bench, suite, model, make_database
):
    database = make_database("CREATE TABLE ship (id int); INSERT INTO ship VALUES (1), (2);")
    name = database.info.dbname
    (suite / "questions.json").write_text(
        json.dumps([{"question": "How many ships?", "gold": COUNT}])
    )
    model.default = COUNT
    refused = bench("--dsn", f"user={database.info.user} dbname={name}")
    assert "not asked as a superuser" in str(refused.exception)
    role = f"{name}_asker"
    database.execute(f"CREATE ROLE {role} LOGIN; GRANT SELECT ON ship TO {role}")
    try:
        done = bench("--dsn", f"user={role} dbname={name}")
        assert " n=1 ex=1.0000 " in done.stdout
    finally:
        with connect(name) as owner:
            owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
