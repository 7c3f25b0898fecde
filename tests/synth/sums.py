"""Long sums as windows: rows of tiles, their terms in any order and association."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import reduce

from isel.ir import build as b
from isel.ir.expr import Expr
from isel.model.window import Leaf, Window
from tests.synth.windows import register, window

LANES = 16


def in_any_order(terms: Sequence[Expr], seed: int) -> Expr:
    """Add terms up one after the other, or for another ``seed`` than 0 in a random tree."""
    if not seed:
        return reduce(b.add, terms)
    rng, left = random.Random(seed), list(terms)
    rng.shuffle(left)
    while len(left) > 1:
        k = rng.randrange(len(left) - 1)
        left[k : k + 2] = [b.add(left[k], left[k + 1])]
    return left[0]


def tile_row(k: int, *, width: int = 8, seed: int = 0, repeated: bool = False) -> Window:
    """Return ``c[i] + sum a[k][g*i + j] * b[k][g*i + j]`` in 32 bits, where a lane reads ``g``
    elements of ``width`` bits: unsigned and signed bytes, or signed words.

    ``repeated``: a lane reads the same elements of ``a`` as every other.
    """
    per = 32 // width
    extend = b.zext if width == 8 else b.sext
    a, w = ([register(f"{n}{j:02}", width, per * LANES) for j in range(k)] for n in "ab")
    c = register("c", 32, LANES)
    lanes = []
    for i in range(LANES):
        first = 0 if repeated else per * i
        products = [
            b.mul(extend(a[j][first + q], 32), b.sext(w[j][per * i + q], 32))
            for j in range(k)
            for q in range(per)
        ]
        lanes.append(in_any_order([c[i], *products], seed))
    names = [(f"{n}{j:02}", width, per * LANES) for n in "ab" for j in range(k)]
    made = window(lanes, ("c", 32, LANES), *names)
    if not repeated:
        return made
    leaves = tuple(
        Leaf(x.name, x.width, x.lanes, f"m{x.name}", 0, 32) if x.name[0] == "a" else x
        for x in made.leaves
    )
    return Window(leaves, made.roots)
