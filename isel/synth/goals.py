"""Goal search: which instruction leaves these elements in this order in one register (DESIGN
section 5, item 2).

A goal is an array of element ids (``ANY`` where nothing is asked).  An instruction is inverted
through its gather map, which gives exact goals for its operands; a swizzle is an instruction whose
lane function is the identity.  Depth-first branch and bound over price, with admissible lower
bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from isel.spec.known import Ints
from isel.synth.analysis import Edge
from isel.synth.bounds import NEVER, Bounds
from isel.synth.elements import ANY, MAX_KINDS, Elements, Goal
from isel.synth.graph import LaneClass
from isel.synth.library import Form, Library
from isel.synth.merging import Merge
from isel.synth.program import Step
from isel.synth.registers import Registers
from isel.synth.ways import Banned, Option, Ways

Solved: TypeAlias = tuple[int, int]
_FIRST: Final = (
    (300, 1.0),
    (2000, 3.2),
    # what moving may cost beside three times the lower bound of a first plan, and its share of the
    # steps
)
_FEW: Final = 8
_DEARER: Final = 8  # a part, that what won for other lanes may cost more for these
SWIZZLES: Final = 2


def better(cost: int) -> int:
    """Return the bound for further answers: gains under 3 % are not worth their search."""
    return cost - 1 - cost // 32


class OutOfSteps(Exception):
    """The search has used the steps it was given."""


@dataclass(slots=True)
class _Memo:
    cost: int
    plan: int
    tried: int


@dataclass(frozen=True, slots=True)
class _Won:
    """What gave the first plan for lanes of some classes: other lanes of them are tried that
    way first, and it will do if it costs no more.
    """

    cost: int
    way: str
    option: Option | None


class GoalSearch:
    """The search over one window's elements; plans are shared between goals."""

    def __init__(
        self,
        library: Library,
        elements: Elements,
        registers: Registers,
        *,
        bounds: Bounds,
        limit: int,
        price: int = NEVER,
        banned: frozenset[Banned] = frozenset(),
        thorough: bool = True,
    ) -> None:
        """``registers`` are the leaves, with what searches have found of their moves; what costs
        more than ``price`` is of no use.

        ``banned`` functions give no root of a lane.
        A search that is not ``thorough`` looks for a first plan near the lower bound only.
        """
        self.library = library
        self.elements = elements
        self.plans = registers.plans
        self.prices = bounds.prices
        self.steps = 0
        self.price = price
        self._limit = limit
        self._ways = Ways(library, elements, bounds, banned)
        self._stack = SWIZZLES
        self._first = _FIRST if thorough else _FIRST[:1]
        self._slack = _FIRST[0][0]
        self.registers = registers
        self.bounds = bounds
        self._memo: dict[tuple[int, bytes, int, bool], _Memo] = {}
        self._lower: dict[tuple[int, bytes], int] = {}
        self._sources: dict[tuple[int, bytes], list[tuple[int, Form, list[Goal]]]] = {}
        self._open: set[tuple[int, bytes, int, bool]] = set()
        self._won: dict[tuple[object, ...], _Won] = {}
        self._chosen: dict[tuple[tuple[LaneClass, ...], int], Option] = {}

    def lower(self, width: int, goal: Goal) -> int:
        """Return a lower bound on the price of a goal."""
        key = (width, goal.tobytes())
        found = self._lower.get(key)
        if found is None:
            found = self._lower[key] = self._bound(width, goal)
        return found

    def _bound(self, width: int, goal: Goal) -> int:
        ids = {int(x) for x in goal.tolist() if x != ANY}
        if not ids:
            return 0
        kinds = {self.elements.kind[i] for i in ids}
        if kinds == {"const"}:
            return self.prices.constant
        if "value" not in kinds:
            return self.registers.quick_bound(width, goal)
        return max(self.bounds.least(c, width * len(goal)) for c in self.elements.classes_of(goal))

    def direct(self, width: int, goal: Goal) -> Solved | None:
        """Return a plan in which only leaves are moved: the first answer, found fast, with
        steps of its own.
        """
        self._stack = 0
        before, spent, limit = self.steps, 0, self._limit
        self._memo = {}
        try:
            for slack, times in self._first:
                self._slack = slack
                self._memo = {
                    key: memo for key, memo in self._memo.items() if memo.cost < NEVER
                }  # what was found will do
                self.steps, self._limit = 0, int(limit * times)
                try:
                    found = self.solve(
                        width, goal, min(4 * self.lower(width, goal) + 2000, self.price), 0
                    )
                except OutOfSteps:
                    continue
                finally:
                    spent = spent or self.steps
                if found is not None:
                    return found
        finally:
            self._stack, self._memo, self.steps, self._limit = SWIZZLES, {}, before + spent, limit
        return None

    def solve(
        self, width: int, goal: Goal, bound: int, swizzles: int = SWIZZLES, inner: bool = False
    ) -> Solved | None:
        """Return the price and plan of a goal within ``bound``, or None.

        ``swizzles`` may still be stacked on it.  ``inner`` is the normal form of swizzles: an
        operand of a lane-wise instruction is never a swizzle of a lane-wise result, since that
        swizzle could be moved to the operands.
        """
        least = self.lower(width, goal)
        if least > bound:
            return None
        ids = [int(x) for x in goal.tolist() if x != ANY]
        if not ids:
            return 0, self.plans.add(Step("undef", width, len(goal)))
        values = any(self.elements.kind[i] == "value" for i in ids)
        if not values:
            return self._movement(width, goal, bound)
        key = (width, goal.tobytes(), swizzles, inner)
        memo = self._memo.get(key)
        asked = bound
        if self._stack == 0:  # every goal is solved once, to its own bound, whoever asks
            bound = min(
                sum(
                    3 * self.bounds.least(c, width * len(goal)) + self._slack
                    for c in self.elements.classes_of(goal)
                ),
                self.price,
            )
        if memo is not None:
            if self._stack == 0:
                return (memo.cost, memo.plan) if memo.cost <= asked else None
            if memo.cost <= bound:
                return memo.cost, memo.plan
            if memo.tried >= bound:
                return None
        if key in self._open:
            return None
        self.steps += 1
        if self.steps > self._limit:
            raise OutOfSteps
        self._open.add(key)
        try:
            best = self._computed(width, goal, ids, bound, swizzles, inner)
        finally:
            self._open.discard(key)
        if best is None:
            self._memo[key] = _Memo(NEVER, -1, max(bound, memo.tried if memo else 0))
            return None
        self._memo[key] = _Memo(best[0], best[1], bound)
        return best if best[0] <= asked else None

    def _movement(self, width: int, goal: Goal, bound: int) -> Solved | None:
        ids = [int(x) for x in goal.tolist() if x != ANY]
        if all(self.elements.kind[i] == "const" for i in ids):
            return self.registers.literal(width, goal)
        return self.registers.move(width, goal, bound)

    def _computed(
        self, width: int, goal: Goal, ids: list[int], bound: int, swizzles: int, inner: bool
    ) -> Solved | None:
        only_values = all(self.elements.kind[i] == "value" for i in ids)
        key = (self.elements.classes_of(goal), width, len(goal), swizzles, inner, only_values)
        known = self._won.get(key) if self._stack == 0 else None
        if known is not None:
            again = self._way(
                known.way,
                width,
                goal,
                min(bound, known.cost + known.cost // _DEARER),
                swizzles,
                inner,
                known,
            )
            if again is not None:
                return again
        best: Solved | None = None
        won, limit = "", bound
        for way in (
            *(("function", "parts", "wider") if only_values else ()),
            "kinds",
            "swizzle",
            "halves",
        ):
            if (
                (way == "kinds" and (best or not only_values))
                or (way == "swizzle" and not swizzles)
                or (way == "halves" and best and not self._stack)
            ):
                continue
            found = self._way(way, width, goal, limit, swizzles, inner)
            if found is not None:
                best, won, limit = found, way, better(found[0])
        if best is not None and self._stack == 0:
            self._won[key] = _Won(best[0], won, self._chosen.get((key[0], width * len(goal))))
        return best

    def _way(
        self,
        way: str,
        width: int,
        goal: Goal,
        bound: int,
        swizzles: int,
        inner: bool,
        known: _Won | None = None,
    ) -> Solved | None:
        """Solve a goal in one way; of the functions only the ``known`` one, where there is one."""
        match way:
            case "function":
                found = self._by_function(
                    width,
                    goal,
                    bound,
                    moved=inner and swizzles < self._stack,
                    only=None if known is None else known.option,
                )
            case "parts":
                found = self._by_parts(width, goal, bound, swizzles)
            case "wider":
                found = self._by_wider(width, goal, bound)
            case "kinds":
                found = self._by_kinds(width, goal, bound, swizzles)
            case "swizzle":
                found = self._by_swizzle(width, goal, bound, inner)
            case _:
                found = self._by_halves(width, goal, bound, swizzles, inner)
        return found if found is not None and found[0] <= bound else None

    def _by_function(
        self, width: int, goal: Goal, bound: int, *, moved: bool, only: Option | None
    ) -> Solved | None:
        classes = self.elements.classes_of(goal)
        if len(classes) > MAX_KINDS:
            return None
        best: Solved | None = None
        options = self._ways.options(classes, width * len(goal))[
            : _FEW if self._stack == 0 else None
        ]
        for option in options if only is None else [only]:
            least, form, edges = option
            if least > bound:
                break
            if moved and form.lanewise:
                continue
            restored = (
                self._restored(width, form, order, edges, goal, bound)
                for order in self._ways.orders(form, edges)
            )
            for found in (self._direct(form, edges, goal, bound), *restored):
                if found is not None and found[0] <= bound:
                    best, bound = found, better(found[0])
                    self._chosen[classes, width * len(goal)] = option
        return best

    def _direct(
        self, form: Form, edges: dict[LaneClass, Edge], goal: Goal, bound: int
    ) -> Solved | None:
        operands = self._invert(form, goal, edges)
        return (
            None
            if operands is None
            else self._apply(form, operands, bound, self._stack, inner=form.lanewise)
        )

    def _restored(
        self,
        width: int,
        form: Form,
        order: Ints,
        edges: dict[LaneClass, Edge],
        goal: Goal,
        bound: int,
    ) -> Solved | None:
        """Let the form read its operands in order and put its result back in order by one
        permute.
        """
        restore = self.registers.restorer(width, order)
        if restore is None or restore.cost + form.cost > bound:
            return None
        found = self._direct(form, edges, goal[order], bound - restore.cost)
        return None if found is None else (found[0] + restore.cost, restore.apply(found[1]))

    def _by_parts(self, width: int, goal: Goal, bound: int, swizzles: int) -> Solved | None:
        """See each lane as two narrower ones, where both halves are simpler than the lane (an
        extension: its operand and zeros).
        """
        if width % 2 or width < 16 or swizzles < self._stack:
            return None
        halves: list[int] = []
        for e in goal.tolist():
            pair = (ANY, ANY) if e == ANY else self.elements.halves(e)
            if pair is None:
                return None
            halves.extend(pair)
        found = self.solve(width // 2, np.array(halves, dtype=np.int64), bound, self._stack)
        return None if found is None else (found[0], self.plans.view(found[1], width))

    def _by_wider(self, width: int, goal: Goal, bound: int) -> Solved | None:
        """Compute even and odd lanes in registers of lanes twice as wide, and merge them."""
        if len(goal) % 2:
            return None
        sides: tuple[list[int], list[int]] = ([], [])
        for i, e in enumerate(goal.tolist()):
            pair = (ANY, ANY) if e == ANY else self.elements.wider(e)
            if pair is None:
                return None
            sides[i % 2].append(pair[i % 2])
        merge = self.registers.merge(width, (0, 1) * (len(goal) // 2))
        return self._merged(merge, 2 * width, sides, bound, self._stack)

    def _by_kinds(self, width: int, goal: Goal, bound: int, swizzles: int) -> Solved | None:
        """Compute the lanes of one class and those of the others in registers of their own, and
        merge them.
        """
        first, *others = self.elements.classes_of(goal)
        if not others:
            return None
        picks = tuple(
            -1 if e == ANY else int(self.elements.classes[e] is not first) for e in goal.tolist()
        )
        sides = tuple(
            [e if p == side else ANY for e, p in zip(goal.tolist(), picks, strict=True)]
            for side in (0, 1)
        )
        return self._merged(self.registers.merge(width, picks), width, sides, bound, swizzles)

    def _merged(
        self, merge: Merge | None, width: int, sides: Sequence[list[int]], bound: int, swizzles: int
    ) -> Solved | None:
        """Solve two goals and put their lanes into one register."""
        if merge is None:
            return None
        found = self._all(
            [(width, np.array(side, dtype=np.int64)) for side in sides], merge.cost, bound, swizzles
        )
        return None if found is None else (found[0], merge.apply(self.plans, *found[1]))

    def _all(
        self,
        goals: Sequence[tuple[int, Goal]],
        price: int,
        bound: int,
        swizzles: int,
        *,
        inner: bool = False,
    ) -> tuple[int, list[int]] | None:
        """Solve goals of the given widths; return their price with ``price`` added, which is
        within ``bound``, and their plans.
        """
        least = [self.lower(w, g) for w, g in goals]
        total = price + sum(least)
        if total > bound:
            return None
        plans: list[int] = []
        for (w, g), low in zip(goals, least, strict=True):
            found = self.solve(w, g, bound - total + low, swizzles, inner)
            if found is None:
                return None
            total += found[0] - low
            plans.append(found[1])
        return total, plans

    def _invert(self, form: Form, goal: Goal, edges: dict[LaneClass, Edge]) -> list[Goal] | None:
        """Return the operand goals that make ``form`` give ``goal``; None where two lanes
        disagree.
        """
        operands: list[list[int]] = [[ANY] * o.lanes for o in form.instruction.operands]
        argument, classes = self.elements.argument, self.elements.classes
        for e, places in zip(goal.tolist(), form.places, strict=True):
            if e == ANY:
                continue
            c = classes[e]
            assert c is not None
            for arg, (o, i) in zip(edges[c].args, places, strict=True):
                wanted = argument(e, arg)
                if operands[o][i] == ANY:
                    operands[o][i] = wanted
                elif wanted not in (ANY, operands[o][i]):
                    return None
        return [np.array(x, dtype=np.int64) for x in operands]

    def _apply(
        self,
        form: Form,
        goals: Sequence[Goal],
        bound: int,
        swizzles: int,
        *,
        width: int = 0,
        inner: bool,
    ) -> Solved | None:
        """Solve the operands within ``bound`` and return the application."""
        i = form.instruction
        found = self._all(
            [(width or o.width, g) for o, g in zip(i.operands, goals, strict=True)],
            form.cost,
            bound,
            swizzles,
            inner=inner,
        )
        if found is None:
            return None
        args = tuple(
            self.plans.view(plan, o.width) for plan, o in zip(found[1], i.operands, strict=True)
        )
        plan = self.plans.add(
            Step("apply", i.width, i.lanes, args, i.name, form.immediates), form.cost
        )
        return found[0], self.plans.view(plan, width) if width else plan

    def _by_swizzle(self, width: int, goal: Goal, bound: int, inner: bool) -> Solved | None:
        best: Solved | None = None
        for least, form, operands in self._unswizzled(width, goal):
            if least > bound:
                break
            found = self._apply(form, operands, bound, 0, width=width, inner=inner)
            if found is not None:
                best, bound = found, better(found[0])
        return best

    def _unswizzled(self, width: int, goal: Goal) -> list[tuple[int, Form, list[Goal]]]:
        """Return (lower bound, swizzle, what its operands must hold), cheapest first."""
        key = (width, goal.tobytes())
        found = self._sources.get(key)
        if found is None:
            options: list[tuple[int, int, Form, list[Goal]]] = []
            wanted = goal.tolist()
            for form in self.library.swizzles(width * len(goal)):
                i = form.instruction
                if i.width < width or i.width % width:
                    continue
                inverted = form.invert(width, wanted, ANY)
                if inverted is not None:
                    operands = [np.array(x, dtype=np.int64) for x in inverted]
                    least = form.cost + sum(self.lower(width, g) for g in operands)
                    if least < NEVER:
                        options.append((least, len(options), form, operands))
            options.sort(key=lambda o: (o[0], o[1]))
            found = self._sources[key] = [
                (least, form, operands) for least, _, form, operands in options
            ]
        return found

    def _by_halves(
        self, width: int, goal: Goal, bound: int, swizzles: int, inner: bool
    ) -> Solved | None:
        """Join two half registers, or take the low part of a register that holds more."""
        bits = width * len(goal)
        best: Solved | None = None
        classes = self.elements.classes_of(goal)
        if (
            len(goal) % 2 == 0
            and self.prices.join <= bound
            and self._ways.only_at(classes, bits // 2, bits)
        ):
            best = self._join(width, goal, bound, swizzles, inner)
            bound = better(best[0]) if best else bound
        if width > 1 and self._ways.only_at(classes, 2 * bits, bits):
            wide = np.concatenate([goal, np.full(len(goal), ANY, dtype=np.int64)])
            found = self.solve(width, wide, bound, swizzles, inner)
            if found is not None:
                best = (
                    found[0],
                    self.plans.add(
                        Step(
                            "slice", width, len(goal), (self.plans.view(found[1], width),), first=0
                        )
                    ),
                )
        return best

    def _join(
        self, width: int, goal: Goal, bound: int, swizzles: int, inner: bool
    ) -> Solved | None:
        half = len(goal) // 2
        found = self._all(
            [(width, goal[:half]), (width, goal[half:])],
            self.prices.join,
            bound,
            swizzles,
            inner=inner,
        )
        if found is None:
            return None
        parts = tuple(self.plans.view(plan, width) for plan in found[1])
        return found[0], self.plans.add(Step("join", width, len(goal), parts), self.prices.join)
