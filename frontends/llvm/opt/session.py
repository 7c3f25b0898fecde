"""The functions of one module on their way to the text that is written: transforms, windows, what
came of them, proved as LLVM reads it.  What is not proved is taken back, and its function decided
again; functions are searched in rounds (:mod:`frontends.llvm.opt.rungs`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Final

from frontends.llvm.opt.aim import Aim
from frontends.llvm.opt.budget import by_heat
from frontends.llvm.opt.changes import new_lines, replaced_lines
from frontends.llvm.opt.decided import Decided, key_of, print_of, read, write
from frontends.llvm.opt.function import FunctionWork, Rival
from frontends.llvm.opt.judge import Choice, Refusal
from frontends.llvm.opt.layers import Layering
from frontends.llvm.opt.planned import NOTHING
from frontends.llvm.opt.proofs import Chosen, Lost, Proofs
from frontends.llvm.opt.run import Run, Shared
from frontends.llvm.opt.rungs import Rounds, climb, rungs
from frontends.llvm.opt.stages import PROVE, SPLICE
from frontends.llvm.opt.variants import Key, Variant, variants_of, ways_of
from frontends.llvm.opt.writer import Text, Writer
from frontends.llvm.report.tried import FunctionReport, ModuleReport, WindowReport, is_scalable
from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.splicing.write import Edits, Rewrite, compose, edits, splice
from frontends.llvm.text.ast import Function
from frontends.llvm.text.identity import Pairing, contents
from frontends.llvm.transform.ledger import Entry, Ledger, Reason
from frontends.llvm.transform.table import REGROUPED_REDUCTIONS, WINDOWS
from isel.cost.gain import is_gain
from isel.cost.limits import FUNCTION
from isel.deadline import REACHED, OutOfTime
from isel.failures import Failure, Net

_OTHER: Final = "what was written is not what was proved"
_BEATEN: Final = Refusal("the function is faster without it")


@dataclass(eq=False)
class Session:
    """One run over a module that LLVM printed, and what writes it."""

    run: Run
    writer: Writer
    skipped: dict[str, str] = field(init=False, default_factory=dict)
    works: dict[str, FunctionWork] = field(init=False, default_factory=dict)
    known: dict[str, Decided] = field(init=False, default_factory=dict)
    failed: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        o = self.run.options
        self.module, self.net = self.run.module, Net(strict=o.strict)
        self.ledger, self.layering = Ledger(), Layering(self.run, self.net)
        self.rounds, self.proofs = Rounds(self.run, self.ledger), Proofs(self.run, self.net)
        whole = o.bisect_limit is None and not (o.verify_each or o.detailed)
        self.memory = self.run.tools.memory if whole else None
        self._keys: dict[str, str] = {}
        self._ways: dict[Key, list[FunctionWork]] = {}  # of each variant
        self._best: dict[Key, FunctionWork] = {}  # of these, unless one of its windows was lost
        self._late: set[str] = set()

    def rewrite(self) -> tuple[ModuleReport, Text | None]:
        """Decide every function, then write and prove the module; return the report and the text,
        None where nothing is changed.
        """
        self._decide(self.module.functions)
        text = self._write()
        return self.report(), text

    # What becomes of functions.

    def _decide(self, functions: Sequence[Function]) -> None:
        """Decide what becomes of functions, the hottest first: time is theirs.

        Variants are searched one after the other, those of all functions at once.
        """
        able = [f for f in functions if self._is_open(f)]
        if not able:
            return
        found, number = variants_of(self.layering, self.ledger, able), count(1)
        for group in by_heat([found[f.name][0].function for f in able]):
            todo = {f.name: found[f.name] for f in group}
            for _ in group:
                self.run.tools.tell("functions read", next(number), len(able))
            while todo:
                self._search([variant for variant, *_ in todo.values()])
                todo = {name: rest for name, (_, *rest) in todo.items() if rest}

    def _is_open(self, function: Function) -> bool:
        """Tell whether a function is to be decided: it is not left alone, nor known what becomes of
        it.
        """
        aim = self.run.aim(function)
        if isinstance(aim, str):
            self.skipped[function.name] = aim
            return False
        return not self._is_recalled(function, aim)

    def _is_recalled(self, function: Function, aim: Aim) -> bool:
        if self.memory is None:
            return False
        key = self._keys[function.name] = key_of(self.module, function, repr(self.run.about(aim)))
        known = function.name not in self.run.forgotten and read(self.memory.recall(key), function)
        if known:
            self.known[function.name] = known
        return function.name in self.known

    def _search(self, variants: Sequence[Variant]) -> None:
        """Search a variant of each function, and choose between it and what was chosen before."""
        done = {v.key: self._best[v.key] for v in variants if v.key in self._best}
        works = [w for v in variants if v.key not in done for w in self._works(v)]
        self.run.tools.watch(REGROUPED_REDUCTIONS, partial(_other_ways, works))
        self.run.tools.watch(WINDOWS, partial(_windows, works))
        for work in (*done.values(), *(climb(works, self.rounds) if works else ())):
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
            self.failed.add(name)
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
        name = work.function.name
        before = self.works.get(name)
        if before is None or not work.is_beaten():
            self.works[name] = work
        else:
            has = {p.entry for p in before.variant.kept}
            new = (p.entry for p in work.variant.kept if p.row.rival and p.entry not in has)
            self.ledger.take_back((entry, _BEATEN) for entry in new)
        late = work.timed_out or (before is not None and before.timed_out)
        self._late.update([name] if late else [])

    def _decide_again(self, lost: Iterable[Entry]) -> None:
        """Decide functions again without what was taken back, with the answers that are known."""
        windows = {e.function for e in lost if e.transform in (WINDOWS, REGROUPED_REDUCTIONS)}
        names = {e.function for e in lost}
        for name in names:
            work = self.works.pop(name)
            if name in windows:
                del self._best[work.variant.key]
        self._decide([f for f in self.module.functions if f.name in names])

    # What is written.

    def _write(self) -> Text | None:
        """Write what was decided, and prove it on the printed text, until nothing is taken back."""
        while True:
            old = {name: d.edits for name, d in self.known.items() if d.edits.lines}
            chosen = self._limit()
            if not (chosen or old or any(w.variant.kept for w in self.works.values())):
                self._keep(None)
                return None
            text = self.net.run(
                "the rewritten module", partial(self._text, [c.rewrite for _, c in chosen], old)
            )
            if stale := self._stale(old, text):
                self.run.forgotten.update(stale)
                self.known = {name: d for name, d in self.known.items() if name not in stale}
                self._decide([f for f in self.module.functions if f.name in stale])
                continue
            lost = self._lose(chosen, text)
            if isinstance(text, Text) and not lost:
                self.run.tools.watch(PROVE, partial(str, text.written))
                self._keep(text)
                return text
            if not self.ledger.take_back(lost):
                raise AssertionError(f"nothing can be taken back: {text}")
            self._decide_again([entry for entry, _ in lost])

    def _limit(self) -> list[tuple[FunctionWork, Choice]]:
        """Take back what is beyond the limit of rewrites; return those of windows."""
        limit = self.run.options.bisect_limit
        if limit is None:
            return [(w, c) for w in self._ordered() for c in w.chosen()]
        left, beyond, found = limit, Refusal(f"beyond --bisect-limit {limit}"), []
        for function in self.module.functions:
            while (work := self.works.get(function.name)) and (over := work.variant.kept[left:]):
                self.ledger.take_back((p.entry, beyond) for p in over)
                self.works.pop(function.name)
                self._decide([function])
            if work is not None:
                left -= len(work.variant.kept)
                chosen = work.chosen()
                for choice in chosen[left:]:
                    work.withdraw(choice, beyond.reason)
                found += [(work, c) for c in chosen[:left]]
                left -= len(chosen[:left])
        return found

    def _ordered(self) -> list[FunctionWork]:
        """Return what is chosen of functions, in the order of the module."""
        return [w for f in self.module.functions if (w := self.works.get(f.name)) is not None]

    def _text(self, rewrites: Sequence[Rewrite], old: Mapping[str, Edits]) -> Text | str:
        """Return the module with rewrites and with what is known of other functions, or why it
        is not accepted.
        """

        def new() -> dict[str, Edits]:
            found = ((w.function.name, self._edits(w, rewrites)) for w in self._ordered())
            return {name: e for name, e in found if e.lines}

        return self.writer.attempt(new, old)

    def _edits(self, work: FunctionWork, rewrites: Iterable[Rewrite]) -> Edits:
        """Return what becomes of the lines of a function; raise :class:`EmissionError`."""
        v = work.variant
        return compose(v.edits, self._own(work, rewrites), len(v.before.span))

    def _own(self, work: FunctionWork, rewrites: Iterable[Rewrite]) -> Edits:
        """Return what rewrites make of the lines that transforms left of a function."""
        name = work.function.name
        own = [r for r in rewrites if r.site.function == name]
        return edits(work.module, own, self.run.instructions).get(name, NOTHING)

    def _stale(self, old: Collection[str], text: Text | str | Failure) -> set[str]:
        """Return the functions of which what is known is not what was proved of them."""
        if isinstance(text, Failure) and old:
            self.net.caught.pop()  # it may be what is known that fails
        if not isinstance(text, Text):
            return set(old)
        return {n for n in old if print_of(text.printed, n) != self.known[n].printed}

    # What is taken back.

    def _lose(self, chosen: Chosen, text: Text | str | Failure) -> list[tuple[Entry, Reason]]:
        """Return what cannot be written of a text, is not proved, or is no gain, each with the
        reason.
        """
        if not isinstance(text, Text):
            return list(self._blame(chosen, text))
        self.run.tools.watch(SPLICE, partial(str, text.written))
        lost = list(self.proofs.unproved(chosen, text))
        lost = lost or [x for w in self._ordered() for x in self._doubtful(w, text)]
        return lost or list(self._unproved())

    def _doubtful(self, work: FunctionWork, text: Text) -> Lost:
        """Yield transforms that were written otherwise than they were proved, and the last one of
        those that alone are no gain where windows make none of it.
        """
        v, name = work.variant, work.function.name
        if not v.kept:
            return
        own = self._own(work, [c.rewrite for c in work.chosen()])
        gone = replaced_lines(own, v.module, v.function)
        lines = new_lines(v.edits, v.before, v.function) - gone
        texts = v.function, text.spliced.function(name), text.printed.function(name)
        from frontends.llvm.splicing.printed import as_written

        if not as_written(*texts, lines, Pairing(contents(v.module), contents(text.printed))):
            yield from ((p.entry, Refusal(_OTHER)) for p in v.kept)
            return
        doubtful = [p for p in v.kept if p.judgement and not p.judgement.accept]
        if doubtful and (why := self._why_lost(v.before, text)):
            yield doubtful[-1].entry, Refusal(why)

    def _why_lost(self, before: Function, text: Text) -> str:
        """Return why a transform that is no gain alone goes; empty if it stays."""
        j = self.layering.judge(before, self.module.text, text.spliced.text)
        if not j.accept:
            return j.reason
        return "" if is_gain(j.before, j.after, FUNCTION) else "too little is saved"

    def _unproved(self) -> Lost:
        """Prove what waited until it was known to stay, rivals and ways; yield what is not."""
        for work in self._ordered():
            before = work.variant.planned
            planned = tuple(p if p.proof or not p.kept else self.layering.prove(p) for p in before)
            lost = [p for p, q in zip(planned, before, strict=True) if q.kept and not p.kept]
            yield from ((p.entry, Refusal(p.why)) for p in lost)
            if not lost:
                work.variant = replace(work.variant, planned=planned)

    def _blame(self, chosen: Chosen, why: str | Failure) -> Lost:
        """Yield the rewrites on which writing fails by itself too; all of them where there are
        none, or where it was refused; where there is no rewrite what transforms did, ways first.
        """
        reason = Refusal(why) if isinstance(why, str) else why
        if not chosen:
            variants = [w.variant for w in self._ordered()]
            ways = [v.way for v in variants if v.way is not None]
            kept = ways or [p for v in variants for p in v.kept]
            yield from ((p.entry, reason) for p in kept)
        alone = chosen if isinstance(why, Failure) and len(chosen) > 1 else ()
        jobs = [(x, partial(self._text, [x[1].rewrite], {})) for x in alone]
        culprits = [x for x, job in jobs if isinstance(self.net.run(x[1].place, job), Failure)]
        for _, c in culprits or chosen:
            yield c.entry, c.refusal(why) if isinstance(why, str) else why

    # What is kept and said.

    def _keep(self, text: Text | None) -> None:
        """Let what was decided be recalled, unless more time, another solver or another module
        might give something else, or something failed.
        """
        for work in self._ordered() if self.memory is not None else ():
            if work.settled and work.function.name not in self.layering.unsettled:
                self.net.run(f"@{work.function.name}", partial(self._keep_one, work, text))

    def _keep_one(self, work: FunctionWork, text: Text | None) -> None:
        assert self.memory is not None
        v, name = work.variant, work.function.name
        made = NOTHING if text is None else text.new.get(name, NOTHING)
        printed = print_of(self.module if text is None else text.printed, name)
        count = len(v.function.view.work)
        rows = tuple(work.reports())
        decided = Decided(made, printed, rows, count, *work.coverage(), work.cost())
        self.memory.keep(self._keys[name], write(decided, v.before))

    def report(self) -> ModuleReport:
        """Return what was done."""
        rows = [self._row(f) for f in self.module.functions]
        names = self._not_done() if self.run.options.time_limit is not None else ()
        windows = (w for _, found in rows for w in found)
        ordered = tuple(sorted(windows, key=lambda w: w.place.line))
        functions, caught = tuple(f for f, _ in rows), tuple(self.net.caught)
        return ModuleReport(self.run.file, ordered, functions, bool(names), caught, names)

    def _not_done(self) -> tuple[str, ...]:
        """Return the functions that the time limit left out, or in part."""
        late = self._late | {name for name, w in self.works.items() if w.timed_out}
        late.update(name for name, why in self.skipped.items() if why == REACHED)
        return tuple(f.name for f in self.module.functions if f.name in late)

    def _row(self, f: Function) -> tuple[FunctionReport, list[WindowReport]]:
        """Return the report of a function, which was searched, or is known, or was skipped."""
        work, known = self.works.get(f.name), self.known.get(f.name)
        if work is not None:
            found, covered, cost = work.reports(), work.coverage(), work.cost()
            total = len(work.function.view.work)
        elif known is not None:
            found, covered = known.reports(f), (known.inside, known.left_out)
            cost, total = known.cost, known.count
        else:
            why, failed = self.skipped.get(f.name, ""), f.name in self.failed
            return FunctionReport(f.name, why, len(f.view.work), 0, {}, failed), []
        scalable = not found and is_scalable(f)
        return FunctionReport(f.name, "", total, *covered, False, cost, scalable), found


def _other_ways(works: Sequence[FunctionWork]) -> str:
    """Return the functions that are tried in other ways, in each of them."""
    written = ((w.function, w.module.lines) for w in works if w.variant.way is not None)
    return "\n".join("\n".join(lines[f.first : f.last + 1]) for f, lines in written)


def _windows(works: Sequence[FunctionWork]) -> str:
    """Return the largest window of each place."""
    return "\n".join(text for w in works for text in w.windows())
