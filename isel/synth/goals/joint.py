"""Goals of several registers solved together, where a register is half of one twice as large for
nothing: what computes even and odd lanes at once serves two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from isel.synth.goals.derive import Solver, better, inverted, solve_all
from isel.synth.instructions.form import Form
from isel.synth.lanes.graph import LaneClass
from isel.synth.layout.elements import ANY, Goal
from isel.synth.limits import DEEPEST_ROW, FEW_FUNCTIONS, MANY_FUNCTIONS, MOST_ROWS

Together: TypeAlias = tuple[int, tuple[int, ...]]  # the price of all, and a plan for each
# the least price of a form, the form, and for each of some goals what its operands must hold
_Way: TypeAlias = tuple[int, Form, list[list[Goal]]]


class Joint:
    """The search for rows of goals of one size."""

    def __init__(self, search: Solver) -> None:
        self._search = search
        self._known: dict[tuple[int, tuple[bytes, ...]], tuple[int, Together | None]] = {}
        self._left = MOST_ROWS
        self._ways: dict[tuple[int, tuple[bytes, ...]], list[_Way]] = {}
        self._open: set[tuple[int, tuple[bytes, ...]]] = set()

    def deepen(self, width: int, goal: Goal, most: int) -> Together | None:
        """Return the price of a goal within ``most``, and its plan: looked for within bounds that
        are raised step by step.
        """
        bound = min(self._search.lower(width, goal), most)
        while True:
            self._left = MOST_ROWS
            found = self.solve(width, [goal], bound)
            if found is not None or bound == most:
                return found
            bound = min(bound + bound // 3 + 100, most)

    def solve(self, width: int, goals: Sequence[Goal], bound: int) -> Together | None:
        """Return the price of a row of goals within ``bound``, and their plans."""
        given = {g.tobytes(): g for g in goals}
        found = self._row(width, tuple(given.values()), bound)
        if found is None:
            return None
        plans = dict(zip(given, found[1], strict=True))
        return found[0], tuple(plans[g.tobytes()] for g in goals)

    def _row(self, width: int, goals: tuple[Goal, ...], bound: int) -> Together | None:
        key = (width, tuple(g.tobytes() for g in goals))
        if key in self._open or len(self._open) >= DEEPEST_ROW:
            return None
        tried, found = self._known.get(key, (-1, None))
        if found is None and tried < bound:
            self._open.add(key)
            self._left -= 1
            found = self._solution(width, goals, bound)
            self._known[key] = bound, found
            self._open.discard(key)
        return found if found is not None and found[0] <= bound else None

    def _solution(self, width: int, goals: tuple[Goal, ...], bound: int) -> Together | None:
        elements, every = self._search.elements, np.concatenate(goals)
        if {elements.kind[e] for e in every[every != ANY].tolist()} != {"value"}:
            return self._alone(width, goals, bound)
        if self._left <= 0:
            return None
        classes, rows = elements.classes_of(every), (goals, *_pairings(goals))
        ways = [(r, x) for r in rows for x in self._operand_plans(classes, width * len(r[0]), r)]
        if not ways:
            return self._alone(width, goals, bound)
        best: Together | None = None
        for row, way in ways:
            found = self._application(way, bound)
            if found is not None:
                best, bound = self._halves(width, goals, row, found), better(found[0])
        return best

    def _alone(self, width: int, goals: tuple[Goal, ...], bound: int) -> Together | None:
        """Solve each goal by itself."""
        found = solve_all(self._search, [(width, g) for g in goals], 0, bound)
        return None if found is None else (found[0], tuple(found[1]))

    def _operand_plans(
        self, classes: tuple[LaneClass, ...], bits: int, goals: Sequence[Goal]
    ) -> list[_Way]:
        """Return the forms that give each of some goals, the cheapest few first."""
        key = (bits, tuple(g.tobytes() for g in goals))
        if key not in self._ways:
            self._ways[key] = self._by_function(classes, bits, goals)
        return self._ways[key]

    def _by_function(
        self, classes: tuple[LaneClass, ...], bits: int, goals: Sequence[Goal]
    ) -> list[_Way]:
        found: list[_Way] = []
        for _, form, edges in self._search.ways.options(classes, bits):
            asked = [inverted(self._search.elements, form, g, edges) for g in goals]
            every = [x for x in asked if x is not None]
            if len(every) == len(asked):
                found.append((self._least(form, every), form, every))
            if len(found) == MANY_FUNCTIONS:
                break
        return sorted(found, key=lambda x: x[0])[:FEW_FUNCTIONS]

    def _least(self, form: Form, goals: Sequence[list[Goal]]) -> int:
        """Return what a form costs at least for each of some goals, of different registers."""
        operands = form.instruction.operands
        needed = {
            (o.width, x.tobytes()): self._search.lower(o.width, x)
            for row in goals
            for o, x in zip(operands, row, strict=True)
        }
        return form.cost * len(goals) + sum(needed.values())

    def _application(self, way: _Way, bound: int) -> Together | None:
        """Let one instruction give each of some goals."""
        least, form, goals = way
        if least > bound:
            return None
        operands, total = form.instruction.operands, form.cost * len(goals)
        alike: dict[tuple[int, object], list[tuple[int, int]]] = {}
        for n, k in product(range(len(goals)), range(len(operands))):
            held = operands[k].lanes, self._search.elements.classes_of(goals[n][k])
            alike.setdefault((operands[k].width, held), []).append((n, k))
        plans: dict[tuple[int, int], int] = {}
        for (width, _), places in alike.items():
            found = self.solve(width, [goals[n][k] for n, k in places], bound - total)
            if found is None:
                return None
            total += found[0]
            plans.update(zip(places, found[1], strict=True))
        rows = ([plans[n, k] for k in range(len(operands))] for n in range(len(goals)))
        return total, tuple(self._search.plans.apply(form, row) for row in rows)

    def _halves(
        self, width: int, goals: Sequence[Goal], row: Sequence[Goal], wide: Together
    ) -> Together:
        """Return the plans of goals, which are halves of a row that is as wide or twice as wide."""
        if row is goals:
            return wide
        plans: dict[bytes, int] = {}
        for plan, g in zip(wide[1], row, strict=True):
            n = len(g) // 2
            for first in (0, n):
                half = self._search.plans.part(width, plan, first, n)
                plans.setdefault(g[first : first + n].tobytes(), half)
        return wide[0], tuple(plans[g.tobytes()] for g in goals)


def _pairings(goals: Sequence[Goal]) -> Iterator[list[Goal]]:
    """Yield neighbours in registers twice as large, in both orders; the last alone."""
    rest = np.full(len(goals[0]), ANY, dtype=np.int64)
    pairs = [[*goals[k : k + 2], rest][:2] for k in range(0, len(goals), 2)]
    for order in (1, -1):
        yield [np.concatenate(p[::order]) for p in pairs]
