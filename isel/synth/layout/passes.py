"""How wanted bits are had of a register's: by a move with a literal for each lane, or by two that
are masked and joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import combinations
from typing import Final, TypeAlias

from isel.synth.instructions.library import Library
from isel.synth.instructions.moving_bits import BitMove, bit_moves
from isel.synth.layout.elements import ANY, ZERO
from isel.synth.limits import FEW_KEPT, MAX_KEPT
from isel.synth.values.moved import ZERO_BIT, Way

Bits: TypeAlias = tuple[int, ...]  # as :meth:`isel.synth.layout.elements.Elements.bits` has them
# of a wanted bit where the source has it, none for zero; None where any will do
_Places: TypeAlias = tuple[int, ...] | None
_NOWHERE: Final = (-2,)


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
    """A move, and what it does in each lane; ``after`` it a shift of all lanes, if there is one."""

    move: BitMove
    lanes: tuple[Option, ...]
    after: BitMove | None = None

    @property
    def masked(self) -> bool:
        """Whether something is wrong."""
        return any(o.wrong for o in self.lanes)


@lru_cache(maxsize=FEW_KEPT)
def passes_of(library: Library, wanted: Bits, source: Bits) -> tuple[tuple[Pass, ...], ...]:
    """Return the ways to have the wanted bits: by one pass or, where that does not do, by two."""
    moves = bit_moves(library, len(source))
    needed = _needed(wanted)
    tried = [_Tried(m, wanted, source) for m in moves]
    alone: list[tuple[Pass, ...]] = [
        (p,) for t in tried if t.right == needed and (p := t.alone()) is not None
    ]
    if any(not p.masked for (p, *_) in alone):
        return tuple(alone)
    alone += _with_zeros(moves, wanted, source)
    return tuple(alone) or tuple(_pairs([t for t in tried if t.right], needed))


def _needed(wanted: Sequence[int]) -> int:
    return sum(1 << at for at, x in enumerate(wanted) if x > ZERO)


def _with_zeros(moves: Sequence[BitMove], wanted: Bits, source: Bits) -> Iterator[tuple[Pass, ...]]:
    """Yield moves to the upper ends of lanes, from where a shift of all lanes brings zeros."""
    last: dict[int, tuple[BitMove, Bits]] = {}
    for m in moves:
        if not m.given and (before := _before(m, wanted)) is not None:
            last[m.width] = m, before
    for m, before in last.values():
        for t in (_Tried(x, before, source) for x in moves if x.given):
            p = t.alone() if t.right == _needed(before) else None
            if p is not None and not p.masked:
                yield (replace(p, after=m),)


def _before(move: BitMove, wanted: Bits) -> Bits | None:
    """Return what a shift to the right is of, None where its zeros are not wanted."""
    (way,) = move.ways.values()
    zeros = way.count(ZERO_BIT)
    lanes = [wanted[at : at + move.width] for at in move.first]
    if not zeros or way[-1] != ZERO_BIT or any(x > ZERO for lane in lanes for x in lane[-zeros:]):
        return None
    return tuple(x for lane in lanes for x in ((ANY,) * zeros + lane[:-zeros]))


def _pairs(tried: Sequence[_Tried], needed: int) -> Iterator[tuple[Pass, ...]]:
    for a, b in combinations(tried, 2):
        if a.move.width == b.move.width and a.right | b.right == needed:
            both = a.beside(b)
            if both is not None:
                yield both


class _Tried:
    """What a move does with a source: the ``right`` bits that it may give at all."""

    def __init__(self, move: BitMove, wanted: Bits, source: Bits) -> None:
        self.move = move
        w = move.width
        self._lanes = [
            _options(move, *_relative(wanted[k * w : k * w + w], source[at : at + move.reads]))
            for k, at in enumerate(move.first)
        ]
        rights = (reduce(int.__or__, (o.right for o in options)) for options in self._lanes)
        self.right = sum(right << k * w for k, right in enumerate(rights))

    def alone(self) -> Pass | None:
        """Return the move with all that is needed in each lane."""
        best = [max(options, key=_merit) for options in self._lanes]
        got = sum(o.right << k * self.move.width for k, o in enumerate(best))
        return Pass(self.move, tuple(best)) if got == self.right else None

    def beside(self, other: _Tried) -> tuple[Pass, Pass] | None:
        """Return two moves that have together what is needed in each lane."""
        pairs: list[tuple[Option, Option]] = []
        for mine, others in zip(self._lanes, other._lanes, strict=True):
            needed = reduce(int.__or__, (o.right for o in (*mine, *others)))
            both = [(a, b) for a in mine for b in others if a.right | b.right == needed]
            if not both:
                return None
            pairs.append(min(both, key=lambda x: bool(x[0].wrong) + bool(x[1].wrong)))
        first, second = zip(*pairs, strict=True)
        return Pass(self.move, first), Pass(other.move, second)


def _merit(o: Option) -> tuple[int, int]:
    return o.right.bit_count(), -o.wrong.bit_count()


@lru_cache(maxsize=MAX_KEPT)
def _relative(wanted: Bits, source: Bits) -> tuple[tuple[_Places, ...], frozenset[int]]:
    """Return the places of a lane's bits in what it reads, and which of these are zero."""
    at: dict[int, tuple[int, ...]] = {}
    for k, x in enumerate(source):
        at[x] = (*at.get(x, ()), k)
    places = (None if x == ANY else () if x == ZERO else at.get(x, _NOWHERE) for x in wanted)
    return tuple(places), frozenset(at.get(ZERO, ()))


@lru_cache(maxsize=MAX_KEPT)
def _options(
    move: BitMove, places: tuple[_Places, ...], zeros: frozenset[int]
) -> tuple[Option, ...]:
    """Return the literals that give some bits as they are wanted, and one that gives none."""
    every = [_option(c, way, places, zeros) for c, way in move.ways.items()]
    found = [o for o in every if o.right]
    none = next((o for o in every if not o.wrong), Option(every[0].literal, 0, every[0].wrong))
    return (*found, none)


def _option(literal: int, way: Way, places: Sequence[_Places], zeros: frozenset[int]) -> Option:
    right = wrong = 0
    for p, (k, here) in enumerate(zip(way, places, strict=True)):
        if here is not None and k in here:
            right |= 1 << p
        elif here is not None and k != ZERO_BIT and k not in zeros:
            wrong |= 1 << p
    return Option(literal, right, wrong)
