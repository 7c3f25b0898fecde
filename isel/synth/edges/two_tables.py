"""Functions of a byte by a lookup that is joined with a lookup at other bits, or with a byte that
needs none: by ``xor``, ``+``, ``and`` or ``or``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import numpy as np

from isel.ir import build as b
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const
from isel.spec.known import Ints
from isel.synth.edges.bytewise import VALUES, Bytewise
from isel.synth.edges.lookups import Index, Way
from isel.synth.limits import BYTE
from isel.synth.values.lanefn import LaneFn, lane_fn

_TOP: Final = VALUES - 1
_Pieces: TypeAlias = list[tuple[Way, Expr, Ints, int]]  # how made, as what, values, and its index


@dataclass(frozen=True, slots=True)
class _Join:
    """How two bytes become one: ``meaning`` of values, ``gather`` what entries are of all that
    is asked of them (none: any), and ``back(f, c)`` what ``c`` must be joined with to be ``f``.
    """

    build: Callable[[Expr, Expr], Expr]
    meaning: Callable[[Ints, Ints], Ints]
    back: Callable[[Ints, Ints], Ints]
    gather: np.ufunc | None = None
    other: np.ufunc | None = None


_JOINS: Final = (
    _Join(b.bxor, lambda c, t: c ^ t, lambda f, c: f ^ c),
    _Join(b.add, lambda c, t: c + t & _TOP, lambda f, c: f - c & _TOP),
    _Join(b.band, lambda c, t: c & t, lambda f, c: f + 0 * c, np.bitwise_or, np.bitwise_or),
    _Join(b.bor, lambda c, t: c | t, lambda f, c: f & ~c, np.bitwise_or, np.bitwise_and),
)


@cache
def of_bytes(build: Callable[[Expr, Expr], Expr]) -> LaneFn:
    """Return a function of two bytes."""
    return lane_fn(canonical(build(formal(0, BYTE), formal(1, BYTE)))[0])


def pair_edges(every: Sequence[Index], f: Bytewise) -> Iterator[Way]:
    """Yield lookups that are joined with a byte that is had without, or with another one."""
    plain = _plain(f)
    for join in _JOINS:
        yield from _joined(every, f, join, [*plain, *_lookups(every, f, join)])


def _joined(every: Sequence[Index], f: Bytewise, join: _Join, pieces: _Pieces) -> Iterator[Way]:
    wanted, rows = f.entries[f.domain], np.array([values for _, _, values, _ in pieces])
    needed, fn = join.back(wanted, rows), of_bytes(join.build)
    known: set[tuple[int, LaneFn]] = set()
    for number, index in enumerate(every):
        table = index.table(needed, join.gather)
        fits = (join.meaning(rows, table[:, index.group]) == wanted).all(-1)
        for k in np.flatnonzero(fits & (table != table[:, :1]).any(-1)).tolist():
            made, piece, _, own = pieces[k]
            key = k, index.lookup.fn
            if key not in known and own < number:
                known.add(key)
                last = index.application(table[k])
                yield *made, last, (fn, (piece, last[0].apply(*last[1])))


def _plain(f: Bytewise) -> _Pieces:
    """Return bytes that need no lookup: the byte, moved, and those on the way."""
    every = np.arange(VALUES)
    found: dict[bytes, tuple[Way, Expr, Ints, int]] = {}
    moved = [(b.shl, every << k & _TOP, k) for k in range(1, BYTE)]
    moved += [(b.lshr, every >> k, k) for k in range(1, BYTE)]
    shifted = [(move(f.byte, const(k, BYTE)), values) for move, values, k in moved]
    for e, values in [(f.byte, every), *f.inner, *shifted]:
        row = values[f.domain]
        found.setdefault(row.tobytes(), ((), e, row, -1))
    return list(found.values())


def _lookups(every: Sequence[Index], f: Bytewise, join: _Join) -> _Pieces:
    """Return lookups that are what is joined if some two are."""
    wanted = f.entries[f.domain]
    found: _Pieces = []
    for number, index in enumerate(every):
        table = index.table(wanted, join.other)
        if (table != table[0]).any():
            made = index.application(table)
            found.append(((made,), made[0].apply(*made[1]), table[index.group], number))
    return found
