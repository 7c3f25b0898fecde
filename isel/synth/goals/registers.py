"""The window's leaves as registers: goals made of them alone, and what is made of registers
whatever they hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from isel.ir.canon import rename
from isel.ir.expr import elem, leaves
from isel.model.window import Leaf
from isel.spec.known import Ints
from isel.synth.instructions.library import Library
from isel.synth.layout.bounds import Prices
from isel.synth.layout.elements import ANY, Elements, Goal
from isel.synth.layout.merging import Merge, restorer_of
from isel.synth.layout.moving import Moves, Shape, leaf_name, literal, moves_of, source_name
from isel.synth.layout.plans import Plans


@dataclass(frozen=True, slots=True)
class _Source:
    """A source of elements: its shape, the first bit that is read, and its leaves in the order
    of the shape.
    """

    shape: Shape
    first: int
    names: tuple[str, ...]


PASSES: Final = 10  # of a loop, for one pass through what is around it
_NOWHERE: Final = _Source(Shape(0, ()), 0, ())


@dataclass(frozen=True, slots=True)
class _Asked:
    """A goal in terms of moves: what ``sources`` are the sources of them, in order."""

    moves: Moves
    goal: Goal
    sources: tuple[str, ...]


class Registers:
    """The registers that a window has, and moves of them.

    Goals that differ only in whose elements they are have one answer
    (:mod:`isel.synth.layout.moving`), which is renamed here.
    """

    def __init__(
        self,
        library: Library,
        elements: Elements,
        leaves: Sequence[Leaf],
        widths: Mapping[str, int],
        prices: Prices,
    ) -> None:
        """``widths`` says in what pieces each leaf is read.

        What is made of invariant leaves alone is made once for all passes of a loop: a
        :data:`PASSES`-th of its price counts.
        """
        self._library = library
        self._elements = elements
        self._prices = prices
        self.plans = Plans()
        self._sources = {
            source: _source([x for x in leaves if x.source == source], width)
            for source, width in widths.items()
        }
        self._invariant = {x.source for x in leaves if x.invariant}
        self._asked: dict[tuple[int, bytes], _Asked] = {}
        self._found: dict[tuple[int, bytes], int] = {}
        self._of: dict[int, tuple[str, ...]] = {}
        self._numbered: dict[tuple[Moves, int, tuple[int, ...]], int] = {}
        self._brought: dict[tuple[Moves, tuple[str, ...], int], int] = {}
        self._restorers: dict[tuple[int, bytes], Merge | None] = {}

    def quick_bound(self, width: int, goal: Goal) -> int:
        """Return a lower bound on what :meth:`move` finds: what it found, if that was asked of
        these registers.
        """
        known = self._found.get((width, goal.tobytes()))
        if known is not None:
            return known
        asked = self._renamed(width, goal)
        return asked.moves.quick_bound(width, asked.goal) // self._times(asked)

    def move(self, width: int, goal: Goal, bound: int) -> tuple[int, int] | None:
        """Return the cheapest plan for a goal of leaf elements and literals within ``bound``."""
        asked = self._renamed(width, goal)
        found = asked.moves.move(width, asked.goal)
        if found is None:
            return None
        cost = self._found[width, goal.tobytes()] = found[0] // self._times(asked)
        return None if cost > bound else (cost, self._bring(asked, found[1]))

    def split(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Return a plan for a whole root of leaf elements and literals, halved as often as
        needed; None where something is computed.
        """
        if any(self._elements.kind[i] == "value" for i in goal[goal != ANY].tolist()):
            return None
        asked = self._renamed(width, goal)
        return self._brought_of(asked, asked.moves.split(width, asked.goal))

    def at_once(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Return the price and plan of a goal that one instruction makes of leaves, if one does."""
        asked = self._renamed(width, goal)
        return self._brought_of(asked, asked.moves.at_once(width, asked.goal))

    def _brought_of(self, asked: _Asked, found: tuple[int, int] | None) -> tuple[int, int] | None:
        if found is None:
            return None
        return found[0] // self._times(asked), self._bring(asked, found[1])

    def place(self, element: int, bits: int) -> tuple[str, int]:
        """Return the source of an element, and the number of its register of so many bits there."""
        source, offset, _ = self._elements.place(element)
        return source, (offset - self._sources.get(source, _NOWHERE).first) // bits

    def _times(self, asked: _Asked) -> int:
        """Return for how many passes of a loop a goal is made at once."""
        return PASSES if asked.sources and self._invariant.issuperset(asked.sources) else 1

    def literal(self, width: int, goal: Goal) -> tuple[int, int]:
        """Return the price and plan of a goal of literals."""
        return literal(self._elements, self.plans, width, goal, self._prices.constant)

    def restorer(self, width: int, order: Ints) -> Merge | None:
        """Return the cheapest permute by a constant index that takes element ``j`` from the
        lane ``i`` with ``order[i] == j``.
        """
        key = (width, order.tobytes())
        if key not in self._restorers:
            self._restorers[key] = restorer_of(self._library, width, np.argsort(order))
        return self._restorers[key]

    def _renamed(self, width: int, goal: Goal) -> _Asked:
        key = (width, goal.tobytes())
        found = self._asked.get(key)
        if found is None:
            found = self._asked[key] = self._rename(goal.tolist())
        return found

    def _rename(self, goal: Sequence[int]) -> _Asked:
        """Number the sources of a goal in order of first use."""
        order: dict[str, int] = {}
        own = {x: self._own_sources(x) for x in goal if x != ANY}
        for sources in own.values():
            for source in sources:
                order.setdefault(source, len(order))
        moves = moves_of(self._library, tuple(self._sources[s].shape for s in order), self._prices)
        new = {
            x: self._number(moves, x, tuple(order[s] for s in sources))
            for x, sources in own.items()
        }
        asked = np.array([ANY if x == ANY else new[x] for x in goal], dtype=np.int64)
        return _Asked(moves, asked, tuple(order))

    def _own_sources(self, element: int) -> tuple[str, ...]:
        """Return the sources of an element, which become known with it: what is in no register
        has no place there.
        """
        found = self._of.get(element)
        if found is None:
            e = self._elements.expr[element]
            assert e is not None
            found = self._of[element] = tuple(dict.fromkeys(x.source for x in leaves(e)))
            for source in found:
                self._sources.setdefault(source, _NOWHERE)
        return found

    def _number(self, moves: Moves, element: int, places: tuple[int, ...]) -> int:
        """Return the element of the moves that is ``element`` if its sources have numbers
        ``places``.
        """
        key = (moves, element, places)
        found = self._numbered.get(key)
        if found is None:
            e = self._elements.expr[element]
            assert e is not None
            place = dict(zip(self._of[element], places, strict=True))
            held = {
                x: (x.offset if x.op == "elem" else 0) - self._sources[x.source].first
                for x in leaves(e)
            }
            own = {x: elem(source_name(place[x.source]), at, x.width) for x, at in held.items()}
            found = self._numbered[key] = moves.elements.atom(rename(e, own))
        return found

    def _bring(self, asked: _Asked, plan: int) -> int:
        """Return the plan of the window that is ``plan`` of the moves."""
        key = (asked.moves, asked.sources, plan)
        found = self._brought.get(key)
        if found is None:
            theirs = asked.moves.plans
            step = theirs.steps[plan]
            args = tuple(self._bring(asked, a) for a in step.args)
            name = self._name(asked.sources, step.name) if step.kind == "leaf" else step.name
            found = self._brought[key] = self.plans.add(
                replace(step, args=args, name=name), theirs.costs[plan] // self._times(asked)
            )
        return found

    def _name(self, sources: Sequence[str], name: str) -> str:
        known = {
            leaf_name(k, j): own
            for k, source in enumerate(sources)
            for j, own in enumerate(self._sources[source].names)
        }
        return known[name]


def _source(leaves: Sequence[Leaf], width: int) -> _Source:
    first = min(x.first for x in leaves)
    ordered = sorted(leaves, key=lambda x: (x.first, x.lanes, x.width, x.period))
    places = tuple((x.first - first, x.lanes, x.width, x.period) for x in ordered)
    return _Source(Shape(width, places), first, tuple(x.name for x in ordered))
