"""Sets of bytes as masks: by one comparison of a looked-up byte with the byte, or of what two
looked-up bytes have in common with one of them, or with zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from isel.ir import build as b
from isel.ir.expr import Expr, const
from isel.spec.known import Ints
from isel.synth.edges.bytewise import VALUES, Bytewise
from isel.synth.edges.lookups import Index, Way
from isel.synth.edges.two_tables import of_bytes
from isel.synth.limits import BYTE
from isel.synth.values.bank import Application
from isel.synth.values.lanefn import LaneFn


def _equal(x: Expr, y: Expr) -> Expr:
    return b.sext(b.eq(x, y), BYTE)


def _meet(x: Expr, y: Expr) -> Expr:
    return b.sext(_bits_meet(x, y), BYTE)


def _bits_meet(x: Expr, y: Expr) -> Expr:
    return b.ne(b.band(x, y), const(0, BYTE))


def set_edges(every: Sequence[Index], f: Bytewise, width: int) -> Iterator[Way]:
    """Yield masks, of ``width`` bits a lane, of a set of bytes; or such a mask of a byte that is
    looked up, where all bytes outside of a set give zero.
    """
    wanted = f.entries[f.domain]
    member = wanted != 0
    given = set(wanted[member].tolist())
    whole = given == {(1 << width) - 1}
    if not whole and (width < BYTE or not given):
        return
    for *made, last in _by_one(every, f, member, width):
        yield from [(*made, last)] if whole else _masked(every, f, made, last)
    for *made, last in _by_two(every, member, width) if len(given) == 1 else ():
        literal = of_bytes(b.band), (last[0].apply(*last[1]), const(*given, BYTE))
        yield (*made, last) if whole else (*made, last, literal)


def _masked(every: Sequence[Index], f: Bytewise, made: Way, mask: Application) -> Iterator[Way]:
    """Yield a mask by one comparison with what its members are, looked up in the same way."""
    wanted = f.entries[f.domain]
    ((fn, at),) = made
    for index in every:
        table = index.table(wanted, np.maximum)
        if index.lookup.fn is fn and index.at is at[index.lookup.index]:
            value = index.application(table)
            both = mask[0].apply(*mask[1]), value[0].apply(*value[1])
            yield *made, mask, value, (of_bytes(b.band), both)


def _by_one(every: Sequence[Index], f: Bytewise, member: Ints, width: int) -> Iterator[Way]:
    """Yield comparisons of a byte with what is looked up for it: for each index the only member
    that has it.
    """
    fn = of_bytes(_equal if width > 1 else b.eq)
    numbers = np.arange(VALUES)
    for at, of_value in [(f.byte, numbers), *f.inner]:
        values = of_value[f.domain]
        for index in every:
            table = index.table(np.where(member, values, -1), np.maximum)
            if ((table[index.group] == values) == member).all():
                for k in np.flatnonzero(table < 0).tolist():
                    table[k] = np.setdiff1d(numbers, values[index.group == k])[0]
                made = index.application(table)
                yield made, (fn, (made[0].apply(*made[1]), at))


def _by_two(every: Sequence[Index], member: Ints, width: int) -> Iterator[Way]:
    """Yield tests of what two looked-up bytes have in common, by the first two indices that do."""
    done: set[LaneFn] = set()
    for one, two in permutations(every, 2):
        fn = one.lookup.fn
        found = _bits(one, two, member) if fn is two.lookup.fn and fn not in done else None
        if found is not None:
            done.add(fn)
            first, second = one.application(found[0]), two.application(found[1])
            x, y = first[0].apply(*first[1]), second[0].apply(*second[1])
            yield first, second, (of_bytes(_meet if width > 1 else _bits_meet), (x, y))
            if width > 1 and found[1].all():
                both = of_bytes(b.band), (x, y)
                yield first, second, both, (of_bytes(_equal), (both[0].apply(x, y), y))


def _bits(one: Index, two: Index, member: Ints) -> tuple[Ints, Ints] | None:
    """Return tables with a bit for each set of keys of ``one`` that are members with a key of
    ``two``: what no member has is a bit of its own, while there are bits.
    """
    shape = len(one.present), len(two.present)
    cells = one.group * shape[1] + two.group
    there = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    held = np.bincount(cells, member, minlength=shape[0] * shape[1]).reshape(shape)
    sets = list(map(tuple, (held > 0).T.tolist()))
    distinct = list(dict.fromkeys(s for s in sets if any(s)))
    zero = held[one.present == one.lookup.fn.arity], held[:, two.present == two.lookup.fn.arity]
    if ((held > 0) & (held < there)).any() or len(distinct) > BYTE or any(z.any() for z in zero):
        return None
    spare = 1 << len(distinct) & VALUES - 1
    bits = {s: 1 << k for k, s in enumerate(distinct)}
    second = np.array([bits.get(s, spare) for s in sets])
    first = np.array([sum(bits[s] for s in distinct if s[row]) for row in range(shape[0])])
    return first, np.where(two.present == two.lookup.fn.arity, 0, second)
