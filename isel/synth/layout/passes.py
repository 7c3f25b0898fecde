"""How wanted bits are had of a register's: by a move with a literal for each lane, or by two that
are masked and joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import combinations, product
from typing import TypeAlias

from isel.synth.instructions.library import Library
from isel.synth.instructions.moving_bits import BitMove, Way, bit_moves
from isel.synth.layout.elements import ANY
from isel.synth.limits import FEW_KEPT, MAX_KEPT

Bits: TypeAlias = tuple[int, ...]  # as :meth:`isel.synth.layout.elements.Elements.bits` has them
# for each bit of a lane where it is read, nowhere for zero and for what is not read; None: any
_Places: TypeAlias = tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A literal of a lane: the bits that are as they are wanted, and those that are wrong, and not
    even zero.
    """

    literal: int
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Pass:
    """A move, and what it does in each lane."""

    move: BitMove
    lanes: tuple[Option, ...]

    @property
    def wrong(self) -> int:
        """How many bits are wrong, for which the others are masked."""
        return sum(o.wrong.bit_count() for o in self.lanes)


@dataclass(frozen=True)
class _Tried:
    """A move, and what it may do in each lane."""

    move: BitMove
    lanes: tuple[tuple[Option, ...], ...]

    @cached_property
    def right(self) -> int:
        """All bits that may be as they are wanted."""
        return sum(_union(options) << k * self.move.width for k, options in enumerate(self.lanes))


@lru_cache(maxsize=FEW_KEPT)
def passes_of(library: Library, wanted: Bits, source: Bits) -> tuple[tuple[Pass, ...], ...]:
    """Return the ways to have the wanted bits: by one pass or, where that does not do, by two."""
    needed = sum((x > 0) << at for at, x in enumerate(wanted))
    moves = bit_moves(library, len(source))
    tried = [t for m in moves if (t := _Tried(m, tuple(_lanes(m, wanted, source)))).right]
    return tuple(_together(tried, 1, needed)) or tuple(_together(tried, 2, needed))


def _together(tried: Sequence[_Tried], count: int, needed: int) -> Iterator[tuple[Pass, ...]]:
    """Yield so many moves that have together what each of their lanes may have, and all that is
    needed, with little that is wrong.
    """
    for some in combinations(tried, count):
        alike = len({t.move.width for t in some}) == 1
        if alike and reduce(int.__or__, (t.right for t in some)) == needed:
            lanes = [_least_wrong(each) for each in zip(*(t.lanes for t in some), strict=True)]
            if all(lanes):
                by_move = zip(some, zip(*lanes, strict=True), strict=True)
                yield tuple(Pass(t.move, own) for t, own in by_move)


def _least_wrong(each: Sequence[Sequence[Option]]) -> tuple[Option, ...]:
    """Return an option of each, none where no choice has all that some have."""
    needed = _union(o for options in each for o in options)
    ways = (way for way in product(*each) if _union(way) == needed)
    return min(ways, key=lambda way: sum(o.wrong.bit_count() for o in way), default=())


def _union(options: Iterable[Option]) -> int:
    return reduce(int.__or__, (o.right for o in options))


def _lanes(move: BitMove, wanted: Bits, source: Bits) -> Iterator[tuple[Option, ...]]:
    for k, first in enumerate(move.first):
        own = wanted[k * move.width : (k + 1) * move.width]
        yield _options(move, *_places(own, source[first : first + move.reads]))


@lru_cache(maxsize=MAX_KEPT)
def _places(wanted: Bits, source: Bits) -> tuple[_Places, frozenset[int]]:
    """Return where a lane's bits are in what it reads, and which of these are zero."""
    at: dict[int, tuple[int, ...]] = {ANY: ()}
    for k, x in enumerate(source):
        at[x] = (*at.get(x, ()), k)
    places = (None if x == ANY else at.get(x, ()) if x else () for x in wanted)
    return tuple(places), frozenset(at.get(0, ()))


@lru_cache(maxsize=MAX_KEPT)
def _options(move: BitMove, places: _Places, zeros: frozenset[int]) -> tuple[Option, ...]:
    """Return the literals that give some bits as they are wanted, and one that gives none."""
    every = [_option(c, way, places, zeros) for c, way in move.ways.items()]
    none = next((o for o in every if not o.wrong), every[0])
    return (*(o for o in every if o.right), Option(none.literal, 0, none.right | none.wrong))


def _option(literal: int, way: Way, places: _Places, zeros: frozenset[int]) -> Option:
    right = wrong = 0
    for p, (k, here) in enumerate(zip(way, places, strict=True)):
        if here is not None and k is not None:
            right |= (k in here) << p
            wrong |= (k not in here and k not in zeros) << p
    return Option(literal, right, wrong)
