"""One function on its way through the rounds: its places, what was tried for each, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from frontends.llvm.alone import name_of, windows_text
from frontends.llvm.ast import Function, Instr, Module
from frontends.llvm.opt_judge import Choice, Judge, Proposal, Refusal, Selection
from frontends.llvm.opt_search import Outcome, Recipe
from frontends.llvm.report import Outcome as Verb
from frontends.llvm.report import WindowReport, place_of
from frontends.llvm.splice import Rewrite, emitted_lines
from frontends.llvm.windows import Limits, Place, Scene, Site, places, smaller_places
from frontends.llvm.worker import LATE
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from isel.synth.window import Window
from isel.verify.verdict import Proved

_SMALLER: Final = 6  # windows inside of windows that are tried, a function and round
_ENOUGH: Final = 500_000  # steps of a place's first window, at effort 1, that leave none for its second one

Vet = Callable[[str, Sequence[Rewrite]], str]


@dataclass(slots=True)
class _Track:
    """A place, what it has cost so far, and its answer."""

    place: Place
    inner: bool
    answer: Choice | Refusal | None = None
    empty: bool = False
    proof: str = ""
    attempts: int = 0
    steps: int = 0
    seconds: float = 0.0
    reasons: list[str] = field(default_factory=list)

    @property
    def open(self) -> bool:
        return not isinstance(self.answer, Choice)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One window of one place."""

    root: str
    site: Site


class FunctionWork:
    """The state of one function."""

    def __init__(self, scene: Scene, recipe: Recipe, instructions: Mapping[str, Instruction], judge: Judge, vet: Vet, limits: Limits, effort: int) -> None:
        self.function = scene.function
        self.recipe = recipe
        self.timed_out = False
        self._scene = scene
        self._limits = limits
        self._enough = _ENOUGH * max(effort, 1)
        self._judge = judge
        self._instructions = instructions
        self._selection = Selection(scene.module, scene.function.name, instructions, judge, vet)
        self._tracks: dict[str, _Track] = {p.root.name: _Track(p, False) for p in places(scene, limits)}

    def agenda(self, round_: int) -> list[Attempt]:
        """Return the windows to search now."""
        open_ = [t for t in self._tracks.values() if t.open]
        if round_ == 0:
            return [_attempt(t, 0) for t in open_]
        if round_ == 1:
            return [_attempt(t, 1) for t in open_ if len(t.place.sites) > 1 and t.steps < self._enough]
        return [_attempt(t, 0) for t in self._smaller([t for t in open_ if t.empty and t.inner == (round_ > 2)])]

    def windows(self, attempts: Sequence[Attempt]) -> list[Window]:
        """Return the windows of attempts with the price of their present code."""
        if not attempts:
            return []
        text = windows_text(self._scene.module, self.function, [a.site for a in attempts])
        prices = self._judge.work(text, [name_of(k) for k in range(len(attempts))])
        return [a.site.window.priced(p) for a, p in zip(attempts, prices, strict=True)]

    def _smaller(self, tracks: Sequence[_Track]) -> list[_Track]:
        made: list[_Track] = []
        for t in tracks:
            for p in smaller_places(self._scene, t.place, self._limits):
                if p.root.name not in self._tracks and len(made) < _SMALLER:
                    self._tracks[p.root.name] = _Track(p, True)
                    made.append(self._tracks[p.root.name])
        return made

    def decide(self, found: Sequence[tuple[Attempt, Outcome]]) -> None:
        """Judge what the searches of this round found."""
        proposals: list[Proposal] = []
        for attempt, outcome in found:
            track = self._tracks[attempt.root]
            track.steps += outcome.result.steps
            track.seconds += outcome.seconds
            track.empty = not outcome.result.candidates
            self.timed_out |= not outcome.result.complete
            if outcome.result.candidates:
                proposals.append(Proposal(attempt.site, outcome.result.candidates))
            else:
                track.answer = Refusal(outcome.result.reason or "nothing was found")
        for root, answer in self._selection.consider(proposals).items():
            track = self._tracks[root]
            track.answer = answer
            track.attempts += answer.attempts

    def settle(self) -> None:
        """Take everything back if the accepted rewrites together are no gain over the original."""
        if len(self._selection.chosen) < 2:
            return
        judgement = self._selection.overall()
        if not judgement.accept:
            for choice in self._selection.chosen:
                self.withdraw(choice, f"together no gain: {judgement.reason}")

    def chosen(self) -> list[Choice]:
        """Return the accepted rewrites in program order."""
        return sorted(self._selection.chosen, key=lambda c: c.rewrite.site.line)

    def withdraw(self, choice: Choice, reason: str) -> None:
        """Take an accepted rewrite back."""
        self._selection.chosen = tuple(c for c in self._selection.chosen if c is not choice)
        self._tracks[choice.rewrite.site.roots[0].name].answer = Refusal(reason, choice.judgement, choice.attempts)

    def proved(self, choice: Choice, verdict: Proved) -> None:
        """Note the proof of what was written."""
        self._tracks[choice.rewrite.site.roots[0].name].proof = _summary(verdict)

    @property
    def settled(self) -> bool:
        """Whether an equal function would get the same answers: no search and no judgement was cut short, and no other function was looked at."""
        reasons = (t.answer.reason if isinstance(t.answer, Refusal) else "" for t in self._tracks.values())
        return not self.timed_out and self._selection.isolated and not any(LATE in r for r in reasons)

    def coverage(self) -> tuple[int, dict[str, int]]:
        """Return how many instructions windows hold, and the others by reason."""
        inside = {i.line for t in self._tracks.values() for s in t.place.sites for i in s.nodes}
        left: Counter[str] = Counter()
        for block in self.function.blocks:
            for i in block.instrs:
                if i.line not in inside and i.opcode != "dbg":
                    left[self._scene.reasons.get(i.line) or "vector code with nothing to gain"] += 1
        return len(inside), dict(sorted(left.items()))

    def reports(self) -> list[WindowReport]:
        """Return a report for every place, and for the places inside of them that were rewritten."""
        shown = [t for t in self._tracks.values() if not t.inner or not t.open]
        return [self._report(t) for t in sorted(shown, key=lambda t: t.place.root.line)]

    def _report(self, t: _Track) -> WindowReport:
        where = place_of(self._scene.module, self.function.name, t.place.root)
        answer = t.answer
        if isinstance(answer, Choice):
            site = answer.rewrite.site
            after = emitted_lines(self._scene.module, answer.rewrite, self._instructions)
            j = answer.judgement
            shown = WindowReport(where, Verb.REWRITTEN, _texts(site.nodes), after, j.before, j.after, t.proof, j.reason, t.attempts, t.steps)
            return replace(shown, claim=answer.candidate.claim, facts=answer.candidate.facts, seconds=t.seconds)
        reason = answer.reason if answer is not None else "not searched"
        judged = answer.judgement if answer is not None else None
        before, after_cost = (judged.before, judged.after) if judged is not None else (None, None)
        return WindowReport(where, Verb.KEPT, _texts(t.place.sites[0].nodes), (), before, after_cost, "", reason, t.attempts, t.steps, seconds=t.seconds)


def _attempt(track: _Track, k: int) -> Attempt:
    return Attempt(track.place.root.name, track.place.sites[k])


def _texts(nodes: Sequence[Instr]) -> tuple[str, ...]:
    return tuple(i.text.strip() for i in nodes)


def _summary(verdict: Proved) -> str:
    c = verdict.certificate
    asked = [q for q in c.queries if q != "identity"]
    if not asked:
        return "identical terms"
    return f"{len(asked)} {'query' if len(asked) == 1 else 'queries'}, no counterexample ({', '.join(dict.fromkeys(c.solvers))})"


def plan(
    module: Module,
    function: Function,
    target: Target,
    recipe: Recipe,
    tools: tuple[Mapping[str, Instruction], Judge, Vet],
    *,
    limits: Limits,
    effort: int,
    assume_defined: bool,
) -> FunctionWork:
    """Cut a function into windows."""
    instructions, judge, vet = tools
    return FunctionWork(
        Scene(module, function, target, assume_defined=assume_defined), recipe, instructions, judge, vet, replace(limits, register=recipe.vector_bits), effort
    )
