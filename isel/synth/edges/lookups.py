"""Functions of a byte by tables: at the byte, at some of its bits, or at a byte on the way to the
term.  Entries are literals or leaves; what they are is solved for, not searched (DESIGN section 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from isel.ir.build import band, lshr
from isel.ir.canon import free
from isel.ir.expr import Expr, const
from isel.ir.ops import unsigned_dtype
from isel.spec.known import Ints
from isel.synth.edges.bytewise import VALUES, Bytewise
from isel.synth.limits import BYTE
from isel.synth.values.bank import Application
from isel.synth.values.lanefn import LaneFn

Way: TypeAlias = tuple[Application, ...]  # each of what is before it; the last gives the term


@dataclass(frozen=True, slots=True)
class Lookup:
    """A function that gives one of its holes by the value of hole ``index``: the hole for each
    value, -1 where it is zero.
    """

    fn: LaneFn
    index: int
    holes: tuple[int, ...]

    @property
    def entries(self) -> int:
        """The number of holes that it may give."""
        return self.fn.arity - 1

    def apply(self, table: Ints, index: Expr, leaves: Sequence[Expr] = ()) -> Application:
        """Return it at an index with entries as :class:`Bytewise` has them, -1 for any."""
        args = [
            const(v, BYTE) if 0 <= v < VALUES else leaves[v - VALUES] if v > 0 else free(BYTE)
            for v in table.tolist()
        ]
        args[self.index] = index
        return self.fn, tuple(args)


def lookup_of(fn: LaneFn, index: int) -> Lookup:
    """Return a function of bytes that gives one of them, or zero, as a lookup."""
    dtype = unsigned_dtype(BYTE)
    given = [np.full(VALUES, k + 1, dtype=dtype) for k in range(fn.arity)]
    given[index] = np.arange(VALUES, dtype=dtype)
    return Lookup(fn, index, tuple(int(x) - 1 for x in fn.run(*given)))


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """A lookup at a byte, which is one of ``keys`` by value of the byte that decides: the number of
    a hole, or that of all holes where the lookup gives zero.

    A table has an entry for each of the keys that occur, ``present``; ``group`` is the number of
    its entry by value.  ``order`` are the values by key, ``starts`` where there is a new one.
    """

    lookup: Lookup
    at: Expr
    present: Ints
    group: Ints
    order: Ints
    starts: Ints

    def table(self, rows: Ints, gather: np.ufunc | None = None) -> Ints:
        """Return of rows of values the first one at each key, or what ``gather`` makes of all, and
        0 where the lookup gives that.
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
        entries = np.full(self.lookup.fn.arity + 1, -1 if leaves else 0, dtype=np.int64)
        entries[self.present] = table
        return self.lookup.apply(entries[:-1], self.at, leaves)


def indices(lookups: Sequence[Lookup], f: Bytewise) -> tuple[Index, ...]:
    """Return lookups at the byte, at its low and at its high bits, and at the bytes on the way."""
    every = np.arange(VALUES)
    found = []
    for lookup in lookups:
        n = lookup.entries.bit_length() - 1
        low, high = band(f.byte, const((1 << n) - 1, BYTE)), lshr(f.byte, const(BYTE - n, BYTE))
        holes = np.array(lookup.holes)
        holes[holes < 0] = lookup.fn.arity
        places = (f.byte, every), (low, every & (1 << n) - 1), (high, every >> BYTE - n), *f.inner
        found += [_index(lookup, at, holes[v][f.domain]) for at, v in dict(places).items()]
    return tuple(found)


def _index(lookup: Lookup, at: Expr, keys: Ints) -> Index:
    present, group = np.unique(keys, return_inverse=True)
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    return Index(lookup, at, present, group, order, starts)


def lookup_edges(every: Sequence[Index], f: Bytewise) -> Iterator[Way]:
    """Yield lookups that give a term, with index and entries."""
    entries = f.entries[f.domain]
    for index in every:
        table = index.table(entries)
        if (table[index.group] == entries).all():
            yield (index.application(table, f.table),)
