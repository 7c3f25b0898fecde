"""Two-level matches by witness agree with trying every pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from isel.ir import build as b
from isel.ir.canon import canonical
from isel.ir.expr import Expr, var
from isel.rules import derived as d
from isel.synth.values.bank import Made, Pool, matches_of_two, row_hash, witness
from isel.synth.values.lanefn import LaneFn, lane_fn

P, Q = var("p", 8), var("q", 8)
FUNCTIONS: dict[str, Expr] = {
    "add": b.add(P, Q),
    "sub": b.sub(P, Q),
    "xor": b.bxor(P, Q),
    "or": b.bor(P, Q),
    "and": b.band(P, Q),
    "umin": d.umin(P, Q),
    "umax": d.umax(P, Q),
    "smin": d.smin(P, Q),
    "smax": d.smax(P, Q),
    "uadd_sat": d.uadd_sat(P, Q),
    "usub_sat": d.usub_sat(P, Q),
    "uavg": d.uavg(P, Q),
    "sadd_sat": d.sadd_sat(P, Q),
}


def _fn(name: str) -> LaneFn:
    return lane_fn(canonical(FUNCTIONS[name])[0])


def _key(fn: LaneFn, pair: tuple[int, int]) -> tuple[int, int]:
    i, j = pair
    return (min(i, j), max(i, j)) if fn.commutes else pair


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_pair_is_found(name: str) -> None:
    fn = _fn(name)
    rng = np.random.default_rng(3)
    values = rng.integers(0, 256, size=(24, 16)).astype(np.uint8)
    values[12:] = values[rng.integers(0, 12, 12)] & values[rng.integers(0, 12, 12)]
    pool = Pool(16, values, row_hash(values), Made(), range(len(values)))
    for i, j in ((0, 1), (3, 15), (20, 2)):
        target = fn.run(values[i], values[j])
        expected = {
            tuple(sorted(p)) if fn.commutes else p
            for p in itertools.product(range(24), repeat=2)
            if bool((fn.run(values[p[0]], values[p[1]]) == target).all())
        }
        found = {_key(fn, p) for p in matches_of_two(fn, pool, target)}
        if witness(fn).solve is not None:
            assert {row_hash(values[list(p)]).tobytes() for p in found} <= {
                row_hash(values[list(p)]).tobytes() for p in expected
            } and found
        else:
            assert found == expected


def test_hashes_tell_rows_apart() -> None:
    rows = np.random.default_rng(1).integers(0, 256, size=(500, 64)).astype(np.uint8)
    assert len(set(row_hash(rows).tolist())) == len({r.tobytes() for r in rows})
