"""Does one function refine another?  ``isel verify``: identity, then block by block, then inputs
that are concrete or poison, then undef.

Accepted: integer code without loops, pointer arguments at constant offsets, target intrinsics of
the given target.  Anything else is ``Unknown`` with its reason unless both functions are the same
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm.meaning.lanes import NO, Cannot, Side, Value
from frontends.llvm.meaning.partial import readings
from frontends.llvm.paths.choice import Chooser, Names, strategies
from frontends.llvm.paths.heads import Compared
from frontends.llvm.paths.initialized import why_not_initialized
from frontends.llvm.paths.inputs import World, agreed_facts, is_poison_bit
from frontends.llvm.paths.memory import Memory, compatible, conditions, doubt, doubt_of_types, units
from frontends.llvm.paths.side import Execution
from frontends.llvm.refine.blocks import compare_blocks, why_illegal
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Function, Module, VectorType
from frontends.llvm.text.identity import Contents, mention
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.smt.portfolio import default_portfolio
from isel.spec.target import Target
from isel.verify.choices import Choices, Lane, Problem, refines
from isel.verify.prove import Known, Seeking

_PAIR: Final = re.compile(r"src(\d*)")
_OPEN: Final = "LangRef leaves open whether a target intrinsic of poison is poison"


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and for a refutation both results with the source's choices made as they fit
    best.
    """

    verdict: Verdict
    source: Function
    source_value: Value | None = None
    source_undefined: Expr = NO
    target_value: Value | None = None
    target_undefined: Expr = NO


def judge(
    source: Function,
    target: Function,
    isa: Target | None,
    frames: Frames,
    options: Options | None = None,
) -> Judged:
    """Decide, and keep what shows a refutation to a reader; a source that leaves groupings open is
    refined where one reading of it is.
    """
    found = _judge(source, target, isa, frames, options or Options())
    for plain in readings(source) if isinstance(found.verdict, Unknown) else ():
        again = _judge(plain, target, isa, frames, options or Options())
        if isinstance(again.verdict, Proved):
            return replace(again, source=source)
    return found


def _judge(
    source: Function, target: Function, isa: Target | None, frames: Frames, options: Options
) -> Judged:
    blocks, around = compare_blocks(source, target, isa, frames, options)
    if around is None or isinstance(blocks, Proved):
        return Judged(blocks, source)
    comparison = _Comparison(source, target, options.isas or (isa, isa), frames, options, around)
    found = comparison.whole()
    if not isinstance(found.verdict, Unknown):
        return found
    return Judged(Unknown(f"{found.verdict.reason}; {blocks.reason}"), source)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two functions whose surroundings can be compared, executed from end to end."""

    source: Function
    target: Function
    isas: tuple[Target | None, Target | None]
    frames: Frames
    options: Options
    around: Compared

    def whole(self) -> Judged:
        """Execute the functions from end to end, without and with undef."""
        known: Known = {}
        found = Judged(Unknown("nothing was tried"), self.source)
        defined = self.options.defined_memory
        for world in (World(undefs=False, defined=defined), World(undefs=True, defined=defined)):
            try:
                found = self.judged(world, known)
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

    def judged(self, world: World, known: Known) -> Judged:
        """Execute both sides in a world and compare what they did."""
        names = Names()
        unit = units(
            (self.source, self.frames.source.sizes), (self.target, self.frames.target.sizes)
        )
        s = self._execute("source", world, names, unit)
        t = self._execute("target", world, names, unit)
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
        self, role: Side, world: World, names: Names, unit: Mapping[int, int]
    ) -> Execution:
        k = ("source", "target").index(role)
        frame = (self.frames.source, self.frames.target)[k]
        noalias = frozenset(
            n for n, a in enumerate(self.source.arguments) if "noalias" in a.attributes
        )
        done = Execution(
            (self.source, self.target)[k],
            self.source,
            frame.contents,
            self.isas[k],
            role,
            world,
            Chooser("ST"[k], names),
            Memory(unit, noalias, frame.sizes),
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


def judge_modules(
    a: Module, b: Module | None, isa: Target | None, options: Options | None = None
) -> list[tuple[str, Judged]]:
    """Return what was found of each function: pairs ``@src``/``@tgt`` (with the same number) of
    one module, or equally named functions of two.
    """
    other = a if b is None else b
    tails = {f.name: f for f in other.functions}
    frames = Frames.of(a, other, across=options is not None and options.across)
    pairs = {m[0]: f"tgt{m[1]}" for f in a.functions if (m := _PAIR.fullmatch(f.name))}
    names = {f.name: f.name if b is not None else pairs.get(f.name, "") for f in a.functions}
    found: list[tuple[str, Judged]] = []
    for f in (f for f in a.functions if names[f.name]):
        g = tails.get(names[f.name])
        if g is None:
            found.append((f.name, Judged(Unknown(f"there is no function @{names[f.name]}"), f)))
        else:
            found.append((f.name, judge(f, g, isa, frames, options)))
    alone = [f"@{x}" for x in {**names, **tails} if (x in names) != (x in tails)]
    return found if b is None else _compose(found, alone, frames.source.contents)


def _compose(
    found: list[tuple[str, Judged]], alone: Sequence[str], said: Contents
) -> list[tuple[str, Judged]]:
    """Take a proof back where a function mentions another one that is not proved, itself or by way
    of constants.

    ``alone`` are the functions (``@name``) that one module defines and the other does not.
    """
    open_ = {f"@{name}" for name, j in found if not isinstance(j.verdict, Proved)}
    open_.update(alone)
    mentions = {f"@{name}": mention(j.source, said) - {f"@{name}"} for name, j in found}
    while more := {name for name, used in mentions.items() if name not in open_ and used & open_}:
        open_ |= more
    order = [*mentions, *alone]

    def rests(name: str, j: Judged) -> Judged:
        culprit = min(mentions[f"@{name}"] & open_, key=order.index, default="")
        if not culprit or not isinstance(j.verdict, Proved):
            return j
        return Judged(Unknown(f"it rests on {culprit}, which is not proved"), j.source)

    return [(name, rests(name, j)) for name, j in found]
