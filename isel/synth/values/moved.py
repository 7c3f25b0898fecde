"""Functions that only move bits, which is seen by what each single bit becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from isel.ir.expr import Expr, leaves
from isel.ir.ops import Lanes, unsigned_dtype
from isel.synth.limits import BIT_SAMPLES, BYTE, MAX_KEPT, WORD
from isel.synth.values.lanefn import LaneFn, lane_fn, probe

Bit: TypeAlias = tuple[int, int]  # a hole, and which bit of it
Given: TypeAlias = Mapping[int, Sequence[int]]  # literals by hole


def moves_of(fn: LaneFn, given: Given) -> list[tuple[Bit | None, ...] | None]:
    """Return for each literal that holes are ``given`` which bit each bit of a result is, None for
    zero; None where it is not one bit, or where that depends on others.
    """
    bits = [(k, at) for k, w in enumerate(fn.widths) if k not in given for at in range(w)]
    one = _run(fn, given, [{k: 1 << at} for k, at in bits])
    rows = [*_samples(fn.widths), {}]
    held = ([bool(row.get(k, 0) >> at & 1) for k, at in bits] for row in rows)
    joined = np.array([np.bitwise_xor.reduce(one[h], axis=0, initial=0) for h in held])
    right = (joined == _run(fn, given, rows)).all(axis=0).tolist()
    return [_bits(fn, bits, x) if y else None for x, y in zip(one.T.tolist(), right, strict=True)]


def _samples(widths: Sequence[int]) -> list[Mapping[int, int]]:
    rows = zip(*(probe(k, w)[:BIT_SAMPLES].tolist() for k, w in enumerate(widths)), strict=True)
    return [dict(enumerate(row)) for row in rows]


def _run(fn: LaneFn, given: Given, rows: Sequence[Mapping[int, int]]) -> Lanes:
    """Return results by row and literal; holes that a row does not have are zero."""
    rest = ([[row.get(k, 0)] for row in rows] for k in range(fn.arity))
    typed = zip(fn.widths, rest, strict=True)
    args = [
        np.array([given[k]] if k in given else x, dtype=unsigned_dtype(w))
        for k, (w, x) in enumerate(typed)
    ]
    return np.broadcast_to(fn.run(*args), np.broadcast_shapes(*(a.shape for a in args)))


def _bits(fn: LaneFn, bits: Sequence[Bit], images: Sequence[int]) -> tuple[Bit | None, ...] | None:
    of = [[b for b, x in zip(bits, images, strict=True) if x >> k & 1] for k in range(fn.width)]
    return tuple(x[0] if x else None for x in of) if max(map(len, of)) < 2 else None


@lru_cache(maxsize=MAX_KEPT)
def bits_of(term: Expr) -> tuple[Bit | None, ...] | None:
    """Return which bit of its formals each bit of a canonical term is, None where it computes."""
    return moves_of(lane_fn(term), {})[0]


def is_field(term: Expr) -> bool | None:
    """Tell whether bits of a term were moved within bytes, None where it computes."""
    wide = max(x.width for x in (term, *leaves(term))) > WORD
    bits = None if term.width % BYTE or wide else bits_of(term)
    return None if bits is None else any(x and (at - x[1]) % BYTE for at, x in enumerate(bits))
