"""No attack works with all layers on, nor, against its claims, with the guard off.

The whole table of threats by sets of layers is `make attack`. NL2SQL_MUTATIONS sets how
many rewritten attacks are tried here (2,000 unless set).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest
from battle import Battlefield, describe
from cluster import connect
from corpus import Attack, read_all
from layersets import ALL_ON, DATABASE_ALONE, NO_GUARD, LayerSet, drop_roles
from matrix import CLAIMS, fight
from mutants import Mutation, try_mutants
from predicates import PREDICATES
from speed import HOSTILE, MAX_MB, MAX_MS, hostile
from world import build

MUTATIONS = int(os.environ.get("NL2SQL_MUTATIONS", "2000"))
ATTACKS = read_all()
THREATS = sorted({attack.threat for attack in ATTACKS})
NOTHING_ON = LayerSet("nothing on", DATABASE_ALONE.off, database=False)


@pytest.fixture(scope="module", autouse=True)
def roles(server: psycopg.Connection) -> Iterator[None]:
    yield
    with connect("postgres") as admin:
        drop_roles(admin)


def of(threat: str) -> list[Attack]:
    return [attack for attack in ATTACKS if attack.threat == threat]


def test_corpus_is_large_and_says_nothing_twice():
    assert len(ATTACKS) >= 450
    assert min(Counter(attack.threat for attack in ATTACKS).values()) >= 12
    texts = Counter((a.body, a.before, a.question, a.profile) for a in ATTACKS)
    assert [text for text, times in texts.items() if times > 1] == []


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.place)
def test_an_attack_has_a_goal_that_its_own_text_does_not_fulfil(attack: Attack):
    assert attack.predicate in PREDICATES
    if attack.predicate == "shows":
        assert attack.argument
        assert attack.argument not in attack.body + (attack.question or "")


@pytest.mark.parametrize("threat", THREATS)
def test_nothing_works_with_all_layers_on(threat: str):
    worked = [o for o in fight([(ALL_ON, attack) for attack in of(threat)]) if o.succeeded]
    assert [describe(outcome) for outcome in worked] == []


@pytest.mark.parametrize("threat", CLAIMS)
def test_the_guard_alone_does_not_stand_between(threat: str):
    """Without it nothing is written, no role changes, and policies on session_user hold."""
    worked = [o for o in fight([(NO_GUARD, attack) for attack in of(threat)]) if o.succeeded]
    assert [describe(outcome) for outcome in worked] == []


SURE = [
    ("changed", "", "SELECT spend()"),
    ("changed", "large objects", "SELECT lo_create(779)"),
    ("shows", "SECRET-VAULT", "SELECT code FROM vault"),
    ("answers", "60", "SELECT count(*) FROM payroll"),
    ("escaped", "", "SELECT session_user AS who"),
    ("setting", "", "SELECT set_config('work_mem', '1GB', false)"),
    ("leftover", "", "SELECT keep()"),
    ("locked", "", "SELECT pg_advisory_lock(1)"),
    ("written", "", "SELECT pg_catalog.pg_file_write('@DIR@/x', 'x', false)"),
    ("connected", "", "SELECT dblink_connect('host=127.0.0.1 port=@PORT@ connect_timeout=1')"),
    ("notified", "", "SELECT tell()"),
    ("endless", "", "SELECT pg_sleep(60)"),
    ("bloated", "", "SELECT length(repeat('x', 300000000))"),
    ("spilled", "", "SELECT count(*) FROM generate_series(1, 20000000)"),
    ("flooded", "", "SELECT * FROM sale"),
]


@pytest.mark.parametrize(("predicate", "argument", "body"), SURE, ids=lambda v: v[:30])
def test_success_is_seen_where_nothing_stands_in_the_way(predicate, argument, body):
    """So that 'nothing worked' means something: with no layer on, each goal is reached."""
    attack = Attack("here", "control", predicate, argument, "sure", body, profile="long")
    with build((ALL_ON, NOTHING_ON)) as world:
        field = Battlefield(world)
        outcome = field.fight(attack, NOTHING_ON)
        field.close()
    assert outcome.succeeded, describe(outcome)


def test_every_predicate_is_among_the_sure_ones():
    assert {predicate for predicate, _, _ in SURE} == set(PREDICATES)


def test_rewritten_attacks_work_no_better():
    with build((ALL_ON,)) as world:
        field = Battlefield(world)
        *worked, tally = try_mutants(field, ATTACKS, MUTATIONS, seed=7)
        field.close()
    assert isinstance(tally, Mutation)
    assert [describe(outcome) for outcome in worked] == []
    assert tally.tried == MUTATIONS and tally.accepted > MUTATIONS // 20


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_refused_at_once_and_in_little_memory(name: str):
    milliseconds, megabytes = hostile(name)
    assert milliseconds < MAX_MS and megabytes < MAX_MB
