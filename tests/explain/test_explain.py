"""nl2sql_explain on a live server: words, score, joins and advice, and nothing is ever run."""

from __future__ import annotations

import json
import subprocess

import pytest
from shipyard import ASKER, READER, session_state

LARGE = """
CREATE TABLE voyage (id int PRIMARY KEY, ship_id int REFERENCES ship, port text, left_at timestamp);
INSERT INTO voyage SELECT g, 1 + g % 12, 'p' || g % 500, timestamp '2024-01-01' + g * interval '1 h'
FROM generate_series(1, 30000) g;
ANALYZE voyage;
"""


def explain(connection, subject: str) -> dict:
    return connection.execute("SELECT * FROM nl2sql_explain(%s)", [subject]).fetchone()


def test_a_query_is_told_in_words(ask):
    got = explain(
        ask,
        "SELECT h.name, count(*) AS ships FROM ship s LEFT JOIN harbour h ON s.harbour_id = h.id "
        "WHERE s.tons > 3 AND s.built IS NOT NULL GROUP BY h.name HAVING count(*) > 1 "
        "ORDER BY 2 DESC LIMIT 5",
    )
    assert got["words"] == (
        "Gives harbour.name and the number of rows (as ships). "
        "Reads ship (as s) and harbour (as h). "
        "Takes ship with harbour where ship.harbour_id is harbour.id; "
        "rows of ship without a match are kept. "
        "Only rows where ship.tons is above 3 and ship.built is present. "
        "One row for each harbour.name. "
        "Only groups where the number of rows is above 1. "
        "In the order of the number of rows, highest first. "
        "At most 5 rows."
    )
    assert got["sqlstate"] is None and got["cost"] > 0 and got["plan_rows"] > 0


def test_every_part_of_a_query_is_told_of(ask):
    got = explain(
        ask,
        "WITH big AS (SELECT id FROM ship WHERE tons > 5) SELECT name FROM harbour "
        "WHERE id IN (SELECT harbour_id FROM ship WHERE id IN (TABLE big)) UNION SELECT 'x'",
    )
    assert got["words"].splitlines() == [
        "Gives the rows of part 1 and part 2 together.",
        "big: Gives id. Reads ship. Only rows where tons is above 5.",
        "part 1: Gives name. Reads harbour. Only rows where id is in part 3.",
        "part 2: Gives 'x'.",
        "part 3: Gives harbour_id. Reads ship. Only rows where id is in part 4.",
        "part 4: Gives every column. Reads big.",
    ]


def test_a_sound_query_has_all_points(ask):
    got = explain(ask, "SELECT name FROM ship WHERE tons > 3 ORDER BY name")
    assert got["safety"] == 100
    assert {part: each["score"] for part, each in got["scores"].items()} == {
        "security": 100, "syntax": 100, "logic": 100, "performance": 100,
    }  # fmt: skip
    assert all(each["reasons"] == [] for each in got["scores"].values())


def test_points_are_lost_for_reasons_and_the_same_each_time(ask):
    sql = "SELECT * FROM ship, harbour LIMIT 3"
    got, again = explain(ask, sql), explain(ask, sql)
    assert got == again
    logic = got["scores"]["logic"]
    assert [reason["code"] for reason in logic["reasons"]] == ["cross_join", "limit_unordered"]
    assert (logic["score"], got["safety"]) == (45, 45)
    assert got["findings"][0]["severity"] == "error"
    assert [r["code"] for r in got["scores"]["security"]["reasons"]] == ["whole_rows"]


def test_personal_columns_cost_points(ask, shipyard):
    shipyard.profile(redact=["built"])
    got = explain(ask, "SELECT built FROM ship ORDER BY id")
    assert got["scores"]["security"]["reasons"] == [
        {"code": "personal", "words": "It reads what may be personal: built.", "points": 20}
    ]


def test_joins_name_the_key_behind_them(ask):
    got = explain(
        ask,
        "SELECT 1 FROM ship s JOIN harbour h ON h.id = s.harbour_id JOIN ship t ON t.tons = h.id",
    )
    assert [(j["on"], j["key"], j["warning"]) for j in got["joins"]] == [
        ("s.harbour_id = h.id", "foreign key (harbour_id) to harbour(id)", None),
        ("h.id = t.tons", None, "no foreign key"),
    ]


@pytest.mark.parametrize(
    ("sql", "sqlstate", "part"),
    [
        ("WITH x AS (DELETE FROM ship RETURNING 1) SELECT * FROM x", "N2001", "security"),
        ("SELECT touch()", "N2001", "security"),
        ("SELECT gold FROM vault", "N2007", "security"),
        ("SELECT no_such_column FROM ship", "N2005", "syntax"),
    ],
)
def test_what_would_not_run_says_why_and_has_no_points(ask, shipyard, sql, sqlstate, part):
    before = shipyard.admin.execute("SELECT count(*) FROM ship").fetchone()
    got = explain(ask, sql)
    assert got["sqlstate"] == sqlstate and got["message"] and got["words"]
    assert got["scores"][part]["score"] <= 30 and got["safety"] <= 30
    assert shipyard.admin.execute("SELECT count(*) FROM ship").fetchone() == before


def test_nothing_is_run(ask, shipyard):
    """A division by zero that only running would meet, a sleep by a function of the caller's."""
    got = explain(ask, "SELECT 1 / (id - id) FROM ship")
    assert got["sqlstate"] is None
    assert shipyard.model.chats == []


def test_a_question_is_asked_and_its_sql_explained(ask, shipyard):
    shipyard.model.enqueue("SELECT harbourid FROM ship WHERE 1 / (id - id) = 1 ORDER BY id")
    got = explain(ask, "the names of all ships")
    assert got["sql"] == "SELECT harbour_id FROM ship WHERE 1 / (id - id) = 1 ORDER BY id"
    assert [r["code"] for r in got["scores"]["syntax"]["reasons"]] == ["mended"]
    assert got["words"].startswith("Gives harbour_id. Reads ship.")


@pytest.mark.parametrize("question", ["Table of ships by harbour", "with which harbours?"])
def test_a_question_that_begins_like_sql_is_a_question(ask, shipyard, question):
    shipyard.model.enqueue("SELECT count(*) FROM ship")
    assert explain(ask, question)["sql"] == "SELECT count(*) FROM ship"


def test_a_question_without_an_answer_says_why(ask, shipyard):
    shipyard.model.enqueue("CANNOT ANSWER: there is no weather here", "CANNOT ANSWER: no")
    got = explain(ask, "what is the weather?")
    assert got["sqlstate"] and got["message"] and got["words"] is None


def test_hostile_words_of_the_model_are_only_quoted(ask, shipyard):
    """A reply that holds other SQL in a text is explained, not run; the account quotes it."""
    shipyard.model.enqueue("SELECT '; DELETE FROM ship; --' AS note FROM ship ORDER BY id")
    got = explain(ask, "what notes are there?")
    assert "'; DELETE FROM ship; --'" in got["words"]
    assert shipyard.admin.execute("SELECT count(*) FROM ship").fetchone() == (12,)


def test_what_is_too_expensive_is_explained_all_the_same(ask, shipyard):
    shipyard.profile(max_cost=0.001)
    got = explain(ask, "SELECT name FROM ship ORDER BY id")
    assert got["sqlstate"] == "N2002" and got["words"]
    assert got["scores"]["performance"]["score"] == 0
    assert got["scores"]["security"]["score"] == 100


@pytest.fixture
def voyages(shipyard):
    shipyard.admin.execute(LARGE + f"GRANT SELECT ON voyage TO {ASKER}, {READER}")
    yield shipyard
    shipyard.admin.execute("DROP TABLE voyage; DROP EXTENSION IF EXISTS hypopg")


SOUGHT = "SELECT id FROM voyage WHERE left_at >= '2026-01-01' AND port = 'p7' ORDER BY id"


def test_index_advice_follows_from_the_plan(voyages):
    got = explain(voyages.asker(), SOUGHT)
    assert [(i["statement"], i["cost_after"]) for i in got["indexes"]] == [
        ("CREATE INDEX ON public.voyage (port, left_at)", None)
    ]
    assert [r["code"] for r in got["scores"]["performance"]["reasons"]] == ["scan"]


def test_what_is_indexed_is_not_advised(voyages):
    voyages.admin.execute("CREATE INDEX ON voyage (port, id)")
    assert explain(voyages.asker(), SOUGHT)["indexes"] == []


def test_with_hypopg_the_index_is_tried_and_the_advice_is_true(voyages):
    voyages.admin.execute("CREATE EXTENSION hypopg")
    connection = voyages.asker()
    before = session_state(connection)
    got = explain(connection, SOUGHT)
    assert got["sqlstate"] is None, (got["message"], got["detail"])
    (index,) = got["indexes"]
    assert index["cost_after"] < 0.2 * index["cost_before"]
    assert connection.execute("SELECT * FROM hypopg()").fetchall() == []
    voyages.admin.execute(index["statement"])
    voyages.admin.execute("ANALYZE voyage")
    really = explain(voyages.asker(), SOUGHT)
    assert really["cost"] == pytest.approx(index["cost_after"], rel=0.2)
    assert really["indexes"] == []
    after = session_state(connection)
    hidden = [n for n in json.loads(json.dumps(after["settings"])) if n.startswith("hypopg.")]
    for name in hidden:  # they come with the library
        before["settings"].pop(name, None), after["settings"].pop(name)
    assert after == before


def test_indexes_that_are_none_do_not_pass_the_cost_gate(voyages):
    """Whoever has hypopg could make any query look cheap to the gate, and then run it dear."""
    voyages.admin.execute("CREATE EXTENSION hypopg")
    connection = voyages.asker()
    price = "SELECT cost FROM nl2sql_check(%s)"
    honest = connection.execute(price, [SOUGHT]).fetchone()
    connection.execute("SELECT hypopg_create_index('CREATE INDEX ON voyage (port, left_at)')")
    assert "btree_voyage" in str(connection.execute(f"EXPLAIN {SOUGHT}").fetchall())
    assert connection.execute(price, [SOUGHT]).fetchone() == honest


def test_the_plan_leaves_the_door_without_its_expressions(ask, shipyard):
    """A policy's text is its owner's: nobody reads it in a plan."""
    shipyard.admin.execute(
        "ALTER TABLE ship ENABLE ROW LEVEL SECURITY;"
        "CREATE POLICY hush ON ship USING (name <> 'a secret of the policy')"
    )
    try:
        row = ask.execute(
            "SELECT header FROM nl2sql.execute_as_nl2sql_test_reader("
            "'SELECT id FROM ship', 'default', NULL)"
        ).fetchone()
        assert "Seq Scan" in row["header"] and "secret of the policy" not in row["header"]
    finally:
        shipyard.admin.execute(
            "DROP POLICY hush ON ship; ALTER TABLE ship DISABLE ROW LEVEL SECURITY"
        )


def test_an_explanation_is_audited(ask, shipyard):
    explain(ask, "SELECT 4711 AS n")
    shipyard.model.enqueue("SELECT 4712")
    explain(ask, "which number?")
    rows = shipyard.admin.execute(
        "SELECT action, question, sql FROM nl2sql.audit ORDER BY at DESC LIMIT 2"
    ).fetchall()
    assert rows == [
        ("explain", "which number?", "SELECT 4712"),
        ("explain", None, "SELECT 4711 AS n"),
    ]


def test_the_command_explains_over_a_connection(shipyard):
    dsn = f"dbname={shipyard.admin.info.dbname} user={ASKER}"
    sql = "SELECT h.name FROM ship s JOIN harbour h ON h.id = s.harbour_id LIMIT 1"
    done = subprocess.run(
        ["nl2sql", "explain", sql, "--dsn", dsn, "--reader", READER],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Takes ship with harbour where harbour.id is ship.harbour_id." in done.stdout
    assert "Safety 85 of 100" in done.stdout and "LIMIT without ORDER BY" in done.stdout
    assert "foreign key (harbour_id) to harbour(id)" in done.stdout
