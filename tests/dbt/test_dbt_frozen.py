"""A dbt project whose answers are frozen: what it builds, and what makes it fail."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from project import ANSWERS, FROZEN, Project
from shipyard import Shipyard

HARBOURS = "how many ships has each harbour?"


def test_the_second_build_compiles_the_same_and_asks_nothing(project: Project, shipyard: Shipyard):
    project.must("parse")
    assert not shipyard.model.chats  # parsing asks nothing, frozen or not
    shipyard.model.enqueue(*ANSWERS.values())
    project.freeze()
    assert len(shipyard.model.chats) == len(ANSWERS)
    project.must("build")  # parsed partially, over what was parsed with nothing frozen
    first = project.compiled()
    project.must("build", nl2sql_require_frozen=True)
    assert project.compiled() == first and len(first) == 6
    assert "FROM public.ship" in first["tonnage.sql"]
    project.must("docs", "generate", nl2sql_require_frozen=True)
    project.must("run-operation", "nl2sql_verify")
    assert len(shipyard.model.chats) == len(ANSWERS)
    rows = shipyard.admin.execute("SELECT name, ships FROM analytics.ships_by_harbour ORDER BY 1")
    assert rows.fetchall() == [("Harbour 1", 4), ("Harbour 2", 4), ("Harbour 3", 4)]


def test_freezing_again_asks_only_what_is_new(frozen: Project, shipyard: Shipyard):
    before = (frozen.folder / FROZEN).read_text("utf-8")
    assert frozen.freeze() == before
    frozen.write("models/more.sql", "{{ nl2sql('how heavy is the heaviest ship?') }}")
    shipyard.model.enqueue("SELECT max(tons) FROM ship")
    after = frozen.freeze()
    assert len(shipyard.model.chats) == 1 and "SELECT max(tons) FROM public.ship" in after


def test_no_text_of_a_question_or_reply_becomes_jinja(frozen: Project, shipyard: Shipyard):
    """The questions and replies hold Jinja marks, quotes and a character that hides others."""
    text = (frozen.folder / FROZEN).read_text("utf-8")
    body = text[
        text.index("{% set answers %}") + len("{% set answers %}") : text.index("{% endset")
    ]
    assert "{{" not in body and "{%" not in body and "\u202e" not in body
    frozen.must("compile")
    sql = frozen.compiled()["no_ship_without_harbour.sql"]
    assert "{{ boom() }}{% endset %}{% endmacro %}\u202e'" in sql
    assert not shipyard.model.chats


def test_what_a_question_reads_is_its_parent(frozen: Project):
    frozen.must("parse", "--no-partial-parse")
    nodes = frozen.manifest()["nodes"]
    assert nodes["model.shipyard.ships_by_harbour"]["depends_on"]["nodes"] == [
        "source.shipyard.shipyard.harbour",
        "source.shipyard.shipyard.ship",
    ]
    asked = nodes["model.shipyard.ships_by_harbour"]["config"]["meta"].values()
    assert [each["question"] for each in asked] == [HARBOURS]


def test_an_unfrozen_question_fails_the_build_by_name(project: Project, shipyard: Shipyard):
    done = project.run("build", nl2sql_require_frozen=True)
    assert done.code != 0
    assert f'the question "{HARBOURS}" is not frozen' in done.output
    done = project.run("run-operation", "nl2sql_verify")
    assert done.code != 0
    assert all(f'"{question}" is not frozen' in done.output for question in ANSWERS)
    assert not shipyard.model.chats


@contextmanager
def changed(shipyard: Shipyard, there: str, back: str):
    shipyard.admin.execute(there)
    try:
        yield
    finally:
        shipyard.admin.execute(back)


@pytest.mark.parametrize(
    ("there", "back", "said"),
    [
        (
            "ALTER TABLE harbour ALTER name TYPE varchar(40)",
            "ALTER TABLE harbour ALTER name TYPE text",
            "public.harbour.name was text, now it is character varying(40)",
        ),
        (
            "ALTER TABLE harbour RENAME TO port",
            "ALTER TABLE port RENAME TO harbour",
            "public.harbour is gone",
        ),
    ],
    ids=["type", "table"],
)
def test_a_frozen_answer_fails_when_the_schema_drifted(
    frozen: Project, shipyard: Shipyard, there: str, back: str, said: str
):
    with changed(shipyard, there, back):
        done = frozen.run("compile", "--select", "ships_by_harbour", nl2sql_recheck=False)
    assert done.code != 0 and said in done.output and HARBOURS in done.output
    assert not shipyard.model.chats


def test_drift_elsewhere_does_not_matter(frozen: Project, shipyard: Shipyard):
    with changed(shipyard, "ALTER TABLE ship ADD hull text", "ALTER TABLE ship DROP hull"):
        frozen.must("compile")


def test_a_frozen_file_runs_only_what_the_door_lets_through(frozen: Project, shipyard: Shipyard):
    text = (frozen.folder / FROZEN).read_text("utf-8")
    bad = "SELECT s.id, public.touch()::text AS name FROM public.ship s JOIN first USING (built)"
    good = "SELECT s.id, s.name FROM public.ship s JOIN first USING (built)"
    assert good in text
    frozen.write(FROZEN, text.replace(good, bad))
    done = frozen.run("run")
    assert done.code != 0 and "does not let through (N2001)" in done.output
    assert shipyard.admin.execute("SELECT count(*) FROM ship").fetchone() == (12,)


def test_who_may_not_ask_is_told_which_grant_is_missing(frozen: Project, shipyard: Shipyard):
    name = "nl2sql_test_stranger"
    shipyard.admin.execute(
        f"DO $$ BEGIN CREATE ROLE {name} LOGIN; EXCEPTION WHEN duplicate_object THEN END $$"
    )
    frozen.env["PGUSER"] = name
    done = frozen.run("compile", "--select", "ships_by_harbour")
    assert done.code != 0
    assert f"role {name} may not ask in database" in done.output
    assert f'GRANT nl2sql_asker TO "{name}"' in done.output


def test_without_introspection_the_frozen_text_is_taken_as_it_is(frozen: Project, project: Project):
    frozen.env["PGDATABASE"] = "nl2sql_test_no_such_database"
    frozen.must("compile", "--no-introspect", "--no-populate-cache")
    assert len(frozen.compiled()) == 6
    done = project.run("compile", "--no-introspect", "--no-populate-cache")
    assert done.code != 0 and "--no-introspect forbids" in done.output
