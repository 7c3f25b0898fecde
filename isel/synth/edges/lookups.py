"""Functions of a byte by tables: at the byte, at some of its bits, or at a byte on the way to the
term.  Entries are literals or leaves; what they are is solved for, not searched (DESIGN section 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from isel.ir.build import band, lshr, zext
from isel.ir.canon import free
from isel.ir.expr import Expr, const
from isel.ir.ops import unsigned_dtype
from isel.spec.known import Ints
from isel.synth.edges.bytewise import VALUES, Bytewise
from isel.synth.limits import BYTE
from isel.synth.values.bank import Application
from isel.synth.values.lanefn import LaneFn

Way: TypeAlias = tuple[Application, ...]  # each of what is before it; the last gives the term
_NONE: Final = -1


@dataclass(frozen=True, slots=True)
class Lookup:
    """A function that gives one of its holes by the value of hole ``index``: the hole for each
    value, that behind all where it is zero.  Holes that are ``fixed`` are literals.
    """

    fn: LaneFn
    index: int
    holes: tuple[int, ...]
    fixed: tuple[tuple[int, int], ...] = ()

    @property
    def entries(self) -> int:
        """The number of holes that an index may ask for."""
        return len(set(self.holes) - {self.fn.arity})


def value(applied: Application) -> Expr:
    """Return what an application gives."""
    return applied[0].apply(*applied[1])


def lookup_of(fn: LaneFn, index: int, fixed: Mapping[int, int]) -> Lookup:
    """Return a function that gives the low bits of one of its holes, or zero, as a lookup."""
    given = [
        np.full(VALUES, fixed.get(k, k + 1), dtype=unsigned_dtype(w))
        for k, w in enumerate(fn.widths)
    ]
    given[index] = np.arange(VALUES, dtype=unsigned_dtype(BYTE))
    holes = ((int(x) or fn.arity + 1) - 1 for x in fn.run(*given))
    return Lookup(fn, index, tuple(holes), tuple(fixed.items()))


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """A lookup at a byte, which asks for the holes ``present``, the one behind all standing for
    zero: a table has an entry for each.

    ``group`` is the number of its entry by value of the byte that decides; ``order`` are the values
    by entry, ``starts`` where there is a new one.
    """

    lookup: Lookup
    at: Expr
    present: Ints
    group: Ints
    order: Ints
    starts: Ints

    def table(self, rows: Ints, gather: np.ufunc | None = None) -> Ints:
        """Return of rows of values the first one at each entry, or what ``gather`` makes of all,
        and 0 where the lookup gives that.
        """
        if gather is None:
            found: Ints = rows[..., self.order[self.starts]]
        else:
            found = gather.reduceat(rows[..., self.order], self.starts, axis=-1)
        return np.where(self.present == self.lookup.fn.arity, 0, found)

    def application(self, table: Ints, leaves: Sequence[Expr] = ()) -> Application:
        """Return the lookup with the entries of a table: what no index asks for is zero, or may be
        anything where entries are leaves.
        """
        fn, fixed = self.lookup.fn, dict(self.lookup.fixed)
        entries = np.full(fn.arity + 1, _NONE if leaves else 0, dtype=np.int64)
        entries[self.present] = table
        given = (fixed.get(k, v) for k, v in enumerate(entries[:-1].tolist()))
        args = [_entry(v, w, leaves) for v, w in zip(given, fn.widths, strict=True)]
        args[self.lookup.index] = self.at
        return fn, tuple(args)


def _entry(number: int, width: int, leaves: Sequence[Expr]) -> Expr:
    """Return an entry as :class:`Bytewise` has them, or anything."""
    if number >= VALUES:
        return zext(leaves[number - VALUES], width)
    return free(width) if number == _NONE else const(number, width)


def indices(lookups: Sequence[Lookup], f: Bytewise) -> tuple[Index, ...]:
    """Return lookups at the byte, at its low and at its high bits, and at the bytes on the way."""
    every, found = np.arange(VALUES), []
    for lookup in lookups:
        n = lookup.entries.bit_length() - 1
        low, high = band(f.byte, const((1 << n) - 1, BYTE)), lshr(f.byte, const(BYTE - n, BYTE))
        places = (f.byte, every), (low, every & (1 << n) - 1), (high, every >> BYTE - n), *f.inner
        for at, values in dict(places).items():
            keys = np.array(lookup.holes)[values][f.domain]
            present, group = np.unique(keys, return_inverse=True)
            order = np.argsort(keys, kind="stable")
            starts = np.flatnonzero(np.diff(keys[order], prepend=_NONE))
            found.append(Index(lookup, at, present, group, order, starts))
    return tuple(found)


def lookup_edges(every: Sequence[Index], f: Bytewise) -> Iterator[Way]:
    """Yield lookups that give a term, with index and entries."""
    entries = f.entries[f.domain]
    for index in every:
        table = index.table(entries)
        if (table[index.group] == entries).all():
            yield (index.application(table, f.table),)
