"""Which rewrites of a function are kept: all together if that pays, else one by one, each
judged on machine code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Protocol, TypeAlias, TypeVar

from frontends.llvm.limits import GATE_KEPT, JUDGE_CANDIDATES, JUDGE_PRUNED
from frontends.llvm.pipeline.budget import SPENT, Budget
from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.splicing.write import Rewrite, splice
from frontends.llvm.text.ast import Module
from frontends.llvm.text.isolate import isolate, name_alone
from frontends.llvm.transform.ledger import Entry
from frontends.llvm.transform.table import WINDOWS
from frontends.llvm.windows.scene import Scene, Site
from isel.cost.gain import cheapest, is_gain
from isel.cost.judgement import Judgement
from isel.cost.work import Work
from isel.deadline import REACHED, Deadline
from isel.errors import IselError
from isel.model.answer import Candidate
from isel.model.program import Program
from isel.spec.instruction import Instructions

T = TypeVar("T")
Rewrites: TypeAlias = tuple[Rewrite, ...]


class Judge(Protocol):
    """Compares the machine code of a function in two modules."""

    def judge(self, before: str, after: str, function: str) -> Judgement:
        """Tell whether ``after`` is better."""
        ...

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        """Return what LLVM selects for each function and what that costs."""
        ...


@dataclass(frozen=True, slots=True)
class Proposal:
    """A window and the proved programs that may replace it, best first."""

    site: Site
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """An accepted rewrite: its program, and the cost of the function without and with it and as
    many windows ``beside`` it.
    """

    rewrite: Rewrite
    candidate: Candidate
    judgement: Judgement
    attempts: int
    beside: int = 0

    @property
    def entry(self) -> Entry:
        """What is taken back with it."""
        site = self.rewrite.site
        return Entry(WINDOWS, site.function, site.roots[0].name)

    def refusal(self, why: str) -> Refusal:
        """Return why it is taken back."""
        return Refusal(why, self.judgement, self.attempts, self.candidate.program)

    def among(self, count: int, judgement: Judgement | None, *, drops: bool) -> Choice | Refusal:
        """Return the answer for one of several equal windows, judged together beside others."""
        if judgement is None:
            return self
        new = replace(self, judgement=judgement, beside=count - 1)
        return new.refusal("no gain beside the other windows") if drops else new

    @property
    def place(self) -> str:
        """Where it is."""
        return f"@{self.rewrite.site.function} %{self.rewrite.site.roots[0].name}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A window that stays: why, and the program nearest to acceptance with its judgement if
    there was one.
    """

    reason: str
    judgement: Judgement | None = None
    attempts: int = 0
    program: Program | None = None


@dataclass
class Selection:
    """The rewrites of one function that have been accepted so far.

    ``origin`` is what the function costs today; the module of ``scene`` may have it in another
    form.  After its ``deadline``, or without ``budget``, nothing more is accepted.
    """

    scene: Scene
    instructions: Instructions
    judge: Judge
    vet: Callable[[str, Sequence[Rewrite]], str]
    budget: Budget
    origin: Module
    late: bool = False
    chosen: tuple[Choice, ...] = ()
    _texts: dict[Rewrites, str] = field(default_factory=dict)
    _judgements: dict[tuple[Rewrites | None, Rewrites], Judgement] = field(default_factory=dict)
    _source: str = ""  # as it is judged
    _whole: bool | None = None

    def __post_init__(self) -> None:
        self.deadline = self.scene.deadline

    @property
    def isolated(self) -> bool:
        """Whether the function could be judged without the definitions around it."""
        return self._whole is not True

    def consider(self, proposals: Sequence[Proposal]) -> dict[str, Choice | Refusal]:
        """Try the best candidate of every window at once, else those of each block, those of
        equal windows, then windows by themselves; answers by root.
        """
        sound = [p for p in proposals if p.candidates]
        nothing = Refusal("nothing was found")
        answers: dict[str, Choice | Refusal] = dict.fromkeys(map(_key, proposals), nothing)
        together = self._together(sound)
        answers.update(self._by_block(sound) if together is None else together)
        rest = [p for p in sound if not isinstance(answers.get(_key(p)), Choice)]
        rest.sort(key=self._heat)
        blocks = {
            block: len(list(group)) for block, group in groupby(rest, key=lambda p: p.site.block)
        }
        for group in _equals(rest, lambda p: p.site):
            whole = len(group) == blocks[group[0].site.block]
            answers.update((None if whole else self._together(group)) or self._in_turn(group))
        return answers

    def _by_block(self, proposals: Sequence[Proposal]) -> dict[str, Choice | Refusal]:
        """Try the windows of each block at once."""
        answers: dict[str, Choice | Refusal] = {}
        for _, group in groupby(sorted(proposals, key=self._heat), key=lambda p: p.site.block):
            answers.update(self._together(list(group)) or {})
        return answers

    def _in_turn(self, equals: Sequence[Proposal]) -> dict[str, Choice | Refusal]:
        """Try equal windows one after the other; what is of no use for one is not tried for the
        next.
        """
        answers: dict[str, Choice | Refusal] = {}
        for p in equals:
            answer = self._alone(p)
            answers[_key(p)] = answer
            if isinstance(answer, Refusal):
                answers.update(
                    (_key(other), replace(answer, attempts=0))
                    for other in equals
                    if _key(other) not in answers
                )
                break
        return answers

    def _heat(self, proposal: Proposal) -> tuple[int, int]:
        """Sort by blocks, those in the most loops first."""
        block = proposal.site.block
        return -self.scene.view.depths[block], block

    def stopped(self) -> str:
        """Say why nothing more is judged; empty where it is."""
        if self.deadline.is_over:
            self.late = True
            return REACHED
        return "" if self.budget.may_judge() else SPENT

    def empty(self, deadline: Deadline) -> Selection:
        """Return a selection of nothing, which remembers what this one has judged."""
        other = copy(self)
        other.chosen = ()
        other.deadline = deadline
        return other

    def judged_over(self, other: Selection) -> Judgement:
        """Judge what was accepted against what another selection accepted."""
        old, new = (s._text(s.rewrites) for s in (other, self))
        return self.judge.judge(old, new, self._name)

    @property
    def rewrites(self) -> Rewrites:
        """What was accepted."""
        return tuple(c.rewrite for c in self.chosen)

    def overall(self) -> Judgement:
        """Judge everything that was accepted against the original."""
        return self._judge_all(() if self.origin is self.scene.module else None, self.rewrites)

    def _together(self, proposals: Sequence[Proposal]) -> dict[str, Choice | Refusal] | None:
        if len(proposals) < 2:
            return None
        if why := self.stopped():
            return dict.fromkeys(map(_key, proposals), Refusal(why))
        rewrites = [Rewrite(p.site, p.candidates[0].program) for p in proposals]
        base = self.rewrites
        whole = self._judge_all(base, (*base, *rewrites))
        if not whole.accept:
            return None
        pairs = zip(proposals, rewrites, strict=True)
        choices = [Choice(r, p.candidates[0], whole, 1, len(rewrites) - 1) for p, r in pairs]
        answers = self._prune(base, choices)
        found = (answers[_key(p)] for p in proposals)
        self.chosen = (*self.chosen, *(c for c in found if isinstance(c, Choice)))
        return answers

    def _prune(self, base: Rewrites, choices: Sequence[Choice]) -> dict[str, Choice | Refusal]:
        """Drop the rewrites of equal windows without which the function is as good; all of them
        were judged together, and of many none is tried.
        """
        if len(choices) > JUDGE_PRUNED:
            return dict(zip(map(_root, choices), choices, strict=True))
        kept = list(choices)
        found: dict[str, Choice | Refusal] = {}
        for group in _equals(choices, lambda c: c.rewrite.site):
            others = [c for c in kept if c not in group]
            judgement = self._judge_beside(base, others, kept)
            drops = bool(others or base) and _is_no_worse(judgement)
            kept = others if drops else kept
            answers = (c.among(len(group), judgement, drops=drops) for c in group)
            found.update(zip(map(_root, group), answers, strict=True))
        return found

    def _judge_beside(
        self, base: Rewrites, others: Sequence[Choice], kept: Sequence[Choice]
    ) -> Judgement | None:
        """Judge rewrites against some of them, where anything is judged."""
        if self.stopped():
            return None
        sides = ((*base, *(c.rewrite for c in of)) for of in (others, kept))
        return self._judge_all(*sides)

    def _alone(self, proposal: Proposal) -> Choice | Refusal:
        base = self.rewrites
        nearest: Refusal | None = None
        accepted: list[Choice] = []
        for n, candidate in enumerate(proposal.candidates[:JUDGE_CANDIDATES], 1):
            if why := self.stopped():
                nearest = nearest or Refusal(why)
                break
            rewrite = Rewrite(proposal.site, candidate.program)
            judgement = self._judge_all(base, (*base, rewrite))
            if judgement.accept:
                accepted.append(Choice(rewrite, candidate, judgement, n))
            elif _is_nearer(judgement, nearest):
                nearest = Refusal(judgement.reason, judgement, n, candidate.program)
            nearest = None if nearest is None else replace(nearest, attempts=n)
        if accepted:
            best = cheapest(accepted, lambda c: c.judgement.after)
            self.chosen = (*self.chosen, best)
            return best
        assert nearest is not None
        return nearest

    def _judge_all(self, before: Rewrites | None, after: Rewrites) -> Judgement:
        """Judge rewrites against others of the same form, or with None against the original."""
        found = self._judgements.get((before, after))
        if found is None:
            self.budget.judged(len(self.scene.function.span))
            found = self._judgements[before, after] = self._compare(before, after)
        return found

    def _compare(self, before: Rewrites | None, after: Rewrites) -> Judgement:
        try:
            if before is None and not self._source:
                self._source = self.vet(self._scope(self.origin.text), ())
            old = self._source if before is None else self._text(before)
            new = self._text(after)
        except EmissionError as problem:
            return Judgement(False, f"it cannot be written: {problem}")
        except IselError as problem:
            why = problem.message().splitlines()[0]
            return Judgement(False, f"LLVM does not accept it: {why}")
        return self.judge.judge(old, new, self._name)

    @property
    def _name(self) -> str:
        """The function's name in the text that is judged."""
        own = self.scene.function.name
        return own.strip('"') if self._whole else name_alone(own)

    def _text(self, rewrites: Rewrites) -> str:
        found = self._texts.get(rewrites)
        if found is None:
            if len(self._texts) * len(self.scene.module.text) > GATE_KEPT:
                self._texts.clear()
            found = self._texts[rewrites] = self.vet(
                self._scope(splice(self.scene.module, rewrites, self.instructions)), rewrites
            )
        return found

    def _scope(self, text: str) -> str:
        """Return the function by itself, or the module if something in it needs the other
        definitions.
        """
        if self._whole is None:
            try:
                self.vet(isolate(self.scene.module.text, self.scene.function.name), ())
                self._whole = False
            except IselError:
                self._whole = True
        return text if self._whole else isolate(text, self.scene.function.name)


def _equals(items: Sequence[T], site_of: Callable[[T], Site]) -> list[list[T]]:
    """Return the items of each block whose windows are the same up to the names of their inputs."""
    groups: dict[tuple[int, str], list[T]] = {}
    for item in items:
        site = site_of(item)
        groups.setdefault((site.block, site.window.text()), []).append(item)
    return list(groups.values())


def _root(choice: Choice) -> str:
    return choice.rewrite.site.roots[0].name


def _key(proposal: Proposal) -> str:
    return proposal.site.roots[0].name


def _is_nearer(judgement: Judgement, to: Refusal | None) -> bool:
    """Tell whether a judgement is nearer to acceptance than that of a refusal."""
    known = None if to is None else to.judgement
    return known is None or 0 < judgement.after < (known.after or math.inf)


def _is_no_worse(judgement: Judgement | None) -> bool:
    """Tell whether what was before costs no more than what was refused."""
    if judgement is None or judgement.accept or judgement.before <= 0:
        return False
    return not is_gain(judgement.before, judgement.after)
