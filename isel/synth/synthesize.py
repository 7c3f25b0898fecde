"""The search of one window: lane graph and goals, CEGIS on its lanes, proof of every candidate, the
best first.

Effort is counted in goals and solver steps, never in seconds, so the answer is the same on every
machine and for any number of workers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from isel.ir.expr import Expr, const
from isel.ir.ranges import ranges_where
from isel.model.answer import Candidate, Options, Result
from isel.model.machine import Machine
from isel.model.mechanisms import enabled
from isel.model.memory import Memory
from isel.model.program import Program, outputs
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.model.window import Leaf, Root, Window
from isel.smt.portfolio import default_portfolio, first_turns
from isel.synth import claims, limits
from isel.synth.cegis.run import Mapper
from isel.synth.edges.variants import but_plain, but_signs
from isel.synth.goals.once import once
from isel.synth.goals.registers import Registers
from isel.synth.goals.roots import solve_roots
from isel.synth.goals.search import GoalSearch, OutOfSteps
from isel.synth.goals.ways import Banned
from isel.synth.instructions.library import Library, library_of
from isel.synth.lanes.graph import LaneClass, LaneGraph, Members
from isel.synth.layout.bounds import NEVER, Bounds, prices_of
from isel.synth.layout.elements import Elements
from isel.synth.lift import Lifts, least_lifted
from isel.synth.reasons import why_none
from isel.synth.requests import GrammarSearch, Request
from isel.synth.values.abstract import instances
from isel.synth.values.counterexamples import samples_of
from isel.synth.values.lanefn import alike
from isel.synth.values.masks import in_bits, in_tests
from isel.synth.values.pieces import in_pieces, piece_widths
from isel.synth.values.questions import Row
from isel.verify.windows import TWICE, prove_window


@dataclass(frozen=True)
class SearchSynthesizer:
    """The search itself; ``pool`` runs grammars side by side, ``memory`` keeps what they gave."""

    machine: Machine
    options: Options
    pool: Mapper | None = None
    memory: Memory | None = None

    @property
    def library(self) -> Library:
        """The machine's instructions as the search sees them, read at the first window."""
        return library_of(self.machine)

    def prepare(self, windows: Sequence[Window]) -> None:
        """See :class:`isel.model.answer.Synthesizer`: the library, and the solvers."""
        assert self.library is not None
        default_portfolio()

    def search(self, window: Window) -> Result:
        """See :class:`isel.model.answer.Synthesizer`."""
        return _WindowSearch(self, window).run()


def make_synthesizer(
    machine: Machine, options: Options, pool: Mapper | None = None, memory: Memory | None = None
) -> SearchSynthesizer:
    """Return the search for one machine."""
    return SearchSynthesizer(machine, options, pool, memory)


class _WindowSearch:
    def __init__(
        self, owner: SearchSynthesizer, window: Window, lifts: Lifts | None = None
    ) -> None:
        """``lifts`` are what the lanes are, which is searched instead of how they are written."""
        self.owner = owner
        self.effort = max(owner.options.effort, 1)
        self.window = window
        self.over_regions = False  # terms name leaves, which may be set apart
        self.library = owner.library
        regional = in_tests(window.in_regions(), masks=self.library.takes_masks)
        regional = replace(regional, roots=tuple(lifts.roots)) if lifts else regional
        self.widths = piece_widths(regional)
        self.ranges = ranges_where(regional.facts)
        self.pieces = tuple(map(in_bits, in_pieces(regional, self.widths).roots))
        roots = [*self.pieces] if lifts else self.library.narrowed(self.pieces, self.ranges)
        self.once = once(roots, window.leaves, self.ranges, owner.machine.vector_bits)
        self.roots = self.once.roots
        self.steps = 0
        self.unknown = ""
        self.judged: dict[Program, Proved | Unknown] = {}
        self.said: tuple[str, ...] = ()
        self.stopped = self.restored = self.twice = self.dear = False
        self.cegis = GrammarSearch(owner.library, owner.options, owner.pool, owner.memory)
        self.facts = (*(f for f in regional.facts if not f.is_const), *self.once.facts)
        limit = 0 if lifts else limits.DEFAULT_STEPS * owner.options.effort
        members, disabled = lifts.members if lifts else None, owner.options.disabled
        self._begin(LaneGraph(owner.library, limit=limit, members=members, disabled=disabled))

    def _begin(self, graph: LaneGraph) -> None:
        """Search the edges of a graph."""
        self.graph, self.elements = graph, Elements(graph)
        self.registers: Registers | None = None
        self.goals = [
            self.elements.of_lanes(r.lanes, [(*self.facts, d) for d in r.defined])
            for r in self.roots
        ]
        self.bounds = Bounds(self.library, graph, prices_of(self.library.machine))

    def _classes(self) -> list[LaneClass]:
        return list(dict.fromkeys(c for g in self.goals for c in self.elements.classes_of(g)))

    def run(self) -> Result:
        """Search by the graph; where no program is shown to be as cheap as any, run the grammars on
        its lanes and search again with their edges: the graph's own are all that it knows.
        """
        if claims.is_least(self.window.price, self.roots, self._new_bits, self.library):
            return Result((), True, why_none(self.graph, 0, self.window.price), 0)
        first = self._round({}) or (self.graph.looks_up and self._round({})) or {}
        candidates = self._by_lifts(self._by_few(self._by_signs(first)))
        if not (candidates or self.dear or self.over_regions) and self.window.shares:
            return self._apart()  # what is right there is right here
        requests = self._requests(candidates)
        if self.cegis.search(self.graph, requests, self._classes()):
            self.bounds = Bounds(self.library, self.graph, self.bounds.prices)
            candidates = self._round(candidates)
        return self._result(candidates)

    def _result(self, candidates: Mapping[str, Candidate]) -> Result:
        """Return what was found, the best first."""
        goals = limits.GOALS * self.effort if self.stopped else 0
        best = sorted(candidates.values(), key=lambda c: c.program.rank)
        why = "" if best else self.unknown or why_none(self.graph, goals, self.window.price)
        steps = self.steps + self.graph.steps + self.cegis.spent * limits.GRAPH_STEPS
        return Result(tuple(map(self._annotated, best)), True, why, steps, self.said)

    def _by_signs(self, known: dict[str, Candidate]) -> dict[str, Candidate]:
        """Add a program by signs of lanes for integers of bits: only code shows what masks cost."""
        if [r.width for r in self.roots] == [r.width for r in self.window.roots]:
            return known
        others = but_signs({c.term: self.graph.edges(c) for c in self._classes()})
        most = self._least(known) + limits.SIGNS_MORE
        budget = limits.Budget(limits.GOALS * self.effort // 10, most, thorough=False)
        found = self._proved(others, budget)
        return {**known, found.program.text(): found} if found else known

    def _by_few(self, known: dict[str, Candidate]) -> dict[str, Candidate]:
        """Add programs of few operations for lanes alike where a graph has edges beyond limits."""
        spent = self.graph.is_spent or (self.stopped and not known)
        if not (spent and self.cegis.is_on and len(self._classes()) == 1):
            return known
        other = _WindowSearch(self.owner, self.window)
        other.judged, other.cegis = self.judged, self.cegis.of_few()
        other._begin(self.graph.restarted({}, 0, {}))
        if other.cegis.search(other.graph, other.cegis.small(other._classes()), ()):
            known = {**other._round({}, self._least(known) - 1 if known else NEVER), **known}
        self.steps += other.steps + other.graph.steps - self.graph.steps
        self.steps += other.cegis.spent * limits.GRAPH_STEPS
        return known

    def _least(self, known: Mapping[str, Candidate]) -> int:
        """Return the price of the cheapest program, of the present code where there is none."""
        return min((c.program.cost for c in known.values()), default=self.window.price or NEVER)

    def _by_lifts(self, known: dict[str, Candidate]) -> dict[str, Candidate]:
        """Add programs of what the lanes are, where that promises less than what is known costs."""
        programs, options = [c.program for c in known.values()], self.owner.options
        off = not enabled(options.disabled, "egraph") or any(map(self._is_cheapest, programs))
        least = self._least(known)
        if off or least_lifted(self.library, self.pieces) >= least:
            return known
        lifts = Lifts(self.library, self.ranges, self.pieces, options.disabled)
        self.said = tuple(lifts.said)
        promising = lifts.helps and (options.effort > 1 or lifts.promise(least, apart=not known))
        if not promising and not (known and lifts.members):
            return known
        other = _WindowSearch(self.owner, self.window, lifts)
        other.judged = self.judged
        most = least - 1 if known else NEVER
        found = other._round({}, most) if promising else {}
        if promising and not other.steps and lifts.saves_much(least):  # two instructions give it
            other._restart({}, limits.DEFAULT_STEPS * self.effort, lifts.members)
            found = other._round({}, most)
        programs += [c.program for c in found.values()]
        found |= other._by_rules(programs, min([least, *(p.cost for p in programs)]))
        self.steps += other.steps + other.graph.steps
        return {**found, **known}

    def _annotated(self, c: Candidate) -> Candidate:
        """Add what is known of a program beside its proof."""
        claim = claims.optimality(
            self._operations(c.program),
            self.cegis.outcomes,
            computed=self._new_bits() > 0,
            cheapest=self._is_cheapest(c.program),
        )
        facts = claims.needed_facts(self.window, lambda w: self._verdict(c.program, w))
        return replace(c, claim=claim, facts=facts)

    def _apart(self) -> Result:
        """Search again with leaves that have nothing in common: nothing was found, or what
        takes undefined memory for the same in two loads.
        """
        other = _WindowSearch(self.owner, self.window.apart()).run()
        verdicts = ((c.program, self._verdict(c.program)) for c in other.candidates)
        right = (Candidate(p, v) for p, v in verdicts if isinstance(v, Proved))
        candidates = tuple(map(self._annotated, right))
        steps = self.steps + self.graph.steps + other.steps
        return replace(other, candidates=candidates, steps=steps)

    def _verdict(self, program: Program, window: Window | None = None, turns: int = 0) -> Verdict:
        window, checker = window or self.window, first_turns(turns) if turns else None
        lanes = outputs(program, self.library.machine.by_name, [r.lanes for r in window.roots])
        return prove_window(window, lanes, self.effort, checker)

    def _requests(self, candidates: Mapping[str, Candidate]) -> list[Request]:
        """Return questions about lanes where few operations may be cheaper than what is known."""
        given = self.library, self.roots, self.bounds.prices.constant
        few = claims.is_cheap(self._least(candidates), *given)
        if few or not self.cegis.is_on or self._is_least(*(c.program for c in candidates.values())):
            return []
        return self.cegis.requests(self._classes(), limits.MOST_ASKED * self.effort)

    def _is_least(self, *programs: Program) -> bool:
        """Tell whether no program costs less than one of these, or has fewer operations a lane."""
        return len(self._classes()) == 1 and any(
            self._is_cheapest(p) or self._operations(p) == 1 for p in programs
        )

    def _is_cheapest(self, p: Program) -> bool:
        return p.cost <= claims.least_cost(self.roots, self._new_bits(), self.library.machine)

    def _new_bits(self) -> int:
        """Return the bits that no move gives of any lane, 0 where lanes are not all alike."""
        one = self._classes()
        if len(one) != 1 or any(instances(r.lanes) for r in self.roots):
            return 0
        return claims.computed_bits(one[0].term, one[0].facts)

    def _operations(self, p: Program) -> int | None:
        """Return the operations a lane, None where lanes are of several classes."""
        if len(self._classes()) != 1:
            return None
        return claims.operations(p, self.library.machine.by_name, self.library.moves)

    def _round(self, known: Mapping[str, Candidate], most: int = NEVER) -> dict[str, Candidate]:
        """Add programs that cost at most ``most``, or little more than the present code."""
        candidates = dict(known)
        banned: frozenset[Banned] = frozenset()
        price = self.window.price
        share = limits.LOOKUP_SLACK if self.graph.looks_up else limits.PRICE_SLACK
        worst = most if price is None else min(most, price + price // share)
        budget = limits.Budget(limits.GOALS * self.effort, worst)
        for _ in range(1 + self.owner.options.alternatives):
            found = self._proved(banned, budget)
            if found is None:
                break
            candidates.setdefault(found.program.text(), found)
            banned |= self._used(found.program)
            least = min(c.program.cost for c in candidates.values())
            most = min(least + least // limits.ALTERNATIVE_SHARE + 100, worst)
            budget = limits.Budget(limits.GOALS * self.effort // 10, most, thorough=False)
        if candidates and self.restored:
            # a result put back in order may keep operands from being shared: one without such
            whole = limits.Budget(limits.GOALS * self.effort, budget.price, restoring=False)
            plain = self._proved(frozenset(), whole)
            candidates |= {} if plain is None else {plain.program.text(): plain}
        return candidates

    def _by_rules(self, known: Sequence[Program], least: int) -> dict[str, Candidate]:
        """Return another program, by rules alone, for little more: only the gate knows of ports."""
        edges = {c.term: self.graph.edges(c) for c in self._classes()}
        banned = but_plain(edges, self.graph.members).union(*map(self._used, known))
        price = least + least // limits.VARIANT_SHARE + 100
        budget = limits.Budget(limits.GOALS * self.effort // 10, price, thorough=False)
        found = self._proved(banned, budget) if self.graph.members else None
        return {} if found is None else {found.program.text(): found}

    def _proved(self, banned: frozenset[Banned], budget: limits.Budget) -> Candidate | None:
        """Return the cheapest program that is proved; where a proof stays open and there is no
        program yet, the next best of the simpler graphs in turn.
        """
        barred, stuck = banned, False
        for _ in range(limits.ROUNDS):
            program = self._program(barred, budget)
            again = program in self.judged
            match program and self._known(program, briefly=not budget.thorough):
                case Proved() as proof if program:
                    return Candidate(program, proof)
                case Refuted(model):
                    self._learn(model)
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

    def _known(self, program: Program, *, briefly: bool = False) -> Verdict:
        """Prove a program, once: what it was refuted by is learnt."""
        known = self.judged.get(program)
        if known is not None:
            return known
        verdict = self._verdict(program, turns=int(briefly))
        if not isinstance(verdict, Refuted):
            self.judged[program] = verdict
        return verdict

    def _simpler(self) -> bool:
        """Begin a graph whose programs are easier to prove: of edges of one level, then without
        variants; tell whether there is one.
        """
        if not self.graph.limit and not self.graph.members:
            return False
        self._restart({}, 0, self.graph.members if self.graph.limit else {})
        return True

    def _program(self, banned: frozenset[Banned], budget: limits.Budget) -> Program | None:
        self.bounds.reach(self._classes())
        if self.registers is None:
            leaves = (*self.window.leaves, *self.once.parts)
            widths = {**self.widths, **{x.source: x.width for x in self.once.parts}}
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
            self.steps += search.steps
            self.restored |= search.restored
            self.dear |= search.dear
        if plans is None:
            return None
        return self.once.completed(search.plans.program(plans), self._made_once)

    def _made_once(self, leaf: Leaf, held: Sequence[Expr]) -> Program | None:
        """Return a program for a register whose lanes hold ``held``, again and again."""
        lanes = tuple(held[k % len(held)] for k in range(leaf.lanes))
        root = Root(leaf.width, lanes, (const(1, 1),) * leaf.lanes)
        search = _WindowSearch(self.owner, replace(self.window, roots=(root,), price=None))
        search.over_regions = True
        found = search.run()
        return found.candidates[0].program if found.candidates else None

    def _used(self, program: Program) -> frozenset[Banned]:
        """Return the lane functions that give the roots, to look for another way next."""
        fns = {self.library.function_of(*x) for x in claims.root_instructions(program)}
        plain = [f for f in fns if f is not None and not f.is_identity]
        return frozenset((c.term, f) for c in self._classes() for f in chain(*map(alike, plain)))

    def _learn(self, model: Mapping[Expr, int]) -> None:
        """Make a counterexample a sample of every lane it concerns, and search edges anew."""
        more = samples_of(self.roots, self.once.extended(model))
        self._restart(more, self.graph.limit, self.graph.members)

    def _restart(self, rows: Mapping[Expr, Sequence[Row]], limit: int, members: Members) -> None:
        """Begin a new graph; with no ``limit`` it keeps to edges of one level."""
        self._begin(self.graph.restarted(rows, limit, members))
        self.cegis.add_to(self.graph)
