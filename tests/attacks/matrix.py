"""Attack a live server through every set of layers: PYTHONPATH=tests:... python -m matrix.

Prints what worked, a table of threats by sets of layers, the guard's own figures, and for
all layers on the line `attacks tried=N succeeded=M mutations=K mutated_succeeded=J`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

from battle import Battlefield, Outcome, describe
from cluster import connect
from corpus import Attack, read_all
from layersets import ALL_ON, DATABASE_ALONE, LAYER_SETS, NO_GUARD, LayerSet, drop_roles
from mutants import Mutation, try_mutants
from speed import speeds
from world import build

CLAIMS = {
    NO_GUARD: ("write", "escalate", "cross tenant by login"),
    DATABASE_ALONE: ("cross tenant by login",),
}
"""Threats that nothing may succeed in though layers are off: what the rest promises by itself."""
WORKERS = 2

Pair = tuple[LayerSet, Attack]


def fight(pairs: list[Pair]) -> Iterator[Outcome]:
    """Yield what came of each attack; one that changed its world leaves the rest a new one."""
    waiting = list(reversed(pairs))
    while waiting:
        sets = tuple({ALL_ON: None, **{layers: None for layers, _ in waiting}})
        with build(sets) as world:
            field = Battlefield(world)
            try:
                yield from _until_harm(field, waiting)
            finally:
                field.close()


def _until_harm(field: Battlefield, waiting: list[Pair]) -> Iterator[Outcome]:
    while waiting:
        layers, attack = waiting.pop()
        outcome = field.fight(attack, layers)
        yield outcome
        if outcome.harmed:
            return


def measure(attacks: list[Attack], layer_sets: tuple[LayerSet, ...]) -> list[Outcome]:
    """Try every attack through every set, some sets beside each other."""
    shares = [
        [(layers, attack) for layers in layer_sets[i::WORKERS] for attack in attacks]
        for i in range(WORKERS)
    ]
    with ThreadPoolExecutor(WORKERS) as pool:
        found = list(chain.from_iterable(pool.map(_report, shares)))
    with connect("postgres") as server:
        drop_roles(server)
    return found


def _report(share: list[Pair]) -> list[Outcome]:
    """Fight a share; say on stderr when a set of layers is done with."""
    done: list[Outcome] = []
    began = time.monotonic()
    for outcome in fight(share):
        done.append(outcome)
        if len(done) == len(share) or share[len(done)][0] != outcome.layers:
            won = sum(o.succeeded for o in done if o.layers == outcome.layers)
            seconds = time.monotonic() - began
            print(f"{outcome.layers.name}: {won} worked, {seconds:.0f} s", file=sys.stderr)
            began = time.monotonic()
    return done


def mutate(attacks: list[Attack], count: int, seed: int) -> Mutation:
    """Try so many rewritten attacks with all layers on; print those that work."""
    tally = Mutation()
    with build((ALL_ON,)) as world:
        field = Battlefield(world)
        for found in try_mutants(field, attacks, count, seed):
            if isinstance(found, Mutation):
                tally = found
            else:
                print("mutant:", describe(found), "\n   ", found.attack.body, flush=True)
        field.close()
    return tally


def table(outcomes: list[Outcome], layer_sets: tuple[LayerSet, ...]) -> str:
    """Return `succeeded/tried` by threat and set of layers."""
    tried = Counter((o.attack.threat, o.layers.name) for o in outcomes)
    won = Counter((o.attack.threat, o.layers.name) for o in outcomes if o.succeeded)
    threats = sorted({threat for threat, _ in tried})
    head = ["succeeded/tried", *(layers.name for layers in layer_sets)]
    lines = [head, *([threat, *_cells(tried, won, threat, layer_sets)] for threat in threats)]
    totals = [_total(tried, won, layers.name) for layers in layer_sets]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [*lines, ["all", *totals]]
    )


def _cells(
    tried: Counter[tuple[str, str]],
    won: Counter[tuple[str, str]],
    threat: str,
    layer_sets: tuple[LayerSet, ...],
) -> list[str]:
    return [f"{won[threat, s.name]}/{tried[threat, s.name]}" for s in layer_sets]


def _total(tried: Counter[tuple[str, str]], won: Counter[tuple[str, str]], name: str) -> str:
    count = sum(n for (_, layers), n in tried.items() if layers == name)
    return f"{sum(n for (_, layers), n in won.items() if layers == name)}/{count}"


def broken_claims(outcomes: list[Outcome]) -> list[Outcome]:
    """Return what worked and must not: anything with all on, and what CLAIMS names."""
    return [
        o
        for o in outcomes
        if o.succeeded and (o.layers == ALL_ON or o.attack.threat in CLAIMS.get(o.layers, ()))
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", help="names of sets of layers, comma-separated; else every one")
    parser.add_argument("--verbose", action="store_true", help="print every attack that worked")
    options = parser.parse_args()
    attacks = read_all()
    named = set((options.sets or ",".join(s.name for s in LAYER_SETS)).split(","))
    layer_sets = tuple(layers for layers in LAYER_SETS if layers.name in named | {ALL_ON.name})
    outcomes = measure(attacks, layer_sets)
    broken = broken_claims(outcomes)
    for outcome in outcomes if options.verbose else broken:
        if outcome.succeeded:
            print(describe(outcome))
    print(table(outcomes, layer_sets))
    tally = mutate(attacks, options.mutations, options.seed)
    print(f"mutations the guard accepted, stopped by a later layer: {tally.accepted}")
    for line in speeds():
        print(line)
    all_on = [outcome for outcome in outcomes if outcome.layers == ALL_ON]
    print(
        f"attacks tried={len(all_on)} succeeded={sum(o.succeeded for o in all_on)}"
        f" mutations={tally.tried} mutated_succeeded={tally.succeeded}"
    )
    return int(bool(broken or tally.succeeded))


if __name__ == "__main__":
    sys.exit(main())
