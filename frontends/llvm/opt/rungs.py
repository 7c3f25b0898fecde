"""Rounds of searching and judging functions, with effort as a ladder.

A round searches one window a place (all places of all functions at once, in the pool), then judges
what was found; what more loops are around is searched first.  Places that stay unchanged get their
next, smaller window in the next round, unless the first one took many steps.  Nothing depends on
the order in which searches end.

A function is searched with less effort first; what more makes of it is kept only where the gate
accepts it over that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from frontends.llvm.deadline import Deadline
from frontends.llvm.opt.function import FunctionWork
from frontends.llvm.opt.options import Options, Tools
from frontends.llvm.opt.search import Job, search_all
from isel.workers import Pool

Works: TypeAlias = Sequence[FunctionWork]
_ROUNDS: Final = 4


def rungs(effort: int) -> tuple[int, ...]:
    """Return the efforts up to one, each twice the one before."""
    return (*(1 << k for k in range(effort.bit_length()) if 1 << k < effort), effort)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Searches of functions, and what they need."""

    options: Options
    tools: Tools
    pool: Pool | None
    deadline: Deadline

    def run(self, works: Works) -> None:
        """Search functions and decide what of their windows is rewritten."""
        for round_ in range(_ROUNDS):
            self._round(works, round_)
        for work in works:
            work.settle()

    def _round(self, works: Works, round_: int) -> None:
        wanted = [(work, attempt) for work in works for attempt in work.agenda(round_)]
        if not wanted:
            return
        # a deadline cuts cold code first
        hottest = sorted(range(len(wanted)), key=lambda k: -wanted[k][0].depth(wanted[k][1]))
        strict, tell = self.options.strict, self.tools.tell
        jobs = [
            Job(work.recipe, attempt.window, self.deadline, strict)
            for work, attempt in (wanted[k] for k in hottest)
        ]
        answers = search_all(jobs, self.pool, strict=strict, tell=tell)
        outcomes = [o for _, o in sorted(zip(hottest, answers, strict=True), key=lambda x: x[0])]
        for k, work in enumerate(works):
            tell("functions judged", k + 1, len(works))
            work.decide([(a, o) for (w, a), o in zip(wanted, outcomes, strict=True) if w is work])


def climbed(
    works: Works, rounds: Rounds, best: Callable[[Works], list[FunctionWork]]
) -> list[FunctionWork]:
    """Search the forms of functions, ``works``, rung by rung; return the best form of each.

    Programs that were proved on a lower rung are judged on a higher one, too.
    """
    found: list[FunctionWork] = []
    for rung in rungs(rounds.options.effort):
        works = [w.again(rung) for w in works] if found else works
        rounds.run(works)
        made = best(works)
        found = [b.over(a) for a, b in zip(found, made, strict=True)] if found else made
    return found
