"""A window as it is searched: its lanes in a graph, goals over them, and the programs of these.

As it is spelled, with lanes as what they are, or with a graph of few edges: each is a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from isel.ir.expr import Expr, const
from isel.ir.ranges import ranges_where
from isel.model.answer import Options
from isel.model.program import Program
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.model.window import Leaf, Root, Window
from isel.synth import claims, limits
from isel.synth.edges.variants import but_plain
from isel.synth.goals.once import once
from isel.synth.goals.registers import Registers
from isel.synth.goals.roots import solve_roots
from isel.synth.goals.search import GoalSearch, OutOfSteps
from isel.synth.goals.ways import Banned
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass, LaneGraph, Members
from isel.synth.layout.bounds import NEVER, Bounds, prices_of
from isel.synth.layout.elements import Elements
from isel.synth.lift import Lifts
from isel.synth.requests import GrammarSearch
from isel.synth.values.abstract import instances
from isel.synth.values.counterexamples import samples_of
from isel.synth.values.lanefn import alike
from isel.synth.values.masks import in_bits, in_tests
from isel.synth.values.pieces import in_pieces, piece_widths
from isel.synth.values.questions import Row
from isel.verify.windows import TWICE


@dataclass(frozen=True, slots=True)
class Proposal:
    """A program that may be right; one that is proved ``briefly`` is left where that takes long."""

    program: Program
    briefly: bool = False


Proposals: TypeAlias = Generator[Proposal, Verdict, None]
_Cheapest: TypeAlias = Generator[Proposal, Verdict, Program | None]


class Problem:
    """The search for programs of a window, in goals over the edges of a graph; ``lifts`` are what
    its lanes are, which is searched instead of how they are written.

    ``part`` finds the program of a window that is computed once.
    """

    def __init__(
        self,
        library: Library,
        options: Options,
        window: Window,
        cegis: GrammarSearch,
        part: Callable[[Window], Program | None],
        lifts: Lifts | None = None,
    ) -> None:
        self.library, self.options, self.window, self.cegis = library, options, window, cegis
        self._part = part
        self.effort = max(options.effort, 1)
        regional = in_tests(window.in_regions(), masks=library.takes_masks)
        regional = replace(regional, roots=tuple(lifts.roots)) if lifts else regional
        self._widths = piece_widths(regional)
        self.ranges = ranges_where(regional.facts)
        self.pieces = tuple(map(in_bits, in_pieces(regional, self._widths).roots))
        roots = [*self.pieces] if lifts else library.narrowed(self.pieces, self.ranges)
        self.once = once(roots, window.leaves, self.ranges, library.machine.vector_bits)
        self.roots = self.once.roots
        self.facts = (*(f for f in regional.facts if not f.is_const), *self.once.facts)
        self.goals_opened = 0
        self.unknown = ""
        self.stopped = self.restored = self.twice = self.dear = False
        self.judged: dict[Program, Verdict] = {}  # proved, or open
        limit = 0 if lifts else limits.DEFAULT_STEPS * options.effort
        members, disabled = lifts.members if lifts else None, options.disabled
        self.begin(LaneGraph(library, limit=limit, members=members, disabled=disabled))

    def again(self, *, lifts: Lifts | None = None, cegis: GrammarSearch | None = None) -> Problem:
        """Return another problem of the same window."""
        given = self.library, self.options, self.window, cegis or self.cegis, self._part
        other = Problem(*given, lifts)
        other.judged = self.judged
        return other

    def begin(self, graph: LaneGraph) -> None:
        """Search the edges of a graph."""
        self.graph, self.elements = graph, Elements(graph)
        self.registers: Registers | None = None
        self.goals = [
            self.elements.of_lanes(r.lanes, [(*self.facts, d) for d in r.defined])
            for r in self.roots
        ]
        self.reprice()

    def reprice(self) -> None:
        """Forget the prices of classes, of which some have more edges."""
        self.bounds = Bounds(self.library, self.graph, prices_of(self.library.machine))

    def restart(self, rows: Mapping[Expr, Sequence[Row]], limit: int, members: Members) -> None:
        """Begin a new graph; with no ``limit`` it keeps to edges of one level."""
        self.begin(self.graph.restarted(rows, limit, members))
        self.cegis.add_to(self.graph)

    @property
    def steps(self) -> int:
        """The steps of goals and of the graph."""
        return self.goals_opened + self.graph.steps

    @property
    def classes(self) -> list[LaneClass]:
        """The classes of the roots' lanes."""
        return list(dict.fromkeys(c for g in self.goals for c in self.elements.classes_of(g)))

    def new_bits(self) -> int:
        """Return the bits that no move gives of any lane, 0 where lanes are not all alike."""
        one = self.classes
        if len(one) != 1 or any(instances(r.lanes) for r in self.roots):
            return 0
        return claims.computed_bits(one[0].term, one[0].facts)

    def several(self, known: int = NEVER, most: int = NEVER) -> Proposals:
        """Propose the cheapest program and some that cost little more, at most ``most`` or little
        more than the present code, where the cheapest one ``known`` costs so much.
        """
        banned: frozenset[Banned] = frozenset()
        price, anything = self.window.price, known < NEVER
        share = limits.LOOKUP_SLACK if self.graph.looks_up else limits.PRICE_SLACK
        worst = most if price is None else min(most, price + price // share)
        budget = limits.Budget(limits.GOALS * self.effort, worst)
        for _ in range(1 + self.options.alternatives):
            found = yield from self.cheapest(banned, budget)
            if found is None:
                break
            banned |= self._used(found)
            known, anything = min(known, found.cost), True
            most = min(known + known // limits.ALTERNATIVE_SHARE + 100, worst)
            budget = limits.Budget(limits.GOALS * self.effort // 10, most, thorough=False)
        if anything and self.restored:
            # a result put back in order may keep operands from being shared: one without such
            whole = limits.Budget(limits.GOALS * self.effort, budget.price, restoring=False)
            yield from self.cheapest(frozenset(), whole)

    def by_rules(self, programs: Iterable[Program], least: int) -> Proposals:
        """Propose a program by rules alone, for little more: only the gate knows of ports."""
        edges = {c.term: self.graph.edges(c) for c in self.classes}
        banned = but_plain(edges, self.graph.members).union(*map(self._used, programs))
        if self.graph.members:
            yield from self.cheapest(
                banned, self.brief(least + least // limits.VARIANT_SHARE + 100)
            )

    def brief(self, price: int) -> limits.Budget:
        """Return the budget of a program beside others."""
        return limits.Budget(limits.GOALS * self.effort // 10, price, thorough=False)

    def cheapest(self, banned: frozenset[Banned], budget: limits.Budget) -> _Cheapest:
        """Propose the cheapest program, the next best ones of simpler graphs where its proof stays
        open, and return the one that is proved.
        """
        barred, stuck = banned, False
        for _ in range(limits.ROUNDS):
            program = self._program(barred, budget)
            again = program in self.judged
            match program and (yield Proposal(program, briefly=not budget.thorough)):
                case Proved():
                    return program
                case Refuted(model):
                    self.restart(
                        samples_of(self.roots, self.once.extended(model)),
                        self.graph.limit,
                        self.graph.members,
                    )
                    continue
                case Unknown(reason) if program:
                    self.unknown, stuck = reason, True
                    self.twice |= reason.endswith(TWICE)
                    barred |= self._used(program)
                    if again:
                        continue
            if self.twice or not stuck or not budget.thorough or not self._simpler():
                return None
            if not self.graph.members:
                barred = banned
        return None

    def _simpler(self) -> bool:
        """Begin a graph whose programs are easier to prove: of edges of one level, then without
        variants; tell whether there is one.
        """
        if not self.graph.limit and not self.graph.members:
            return False
        self.restart({}, 0, self.graph.members if self.graph.limit else {})
        return True

    def _program(self, banned: frozenset[Banned], budget: limits.Budget) -> Program | None:
        self.bounds.reach(self.classes)
        if self.registers is None:
            leaves = (*self.window.leaves, *self.once.parts)
            widths = {**self._widths, **{x.source: x.width for x in self.once.parts}}
            prices = self.bounds.prices
            self.registers = Registers(self.library, self.elements, leaves, widths, prices)
        given = self.library, self.elements, self.registers
        search = GoalSearch(*given, bounds=self.bounds, budget=budget, banned=banned)
        try:
            seen = [r.width for r in self.window.roots]
            plans = solve_roots(search, [r.width for r in self.roots], self.goals, seen)
        except OutOfSteps:
            self.stopped = True
            return None
        finally:
            self.goals_opened += search.steps
            self.restored |= search.restored
            self.dear |= search.dear
        if plans is None:
            return None
        return self.once.completed(search.plans.program(plans), self.made_once)

    def made_once(self, leaf: Leaf, held: Sequence[Expr]) -> Program | None:
        """Return a program for a register whose lanes hold ``held``, again and again."""
        lanes = tuple(held[k % len(held)] for k in range(leaf.lanes))
        root = Root(leaf.width, lanes, (const(1, 1),) * leaf.lanes)
        return self._part(replace(self.window, roots=(root,), price=None))

    def _used(self, program: Program) -> frozenset[Banned]:
        """Return the lane functions that give the roots, to look for another way next."""
        fns = {self.library.function_of(*x) for x in claims.root_instructions(program)}
        plain = [f for f in fns if f is not None and not f.is_identity]
        return frozenset((c.term, f) for c in self.classes for f in chain(*map(alike, plain)))
