"""The attacks on SQLite files again, through the loaded extension on the host's own connection."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlite_world import Attack, World
from test_attacks_sqlite import ATTACKS, PROFILE, carry_out

OPTIONS = json.dumps(
    {
        name: getattr(PROFILE, name)
        for name in ("time_limit_ms", "max_rows", "max_bytes", "max_cell_bytes", "max_memory_bytes")
    }
)


@pytest.fixture
def through(library: Path):
    def run(world: World, sql: str) -> list[str]:
        world.host.load_extension(str(library))
        call = world.host.execute("SELECT nl2sql_run(?, ?)", (sql, OPTIONS))
        found = [json.dumps(row) for row in json.loads(call.fetchone()[0])]
        call.close()
        return found

    return run


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.place)
def test_through_the_extension_nothing_succeeds(attack: Attack, through, tmp_path: Path):
    outcome = carry_out(attack, through, tmp_path)
    assert not outcome.succeeded, outcome


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.place)
def test_the_authorizer_of_the_extension_alone_holds(
    attack: Attack, through, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if attack.predicate == "silent" or "COLLATE" in attack.sql:
        pytest.skip("SQLite asks the authorizer nothing about these: the guard alone tells them")
    monkeypatch.setenv("NL2SQL_TEST_OFF", "guard,cost")
    outcome = carry_out(attack, through, tmp_path)
    assert not outcome.succeeded, outcome
