"""Each switch of a layer does what it says, and nothing but a test's own function has one."""

from __future__ import annotations

from dataclasses import fields

import pytest
from layered import make_door, through
from shipyard import READER, Shipyard

from nl2sql_fdw.types import ALL_LAYERS, Layers

PROBES = {
    "guard": ("SELECT pg_typeof(1)", {}, "N2001"),
    "identity": ("SELECT * FROM vault", {}, "N2007"),
    "cost": ("SELECT count(*) FROM ship a, ship b", {"max_cost": 1}, "N2002"),
    "limits": ("SELECT id FROM ship", {"max_rows": 5}, "N2009"),
}
"""layer: what it stops, the profile's settings for it, the SQLSTATE."""


def test_all_layers_are_on_by_default():
    assert all(getattr(ALL_LAYERS, field.name) is True for field in fields(Layers))


@pytest.mark.parametrize("layer", PROBES)
def test_a_layer_that_is_off_stops_nothing(ask, shipyard: Shipyard, layer: str):
    sql, settings, state = PROBES[layer]
    shipyard.profile(**settings)
    make_door(shipyard.admin, READER)
    assert through(ask, sql)[0].get("sqlstate") == state
    make_door(shipyard.admin, READER, off=layer)
    assert "sqlstate" not in through(ask, sql)[0]


@pytest.mark.parametrize("layer", PROBES)
def test_the_other_layers_do_not_stop_it(ask, shipyard: Shipyard, layer: str):
    """So that each probe is stopped by its layer alone; identity gets its names from the guard."""
    sql, settings, state = PROBES[layer]
    shipyard.profile(**settings)
    make_door(shipyard.admin, READER, off=" ".join(set(PROBES) - {layer, "guard"}))
    assert through(ask, sql)[0].get("sqlstate") == state


def test_planning_is_timed_too(ask, shipyard: Shipyard):
    """What is constant is computed while it is planned: a slow one must not outrun the limit."""
    shipyard.profile(time_limit_ms=50)
    make_door(shipyard.admin, READER, off="guard")
    header = through(ask, "SELECT factorial(30000) > 1")[0]
    assert header["sqlstate"] == "N2003" and header["detail"].startswith("Layer: time limit")


def test_the_database_holds_with_every_layer_of_ours_off(ask, shipyard: Shipyard):
    make_door(shipyard.admin, READER, off=" ".join(field.name for field in fields(Layers)))
    for sql in ("SELECT touch()", "SELECT 1) q; DELETE FROM ship; SELECT * FROM (SELECT 1"):
        assert through(ask, sql)[0]["sqlstate"] in ("N2001", "N2007"), sql
    assert shipyard.admin.execute("SELECT count(*) FROM ship").fetchone()[0] == 12
