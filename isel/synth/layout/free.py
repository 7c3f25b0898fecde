"""Registers that cost nothing, and permutes of them by a constant index: any order of one or two,
and of more, two at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

import numpy as np

from isel.synth.instructions.library import Library
from isel.synth.layout.elements import ANY, Elements, Goal
from isel.synth.layout.merging import merge_of
from isel.synth.layout.permutes import Permuter
from isel.synth.layout.plans import Plans, cheapest
from isel.synth.layout.reach import lowest

Spans: TypeAlias = dict[tuple[int, int], list[tuple[int, Goal, int]]]


class FreeRegisters:
    """Those of ``inputs`` (plan, elements and cost by width and lanes) whose cost is 0."""

    def __init__(
        self,
        library: Library,
        elements: Elements,
        plans: Plans,
        inputs: Mapping[tuple[int, int], Sequence[tuple[int, Goal, int]]],
        spans: Spans,
    ) -> None:
        """``inputs`` and ``spans`` may grow until the first question; those are what two registers
        make at a price, for permutes of one.
        """
        self._spans = spans
        self._library = library
        self.elements = elements
        self.plans = plans
        self._inputs = inputs
        self._permuter = Permuter(library, elements, plans)
        self._members: dict[tuple[int, int], tuple[list[tuple[int, Goal]], dict[int, int]]] = {}

    def permuted(self, width: int, goal: Goal) -> tuple[int, int] | None:
        """Use a permute by index with a constant index: any order of one or two registers."""
        sources = self.holding(width, goal)
        if len(sources) == 2:
            both = self._permuter.permute(width, goal, sources)
            return cheapest((both, *self._spanned(width, goal)))
        if len(sources) != 1:
            return None
        free, _ = self._free(width, len(goal))
        holders = self._holders(width, goal)
        # a permute within parts of a register needs the right one
        alone = [a for k, a in enumerate(free) if all(h >> k & 1 for h in holders)]
        return cheapest(self._permuter.permute(width, goal, [a]) for a in alone)

    def join_halves(self, width: int, goal: Goal, price: int) -> tuple[int, int] | None:
        """Permute two registers of half the size that are joined at a ``price``, each of which
        holds what a half of the goal asks for.
        """
        half = len(goal) // 2
        found = [self.holding(width, part)[:2] for part in (goal[:half], goal[half:])]
        if len(goal) % 2 or [len(x) for x in found] != [1, 1]:
            return None
        (low, first), (high, second) = (x[0] for x in found)
        plan = self.plans.join(width, (low, high), price)
        best = self._permuter.permute(width, goal, [(plan, np.concatenate([first, second]))])
        return None if best is None else (best[0] + price, best[1])

    def _spanned(self, width: int, goal: Goal) -> Iterator[tuple[int, int]]:
        for plan, ids, cost in self._spans.get((width, len(goal)), ()):
            found = self._permuter.permute(width, goal, [(plan, ids)])
            if found is not None:
                yield found[0] + cost, found[1]

    def together(
        self, width: int, goal: Goal, sources: Sequence[tuple[int, Goal]]
    ) -> tuple[int, int] | None:
        """Permute what permutes put together of each two registers."""
        total = 0
        while len(sources) > 2:
            together: list[tuple[int, Goal]] = []
            for pair in (sources[k : k + 2] for k in range(0, len(sources), 2)):
                if len(pair) == 1:
                    together.extend(pair)
                    continue
                held = {x for _, ids in pair for x in ids.tolist() if x != ANY}
                part = np.array([x if x in held else ANY for x in goal.tolist()], dtype=np.int64)
                found = self._permuter.permute(width, part, pair)
                if found is None:
                    return None
                total += found[0]
                together.append((found[1], part))
            sources = together
        last = self._permuter.permute(width, goal, sources)
        merged = self._in_place(width, goal, sources)
        best = cheapest((last, merged))
        return None if best is None else (total + best[0], best[1])

    def _in_place(
        self, width: int, goal: Goal, sources: Sequence[tuple[int, Goal]]
    ) -> tuple[int, int] | None:
        """Merge two registers that hold their elements where the goal asks for them."""
        if len(sources) != 2:
            return None
        (a, first), (b, second) = sources
        asked = goal != ANY
        if bool((asked & (first != goal) & (second != goal)).any()):
            return None
        picks = tuple(
            -1 if not want else int(not own)
            for want, own in zip(asked.tolist(), (first == goal).tolist(), strict=True)
        )
        merge = merge_of(self._library, width, picks)
        return None if merge is None else (merge.cost, merge.apply(self.plans, a, b))

    def holding(self, width: int, goal: Goal) -> list[tuple[int, Goal]]:
        """Return registers that hold all leaf elements of a goal, as few as two if two do; none
        where something is in no register.
        """
        free, _ = self._free(width, len(goal))
        holders = self._holders(width, goal)
        whole = reduce(int.__and__, holders, -1)
        if whole > 0:
            return [free[lowest(whole)]]
        for a in range(len(free)):
            later = reduce(int.__and__, (h for h in holders if not h >> a & 1), -1) >> a + 1
            if later > 0:
                return [free[a], free[a + 1 + lowest(later)]]
        found: list[tuple[int, Goal]] = []
        for a in range(len(free)):
            rest = [h for h in holders if not h >> a & 1]
            if len(rest) < len(holders):
                found.append(free[a])
                holders = rest
        return [] if holders else found

    def _holders(self, width: int, goal: Goal) -> list[int]:
        """Return for each leaf element of a goal which registers that cost nothing have it, a
        bit for each.
        """
        _, holders = self._free(width, len(goal))
        return [
            holders.get(x, 0)
            for x in dict.fromkeys(goal.tolist())
            if x != ANY and self.elements.kind[x] == "leaf"
        ]

    def _free(self, width: int, lanes: int) -> tuple[list[tuple[int, Goal]], dict[int, int]]:
        """Return the registers of a shape that cost nothing, and by element which of them have
        it.
        """
        key = (width, lanes)
        if key not in self._members:
            free = [(plan, ids) for plan, ids, cost in self._inputs.get(key, ()) if cost == 0]
            holders: dict[int, int] = {}
            for k, (_, ids) in enumerate(free):
                for x in ids[ids >= 0].tolist():
                    holders[x] = holders.get(x, 0) | 1 << k
            self._members[key] = (free, holders)
        return self._members[key]
