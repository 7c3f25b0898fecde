"""Goal search: which instruction leaves these elements in this order in one register (DESIGN
section 5, item 2).

A goal is an array of element ids (``ANY`` where nothing is asked).  An instruction is inverted
through its gather map, which gives exact goals for its operands; a swizzle is an instruction whose
lane function is the identity.  Depth-first branch and bound over price, with admissible lower
bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from isel.model.mechanisms import enabled
from isel.model.program import Step
from isel.spec.known import Ints
from isel.synth.goals import derive
from isel.synth.goals.derive import Solved
from isel.synth.goals.registers import Registers
from isel.synth.goals.ways import Banned, Option, Ways
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass
from isel.synth.layout.bounds import NEVER, Bounds
from isel.synth.layout.elements import ANY, MAX_KINDS, Elements, Goal, is_field
from isel.synth.limits import Budget
from isel.synth.values.questions import Edge

# what moving may cost beside three times the lower bound of a first plan; its share of the steps
_FIRST: Final = ((300, 1.0), (2000, 3.2))
_FEW: Final = 8
_DEARER: Final = 8  # a part, that what won for other lanes may cost more for these
SWIZZLES: Final = 2
_DEEPEST: Final = 64  # goals within goals: each is up to nine frames of Python's thousand


def _by_fields(search: derive.Solver, width: int, goal: Goal, bound: int, _: int) -> Solved | None:
    """Move bits of neighbouring elements, where lanes are no more than such bits."""
    on = enabled(search.elements.graph.disabled, "bit-fields")
    kinds = {is_field(c.term) for c in search.elements.classes_of(goal) if on}
    if True not in kinds or None in kinds:
        return None
    from isel.synth.goals.fields import gather  # of few goals

    return gather(search, width, goal, bound)


_VIEWS: Final = {
    "fields": _by_fields,
    "parts": derive.by_parts,
    "pieces": derive.by_pieces,
    "kinds": derive.by_kinds,
}


class OutOfSteps(Exception):
    """The search has used the steps it was given."""


class _TooDeep(Exception):
    """A goal as far below others as any is solved; ``ask`` solves it by itself."""

    def __init__(self, ask: Callable[[], object]) -> None:
        super().__init__()
        self.ask = ask


@dataclass(slots=True)
class _Memo:
    cost: int
    plan: int
    tried: int


@dataclass(frozen=True, slots=True)
class _Won:
    """What gave the last plan for lanes of some classes (where halves of registers are read, none
    twice as dear): others are tried that way first, and it will do if it costs no more.
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
        budget: Budget,
        banned: frozenset[Banned] = frozenset(),
    ) -> None:
        """``registers`` are the leaves, with what searches have found of their moves; ``banned``
        functions give no root of a lane.
        """
        self.library = library
        self.elements = elements
        self.plans = registers.plans
        self.prices = bounds.prices
        self.steps = 0
        self.price = min(budget.price, NEVER - 1)  # what has no plan costs more
        self._limit = budget.goals
        self.ways = Ways(library, elements, bounds, banned)
        self.stack = SWIZZLES
        self.squares = budget.thorough and enabled(elements.graph.disabled, "squares")
        self._first = _FIRST if budget.thorough else _FIRST[:1]
        self._slack = _FIRST[0][0]
        self.registers = registers
        self.bounds = bounds
        self._memo: dict[tuple[int, bytes, int, bool], _Memo] = {}
        self._lower: dict[tuple[int, bytes], int] = {}
        self._sources: dict[tuple[int, bytes], list[tuple[int, Form, list[Goal]]]] = {}
        self._inverted: dict[tuple[Form, tuple[Edge, ...], bytes], list[Goal] | None] = {}
        self._open: set[tuple[int, bytes, int, bool]] = set()
        self._won: dict[tuple[object, ...], _Won] = {}
        self._chosen: dict[tuple[tuple[LaneClass, ...], int], Option] = {}
        self._restoring = budget.restoring
        self.restored = False  # whether some goal was solved so
        self.dear = False  # whether a root costs more than the price whatever its layout

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
        bits = width * len(goal)
        return self.bounds.least_of(self.elements.classes_of(goal), bits)

    def direct(self, width: int, goal: Goal) -> Solved | None:
        """Return a plan in which only leaves are moved: the first answer, found fast, with
        steps of its own.
        """
        self.stack = 0
        before, spent, limit = self.steps, 0, self._limit
        worst = min(4 * self.lower(width, goal) + 2000, self.price)
        self._memo = {}
        try:
            found: Solved | None = None
            for slack, times in self._first:
                self._slack = slack
                # what was found will do
                self._memo = {key: memo for key, memo in self._memo.items() if memo.cost < NEVER}
                self.steps, self._limit = 0, int(limit * times)
                try:
                    found = self.solve(width, goal, worst, 0)
                except OutOfSteps:
                    continue
                finally:
                    spent = spent or self.steps
                if found is not None:
                    break
            on = self.prices.pairs and enabled(self.elements.graph.disabled, "joint-goals")
            joint = on and len(self._first) > 1
            return self._jointly(width, goal, found, worst) if joint else found
        finally:
            self.stack, self._memo, self.steps, self._limit = SWIZZLES, {}, before + spent, limit

    def _jointly(self, width: int, goal: Goal, found: Solved | None, worst: int) -> Solved | None:
        """Return a plan, or what costs less where halves of registers are had for nothing."""
        from isel.synth.goals.joint import Joint  # of machines whose registers have halves

        self.steps = 0
        try:
            other = Joint(self).deepen(width, goal, worst if found is None else found[0])
        except OutOfSteps:
            other = None
        plans = [x for x in (found, other and (other[0], other[1][0])) if x is not None]
        priced = [(self.plans.cost([plan]), plan) for _, plan in plans]
        return min(priced, key=lambda x: x[0], default=None)

    def solve(
        self, width: int, goal: Goal, bound: int, swizzles: int = SWIZZLES, inner: bool = False
    ) -> Solved | None:
        """Return the price and plan of a goal within ``bound``, or None.

        ``swizzles`` may still be stacked on it.  ``inner`` is the normal form of swizzles: an
        operand of a lane-wise instruction is never a swizzle of a lane-wise result, since that
        swizzle could be moved to the operands.

        What is further than ``_DEEPEST`` below the first goal is solved by itself first, and the
        first goal again with what is then known: its steps count again.
        """
        if self._open:
            return self._solved(width, goal, bound, swizzles, inner)
        while True:
            try:
                return self._solved(width, goal, bound, swizzles, inner)
            except _TooDeep as deeper:
                ask = deeper.ask
            ask()

    def _solved(
        self, width: int, goal: Goal, bound: int, swizzles: int, inner: bool
    ) -> Solved | None:
        """Solve a goal within others."""
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
        if self.stack == 0:  # every goal is solved once, to its own bound, whoever asks
            bits, classes = width * len(goal), self.elements.classes_of(goal)
            first = sum(3 * self.bounds.least(c, bits) + self._slack for c in classes)
            bound = min(first, self.price)
        if memo is not None:
            if self.stack == 0:
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
        if len(self._open) >= _DEEPEST:
            raise _TooDeep(partial(self.solve, width, goal, asked, swizzles, inner))
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
        known = self._won.get(key) if self.stack == 0 else None
        if known is not None and not self._elsewhere(known, width, goal):
            most = min(bound, known.cost + known.cost // _DEARER)
            again = self._way(known.way, width, goal, most, swizzles, inner, known)
            if again is not None:
                return again
        best: Solved | None = None
        won, limit = "", bound
        first = ("fields", "function", "parts", "pieces", "wider") if only_values else ("fields",)
        half = 2 * width * len(goal) == self.library.machine.vector_bits
        if only_values and half and self.library.reads_upper_halves:
            first = ("low", *first)
        for way in (*first, "kinds", "swizzle", "halves"):
            if (
                (way == "kinds" and (best or not only_values))
                or (way == "swizzle" and not swizzles)
                or (way == "halves" and best and not self.stack)
            ):
                continue
            found = self._way(way, width, goal, limit, swizzles, inner)
            if found is not None:
                best, won, limit = found, way, derive.better(found[0])
        dear = known is not None and best is not None and best[0] >= 2 * known.cost
        if best is not None and self.stack == 0 and not (dear and self.library.reads_upper_halves):
            self._won[key] = _Won(best[0], won, self._chosen.get((key[0], width * len(goal))))
        return best

    def _elsewhere(self, known: _Won, width: int, goal: Goal) -> bool:
        """Whether what won moved lanes into a half of a register; ``goal`` may have them there."""
        if not self.library.reads_upper_halves:
            return False
        least, half = self.lower(width, goal), len(goal) // 2
        halves = (goal[:half] == ANY).all() != (goal[half:] == ANY).all()
        return bool(halves) and known.cost > least + least // _DEARER

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
                moved, only = inner and swizzles < self.stack, known.option if known else None
                found = self._by_function(width, goal, bound, moved=moved, only=only)
            case "fields" | "parts" | "pieces" | "kinds":
                found = _VIEWS[way](self, width, goal, bound, swizzles)
            case "low":
                found = derive.by_low(self, width, goal, bound, swizzles, inner)
            case "wider":
                found = derive.by_wider(self, width, goal, bound)
            case "swizzle":
                found = derive.by_swizzle(self, width, goal, bound, inner)
            case _:
                found = derive.by_halves(self, width, goal, bound, swizzles, inner)
        return found if found is not None and found[0] <= bound else None

    def _by_function(
        self, width: int, goal: Goal, bound: int, *, moved: bool, only: Option | None
    ) -> Solved | None:
        classes = self.elements.classes_of(goal)
        if len(classes) > MAX_KINDS:
            return None
        best: Solved | None = None
        bits = width * len(goal)
        few = self.stack == 0
        options = self.ways.few(classes, bits, _FEW) if few else self.ways.options(classes, bits)
        for option in options if only is None else [only]:
            least, form, edges = option
            if least > bound:
                break
            if moved and form.lanewise:
                continue
            restored = (
                self._restored(width, form, order, edges, goal, bound)
                for order in self.ways.orders(form, edges)
            )
            for found in (self._direct(form, edges, goal, bound), *restored):
                if found is not None and found[0] <= bound:
                    best, bound = found, derive.better(found[0])
                    self._chosen[classes, bits] = option
        return best

    def _direct(
        self, form: Form, edges: dict[LaneClass, Edge], goal: Goal, bound: int
    ) -> Solved | None:
        key = (form, tuple(edges.values()), goal.tobytes())
        if key not in self._inverted:
            self._inverted[key] = derive.cheapest_inverted(self, form, goal, edges)
        operands = self._inverted[key]
        if operands is None:
            return None
        return derive.applied(self, form, operands, bound, self.stack, inner=form.lanewise)

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
        restore = self.registers.restorer(width, order) if self._restoring else None
        if restore is None or restore.cost + form.cost > bound:
            return None
        found = self._direct(form, edges, goal[order], bound - restore.cost)
        if found is None:
            return None
        self.restored = True
        return found[0] + restore.cost, restore.apply(found[1])

    def unswizzled(self, width: int, goal: Goal) -> list[tuple[int, Form, list[Goal]]]:
        """Return (lower bound, swizzle, what its operands must hold), cheapest first."""
        key = (width, goal.tobytes())
        if key not in self._sources:
            self._sources[key] = derive.unswizzled(self, width, goal)
        return self._sources[key]
