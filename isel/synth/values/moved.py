"""Terms that only move bits, and functions that move bits of an operand as a literal says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from isel.ir.expr import Expr
from isel.ir.ops import Lanes, unsigned_dtype
from isel.synth.limits import BYTE, MAX_KEPT, WORD
from isel.synth.values.lanefn import LaneFn, probe

Source: TypeAlias = tuple[Expr, int] | None  # what a bit is of, and which of it; None for zero
Way: TypeAlias = tuple[int, ...]  # for each bit which one it was
ZERO_BIT: Final = -1
_JOINS: Final = frozenset({"or", "xor"})
_PROBES: Final = 8


@lru_cache(maxsize=MAX_KEPT)
def sources_of(e: Expr) -> tuple[Source, ...]:
    """Return for each bit of a term, the lowest first, which bit it is of what is not moved."""
    if e.is_const and not e.value:
        return (None,) * e.width
    given = tuple(sources_of(a) for a in e.args)
    if e.op == "concat":
        return given[1] + given[0]
    if e.op in _JOINS and all(None in pair for pair in zip(*given, strict=True)):
        return tuple(x or y for x, y in zip(*given, strict=True))
    if e.op == "extract":
        return given[0][e.int_attr(0) : e.int_attr(0) + e.width]
    if e.op == "zext":
        return (*given[0], *(None,) * (e.width - e.args[0].width))
    found = _by_literal(e, given[0]) if e.args and e.args[-1].is_const else None
    return found or tuple((e, k) for k in range(e.width))


def _by_literal(e: Expr, given: tuple[Source, ...]) -> tuple[Source, ...] | None:
    k, none = e.args[-1].value, (None,) * e.width
    match e.op:
        case "shl":
            return (*none[:k], *given)[: e.width]
        case "lshr":
            return (*given[k:], *none[:k])
        case "and":
            return tuple(x if k >> at & 1 else None for at, x in enumerate(given))
        case _:
            return None


def is_shifted(e: Expr) -> bool | None:
    """Tell whether bits of leaves were moved within bytes, None where a term has others."""
    found = [(at, x) for at, x in enumerate(sources_of(e)) if x is not None]
    if e.width % BYTE or not all(x.is_leaf for _, (x, _) in found):
        return None
    return any((at - k) % BYTE for at, (_, k) in found)


@dataclass(frozen=True, slots=True)
class Mover:
    """A function that gives bits of one of two operands, the first of ``holes``, for literals of
    the other; its ways by literal.
    """

    fn: LaneFn
    holes: tuple[int, int]
    ways: Mapping[int, Way]


def mover(fn: LaneFn) -> Mover | None:
    """Return what a function of two operands moves by literals of one of them."""
    if fn.arity != 2 or not fn.kinds & {"variable", "mul"}:
        return None
    for holes in ((0, 1),) if fn.commutes else ((0, 1), (1, 0)):
        bits, room = (fn.widths[k] for k in holes)
        if fn.width % BYTE == 0 == bits % fn.width and bits <= WORD >= room:
            ways = _ways(fn, holes, bits, room)
            if len(set(map(_shift, ways.values()))) > 2:
                return Mover(fn, holes, ways)
    return None


def _shift(way: Way) -> int:
    """Return by how much all bits but zeros are moved, 0 where they are not moved alike."""
    found = {k - at for at, k in enumerate(way) if k != ZERO_BIT}
    return found.pop() if len(found) == 1 else 0


def _ways(fn: LaneFn, holes: tuple[int, int], bits: int, room: int) -> dict[int, Way]:
    """Return the ways of literals that move bits by their number, or by the bit they are."""
    every = {*range(bits), *(-k % (1 << room) for k in range(bits)), *(1 << k for k in range(room))}
    literals = [c for c in sorted(every) if c < 1 << room]
    amounts = np.array(literals, dtype=unsigned_dtype(room))

    def run(x: Lanes) -> Lanes:
        given = (x[:, None], amounts[None, :])
        return np.broadcast_to(fn.run(*(given[k] for k in holes)), (len(x), len(literals)))

    rows, kind = probe(0, bits)[:_PROBES], unsigned_dtype(bits)
    one = run(np.array([1 << k for k in range(bits)], dtype=kind))
    held = [[bool(int(x) >> k & 1) for k in range(bits)] for x in rows]
    joined = np.array([np.bitwise_xor.reduce(one[h], axis=0, initial=0) for h in held])
    found: dict[Way, int] = {}
    for c, each, right in zip(
        literals, one.T.tolist(), (joined == run(rows)).all(axis=0), strict=True
    ):
        of = [[k for k, x in enumerate(each) if x >> at & 1] for at in range(fn.width)]
        if right and all(len(x) < 2 for x in of):
            found.setdefault(tuple(x[0] if x else ZERO_BIT for x in of), c)
    return {c: way for way, c in found.items()}
