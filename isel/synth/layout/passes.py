"""How wanted bits are had of a register's: by a move with a literal for each lane, or by two that
are masked and joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, product
from typing import TypeAlias

from isel.synth.instructions.library import Library
from isel.synth.instructions.moving_bits import BitMove, Way, bit_moves
from isel.synth.layout.elements import ANY, ZERO
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
    def masked(self) -> bool:
        """Whether something is wrong."""
        return any(o.wrong for o in self.lanes)


@lru_cache(maxsize=FEW_KEPT)
def passes_of(library: Library, wanted: Bits, source: Bits) -> tuple[tuple[Pass, ...], ...]:
    """Return the ways to have the wanted bits: by one pass or, where that does not do, by two."""
    needed = sum(1 << at for at, x in enumerate(wanted) if x > ZERO)
    tried = [(m, _lanes(m, wanted, source)) for m in bit_moves(library, len(source))]
    useful = [(m, x, right) for m, x in tried if (right := _right(m, x))]
    alone = [_joined((m,), (x,)) for m, x, right in useful if right == needed]
    pairs = combinations(useful, 2) if not any(alone) else ()
    both = [
        _joined((a[0], b[0]), (a[1], b[1]))
        for a, b in pairs
        if a[0].width == b[0].width and a[2] | b[2] == needed
    ]
    return tuple(filter(None, (*alone, *both)))


def _right(move: BitMove, lanes: Sequence[Sequence[Option]]) -> int:
    """Return all bits that a move may give as they are wanted."""
    return sum(_union(options) << k * move.width for k, options in enumerate(lanes))


def _union(options: Sequence[Option]) -> int:
    return reduce(int.__or__, (o.right for o in options))


def _joined(
    moves: tuple[BitMove, ...], lanes: tuple[Sequence[Sequence[Option]], ...]
) -> tuple[Pass, ...] | None:
    """Return moves that have together what each of their lanes may have, with little wrong."""
    chosen: list[tuple[Option, ...]] = []
    for each in zip(*lanes, strict=True):
        needed = _union([o for options in each for o in options])
        ways = [way for way in product(*each) if _union(way) == needed]
        if not ways:
            return None
        chosen.append(min(ways, key=lambda w: sum(o.wrong > 0 for o in w)))
    return tuple(Pass(m, own) for m, own in zip(moves, zip(*chosen, strict=True), strict=True))


def _lanes(move: BitMove, wanted: Bits, source: Bits) -> list[tuple[Option, ...]]:
    return [
        _options(move, *_relative(wanted[k : k + move.width], source[at : at + move.reads]))
        for k, at in zip(range(0, len(wanted), move.width), move.first, strict=True)
    ]


@lru_cache(maxsize=MAX_KEPT)
def _relative(wanted: Bits, source: Bits) -> tuple[_Places, frozenset[int]]:
    """Return where a lane's bits are in what it reads, and which of these are zero."""
    at: dict[int, tuple[int, ...]] = {}
    for k, x in enumerate(source):
        at[x] = (*at.get(x, ()), k)
    places = (None if x == ANY else () if x == ZERO else at.get(x, ()) for x in wanted)
    return tuple(places), frozenset(at.get(ZERO, ()))


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
