"""One function on its way through the rounds: its places, what was tried for each, and what
came of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, TypeVar

from frontends.llvm.limits import FUNCTION_ENOUGH, FUNCTION_FASTER, FUNCTION_SAVES, FUNCTION_SMALLER
from frontends.llvm.linked.worker import LATE
from frontends.llvm.machine.alone import name_of, windows_text
from frontends.llvm.pipeline.judge import Choice, Proposal, Refusal, Selection
from frontends.llvm.pipeline.run import Shared
from frontends.llvm.pipeline.search import Outcome
from frontends.llvm.pipeline.shown import Shower
from frontends.llvm.pipeline.track import Attempt, Track, summary
from frontends.llvm.pipeline.variants import Variant
from frontends.llvm.report.detail import lifted_lines
from frontends.llvm.report.phrases import count_up
from frontends.llvm.report.tried import WindowReport
from frontends.llvm.splicing.write import splice
from frontends.llvm.transform.ledger import Entry
from frontends.llvm.transform.table import WINDOWS
from frontends.llvm.windows.places import Candidate as Spot
from frontends.llvm.windows.places import Place, candidates, place_at, smaller_places
from frontends.llvm.windows.scene import Site
from isel.cost.gain import is_gain, is_slight
from isel.cost.judgement import Judgement
from isel.deadline import NEVER, OutOfTime
from isel.egraph.words import said_of
from isel.failures import Failure
from isel.model.answer import Candidate
from isel.model.mechanisms import enabled
from isel.model.verdict import Proved
from isel.model.window import Window

T = TypeVar("T")
Rival: TypeAlias = Callable[[str], Judgement]


@dataclass(eq=False)
class FunctionWork:
    """The state of one variant of a function; ``rival`` judges a text of it against another one."""

    shared: Shared
    variant: Variant
    rival: Rival | None = None
    timed_out: bool = field(init=False, default=False)
    notes: list[WindowReport] = field(init=False, default_factory=list)  # of ways not taken
    _failures: int = field(init=False, default=0)
    _tracks: dict[str, Track] = field(init=False, default_factory=dict)
    _programs: dict[str, tuple[Candidate, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        run, aim = self.shared.run, self.shared.aim
        self.module, self.function = self.variant.module, self.variant.function
        self.scene = scene = run.scene(self.module, self.function)
        self.budget, self.recipe = self.shared.budget, run.recipe(aim)
        self.limits = replace(run.options.limits, register=aim.bits)
        self._deadline = scene.deadline
        self._selection = Selection(
            scene,
            run.instructions,
            run.gate(aim),
            partial(self.shared.vet, self.module),
            self.budget,
            self.variant.origin,
        )
        self._registers = {scene.target.register_of(i) for i in run.instructions.values()}
        self._depths = scene.view.depths
        cut = enabled(run.options.disabled, WINDOWS)
        try:
            for candidate in candidates(scene, self.limits) if cut else ():
                self._plan(candidate)
        except OutOfTime:
            self.timed_out = True

    def _plan(self, candidate: Spot) -> None:
        root = candidate.root
        found = self._catch(root.name, partial(place_at, self.scene, candidate, self.limits))
        if isinstance(found, Failure):
            self._tracks[root.name] = Track(Place(root, candidate.block, ()), False, found)
        elif found is not None:
            track = self._fresh(root.name, Track(found, False))
            self._tracks[root.name] = track or Track(found, False)

    def _catch(self, root: str, job: Callable[[], T]) -> T | Failure:
        """Run a job that concerns one window, or with an empty ``root`` the whole function."""
        found = self.shared.net.run(f"@{self.function.name}" + (f" %{root}" if root else ""), job)
        self._failures += isinstance(found, Failure)
        return found

    def windows(self) -> Iterator[str]:
        """Yield the largest window of each place, as text."""
        for root, t in self._tracks.items():
            if t.place.sites:
                yield f"@{self.function.name} %{root}:\n{t.place.sites[0].window.text()}"

    def again(self, effort: int, *, anew: bool = False) -> FunctionWork:
        """Return the function as it was before any search, to be searched with more effort; what
        was proved, priced and judged stays known, what was taken back is left alone.  Where that is
        done ``anew`` for what was taken back, nothing is cut short that is known.
        """
        new = copy(self)
        new.recipe = replace(self.recipe, effort=effort)
        new.notes = []
        new._deadline = NEVER if anew else self._deadline
        new._selection = self._selection.empty(new._deadline)
        tracks = {name: self._fresh(name, t) for name, t in self._tracks.items()}
        new._tracks = {name: t for name, t in tracks.items() if t is not None}
        new._failures += sum(isinstance(t.answer, Failure) for t in new._tracks.values())
        return new

    def _fresh(self, root: str, t: Track) -> Track | None:
        """Return a place as it was before any search, None for one inside of another."""
        why = self.shared.ledger.why(Entry(WINDOWS, self.function.name, root))
        if why is not None:
            answer = why if isinstance(why, Failure | Refusal) else Refusal(why.reason)
            return replace(t, answer=answer, barred=True, proof="")
        kept = t.answer if isinstance(t.answer, Failure) else None
        return None if t.inner else Track(t.place, False, kept)

    def over(self, below: FunctionWork) -> FunctionWork:
        """Return what more effort made of a function, if the gate accepts that over what less
        effort made, ``below``; else that.
        """
        judged = self._catch("", partial(self._selection.judged_over, below._selection))
        kept, other = (
            (below, self) if isinstance(judged, Failure) or not judged.accept else (self, below)
        )
        kept.timed_out |= other.timed_out
        kept._failures += other._failures
        return kept

    def may_search(self) -> bool:
        """Tell whether another window may be searched, and may be of use."""
        return self.budget.may_search() and not self.is_beaten()

    def note(self, attempt: Attempt, outcome: Outcome) -> None:
        """Note that a window was searched."""
        self.budget.searched(attempt.window.text(), outcome.result.steps)
        self._tracks[attempt.root].empty = not outcome.result.candidates

    def is_beaten(self) -> bool:
        """Tell whether the function's rival is faster, even if programs of the windows that were
        not searched yet cost as little as any.
        """
        if self.rival is None:
            return False
        text = splice(self.module, self._selection.rewrites, self.shared.run.instructions)
        judged = self._catch("", partial(self.rival, text))
        if isinstance(judged, Failure):
            return False
        every, open_ = Counter[int](), Counter[int]()
        for t in self._tracks.values():
            every[t.place.block] += t.price
            open_[t.place.block] += 0 if t.answer or t.empty else t.price
        cycles = [n * c for n, c in zip(judged.runs, judged.before_blocks, strict=True)]
        saved = sum(c * open_[k] / (every[k] or 1) for k, c in enumerate(cycles)) * FUNCTION_SAVES
        return is_gain(judged.before * (1 - saved / (sum(cycles) or 1)), judged.after)

    def agenda(self, round_: int) -> list[Attempt]:
        """Return the windows to search now."""
        if round_ and not self.may_search():
            return []
        return self._price_all(self._want(round_))

    def _want(self, round_: int) -> list[tuple[Track, Site]]:
        open_ = [t for t in self._tracks.values() if t.open]
        if round_ == 0:
            return [(t, t.place.sites[0]) for t in open_]
        if round_ == 1:
            most = FUNCTION_ENOUGH * max(self.recipe.effort, 1)
            cheap = [t for t in open_ if t.steps < most]
            return [(t, t.place.sites[1]) for t in cheap if len(t.place.sites) > 1]
        empty = [t for t in open_ if t.empty and t.inner == (round_ > 2)]
        return [(t, t.place.sites[0]) for t in self._smaller(empty)]

    def _price_all(self, wanted: Sequence[tuple[Track, Site]]) -> list[Attempt]:
        """Return attempts at windows, priced together, or where that fails one by one."""
        if not wanted or self._deadline.is_over:
            return [Attempt(t.place.root.name, s, s.window) for t, s in wanted]
        found = self._catch(
            "" if len(wanted) > 1 else wanted[0][0].place.root.name, partial(self._price, wanted)
        )
        if not isinstance(found, Failure):
            return found
        if len(wanted) > 1:
            return [attempt for one in wanted for attempt in self._price_all([one])]
        wanted[0][0].answer = found
        return []

    def _price(self, wanted: Sequence[tuple[Track, Site]]) -> list[Attempt]:
        text = windows_text(self.scene.module, self.function, [s for _, s in wanted])
        works = self._selection.judge.work(text, [name_of(k) for k in range(len(wanted))])
        for (t, s), work in zip(wanted, works, strict=True):
            t.price = work.price or 0
            t.selected[len(s.nodes)] = count_up(
                i for i in work.instructions if i[1] in self._registers
            )
        return [
            Attempt(t.place.root.name, s, s.window.priced(w.price))
            for (t, s), w in zip(wanted, works, strict=True)
        ]

    def _smaller(self, tracks: Sequence[Track]) -> list[Track]:
        made: list[Track] = []
        for t in tracks:
            try:
                found = self._catch(
                    t.place.root.name, partial(smaller_places, self.scene, t.place, self.limits)
                )
            except OutOfTime:
                self.timed_out = True
                break
            if isinstance(found, Failure):
                t.answer = found
                continue
            for p in found:
                if p.root.name not in self._tracks and len(made) < FUNCTION_SMALLER:
                    self._tracks[p.root.name] = Track(p, True)
                    made.append(self._tracks[p.root.name])
        return made

    def heat(self, attempt: Attempt) -> tuple[int, int]:
        """Return the number of loops around a window, and what its code costs today."""
        return self._depths[attempt.site.block], attempt.window.price or 0

    def decide(self, found: Sequence[tuple[Attempt, Outcome]]) -> None:
        """Judge what the searches of this round found."""
        proposals: list[Proposal] = []
        for attempt, outcome in found:
            self._tell(attempt, outcome)
            if outcome.failure is not None and not outcome.result.candidates:
                continue
            track = self._tracks[attempt.root]
            self.timed_out |= not outcome.result.complete
            programs = self._known(attempt.window, outcome.result.candidates)
            track.empty = not programs
            if programs:
                proposals.append(Proposal(attempt.site, programs))
            else:
                track.answer = Refusal(outcome.result.reason or "nothing was found")
        for root, answer in self._consider(proposals).items():
            track = self._tracks[root]
            track.answer = answer
            if not isinstance(answer, Failure):
                track.attempts += answer.attempts
        self.timed_out |= self._selection.late

    def _tell(self, attempt: Attempt, outcome: Outcome) -> None:
        """Note what a search took, what it says that the lanes are, and what failed in it."""
        track = self._tracks[attempt.root]
        track.steps += outcome.result.steps
        track.seconds += outcome.seconds
        said = outcome.result.lifted or (
            self.shared.run.options.detailed and said_of(attempt.site.window)
        )
        track.lifted = lifted_lines(attempt.site, said or ())
        if outcome.failure is not None:
            where = f"@{self.function.name} %{attempt.root}"
            self.fail(attempt.root, self.shared.net.note(where, outcome.failure))

    def _known(self, window: Window, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Return the programs of a window that this search and those before it found, the
        cheapest first.
        """
        key = window.text()
        every = {c.program.text(): c for c in (*found, *self._programs.get(key, ()))}
        ranked = sorted(every.values(), key=lambda c: c.program.rank)
        self._programs[key] = tuple(ranked)
        return self._programs[key]

    def _consider(self, proposals: Sequence[Proposal]) -> Mapping[str, Choice | Refusal | Failure]:
        """Judge proposals together, or where that fails one by one."""
        before = self._selection.chosen
        root = proposals[0].site.roots[0].name if len(proposals) == 1 else ""
        found = self._catch(root, partial(self._selection.consider, proposals))
        if not isinstance(found, Failure):
            return found
        self._selection.chosen = before
        if len(proposals) == 1:
            return {root: found}
        return {name: answer for p in proposals for name, answer in self._consider([p]).items()}

    def settle(self) -> None:
        """Take everything back if the accepted rewrites together are no gain over the original, or
        one so small that the model may err by more.
        """
        chosen = self._selection.chosen
        judgement = self._catch("", self._selection.overall) if chosen else None
        for choice in chosen:
            if isinstance(judgement, Failure):
                self.withdraw(choice, judgement)
            elif judgement and (
                not judgement.accept or is_slight(judgement.before, judgement.after)
            ):
                why = "too little is saved" if judgement.accept else judgement.reason
                self.withdraw(replace(choice, judgement=judgement), f"together no gain: {why}")

    def chosen(self) -> list[Choice]:
        """Return the accepted rewrites in program order."""
        return sorted(self._selection.chosen, key=lambda c: c.rewrite.site.line)

    def withdraw(self, choice: Choice, why: str | Failure) -> None:
        """Accept a rewrite no more."""
        lost = choice.rewrite
        self._selection.chosen = tuple(c for c in self._selection.chosen if c.rewrite is not lost)
        root = lost.site.roots[0].name
        if isinstance(why, Failure):
            self.fail(root, why)
        else:
            self._tracks[root].answer = Refusal(
                why, choice.judgement, choice.attempts, choice.candidate.program
            )

    def fail(self, root: str, failure: Failure) -> None:
        """Leave the window of a root alone: something failed on it."""
        self._failures += 1
        self._tracks[root].answer = failure

    def proved(self, choice: Choice, verdict: Proved) -> None:
        """Note the proof of what was written."""
        self._tracks[choice.rewrite.site.roots[0].name].proof = summary(verdict)

    @property
    def settled(self) -> bool:
        """Whether an equal function would get the same answers: nothing failed or was cut
        short, and no other function was looked at.
        """
        reasons = (
            t.answer.reason if isinstance(t.answer, Refusal) else "" for t in self._tracks.values()
        )
        return (
            not self.timed_out
            and not self._failures
            and self._selection.isolated
            and not any(LATE in r for r in reasons)
        )

    @property
    def whole(self) -> bool:
        """Whether every window is rewritten, and the function much faster for it."""
        rewritten = all(isinstance(t.answer, Choice) for t in self._tracks.values())
        cost = self._windows_cost() if rewritten else None
        return cost is not None and cost[1] * FUNCTION_FASTER <= cost[0]

    def coverage(self) -> tuple[int, Mapping[str, int]]:
        """Return how many instructions windows hold, and the others by reason."""
        inside = {i.line for t in self._tracks.values() for s in t.place.sites for i in s.nodes}
        left: Counter[str] = Counter()
        for i in self.function.view.work:
            if i.line not in inside:
                left[self.scene.reasons.get(i.line) or "vector code with nothing to gain"] += 1
        return len(inside), dict(sorted(left.items()))

    def reports(self) -> list[WindowReport]:
        """Return a report for every place, and for the places inside of them that were
        rewritten.
        """
        shower = Shower(
            self.scene,
            self.recipe.machine.cpu,
            self.shared.run.instructions,
            self.variant,
            self.shared.run.options.detailed,
            self._selection.overall() if self.variant.way and self._selection.chosen else None,
        )
        final = (Choice, Failure)
        shown = [t for t in self._tracks.values() if not t.inner or isinstance(t.answer, final)]
        own = [shower.report(t) for t in sorted(shown, key=lambda t: t.place.root.line)]
        return list(self.variant.reports([*self.notes, *own], self.shared.ledger))

    def cost(self) -> tuple[float, float] | None:
        """Return the cycles of the function before the first change and after the last, None where
        nothing was changed.
        """
        return self.variant.cost(self._windows_cost())

    def _windows_cost(self) -> tuple[float, float] | None:
        """Return the cycles before and after the rewrites of windows, None without any."""
        if not self._selection.chosen and self.variant.way is None:
            return None
        judgement = self._catch("", self._selection.overall)
        return None if isinstance(judgement, Failure) else (judgement.before, judgement.after)

    def after(self) -> float | None:
        """Return the cycles of the function as it would be written, None where it is not faster."""
        chosen, way = self._selection.chosen, self.variant.way
        if not chosen and (way is None or self._selection.stopped()):
            return None
        judgement = self._catch("", self._selection.overall)
        return None if isinstance(judgement, Failure) or not judgement.accept else judgement.after
