"""What becomes of the functions of a module: which variant of each is written, with which windows.

The variants of a function are searched one after the other, each in all the ways to write it side
by side; functions are searched in rounds (:mod:`frontends.llvm.pipeline.rungs`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from frontends.llvm.pipeline.aim import Aim
from frontends.llvm.pipeline.budget import by_heat
from frontends.llvm.pipeline.decided import Decided, key_of, print_of, read, write
from frontends.llvm.pipeline.function import FunctionWork, Rival
from frontends.llvm.pipeline.judge import Refusal
from frontends.llvm.pipeline.layers import Layering
from frontends.llvm.pipeline.planned import NOTHING
from frontends.llvm.pipeline.proofs import Proofs
from frontends.llvm.pipeline.run import Run, Shared
from frontends.llvm.pipeline.rungs import Rounds, climb, rungs
from frontends.llvm.pipeline.variants import Key, Variant, variants_of, ways_of
from frontends.llvm.pipeline.writer import Text
from frontends.llvm.report.tried import FunctionReport, ModuleReport, WindowReport, is_scalable
from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.splicing.write import splice
from frontends.llvm.text.ast import Function
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.table import REGROUPED_REDUCTIONS, WINDOWS
from isel.deadline import REACHED, OutOfTime
from isel.failures import Failure, Net

_BEATEN: Final = Refusal("the function is faster without it")


@dataclass(eq=False)
class Decisions:
    """What was decided of each function, what is known of it from elsewhere, or why it is left
    alone; what is in the ledger is left out.
    """

    run: Run
    net: Net
    ledger: Ledger
    works: dict[str, FunctionWork] = field(init=False, default_factory=dict)
    known: dict[str, Decided] = field(init=False, default_factory=dict)
    skipped: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        o = self.run.options
        self.layering = Layering(self.run, self.net)
        self.rounds, self.proofs = Rounds(self.run, self.ledger), Proofs(self.run, self.net)
        whole = o.bisect_limit is None and not (o.verify_each or o.detailed)
        self.memory = self.run.tools.memory if whole else None
        self._keys: dict[str, str] = {}
        self._ways: dict[Key, list[FunctionWork]] = {}  # of each variant
        self._best: dict[Key, FunctionWork] = {}  # of these, unless something of it was lost
        self._failed: set[str] = set()
        self._late: set[str] = set()

    def decide(self, functions: Sequence[Function]) -> None:
        """Decide what becomes of functions, the hottest first: time is theirs."""
        able = [f for f in functions if self._is_open(f)]
        found = variants_of(self.layering, self.ledger, able) if able else {}
        count = 0
        for group in by_heat([of[0].function for of in found.values()]):
            for _ in group:
                self.run.tools.tell("functions read", count := count + 1, len(able))
            self._search_all([found[f.name] for f in group])

    def decide_again(self, lost: Collection[Entry]) -> None:
        """Decide functions again without what was taken back, with the answers that are known."""
        names = dict.fromkeys(entry.function for entry in lost)
        searched = {e.function for e in lost if e.transform in (WINDOWS, REGROUPED_REDUCTIONS)}
        for work in (self.works.pop(name) for name in names):
            if work.function.name in searched:
                del self._best[work.variant.key]
        self.decide([f for f in self.run.module.functions if f.name in names])

    def forget(self, names: Collection[str]) -> None:
        """Decide functions of which something else was known."""
        self.run.forgotten.update(names)
        self.known = {name: d for name, d in self.known.items() if name not in names}
        self.decide([f for f in self.run.module.functions if f.name in names])

    def ordered(self) -> list[FunctionWork]:
        """Return what was decided of functions, in the order of the module."""
        return [w for f in self.run.module.functions if (w := self.works.get(f.name)) is not None]

    # Whether a function is decided.

    def _is_open(self, function: Function) -> bool:
        """Tell whether a function is to be decided: it is not left alone, nor known what becomes of
        it.
        """
        aim, name = self.run.aim(function), function.name
        if isinstance(aim, str):
            self.skipped[name] = aim
            return False
        if self.memory is None:
            return True
        about = repr(self.run.about(aim))
        key = self._keys[name] = key_of(self.run.module, function, about)
        known = name not in self.run.forgotten and read(self.memory.recall(key), function)
        if known:
            self.known[name] = known
        return not known

    def keep(self, text: Text | None) -> None:
        """Let what was decided be recalled, unless more time, another solver or another module
        might give something else, or something failed.
        """
        for work in self.ordered() if self.memory is not None else ():
            if work.settled and work.function.name not in self.layering.unsettled:
                self.net.run(f"@{work.function.name}", partial(self._keep_one, work, text))

    def _keep_one(self, work: FunctionWork, text: Text | None) -> None:
        assert self.memory is not None
        name = work.function.name
        made = NOTHING if text is None else text.new.get(name, NOTHING)
        printed = print_of(self.run.module if text is None else text.printed, name)
        count = len(work.function.view.work)
        rows, covered = tuple(work.reports()), work.coverage()
        decided = Decided(made, printed, rows, count, covered, work.cost())
        self.memory.keep(self._keys[name], write(decided, work.variant.before))

    # Variants, one after the other.

    def _search_all(self, variants: Sequence[Sequence[Variant]]) -> None:
        """Search the first variant of each function, all of them at once, then the next ones."""
        for k in range(max(map(len, variants))):
            self._search([of[k] for of in variants if k < len(of)])

    def _search(self, variants: Sequence[Variant]) -> None:
        """Search a variant of each function, and choose between it and what was chosen before."""
        done = [self._best[v.key] for v in variants if v.key in self._best]
        works = [w for v in variants if v.key not in self._best for w in self._works(v)]
        self.run.tools.watch(REGROUPED_REDUCTIONS, partial(_other_ways, works))
        self.run.tools.watch(WINDOWS, partial(_windows, works))
        for work in (*done, *(climb(works, self.rounds) if works else ())):
            self._best[work.variant.key] = work
            self._choose(work)

    def _works(self, variant: Variant) -> list[FunctionWork]:
        """Cut the ways to write a variant into windows; return none where that fails."""
        name, known = variant.function.name, self._ways.get(variant.key)
        if known is not None:
            known[0].budget.renew()
            return [w.again(rungs(self.run.options.effort)[0], anew=True) for w in known]
        try:
            works = self.net.run(f"@{name}", partial(self._cut, variant))
        except OutOfTime:
            self.skipped[name] = REACHED
            return []
        if isinstance(works, Failure):
            self.skipped[name] = works.reason
            self._failed.add(name)
            return []
        self._ways[variant.key] = works
        return works

    def _cut(self, variant: Variant) -> list[FunctionWork]:
        run, o = self.run, self.run.options
        aim = run.aim(variant.before)
        assert isinstance(aim, Aim)
        budget = run.tools.budget(variant.function, o.effort)
        shared = Shared(run, aim, self.proofs.vet, self.net, self.ledger, budget)
        rival = self._rival(variant.before)
        return [FunctionWork(shared, v, rival) for v in ways_of(variant, aim.bits, o.disabled)]

    def _rival(self, function: Function) -> Rival | None:
        """Return what judges a text of a function against what was chosen before."""
        work = self.works.get(function.name)
        if work is None:
            return None
        try:
            own = [c.rewrite for c in work.chosen()]
            text = splice(work.module, own, self.run.instructions)
        except EmissionError:
            text = work.module.text
        return partial(self.layering.judge, function, after=text)

    def _choose(self, work: FunctionWork) -> None:
        """Let a function be written so, unless it is faster as it was chosen before."""
        self._late.update([work.function.name] if work.timed_out else [])
        before = self.works.get(work.function.name)
        if before is None or not work.is_beaten():
            self.works[work.function.name] = work
            return
        new = work.variant.rivals - before.variant.rivals
        self.ledger.take_back((entry, _BEATEN) for entry in sorted(new))

    # What is said of it.

    def report(self) -> ModuleReport:
        """Return what was done."""
        rows = [self._row(f) for f in self.run.module.functions]
        names = self._not_done() if self.run.options.time_limit is not None else ()
        windows = (w for _, found in rows for w in found)
        ordered = tuple(sorted(windows, key=lambda w: w.place.line))
        functions, caught = tuple(f for f, _ in rows), tuple(self.net.caught)
        return ModuleReport(self.run.file, ordered, functions, bool(names), caught, names)

    def _not_done(self) -> tuple[str, ...]:
        """Return the functions that the time limit left out, or in part."""
        late = self._late | {name for name, w in self.works.items() if w.timed_out}
        late.update(name for name, why in self.skipped.items() if why == REACHED)
        return tuple(f.name for f in self.run.module.functions if f.name in late)

    def _row(self, f: Function) -> tuple[FunctionReport, list[WindowReport]]:
        """Return the report of a function, which was searched, or is known, or was skipped."""
        work, known = self.works.get(f.name), self.known.get(f.name)
        covered: tuple[int, Mapping[str, int]]
        if work is not None:
            found, covered, cost = work.reports(), work.coverage(), work.cost()
            count = len(work.function.view.work)
        elif known is not None:
            found, covered = known.reports(f), known.covered
            cost, count = known.cost, known.count
        else:
            why, failed = self.skipped.get(f.name, ""), f.name in self._failed
            return FunctionReport(f.name, why, len(f.view.work), 0, {}, failed), []
        scalable = not found and is_scalable(f)
        return FunctionReport(f.name, "", count, *covered, False, cost, scalable), found


def _other_ways(works: Sequence[FunctionWork]) -> str:
    """Return the functions that are tried in other ways, in each of them."""
    written = ((w.function, w.module.lines) for w in works if w.variant.way is not None)
    return "\n".join("\n".join(lines[f.first : f.last + 1]) for f, lines in written)


def _windows(works: Sequence[FunctionWork]) -> str:
    """Return the largest window of each place."""
    return "\n".join(text for w in works for text in w.windows())
