"""Functions of a byte by a lookup and more: joined with a lookup at other bits, or with a byte that
needs none, by ``xor``, ``+``, ``and`` or ``or``; sets of bytes by a comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from typing import Final, TypeAlias

import numpy as np

from isel.ir import build as b
from isel.ir.expr import Expr, const
from isel.spec.known import Ints
from isel.synth.edges.bytewise import VALUES, Bytewise
from isel.synth.edges.found import of_two
from isel.synth.edges.lookups import Index, Way, value
from isel.synth.limits import BYTE
from isel.synth.values.lanefn import LaneFn

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


def pair_edges(every: Sequence[Index], f: Bytewise) -> Iterator[Way]:
    """Yield lookups that are joined with a byte that is had without, or with another one."""
    plain = _plain(f)
    for join in _JOINS:
        yield from _joins(every, f, join, [*plain, *_lookups(every, f, join)])


def _joins(every: Sequence[Index], f: Bytewise, join: _Join, pieces: _Pieces) -> Iterator[Way]:
    wanted, rows = f.entries[f.domain], np.array([values for _, _, values, _ in pieces])
    needed, fn = join.back(wanted, rows), of_two(join.build, BYTE)
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
                yield *made, last, (fn, (piece, value(last)))


def _plain(f: Bytewise) -> _Pieces:
    """Return bytes that need no lookup: the byte, moved, and those on the way."""
    every = np.arange(VALUES)
    found: dict[bytes, tuple[Way, Expr, Ints, int]] = {}
    shifted = [(b.shl(f.byte, const(k, BYTE)), every << k & _TOP) for k in range(1, BYTE)]
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
            found.append(((made,), value(made), table[index.group], number))
    return found


def set_edges(every: Sequence[Index], f: Bytewise, width: int) -> Iterator[Way]:
    """Yield masks, of ``width`` bits a lane, of a set of bytes, with the literal that the term is
    in the set where it is another.
    """
    wanted = f.entries[f.domain]
    given, member = np.unique(wanted[wanted != 0]).tolist(), wanted != 0
    ways = chain(_by_one(every, f, member, width), _by_two(every, member, width))
    for way in ways if len(given) == 1 else ():
        literal = of_two(b.band, BYTE), (value(way[-1]), const(given[0], BYTE))
        yield way if given[0] == (1 << width) - 1 else (*way, literal)


def _by_one(every: Sequence[Index], f: Bytewise, member: Ints, width: int) -> Iterator[Way]:
    """Yield comparisons of a byte with what is looked up for it: for each index the only member
    that has it.
    """
    fn, numbers = of_two(lambda x, y: b.sext(b.eq(x, y), width), BYTE), np.arange(VALUES)
    for at, of_value in [(f.byte, numbers), *f.inner]:
        values = of_value[f.domain]
        for index in every:
            table = index.table(np.where(member, values, -1), np.maximum)
            if ((table[index.group] == values) == member).all():
                for k in np.flatnonzero(table < 0).tolist():
                    table[k] = np.setdiff1d(numbers, values[index.group == k])[0]
                made = index.application(table)
                yield made, (fn, (value(made), at))


def _by_two(every: Sequence[Index], member: Ints, width: int) -> Iterator[Way]:
    """Yield tests of what two looked-up bytes have in common, by the first two indices that do."""
    done: set[LaneFn] = set()
    equal = of_two(lambda x, y: b.sext(b.eq(x, y), width), BYTE)
    meet = of_two(lambda x, y: b.sext(b.ne(b.band(x, y), const(0, BYTE)), width), BYTE)
    for one, two in permutations(every, 2):
        fn = one.lookup.fn
        found = _bits(one, two, member) if fn is two.lookup.fn and fn not in done else None
        if found is not None:
            done.add(fn)
            first, second = one.application(found[0]), two.application(found[1])
            both = of_two(b.band, BYTE), (value(first), value(second))
            yield first, second, (meet, both[1])
            if found[1].all():
                yield first, second, both, (equal, (value(both), value(second)))


def _bits(one: Index, two: Index, member: Ints) -> tuple[Ints, Ints] | None:
    """Return tables with a bit for each set of keys of ``one`` that are members with a key of
    ``two``, none of them included.
    """
    there, held = np.zeros((2, len(one.present), len(two.present)), int)
    np.add.at(there, (one.group, two.group), 1)
    np.add.at(held, (one.group, two.group), member)
    columns, which = np.unique(held > 0, axis=1, return_inverse=True)
    zeros = [i.present == i.lookup.fn.arity for i in (one, two)]
    open_cells = (held > 0) & (held < there), held[zeros[0]], held[:, zeros[1]]
    if any(x.any() for x in open_cells) or columns.shape[1] > BYTE:
        return None
    bits = 1 << np.arange(columns.shape[1])
    return columns @ bits, np.where(zeros[1], 0, bits[which.ravel()])
