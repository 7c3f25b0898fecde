"""Goal search: which instruction leaves these elements in this order in one register (DESIGN
section 5, item 2).

A goal is an array of element ids (``ANY`` where nothing is asked).  An instruction is inverted
through its gather map, which gives exact goals for its operands; a swizzle is an instruction whose
lane function is the identity.  Each goal is solved once, to a bound of its own, whoever asks.
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
from isel.synth.layout.plans import cheapest
from isel.synth.limits import Budget
from isel.synth.values.questions import Edge

# what moving may cost beside three times the lower bound of a first plan; its share of the steps
_FIRST: Final = ((300, 1.0), (2000, 3.2))
_FEW: Final = 8
_DEARER: Final = 8  # a part, that what won for other lanes may cost more for these
_DEEPEST: Final = 48  # goals within goals: each is up to twelve frames of Python's thousand


def _by_fields(search: derive.Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Move bits of neighbouring elements, where lanes are no more than such bits."""
    on = enabled(search.elements.graph.disabled, "bit-fields")
    kinds = {is_field(c.term) for c in search.elements.classes_of(goal) if on}
    if True not in kinds or None in kinds:
        return None
    from isel.synth.goals.fields import gather  # of few goals

    return gather(search, width, goal, bound)


_WAYS: Final = {
    "fields": _by_fields,
    "parts": derive.by_parts,
    "pieces": derive.by_pieces,
    "wider": derive.by_wider,
    "low": derive.by_low,
    "kinds": derive.by_kinds,
    "halves": derive.by_halves,
}
_FIRST_WAYS: Final = ("fields", "function", "parts", "pieces", "wider")
_ELSE: Final = ("kinds", "halves")


class OutOfSteps(Exception):
    """The search has used the steps it was given."""


class _TooDeep(Exception):
    """A goal as far below others as any is solved; ``ask`` solves it by itself."""

    def __init__(self, ask: Callable[[], object]) -> None:
        super().__init__()
        self.ask = ask


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
        self.thorough = budget.thorough
        self.widest = library.machine.vector_bits
        self._first = _FIRST if budget.thorough else _FIRST[:1]
        self._slack = _FIRST[0][0]
        self.registers = registers
        self.bounds = bounds
        self._memo: dict[tuple[int, bytes], Solved | None] = {}
        self._lower: dict[tuple[int, bytes], int] = {}
        self._inverted: dict[tuple[Form, tuple[Edge, ...], bytes], list[Goal] | None] = {}
        self._open: set[tuple[int, bytes]] = set()
        self._won: dict[tuple[object, ...], _Won] = {}
        self._chosen: dict[tuple[tuple[LaneClass, ...], int], Option] = {}
        self._restoring = budget.restoring
        self.restored = False  # whether some goal was solved so
        self.stopped = False  # whether the last register had no plan within its goals
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

    def first(self, width: int, goal: Goal) -> Solved | None:
        """Return a plan for a register of a root, looked for near its lower bound first, then
        further from it with more goals.
        """
        before, spent, limit = self.steps, 0, self._limit
        worst = min(4 * self.lower(width, goal) + 2000, self.price)
        found: Solved | None = None
        self._memo = {}
        try:
            for slack, times in self._first:
                self._slack = slack
                # what was found will do
                self._memo = {key: plan for key, plan in self._memo.items() if plan is not None}
                self.steps, self._limit = 0, int(limit * times)
                try:
                    found = self.solve(width, goal, worst)
                    self.stopped = False
                except OutOfSteps:
                    self.stopped = True
                    continue
                finally:
                    spent = spent or self.steps
                if found is not None:
                    break
            on = self.prices.pairs and enabled(self.elements.graph.disabled, "joint-goals")
            return self._jointly(width, goal, found, worst) if on and self.thorough else found
        finally:
            self._memo, self.steps, self._limit = {}, before + spent, limit

    def _jointly(self, width: int, goal: Goal, found: Solved | None, worst: int) -> Solved | None:
        """Return a plan, or what costs less where halves of registers are had for nothing."""
        from isel.synth.goals.joint import Joint  # of machines whose registers have halves

        self.steps = 0
        try:
            other = Joint(self).deepen(width, goal, worst if found is None else found[0])
        except OutOfSteps:
            other = None
        plans = [*(found or ())[1:], *(other[1] if other else ())]
        return cheapest((self.plans.cost([plan]), plan) for plan in plans)

    def solve(self, width: int, goal: Goal, bound: int) -> Solved | None:
        """Return the price and plan of a goal within ``bound``, or None.

        What is further than ``_DEEPEST`` below the first goal is solved by itself first, and the
        first goal again with what is then known: its steps count again.
        """
        if self._open:
            return self._solved(width, goal, bound)
        while True:
            try:
                return self._solved(width, goal, bound)
            except _TooDeep as deeper:
                ask = deeper.ask
            ask()

    def _solved(self, width: int, goal: Goal, bound: int) -> Solved | None:
        """Solve a goal once, to a bound of its own, whoever asks."""
        asked = goal.tolist()
        ids = [x for x in asked if x != ANY]
        if not ids:
            return 0, self.plans.add(Step("undef", width, len(asked)))
        kinds = {self.elements.kind[i] for i in ids}
        if kinds == {"const"}:
            return self.registers.literal(width, goal)
        if "value" not in kinds:
            return self.registers.move(width, goal, bound)
        key = (width, goal.tobytes())
        if key not in self._memo:
            if key in self._open:
                return None
            self._memo[key] = self._opened(key, goal, bound, only_values=len(kinds) == 1)
        found = self._memo[key]
        return found if found is not None and found[0] <= bound else None

    def _opened(
        self, key: tuple[int, bytes], goal: Goal, bound: int, *, only_values: bool
    ) -> Solved | None:
        """Open a goal, which counts as a step."""
        self.steps += 1
        if self.steps > self._limit:
            raise OutOfSteps
        if len(self._open) >= _DEEPEST:
            raise _TooDeep(partial(self.solve, key[0], goal, bound))
        bits, classes = key[0] * len(goal), self.elements.classes_of(goal)
        own = sum(3 * self.bounds.least(c, bits) + self._slack for c in classes)
        self._open.add(key)
        try:
            return self._computed(key[0], goal, min(own, self.price), only_values=only_values)
        finally:
            self._open.discard(key)

    def _computed(self, width: int, goal: Goal, bound: int, *, only_values: bool) -> Solved | None:
        """Solve a goal as others of these classes were, which will do if it costs no more, else in
        every way.
        """
        classes, halves = self.elements.classes_of(goal), self.library.reads_upper_halves
        key = (classes, width, len(goal), only_values)
        known, least = self._won.get(key), self.lower(width, goal)
        if known is not None and not (halves and known.cost > least + least // _DEARER):
            most = min(bound, known.cost + known.cost // _DEARER)
            again = self._within(known.way, width, goal, most, known.option)
            if again is not None:
                return again
        best, way = self._cheapest(width, goal, bound, only_values=only_values)
        dear = known is not None and best is not None and best[0] >= 2 * known.cost
        if best is not None and not (dear and halves):
            self._won[key] = _Won(best[0], way, self._chosen.get((classes, width * len(goal))))
        return best

    def _cheapest(
        self, width: int, goal: Goal, bound: int, *, only_values: bool
    ) -> tuple[Solved | None, str]:
        """Return the cheapest plan of all ways, and its way; those of ``_ELSE`` are tried where no
        other gives one.
        """
        best: Solved | None = None
        won = ""
        bits, read = width * len(goal), self.library.reads_upper_halves
        first = ("low", *_FIRST_WAYS) if read and 2 * bits == self.widest else _FIRST_WAYS
        for way in (*first, *_ELSE) if only_values else ("fields", "halves"):
            if best is not None and way in _ELSE and not (read and way == "halves"):
                continue
            found = self._within(way, width, goal, bound)
            if found is not None:
                best, won, bound = found, way, derive.better(found[0])
        return best, won

    def _within(
        self, way: str, width: int, goal: Goal, bound: int, only: Option | None = None
    ) -> Solved | None:
        """Solve a goal in one way; of the functions by ``only`` one, where it is given."""
        if way == "function":
            found = self._by_function(width, goal, bound, only)
        else:
            found = _WAYS[way](self, width, goal, bound)
        return found if found is not None and found[0] <= bound else None

    def _by_function(
        self, width: int, goal: Goal, bound: int, only: Option | None
    ) -> Solved | None:
        classes, bits = self.elements.classes_of(goal), width * len(goal)
        if len(classes) > MAX_KINDS:
            return None
        best: Solved | None = None
        options = self.ways.few(classes, bits, _FEW) if only is None else [only]
        for option in options:
            if option[0] > bound:
                break
            _, form, edges = option
            every = [self._direct(form, edges, goal, bound)]
            every += [
                self._restored(width, order, form, edges, goal, bound)
                for order in self.ways.orders(form, edges)
            ]
            for found in every:
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
        return derive.applied(self, form, operands, bound)

    def _restored(
        self,
        width: int,
        order: Ints,
        form: Form,
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
        return found[0] + restore.cost, restore.apply(self.plans, found[1])
