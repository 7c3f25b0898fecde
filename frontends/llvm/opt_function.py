"""One function on its way through the rounds: its places, what was tried for each, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

from frontends.llvm.alone import name_of, windows_text
from frontends.llvm.ast import Instr
from frontends.llvm.deadline import OutOfTime
from frontends.llvm.failures import Failure, Net
from frontends.llvm.opt_judge import Choice, Judge, Proposal, Refusal, Selection
from frontends.llvm.opt_search import Outcome, Recipe
from frontends.llvm.report import Outcome as Verb
from frontends.llvm.report import WindowReport, place_of
from frontends.llvm.splice import Rewrite, emitted_lines
from frontends.llvm.windows import Candidate, Limits, Place, Scene, Site, candidates, place_at, smaller_places
from frontends.llvm.worker import LATE
from isel.spec.instruction import Instruction
from isel.synth.window import Window
from isel.verify.verdict import Proved

_SMALLER: Final = 6  # windows inside of windows that are tried, a function and round
_ENOUGH: Final = 500_000  # steps of a place's first window, at effort 1, that leave none for its second one

T = TypeVar("T")
Vet = Callable[[str, Sequence[Rewrite]], str]


@dataclass(slots=True)
class _Track:
    """A place, what it has cost so far, and its answer; one that failed is left alone."""

    place: Place
    inner: bool
    answer: Choice | Refusal | Failure | None = None
    empty: bool = False
    proof: str = ""
    attempts: int = 0
    steps: int = 0
    seconds: float = 0.0
    reasons: list[str] = field(default_factory=list)

    @property
    def open(self) -> bool:
        return not isinstance(self.answer, Choice | Failure)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One window of one place; ``window`` has the price of its present code."""

    root: str
    site: Site
    window: Window


class FunctionWork:
    """The state of one function."""

    def __init__(
        self, scene: Scene, recipe: Recipe, instructions: Mapping[str, Instruction], judge: Judge, vet: Vet, limits: Limits, effort: int, net: Net
    ) -> None:
        self.function = scene.function
        self.recipe = recipe
        self.timed_out = False
        self._failures = 0
        self._scene = scene
        self._limits = limits
        self._enough = _ENOUGH * max(effort, 1)
        self._judge = judge
        self._instructions = instructions
        self._selection = Selection(scene.module, scene.function.name, instructions, judge, vet)
        self._net = net
        self._tracks: dict[str, _Track] = {}
        try:
            for candidate in candidates(scene):
                self._plan(candidate)
        except OutOfTime:
            self.timed_out = True

    def _plan(self, candidate: Candidate) -> None:
        root = candidate.root
        found = self._caught(root.name, partial(place_at, self._scene, candidate, self._limits))
        if isinstance(found, Failure):
            self._tracks[root.name] = _Track(Place(root, candidate.block, ()), False, found)
        elif found is not None:
            self._tracks[root.name] = _Track(found, False)

    def _caught(self, root: str, job: Callable[[], T]) -> T | Failure:
        """Run a job that concerns one window, or with an empty ``root`` the whole function."""
        found = self._net.run(f"@{self.function.name}" + (f" %{root}" if root else ""), job)
        self._failures += isinstance(found, Failure)
        return found

    def agenda(self, round_: int) -> list[Attempt]:
        """Return the windows to search now."""
        return self._priced(self._wanted(round_))

    def _wanted(self, round_: int) -> list[tuple[_Track, Site]]:
        open_ = [t for t in self._tracks.values() if t.open]
        if round_ == 0:
            return [(t, t.place.sites[0]) for t in open_]
        if round_ == 1:
            return [(t, t.place.sites[1]) for t in open_ if len(t.place.sites) > 1 and t.steps < self._enough]
        return [(t, t.place.sites[0]) for t in self._smaller([t for t in open_ if t.empty and t.inner == (round_ > 2)])]

    def _priced(self, wanted: Sequence[tuple[_Track, Site]]) -> list[Attempt]:
        """Return attempts at windows, priced together, or where that fails one by one."""
        if not wanted or self._scene.deadline.passed:
            return [Attempt(t.place.root.name, s, s.window) for t, s in wanted]
        found = self._caught("" if len(wanted) > 1 else wanted[0][0].place.root.name, partial(self._price, wanted))
        if not isinstance(found, Failure):
            return found
        if len(wanted) > 1:
            return [attempt for one in wanted for attempt in self._priced([one])]
        wanted[0][0].answer = found
        return []

    def _price(self, wanted: Sequence[tuple[_Track, Site]]) -> list[Attempt]:
        text = windows_text(self._scene.module, self.function, [s for _, s in wanted])
        prices = self._judge.work(text, [name_of(k) for k in range(len(wanted))])
        return [Attempt(t.place.root.name, s, s.window.priced(p)) for (t, s), p in zip(wanted, prices, strict=True)]

    def _smaller(self, tracks: Sequence[_Track]) -> list[_Track]:
        made: list[_Track] = []
        for t in tracks:
            try:
                found = self._caught(t.place.root.name, partial(smaller_places, self._scene, t.place, self._limits))
            except OutOfTime:
                self.timed_out = True
                break
            if isinstance(found, Failure):
                t.answer = found
                continue
            for p in found:
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
            if outcome.failure is not None:
                self.fail(attempt.root, self._net.note(f"@{self.function.name} %{attempt.root}", outcome.failure))
                continue
            track.empty = not outcome.result.candidates
            self.timed_out |= not outcome.result.complete
            if outcome.result.candidates:
                proposals.append(Proposal(attempt.site, outcome.result.candidates))
            else:
                track.answer = Refusal(outcome.result.reason or "nothing was found")
        for root, answer in self._considered(proposals).items():
            track = self._tracks[root]
            track.answer = answer
            if not isinstance(answer, Failure):
                track.attempts += answer.attempts

    def _considered(self, proposals: Sequence[Proposal]) -> Mapping[str, Choice | Refusal | Failure]:
        """Judge proposals together, or where that fails one by one."""
        before = self._selection.chosen
        root = proposals[0].site.roots[0].name if len(proposals) == 1 else ""
        found = self._caught(root, partial(self._selection.consider, proposals))
        if not isinstance(found, Failure):
            return found
        self._selection.chosen = before
        if len(proposals) == 1:
            return {root: found}
        return {name: answer for p in proposals for name, answer in self._considered([p]).items()}

    def settle(self) -> None:
        """Take everything back if the accepted rewrites together are no gain over the original."""
        if len(self._selection.chosen) < 2:
            return
        judgement = self._caught("", self._selection.overall)
        for choice in self._selection.chosen:
            if isinstance(judgement, Failure):
                self.withdraw(choice, judgement)
            elif not judgement.accept:
                self.withdraw(choice, f"together no gain: {judgement.reason}")

    def chosen(self) -> list[Choice]:
        """Return the accepted rewrites in program order."""
        return sorted(self._selection.chosen, key=lambda c: c.rewrite.site.line)

    def withdraw(self, choice: Choice, why: str | Failure) -> None:
        """Take an accepted rewrite back."""
        self._selection.chosen = tuple(c for c in self._selection.chosen if c is not choice)
        root = choice.rewrite.site.roots[0].name
        if isinstance(why, Failure):
            self.fail(root, why)
        else:
            self._tracks[root].answer = Refusal(why, choice.judgement, choice.attempts)

    def fail(self, root: str, failure: Failure) -> None:
        """Leave the window of a root alone: something failed on it."""
        self._failures += 1
        self._tracks[root].answer = failure

    def proved(self, choice: Choice, verdict: Proved) -> None:
        """Note the proof of what was written."""
        self._tracks[choice.rewrite.site.roots[0].name].proof = _summary(verdict)

    @property
    def settled(self) -> bool:
        """Whether an equal function would get the same answers: nothing failed or was cut short, and no other function was looked at."""
        reasons = (t.answer.reason if isinstance(t.answer, Refusal) else "" for t in self._tracks.values())
        return not self.timed_out and not self._failures and self._selection.isolated and not any(LATE in r for r in reasons)

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
            return replace(shown, claim=answer.candidate.claim, facts=answer.candidate.facts, window=site.window.digest, seconds=t.seconds)
        reason = answer.reason if answer is not None else "not searched"
        judged = answer.judgement if isinstance(answer, Refusal) else None
        before, after_cost = (judged.before, judged.after) if judged is not None else (None, None)
        verb = Verb.FAILED if isinstance(answer, Failure) else Verb.KEPT
        nodes = t.place.sites[0].nodes if t.place.sites else (t.place.root,)
        return WindowReport(where, verb, _texts(nodes), (), before, after_cost, "", reason, t.attempts, t.steps, seconds=t.seconds)


def _texts(nodes: Sequence[Instr]) -> tuple[str, ...]:
    return tuple(i.text.strip() for i in nodes)


def _summary(verdict: Proved) -> str:
    c = verdict.certificate
    asked = [q for q in c.queries if q != "identity"]
    if not asked:
        return "identical terms"
    return f"{len(asked)} {'query' if len(asked) == 1 else 'queries'}, no counterexample ({', '.join(dict.fromkeys(c.solvers))})"
