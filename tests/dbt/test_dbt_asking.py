"""A dbt project that asks while it builds, and the command that freezes its answers."""

from __future__ import annotations

import subprocess

from fake_model import Script
from project import ANSWERS, DBT, FROZEN, Project
from shipyard import Shipyard


def test_what_is_not_frozen_is_asked_once_each_over_four_threads(
    project: Project, shipyard: Shipyard
):
    shipyard.model.enqueue(*[Script("SELECT count(*) AS total FROM ship", delay_s=0.5)] * 4)
    project.must("compile")
    assert len(shipyard.model.chats) == len(ANSWERS) == 4
    compiled = project.compiled()
    assert compiled["ships_by_harbour.sql"] == "SELECT count(*) AS total FROM public.ship"


def test_no_answer_is_an_error_that_names_the_question(project: Project, shipyard: Shipyard):
    shipyard.model.enqueue("DROP TABLE ship")
    done = project.run("compile", "--select", "ships_by_harbour")
    assert done.code != 0
    assert '"how many ships has each harbour?" has no answer (N2001)' in done.output
    assert "hint:" in done.output


def freeze(project: Project, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["nl2sql", "dbt", "freeze", "--dbt", str(DBT)]
    command += ["--project", str(project.folder), *words]
    env = project.environment()
    return subprocess.run(command, env=env, capture_output=True, text=True)


def test_the_command_writes_the_answers_there_are(project: Project, shipyard: Shipyard):
    replies = list(ANSWERS.values())
    shipyard.model.enqueue(replies[0], "DROP TABLE ship", *replies[2:])
    done = freeze(project, "--target", "postgres")
    assert done.returncode == 1 and "has no answer (N2001)" in done.stderr
    text = (project.folder / FROZEN).read_text("utf-8")
    assert text.count('"question"') == 3
    shipyard.model.enqueue(replies[1])
    assert freeze(project).returncode == 0
    assert (project.folder / FROZEN).read_text("utf-8").count('"question"') == 4
    assert len(shipyard.model.chats) == 5


def test_a_failed_dbt_leaves_the_file_alone(project: Project):
    project.write(FROZEN, "{# as it was #}")
    project.write("models/broken.sql", "{% if %}")
    done = freeze(project)
    assert done.returncode != 0 and "Compilation Error in model broken" in done.stderr
    assert (project.folder / FROZEN).read_text("utf-8") == "{# as it was #}"
