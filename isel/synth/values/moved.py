"""Functions that only move bits, which is seen by what each single bit becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from isel.ir.expr import Expr, leaves
from isel.ir.ops import Lanes, unsigned_dtype
from isel.synth.limits import BYTE, MAX_KEPT, WORD
from isel.synth.values.lanefn import LaneFn, lane_fn, probe

Bit: TypeAlias = tuple[int, int] | None  # a hole and the bit of it, None for zero
_PROBES = 8


def moves_of(fn: LaneFn, given: Mapping[int, Sequence[int]]) -> list[tuple[Bit, ...] | None]:
    """Return for each literal that holes are ``given`` which bit each bit of a result is; None
    where it is not one bit, or where that depends on others.
    """
    holes = [(k, at) for k, w in enumerate(fn.widths) if k not in given for at in range(w)]

    def run(rows: Sequence[Mapping[int, int]]) -> Lanes:
        rest = ([[row.get(k, 0)] for row in rows] for k, _ in enumerate(fn.widths))
        args = [
            np.array([given[k]] if k in given else x, dtype=unsigned_dtype(w))
            for k, (w, x) in enumerate(zip(fn.widths, rest, strict=True))
        ]
        return np.broadcast_to(fn.run(*args), np.broadcast_shapes(*(a.shape for a in args)))

    one = run([{k: 1 << at} for k, at in holes])
    tests = [
        {k: int(probe(k, fn.widths[k])[n]) * (n > 0) for k, _ in holes} for n in range(_PROBES)
    ]
    set_bits = [[bool(t[k] >> at & 1) for k, at in holes] for t in tests]
    joined = np.array([np.bitwise_xor.reduce(one[b], axis=0, initial=0) for b in set_bits])
    found: list[tuple[Bit, ...] | None] = []
    for column, right in zip(one.T.tolist(), (joined == run(tests)).all(axis=0), strict=True):
        of = [
            [h for h, x in zip(holes, column, strict=True) if x >> at & 1] for at in range(fn.width)
        ]
        plain = right and all(len(x) < 2 for x in of)
        found.append(tuple(x[0] if x else None for x in of) if plain else None)
    return found


@lru_cache(maxsize=MAX_KEPT)
def bits_of(term: Expr) -> tuple[Bit, ...] | None:
    """Return which bit of its formals each bit of a canonical term is, None where it computes."""
    return moves_of(lane_fn(term), {})[0]


def is_shifted(term: Expr) -> bool | None:
    """Tell whether bits of a term were moved within bytes, None where it computes."""
    wide = max(x.width for x in (term, *leaves(term))) > WORD
    bits = None if term.width % BYTE or wide else bits_of(term)
    return None if bits is None else any(x and (at - x[1]) % BYTE for at, x in enumerate(bits))
