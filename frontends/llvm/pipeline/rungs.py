"""Rounds of searching and judging functions, with effort as a ladder.

A round searches one window a place (all places of all functions at once, in the pool), then judges
what was found; what more loops are around is searched first.  Places that stay unchanged get their
next, smaller window in the next round, unless the first one took many steps; then windows inside of
theirs are tried, unless the function is rewritten whole in another way.  Nothing depends on the
order in which searches end.

A function is searched with less effort first; what more makes of it is kept only where the gate
accepts it over that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TypeAlias

from frontends.llvm.limits import REFORMS_SAVE, RUNGS_AT_ONCE, RUNGS_ROUNDS
from frontends.llvm.pipeline.budget import SPENT
from frontends.llvm.pipeline.function import FunctionWork
from frontends.llvm.pipeline.run import Run
from frontends.llvm.pipeline.search import Job, Outcome, search_all
from frontends.llvm.pipeline.stages import JUDGE, SEARCH
from frontends.llvm.pipeline.track import Attempt
from frontends.llvm.transform.ledger import Ledger
from isel.model.answer import Result

Works: TypeAlias = Sequence[FunctionWork]
Wanted: TypeAlias = tuple[FunctionWork, Attempt]


def rungs(effort: int) -> tuple[int, ...]:
    """Return the efforts up to one, each twice the one before."""
    return (*(1 << k for k in range(effort.bit_length()) if 1 << k < effort), effort)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Searches of the functions of a run, but for what was taken back."""

    run: Run
    ledger: Ledger

    def decide(self, works: Works) -> None:
        """Search functions and decide what of their windows is rewritten."""
        for round_ in range(RUNGS_ROUNDS):
            if not self.run.tools.enough():
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
        self.run.tools.watch(SEARCH, partial(_programs, wanted, found))
        for k, work in enumerate(works):
            self.run.tools.tell("functions judged", k + 1, len(works))
            work.decide([(a, found[id(a)]) for w, a in wanted if w is work])
        self.run.tools.watch(JUDGE, partial(_accept, works))

    def _search(self, batch: Sequence[Wanted]) -> list[Outcome]:
        """Search windows, those of functions that may spend no more left out."""
        known, strict, until = self.run.answers, self.run.options.strict, self.run.clock.search
        able = {w: w.may_search() for w in dict.fromkeys(w for w, _ in batch)}
        keys = [(w.recipe, a.window.text()) for w, a in batch]
        todo = {
            key: Job(w.recipe, a.window, until, strict)
            for key, (w, a) in zip(keys, batch, strict=True)
            if able[w] and key not in known
        }
        tell = self.run.tools.tell
        answers = search_all(list(todo.values()), self.run.pool, strict=strict, tell=tell)
        new = dict(zip(todo, answers, strict=True))
        whole = {k: o for k, o in new.items() if o.failure is None and o.result.is_whole}
        known.update(whole)
        outcomes: list[Outcome] = []
        for key, (work, attempt) in zip(keys, batch, strict=True):
            if not able[work]:
                outcomes.append(Outcome(Result((), True, SPENT, 0), 0.0))
                continue
            outcome = new.get(key) or known[key]
            work.note(attempt, outcome)
            outcomes.append(outcome)
        return outcomes


def _expect(wanted: Sequence[Wanted]) -> None:
    """Tell each budget what a round would search."""
    for budget in {id(w.budget): w.budget for w, _ in wanted}.values():
        budget.expect(a.window.text() for w, a in wanted if w.budget is budget)


def _able(works: Works, round_: int) -> Works:
    """Return the works that may gain: of a function that is whole in a way none in late rounds."""
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
    budget is looked at; where it has a rival, the first one alone.
    """
    count, batches = Counter[str](), dict[int, list[Wanted]]()
    for work, attempt in wanted:
        name, ahead = work.function.name, RUNGS_AT_ONCE - 1 if work.rival else 0
        batches.setdefault((count[name] + ahead) // RUNGS_AT_ONCE, []).append((work, attempt))
        count[name] += 1
    yield from (batches[k] for k in sorted(batches))


def climb(works: Works, rounds: Rounds) -> list[FunctionWork]:
    """Search the ways to write functions, ``works``, rung by rung; return the best one of each.

    Programs that were proved on a lower rung are judged on a higher one, too.
    """
    found: list[FunctionWork] = []
    for rung in rungs(rounds.run.options.effort):
        if found and rounds.run.clock.search.is_over:
            break
        works = [w.again(rung) for w in works] if found else works
        rounds.decide(works)
        made = best(works, rounds.ledger)
        found = [b.over(a) for a, b in zip(found, made, strict=True)] if found else made
    return found


def best(works: Works, ledger: Ledger) -> list[FunctionWork]:
    """Return one way to write each function: of those that are faster than the function as it is
    the fastest that was not taken back, else that, which reports the others.

    The works of a function follow each other, that without a way first.
    """
    found: list[FunctionWork] = []
    for _, group in groupby(works, key=lambda w: w.function.name):
        own, *others = group
        kept = [w for w in _faster(others, own.after()) if not _note_lost(own, w, ledger)]
        found.append(kept[0] if kept else own)
    return found


def _note_lost(own: FunctionWork, work: FunctionWork, ledger: Ledger) -> bool:
    """Tell whether a way to write a function was taken back, and the function's own work why."""
    way = work.variant.way
    why = None if way is None else ledger.why(way.entry)
    if way is None or why is None:
        return False
    own.notes += way.leave(why.reason).reports()
    return True


def _faster(works: Works, price: float | None) -> list[FunctionWork]:
    """Return the works that cost less than a price, or anything where there is none; the fastest
    first, of equal ones that of the cheapest programs.  What a loop carries in other lanes has to
    save more: joins take longer than an addition, which few iterations do not make up for.
    """
    most = math.inf if price is None else price
    shares = (1 - REFORMS_SAVE if _carries(w) else 1 for w in works)
    costs = [(w.after(), most * x, k) for k, (w, x) in enumerate(zip(works, shares, strict=True))]
    better = ((a, _price(works[k]), k) for a, least, k in costs if a is not None and a < least)
    return [works[k] for *_, k in sorted(better)]


def _carries(work: FunctionWork) -> bool:
    planned = work.variant.way
    return planned is not None and planned.way is not None and planned.way.carries


def _price(work: FunctionWork) -> int:
    return sum(c.candidate.program.cost for c in work.chosen())
