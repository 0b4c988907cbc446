"""Strategies at work: a scripted model, a door that is scripted too, and no server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nl2sql_fdw.errors import CannotAnswer, Nl2sqlError, NoValidSql, Refused
from nl2sql_fdw.solve import Solver
from nl2sql_fdw.timing import Watch
from nl2sql_fdw.types import Column, Plan, Profile, Prompt, Relation, Reply, Result, Schema

SCHEMA = Schema((Relation(1, "public", "ship", "table", (Column("id", "integer"),)),), ("public",))
ONE, TWO = "SELECT 1", "SELECT 2"
BROKEN = "SELECT nothing"


class Script:
    """Replies in turn; `asked` has the form and the count of each call."""

    name = "script"

    def __init__(self, *replies: str | tuple[str, ...]) -> None:
        self._left = list(replies)
        self.asked: list[tuple[str, int]] = []

    def complete(self, prompt: Prompt, poll: Callable[[], None]) -> Reply:
        self.asked.append((self._kind(prompt), 0))
        text = self._left.pop(0)
        assert isinstance(text, str)
        return Reply(text)

    def sample(
        self, prompt: Prompt, poll: Callable[[], None], count: int, temperature: float
    ) -> list[Reply]:
        self.asked.append((self._kind(prompt), count))
        texts = self._left.pop(0)
        assert len(texts) == count
        return [Reply(text) for text in texts]

    def _kind(self, prompt: Prompt) -> str:
        return "repair" if prompt.later else prompt.stable


class Nothing:
    """A database of which only the waiting is used."""

    def poll(self) -> None:
        pass


def door(sql: str) -> Result:
    if "nothing" in sql:
        raise NoValidSql(f'column "{sql[7:]}" does not exist', server_sqlstate="42703")
    if "DELETE" in sql:
        raise Refused("Refused: it would write.")
    rows = () if "none" in sql else (f'{{"a": {sql[7:]}}}',)
    return Result((("a", "integer"),), rows, plan=Plan(1, 1))


def solve(
    strategy: str, *replies: str | tuple[str, ...], retries: int = 1
) -> tuple[Script, Solver]:
    model = Script(*replies)
    profile = Profile(strategy=strategy, retries=retries)
    solver = Solver(Nothing(), model, profile, door, Watch(lambda *_: None), True)
    try:
        solver.solve(lambda form: Prompt("", form, ""), SCHEMA)
    except Nl2sqlError as error:
        solver.error = error
    return model, solver


def test_single_asks_once_whatever_comes():
    model, solver = solve("single", BROKEN)
    assert model.asked == [("code", 0)]
    assert solver.answer().status == "no_valid_sql"


@pytest.mark.parametrize("strategy", ["repair", "prompt_flow", "auto"])
def test_a_reply_without_a_doubt_is_the_answer_of_one_call(strategy: str):
    model, solver = solve(strategy, ONE)
    assert model.asked == [("code", 0)]
    assert solver.answer().sql == ONE


def test_repair_is_told_the_error_once_for_each_retry():
    model, solver = solve("repair", BROKEN, BROKEN, ONE, retries=3)
    assert model.asked == [("code", 0), ("repair", 0), ("repair", 0)]
    answer = solver.answer()
    assert answer.sql == ONE
    assert [attempt.sql for attempt in answer.attempts] == [BROKEN, BROKEN, ONE]


def test_a_flow_goes_on_to_the_next_form():
    model, solver = solve("prompt_flow", BROKEN, BROKEN, TWO)
    assert [kind for kind, _ in model.asked] == ["code", "repair", "text"]
    assert solver.answer().sql == TWO


def test_auto_draws_more_where_the_first_failed_and_takes_what_most_found():
    model, solver = solve("auto", BROKEN, (TWO, TWO, ONE), TWO)
    assert model.asked[:2] == [("code", 0), ("code", 3)]
    assert solver.answer().sql == TWO


def test_auto_stops_when_no_later_vote_can_change_the_answer():
    model, solver = solve("auto", "SELECT none", (TWO, TWO, TWO))
    assert model.asked == [("code", 0), ("code", 3)]
    assert solver.answer().sql == TWO
    assert 0 < solver.answer().confidence < 1


def test_auto_repairs_only_where_nothing_ran():
    model, solver = solve("auto", BROKEN, (BROKEN,) * 3, BROKEN, ONE)
    assert [kind for kind, _ in model.asked] == ["code", "code", "comment", "repair"]
    assert solver.answer().sql == ONE


def test_an_empty_answer_stands_where_all_agree_on_it():
    _, solver = solve("auto", "SELECT none", ("SELECT none",) * 3)
    answer = solver.answer()
    assert answer.status == "answered" and answer.result.rows == ()
    assert answer.confidence < solve("auto", ONE)[1].answer().confidence


def test_a_write_is_refused_and_asked_no_further():
    model, solver = solve("auto", "DELETE FROM ship")
    assert len(model.asked) == 1
    assert solver.answer().status == "refused"


def test_a_no_is_put_to_the_vote():
    no = "CANNOT ANSWER: there are no crews."
    _, solver = solve("auto", no, (no, no, ONE), no)
    assert isinstance(solver.error, CannotAnswer)
    _, solver = solve("auto", no, (ONE, ONE, ONE))
    assert solver.answer().sql == ONE


def test_the_same_text_runs_once():
    ran: list[str] = []

    def counting(sql: str) -> Result:
        ran.append(sql)
        return door(sql)

    model = Script("SELECT none", ("SELECT none", "SELECT none", ONE), ONE)
    solver = Solver(
        Nothing(), model, Profile(strategy="auto"), counting, Watch(lambda *_: None), True
    )
    solver.solve(lambda form: Prompt("", form, ""), SCHEMA)
    assert sorted(ran) == [ONE, "SELECT none"]


@pytest.mark.parametrize("reply", ["SELECT none", BROKEN])
def test_a_question_about_something_else_that_found_nothing_is_declined(reply: str):
    solver = Solver(
        Nothing(), Script(reply), Profile(strategy="single"), door, Watch(lambda *_: None), True
    )
    solver.off_topic = lambda: True
    solver.solve(lambda form: Prompt("", form, ""), SCHEMA)
    answer = solver.answer()
    assert (answer.status, answer.result, answer.confidence) == ("cannot_answer", None, None)
    assert answer.sql == reply


def test_what_was_found_stands_however_it_was_asked():
    solver = Solver(
        Nothing(), Script(ONE), Profile(strategy="single"), door, Watch(lambda *_: None), True
    )
    solver.off_topic = lambda: True
    solver.solve(lambda form: Prompt("", form, ""), SCHEMA)
    assert solver.answer().sql == ONE and solver.error is None


def test_an_answer_that_is_not_sure_enough_is_not_given_but_told():
    model = Script("SELECT none", ("SELECT none", ONE, TWO), TWO)
    profile = Profile(strategy="auto", min_confidence=0.95)
    solver = Solver(Nothing(), model, profile, door, Watch(lambda *_: None), True)
    solver.solve(lambda form: Prompt("", form, ""), SCHEMA)
    answer = solver.answer()
    assert answer.status == "cannot_answer" and answer.result is None
    assert answer.sql and answer.sql in answer.error.detail


def test_candidates_that_part_are_asked_back_about():
    asked: list[list[str]] = []
    model = Script("SELECT none", (ONE, ONE, TWO), TWO)
    solver = Solver(Nothing(), model, Profile(strategy="auto"), door, Watch(lambda *_: None), True)
    solver.readings = lambda candidates: asked.append(list(candidates))
    solver.solve(lambda form: Prompt("", form, ""), SCHEMA)
    assert [sorted(texts) for texts in asked] == [sorted({"SELECT none", ONE, TWO})]
