"""Functions of a byte by tables of sixteen literals: at one half of the byte, or at each, if what
these give is added or exclusive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import band, lshr, make
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const, leaves, postorder, substitute
from isel.ir.ops import unsigned_dtype
from isel.synth.limits import BYTE, LEAST_LOOKUP
from isel.synth.values.lanefn import LaneFn, lane_fn

_EVERY: Final = range(1 << BYTE)
_SPLITS: Final = {"add": "sub", "xor": "xor"}
Ways: TypeAlias = Iterator[tuple[LaneFn, tuple[Expr, ...]]]


@dataclass(frozen=True, slots=True)
class Lookup:
    """A function that gives one of its holes by the value of hole ``index``: the hole for each
    value, -1 where it is zero.
    """

    fn: LaneFn
    index: int
    holes: tuple[int, ...]


def lookup_of(fn: LaneFn, index: int) -> Lookup:
    """Return a function of bytes that gives one of them, or zero, as a lookup."""
    dtype = unsigned_dtype(BYTE)
    given = [np.full(len(_EVERY), k + 1, dtype=dtype) for k in range(fn.arity)]
    given[index] = np.arange(len(_EVERY), dtype=dtype)
    return Lookup(fn, index, tuple(int(x) - 1 for x in fn.run(*given)))


def lookup_edges(lookups: Sequence[Lookup], term: Expr) -> Ways:
    """Yield lookups that give a byte which is a function of another, with index and literals; or
    sums of what two give that look at its halves.
    """
    given = leaves(term)
    if lookups and term.width == BYTE and [x.width for x in given] == [BYTE]:
        if sum(1 for e in postorder([term]) if e.args) >= LEAST_LOOKUP:
            yield from _of_byte(lookups, term, given[0])


def _of_byte(lookups: Sequence[Lookup], term: Expr, x: Expr) -> Ways:
    indices = (x, band(x, const(0x0F, BYTE)), lshr(x, const(BYTE // 2, BYTE)))
    values = _values((term, *indices), x)
    direct = [w for f in lookups for i in indices for w in _at(f, i, values, term)]
    yield from direct or _split(term, x, values[term])


def _split(term: Expr, x: Expr, wanted: list[int]) -> Ways:
    low, high = (substitute(term, {x: band(x, const(m, BYTE))}, make) for m in (0x0F, 0xF0))
    for op, less in _SPLITS.items():
        other = make(less, (high, const(wanted[0], BYTE)))
        fn = lane_fn(canonical(make(op, (formal(0, BYTE), formal(1, BYTE))))[0])
        whole = make(op, (low, other))
        if _values((whole,), x)[whole] == wanted:
            yield fn, (low, other)


def _values(terms: Sequence[Expr], x: Expr) -> Mapping[Expr, list[int]]:
    every = np.arange(len(_EVERY), dtype=unsigned_dtype(BYTE))
    found = evaluate_all(list(terms), {x: every}, NumpyLanes())
    return {e: np.broadcast_to(found[e], every.shape).tolist() for e in terms}


def _at(f: Lookup, index: Expr, values: Mapping[Expr, list[int]], term: Expr) -> Ways:
    """Yield a lookup at a term, if its literals can be such that it gives another."""
    table = [0] * f.fn.arity
    known: dict[int, int] = {-1: 0}
    for at, value in zip(values[index], values[term], strict=True):
        if known.setdefault(f.holes[at], value) != value:
            return
    for hole, value in known.items():
        table[hole] = value if hole >= 0 else table[hole]
    args = [const(v, BYTE) for v in table]
    args[f.index] = index
    yield f.fn, tuple(args)
