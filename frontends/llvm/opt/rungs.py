"""Rounds of searching and judging functions, with effort as a ladder.

A round searches one window a place (all places of all functions at once, in the pool), then judges
what was found; what more loops are around is searched first.  Places that stay unchanged get their
next, smaller window in the next round, unless the first one took many steps; then windows inside of
theirs are tried, unless another form of the function is rewritten whole.  Nothing depends on the
order in which searches end.

A function is searched with less effort first; what more makes of it is kept only where the gate
accepts it over that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from frontends.llvm.limits import RUNGS_AT_ONCE, RUNGS_ROUNDS
from frontends.llvm.opt.budget import SPENT
from frontends.llvm.opt.function import FunctionWork
from frontends.llvm.opt.options import Options, Tools
from frontends.llvm.opt.search import Job, Outcome, Recipe, search_all
from frontends.llvm.opt.stages import JUDGE, SEARCH
from frontends.llvm.opt.track import Attempt
from isel.deadline import Deadline
from isel.model.answer import Result
from isel.workers import Pool

Works: TypeAlias = Sequence[FunctionWork]
Wanted: TypeAlias = tuple[FunctionWork, Attempt]
Known: TypeAlias = dict[tuple[Recipe, str], Outcome]


def rungs(effort: int) -> tuple[int, ...]:
    """Return the efforts up to one, each twice the one before."""
    return (*(1 << k for k in range(effort.bit_length()) if 1 << k < effort), effort)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Searches of functions, what they need, and ``known`` answers, the same every time."""

    options: Options
    tools: Tools
    pool: Pool | None
    deadline: Deadline
    known: Known = field(default_factory=dict)

    def run(self, works: Works) -> None:
        """Search functions and decide what of their windows is rewritten."""
        for round_ in range(RUNGS_ROUNDS):
            if not self.tools.enough():
                self._round(works, round_)
        for work in works:
            work.settle()

    def _round(self, works: Works, round_: int) -> None:
        wanted = [(work, a) for work in _able(works, round_) for a in work.agenda(round_)]
        if not wanted:
            return
        _expect(wanted)
        # a deadline and the budget cut cold code first
        found = {
            id(attempt): outcome
            for batch in _batches(sorted(wanted, key=lambda x: x[0].heat(x[1]), reverse=True))
            for (_, attempt), outcome in zip(batch, self._search(batch), strict=True)
        }
        self.tools.watch(SEARCH, partial(_programs, wanted, found))
        for k, work in enumerate(works):
            self.tools.tell("functions judged", k + 1, len(works))
            work.decide([(a, found[id(a)]) for w, a in wanted if w is work])
        self.tools.watch(JUDGE, partial(_accept, works))

    def _search(self, batch: Sequence[Wanted]) -> list[Outcome]:
        """Search windows, those of functions that may spend no more left out."""
        able = {w.function.name: w.budget.may_search() for w, _ in batch}
        keys = [(w.recipe, a.window.text()) for w, a in batch]
        todo = {
            key: Job(w.recipe, a.window, self.deadline, self.options.strict)
            for key, (w, a) in zip(keys, batch, strict=True)
            if able[w.function.name] and key not in self.known
        }
        answers = search_all(
            list(todo.values()), self.pool, strict=self.options.strict, tell=self.tools.tell
        )
        new = dict(zip(todo, answers, strict=True))
        whole = {k: o for k, o in new.items() if o.failure is None and o.result.complete}
        self.known.update(whole)
        outcomes: list[Outcome] = []
        for key, (work, _) in zip(keys, batch, strict=True):
            if not able[work.function.name]:
                outcomes.append(Outcome(Result((), True, SPENT, 0), 0.0))
                continue
            outcome = new.get(key) or self.known[key]
            work.budget.searched(key[1], outcome.result.steps)
            outcomes.append(outcome)
        return outcomes


def _expect(wanted: Sequence[Wanted]) -> None:
    """Tell each budget what a round would search."""
    for budget in {id(w.budget): w.budget for w, _ in wanted}.values():
        budget.expect(a.window.text() for w, a in wanted if w.budget is budget)


def _able(works: Works, round_: int) -> Works:
    """Return the works that may gain: of a function with a whole form none in late rounds."""
    whole = {w.function.name for w in works if w.whole} if round_ > 1 else ()
    return [w for w in works if w.function.name not in whole]


def _programs(wanted: Sequence[Wanted], found: Mapping[int, Outcome]) -> str:
    """Say which programs were found for windows."""
    texts = (
        f"@{w.function.name} %{a.root}: {c.program.text()}"
        for w, a in wanted
        for c in found[id(a)].result.candidates
    )
    return "\n".join(texts)


def _accept(works: Works) -> str:
    """Say which programs replace windows by now."""
    return "\n".join(f"{c.place}: {c.candidate.program.text()}" for w in works for c in w.chosen())


def _batches(wanted: Sequence[Wanted]) -> Iterator[list[Wanted]]:
    """Yield windows in their order, of each function so many at a time as are searched before its
    budget is looked at.
    """
    queues: dict[str, list[Wanted]] = {}
    for work, attempt in wanted:
        queues.setdefault(work.function.name, []).append((work, attempt))
    for first in range(0, max(map(len, queues.values())), RUNGS_AT_ONCE):
        yield [x for queue in queues.values() for x in queue[first : first + RUNGS_AT_ONCE]]


def climb(
    works: Works, rounds: Rounds, best: Callable[[Works], list[FunctionWork]]
) -> list[FunctionWork]:
    """Search the forms of functions, ``works``, rung by rung; return the best form of each.

    Programs that were proved on a lower rung are judged on a higher one, too.
    """
    found: list[FunctionWork] = []
    for rung in rungs(rounds.options.effort):
        if found and rounds.deadline.is_over:
            break
        works = [w.again(rung) for w in works] if found else works
        rounds.run(works)
        made = best(works)
        found = [b.over(a) for a, b in zip(found, made, strict=True)] if found else made
    return found
