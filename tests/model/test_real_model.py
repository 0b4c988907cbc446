"""The model that is served here, if one is: the whole way from a prompt to SQL."""

from __future__ import annotations

import os

import pytest

from nl2sql_fdw.errors import ModelUnavailable
from nl2sql_fdw.model import connect
from nl2sql_fdw.model.extract import extract
from nl2sql_fdw.model.probe import probe
from nl2sql_fdw.types import Profile, Prompt

PROMPT = Prompt(
    system="You write one PostgreSQL SELECT statement. Answer with SQL only.",
    stable="CREATE TABLE ship (id int PRIMARY KEY, name text, built int);\n",
    tail="Question: how many ships are there?",
    estimated_tokens=80,
)


@pytest.fixture
def profile() -> Profile:
    """The profile that reaches the served model, or a skip that says why there is none."""
    url = os.environ.get("NL2SQL_MODEL_URL", Profile.model_url)
    found = Profile(model_url=url, max_output_tokens=64, answer_timeout_ms=300_000)
    try:
        probe(found, 60)
    except ModelUnavailable as error:
        if os.environ.get("NL2SQL_REQUIRE_ALL") == "1":
            pytest.fail(error.message)
        pytest.skip(f"{error.message} {error.hint}")
    return found


def test_the_served_model_counts_ships(profile: Profile) -> None:
    reply = connect(profile).complete(PROMPT, lambda: None)
    sql = extract(reply.text, reply.finish_reason == "length").lower()
    assert sql.startswith("select count(") and "from ship" in sql


def test_a_prompt_past_its_context_is_refused_by_name(profile: Profile) -> None:
    endless = Prompt("", "ship " * 40_000, "?", estimated_tokens=67_000)
    with pytest.raises(ModelUnavailable, match="too small a context") as caught:
        connect(profile).complete(endless, lambda: None)
    assert "context" in caught.value.hint
