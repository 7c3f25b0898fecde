"""Does one function refine another, executed from end to end?  First for inputs that are concrete
or poison, then for undef.

Accepted: integer code without loops, pointer arguments at constant offsets, target intrinsics of
the given target.  Anything else is ``Unknown`` with its reason.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm.meaning.choice import Chooser, strategies
from frontends.llvm.meaning.lanes import NO, Cannot, Side, Value
from frontends.llvm.paths.heads import Compared
from frontends.llvm.paths.initialized import why_not_initialized
from frontends.llvm.paths.inputs import World, agreed_facts, is_poison_bit
from frontends.llvm.paths.memory import Memory, compatible, conditions, doubt, doubt_of_types, units
from frontends.llvm.paths.side import Execution
from frontends.llvm.refine.frames import Frames, Isas
from frontends.llvm.refine.machines import why_illegal
from frontends.llvm.refine.options import Judged, Options
from frontends.llvm.text.ast import Function, VectorType
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.smt.portfolio import default_portfolio
from isel.verify.choices import Choices, Lane, Problem, refines
from isel.verify.prove import Known, Seeking

_OPEN: Final = "LangRef leaves open whether a target intrinsic of poison is poison"


@dataclass(frozen=True, slots=True)
class Whole:
    """Two functions whose surroundings can be compared, executed from end to end."""

    source: Function
    target: Function
    isas: Isas
    frames: Frames
    options: Options
    around: Compared

    def judge(self) -> Judged:
        """Execute the functions from end to end, without and with undef."""
        known: Known = {}
        for undefs in (False, True):
            try:
                found = self._judge_in(World(undefs, self.options.defined_memory), known)
            except Cannot as reason:
                return Judged(Unknown(str(reason)), self.source)
            if not isinstance(found.verdict, Proved):
                return found
        return found

    def _looks(self, terms: Iterable[Expr]) -> str:
        """Return why looks of the target at an argument may be of values that no look of the
        source sees, empty if they are not: its lanes may hang together, so where the target looks
        more than once, each look of the source has to be one of these as a whole, as it is where
        blocks are compared.
        """
        looked = {x.source for x in leaves(*terms)}
        for k, a in enumerate(self.source.arguments):
            mine, theirs = (sum(x.startswith(f"{s}.a{k}.") for x in looked) for s in "ST")
            if isinstance(a.type, VectorType) and mine and theirs > 1:
                return f"the target looks more than once at %{a.name}, whose lanes hang together"
        return ""

    def _judge_in(self, world: World, known: Known) -> Judged:
        """Execute both sides in a world and compare what they did."""
        numbers = dict[Hashable, int]()
        unit = units(
            (self.source, self.frames.source.sizes), (self.target, self.frames.target.sizes)
        )
        s = self._execute("source", world, numbers, unit)
        t = self._execute("target", world, numbers, unit)
        reason = (
            compatible(s.memory, t.memory, self.frames.pairing)
            or why_not_initialized(self.target, t.memory)
            or why_illegal(self.target, self.isas[1], t.called - s.called)
        )
        if reason:
            return Judged(Unknown(reason), self.source)
        corners = _corners(s, t, 0)
        problem = _problem(s, t, self.source, world, corners)
        verdict = self._decide(problem, known)
        if not isinstance(verdict, Refuted):
            looks = self._looks(problem.terms()) if isinstance(verdict, Proved) else ""
            return Judged(Unknown(looks) if looks else verdict, self.source)
        doubt = self._doubt(s, t, world, known)
        if doubt:
            return Judged(Unknown(doubt), self.source)
        if not world.undefs:
            verdict = self._in_numbers(verdict, problem, known)
        best = {**corners, **(problem.strategies[0] if problem.strategies else {})}
        mine, theirs = map(_over, _results(problem, verdict, s, t), (best, corners))
        return Judged(
            verdict,
            self.source,
            mine,
            instantiate(s.undefined, best),
            theirs,
            instantiate(t.undefined, corners),
        )

    def _decide(self, problem: Problem, known: Known) -> Verdict:
        """Decide about one problem, with a look for counterexamples before solvers are asked."""
        effort, checker = self.options.effort, self.options.checker
        hints = self.options.guesses.hints
        checker = checker or Seeking(default_portfolio(effort), hints.near)
        return refines(problem, known, effort, checker, hints)

    def _in_numbers(self, found: Refuted, problem: Problem, known: Known) -> Refuted:
        """Return a counterexample without poison, where both sides are defined, if there is one,
        else the one that was found.
        """
        bits: dict[Expr, Expr] = {x: NO for x in leaves(*problem.terms()) if is_poison_bit(x)}
        guesses = ({x: instantiate(e, bits) for x, e in g.items()} for g in problem.strategies)
        plain = replace(problem.over(bits).in_numbers(), strategies=tuple(guesses))
        again = self._decide(plain, known)
        return again if isinstance(again, Refuted) else found

    def _execute(
        self, role: Side, world: World, numbers: dict[Hashable, int], unit: Mapping[int, int]
    ) -> Execution:
        k = ("source", "target").index(role)
        frame = (self.frames.source, self.frames.target)[k]
        noalias = frozenset(
            n for n, a in enumerate(self.source.arguments) if "noalias" in a.attributes
        )
        done = Execution(
            role,
            self.isas[k],
            Chooser("ST"[k], numbers),
            function=(self.source, self.target)[k],
            agreed=self.source,
            contents=frame.contents,
            world=world,
            memory=Memory(unit, noalias, frame.sizes),
        )
        done.run()
        return done

    def _doubt(self, s: Execution, t: Execution, world: World, known: Known) -> str:
        """Return why a counterexample shows nothing, empty if it does."""
        if s.approximate or t.approximate:
            return "undef reaches a branch, an assumption or a noundef attribute"
        reason = (
            self.around.uncertain
            or s.uncertain
            or doubt(s.memory, self.source)
            or doubt_of_types(s.memory, self.frames.source.contents)
            or why_not_initialized(self.source, s.memory)
        )
        if reason or not s.corners ^ t.corners:
            return reason
        kind = _problem(s, t, self.source, world, _corners(s, t, 1))
        verdict = self._decide(kind, known)
        return "" if isinstance(verdict, Refuted) else _OPEN


def _results(
    problem: Problem, found: Verdict, s: Execution, t: Execution
) -> Sequence[Value | None]:
    """Return both results, or both contents of the memory that a refutation names."""
    where = found.where if isinstance(found, Refuted) else ""
    for x in (x for x in problem.lanes if x.where == where and where.startswith("byte ")):
        lanes = ((x.source, x.source_poison), (x.target, x.target_poison))
        return [Value(a.width, (a,), (p,)) for a, p in lanes]
    return s.result(), t.result()


def _over(value: Value | None, terms: dict[Expr, Expr]) -> Value | None:
    return value and value.over(terms)


def _corners(s: Execution, t: Execution, source: int) -> dict[Expr, Expr]:
    """Decide the corners of intrinsics that one side alone has: whether the source's are
    poison; the target's are the other way round.
    """
    mine = dict.fromkeys(s.corners - t.corners, const(source, 1))
    return mine | dict.fromkeys(t.corners - s.corners, const(1 - source, 1))


def _problem(
    s: Execution, t: Execution, source: Function, world: World, corners: dict[Expr, Expr]
) -> Problem:
    lanes = [*_result_lanes(s.result(), t.result())]
    for where, mine, theirs in conditions(s.memory, t.memory, s.chooser, t.chooser, world):
        lanes.append(Lane(where, *mine, *theirs))
    problem = Problem(
        tuple(lanes),
        s.undefined,
        t.undefined,
        agreed_facts(source),
        Choices(
            frozenset(s.chooser.early | (s.roundings - t.roundings)), frozenset(s.chooser.late)
        ),
        Choices(frozenset(t.chooser.early), frozenset(t.chooser.late)),
        (),
    ).over(corners)
    guesses = strategies(s.chooser, t.chooser, frozenset(leaves(*problem.terms())))
    return replace(
        problem,
        strategies=tuple({x: instantiate(e, corners) for x, e in g.items()} for g in guesses),
    )


def _result_lanes(a: Value | None, b: Value | None) -> Iterator[Lane]:
    if a is None or b is None:
        return
    for i, (mine, theirs) in enumerate(zip(a.rows, b.rows, strict=True)):
        yield Lane(f"lane {i}", *mine, *theirs)
