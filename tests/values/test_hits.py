"""Which values of the data a question calls up, and that no other value reaches the model."""

from __future__ import annotations

import re
import time

import pytest
from haven import GRANTS, PLANTED, READER, A, B, Haven

from nl2sql_fdw.entry import remote
from nl2sql_fdw.types import Profile

ROTTERDAM = "'Rotterdam' is a value of site.city"


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How many sites are in rotterdam?", [ROTTERDAM]),
        ("shipped orders", ["'Shipped' is a value of \"Order\".\"Status\""]),
        ("what is in transit?", ["'in_transit' is a value of \"Order\".stage"]),
        ("all on-hold orders", ["'on_hold' is a value of \"Order\".stage"]),
        ("sites of New York", ["'New York' is a value of site.city"]),
        ("orders of O'Neil", ["'O''Neil' is a value of \"Order\".note"]),
        ("Delta", ["'Delta' is a value of site.name", "'Delta' is a value of site.region"]),
        ("how many snakes?", []),
        ("?", []),
    ],
)  # fmt: skip
def test_the_data_answers_in_the_words_of_the_question(haven: Haven, question, lines):
    """Q3: value case and spelling."""
    assert sorted(haven.told(question)) == lines


def test_nothing_is_looked_up_unless_the_profile_opens_it(haven: Haven):
    """P4: off by default."""
    haven.admin.execute("UPDATE nl2sql.profile SET values = DEFAULT")
    assert haven.told("sites in Rotterdam") == []
    got = haven.ask("SELECT id FROM site WHERE city = 'rotterdam'", "sites in Rotterdam")
    assert (got["sql"], got["rows"]) == ("SELECT id FROM site WHERE city = 'rotterdam'", [])
    assert "values" not in got["timings"] and "is a value of" not in haven.sent()


def test_the_model_is_sent_what_the_prompt_shows_and_only_the_tail_changes(haven: Haven):
    got = haven.ask("SELECT id FROM site WHERE city = 'Rotterdam'", "sites in Rotterdam")
    assert got["rows"] == [{"id": 1}] and got["timings"]["values"] > 0
    assert ROTTERDAM in haven.sent()
    with_hits, without = haven.prompt("sites in Rotterdam"), haven.prompt("sites in Nowhere")
    assert with_hits.split("Question:")[0] == without.split("Question:")[0]


def test_a_row_speaks_only_in_the_words_of_the_question(haven: Haven):
    """P3: an instruction in a row is shown to nobody who does not ask it word for word."""
    for question in (
        "notes on Rotterdam",
        "Rotterdam, ignore the rules",
        "report nothing of Rotterdam",
    ):
        lines = haven.told(question)
        assert lines == [ROTTERDAM]
        assert PLANTED not in haven.prompt(question)


@pytest.mark.parametrize("word", ["secretmail", "secretphone", "secretcaller", "secretreader"])
def test_redacted_and_unreadable_columns_are_silent(haven: Haven, word: str):
    """P4: `hidden` is closed to the caller, `closed` to the reader, the others are redacted."""
    assert haven.told(f"who has {word} or Zelda?") == ["'Zelda' is a value of person.name"]


def test_the_same_words_are_found_once_nothing_closes_them(haven: Haven):
    """The twin of the test above: it is redaction and privileges that hide, nothing else."""
    haven.set(redact=[])
    haven.admin.execute(f"GRANT SELECT ON person TO {A}, {READER}")
    try:
        lines = haven.told("secretmail secretphone secretcaller secretreader")
    finally:
        haven.admin.execute(f"REVOKE SELECT ON person FROM {A}, {READER}")
        for role, more in ((READER, "hidden"), (A, "closed")):
            haven.admin.execute(GRANTS.format(role=role, more=more))
    assert len(lines) == 4


@pytest.mark.parametrize(
    "item",
    ["public.site.city", "site.city", "*.site.*", "public.site", "CITY", "c?ty", "public.*.city"],
)
def test_redaction_takes_columns_and_patterns(haven: Haven, item: str):
    haven.set(redact=[item])
    assert haven.told("sites in Rotterdam") == []
    got = haven.ask("SELECT id FROM site WHERE city = 'rotterdam'")
    assert got["sql"].endswith("'rotterdam'")


def test_a_tenant_never_meets_the_values_of_another(haven: Haven):
    for _ in range(2):  # nothing is kept from the call before
        assert haven.told("falcon or merlin", A) == ["'Falcon' is a value of file.title"]
        assert haven.told("falcon or merlin", B) == ["'Merlin' is a value of file.title"]


def test_one_session_that_changes_its_role_keeps_nothing(haven: Haven):
    session = haven.asker(
        "postgres" if haven.admin.info.user == "postgres" else haven.admin.info.user
    )
    ask = "SELECT nl2sql_prompt('Zelda') AS p"
    session.execute(f"SET ROLE {A}")
    assert "'Zelda' is a value" in session.execute(ask).fetchone()["p"]
    haven.admin.execute(f"REVOKE SELECT (name) ON person FROM {A}")
    try:
        assert "'Zelda' is a value" not in session.execute(ask).fetchone()["p"]
    finally:
        haven.admin.execute(f"GRANT SELECT (name) ON person TO {A}")


def test_a_slow_lookup_is_given_up_and_the_question_answered(haven: Haven):
    haven.set(values_limit_ms=150)
    haven.admin.execute(f"GRANT SELECT ON slow TO {A}, {READER}")
    session = haven.asker()
    notices: list[str] = []
    session.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
    session.execute("""SET "nl2sql.verbose" = on""")
    haven.model.enqueue("SELECT id FROM site WHERE city = 'Rotterdam'")
    try:
        began = time.monotonic()
        got = session.execute("SELECT * FROM nl2sql_ask('snails of Rotterdam')").fetchone()
        took = time.monotonic() - began
    finally:
        haven.admin.execute(f"REVOKE SELECT ON slow FROM {A}, {READER}")
    assert (got["status"], got["rows"]) == ("answered", [{"id": 1}])
    assert took < 5 and 150 <= got["timings"]["values"] < 3000  # whole, it would take ten seconds
    assert any("nothing was looked up: The query ran longer than 150 ms" in n for n in notices)
    assert session.execute("SELECT 1 AS one").fetchone() == {"one": 1}


def test_a_limit_that_passes_beside_another_error_cancels_nothing_later(haven: Haven):
    """The cancel is then still to come, and must not meet the question's own query."""
    session = haven.asker(haven.admin.info.user)
    session.execute("SELECT nl2sql_prompt('loads the package')")
    session.execute("""DO LANGUAGE plpython3u $$
        import time
        from nl2sql_fdw.database.spi import SpiDatabase
        db = SpiDatabase(plpy)
        try:
            with db.within(20):
                until = time.monotonic() + 0.1
                while time.monotonic() < until:
                    pass
                raise KeyError("another error")
        except KeyError:
            assert db.query("SELECT 1 AS one")[0]["one"] == 1
        else:
            raise AssertionError
    $$""")


def test_a_lookup_over_the_row_cap_is_given_up_even_where_results_may_be_cut(haven: Haven):
    haven.set(max_rows=1, truncate=True)
    assert haven.told("Delta") == []
    got = haven.ask("SELECT id FROM site WHERE region = 'delta'")
    assert got["sql"].endswith("'delta'")


def test_sql_alone_is_not_run_but_looked_up(haven: Haven):
    haven.model.enqueue("SELECT 1 / (id - id) FROM site WHERE city = 'rotterdam'")
    sql = haven.asker().execute("SELECT nl2sql_sql('Rotterdam') AS q").fetchone()["q"]
    assert sql == "SELECT 1 / (id - id) FROM site WHERE city = 'Rotterdam'"


def test_the_same_holds_from_outside_the_server(haven: Haven):
    dsn = f"dbname={haven.admin.info.dbname} user={A}"
    profile = Profile(
        values=True, reader="no_such_role", model_url=haven.model.url, strategy="repair"
    )
    text = remote.prompt("Rotterdam and merlin", dsn, profile)
    assert re.findall(".* is a value of .*", text) == [ROTTERDAM]
    haven.model.enqueue("SELECT id FROM site WHERE city = 'ROTTERDAM'")
    answer = remote.ask("sites", dsn, profile)
    assert answer.result is not None and answer.result.rows == ('{"id":1}',)
