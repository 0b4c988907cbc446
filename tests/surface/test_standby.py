"""On a streaming replica questions are answered, and the audit is in the server's log."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from audit_lines import MARK
from cluster import connect
from replica import PORT, replica
from shipyard import ASKER, Shipyard

RUN = "SELECT nl2sql_run(%s)"


@pytest.fixture(scope="module")
def following(shipyard_server: Shipyard) -> Iterator[tuple[psycopg.Connection, Path]]:
    shipyard_server.profile()
    with replica(shipyard_server.admin) as (sockets, log):
        name = shipyard_server.admin.info.dbname
        with connect(name, ASKER, host=str(sockets), port=PORT) as asker:
            yield asker, log


@pytest.fixture
def standby(shipyard: Shipyard, following) -> tuple[psycopg.Connection, Path]:
    """The replica, once it has what the primary has now: the fresh profile of this test."""
    wanted = shipyard.admin.execute("SELECT pg_current_wal_lsn()::text").fetchone()
    deadline = time.monotonic() + 10
    replayed = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
    while not following[0].execute(replayed, wanted).fetchone()[0]:
        assert time.monotonic() < deadline, "the replica does not follow"
        time.sleep(0.02)
    return following


def lines(log: Path) -> list[dict[str, object]]:
    found = (line.partition(MARK)[2] for line in log.read_text().splitlines())
    return [json.loads(text) for text in found if text]


def test_the_primarys_changes_are_read_there(shipyard: Shipyard, standby):
    asker, _ = standby
    shipyard.admin.execute("INSERT INTO ship (id, name) VALUES (77, 'late')")
    deadline, found = time.monotonic() + 10, None
    while not found and time.monotonic() < deadline:
        found = asker.execute(RUN, ["SELECT name FROM ship WHERE id = 77"]).fetchone()
    shipyard.admin.execute("DELETE FROM ship WHERE id = 77")
    assert found == ({"name": "late"},)
    assert asker.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)


def test_a_question_is_answered_there(shipyard: Shipyard, standby):
    shipyard.model.enqueue("SELECT count(*) FROM harbour")
    row = standby[0].execute("SELECT status, rows FROM nl2sql_ask('how many harbours?')").fetchone()
    assert row == ("answered", [{"count": 3}])


def test_each_call_there_is_a_line_of_the_log(shipyard: Shipyard, standby):
    asker, log = standby
    before = len(lines(log))
    asker.execute(RUN, ["SELECT id FROM ship WHERE id < 4"])
    with pytest.raises(psycopg.Error) as caught:
        asker.execute(RUN, ["DELETE FROM ship"])
    assert caught.value.sqlstate == "N2001"
    good, bad = lines(log)[before:]
    assert (good["login"], good["status"], good["row_count"]) == (ASKER, "answered", 3)
    assert (bad["status"], bad["layer"]) == ("refused", "guard (statement)")
    assert shipyard.admin.execute("SELECT count(*) FROM nl2sql.audit").fetchone() == (0,)
