"""The functions of one module on their way through the rounds: planned, searched, judged, written,
and what was written proved.

Functions are decided in rounds (:mod:`frontends.llvm.opt.rungs`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from frontends.llvm.opt.aim import Aim
from frontends.llvm.opt.budget import by_heat
from frontends.llvm.opt.decided import Decided, key_of, print_of, read, write
from frontends.llvm.opt.forms import edits_of, forms_of
from frontends.llvm.opt.function import FunctionWork, Rival
from frontends.llvm.opt.judge import Choice, Refusal
from frontends.llvm.opt.proofs import Chosen, Lost, Proofs
from frontends.llvm.opt.run import Run, Shared
from frontends.llvm.opt.rungs import Rounds, climb, rungs
from frontends.llvm.opt.stages import PROVE, SPLICE
from frontends.llvm.opt.writer import Text, Writer
from frontends.llvm.report.tried import FunctionReport, ModuleReport, WindowReport, is_scalable
from frontends.llvm.splicing.write import Edits, Rewrite
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.transform.ledger import Entry, Ledger, Reason
from frontends.llvm.transform.table import REGROUPED_REDUCTIONS, WINDOWS
from frontends.llvm.windows.scene import Scene
from isel.deadline import REACHED, OutOfTime
from isel.failures import Failure, Net


@dataclass
class Session:
    """What transforms made of a module, on its way through the rounds; at most ``limit`` windows
    are rewritten.

    ``rivals`` judge functions, by their names, against other ways to write them: those that are
    ``beaten`` by these end the run.
    """

    run: Run
    module: Module
    writer: Writer
    ledger: Ledger
    limit: int | None
    rivals: Mapping[str, Rival]
    skipped: dict[str, str] = field(default_factory=dict)
    works: list[FunctionWork] = field(default_factory=list)
    forms: dict[str, list[FunctionWork]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    known: dict[str, Decided] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    beaten: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        o = self.run.options
        self.net, self.rounds = Net(strict=o.strict), Rounds(self.run, self.ledger)
        self.proofs = Proofs(self.run, self.module, self.net)
        whole = self.limit is None and not (o.verify_each or o.detailed)
        self.memory = self.run.tools.memory if whole else None

    def rewrite(self) -> Text | None:
        """Decide every function, then write and prove the module; None where nothing is changed."""
        self._decide(self.module.functions)
        return None if self._find_beaten() else self._write()

    def _find_beaten(self) -> frozenset[str]:
        """Find the functions that are not as fast as their rivals."""
        self.beaten = frozenset(w.function.name for w in self.works if w.is_beaten())
        return self.beaten

    def _decide(self, functions: Sequence[Function]) -> None:
        """Decide what becomes of functions, the hottest first: time is theirs."""
        read, tools = count(), self.run.tools
        for group in by_heat(functions):
            works: list[FunctionWork] = []
            for function in group:
                tools.tell("functions read", next(read) + 1, len(functions))
                works += self._work(function)
            tools.watch(REGROUPED_REDUCTIONS, partial(_forms, works))
            tools.watch(WINDOWS, partial(_windows, works))
            for w in works:
                self.forms.setdefault(w.function.name, []).append(w)
            self.works += climb(works, self.rounds) if works else []
        places = {f.name: k for k, f in enumerate(self.module.functions)}
        self.works.sort(key=lambda w: places[w.function.name])

    def _work(self, function: Function) -> list[FunctionWork]:
        """Cut the forms of a function into windows; none where it is left alone, or known what
        becomes of it.
        """
        aim = self.run.aim(function)
        if isinstance(aim, str):
            self.skipped[function.name] = aim
            return []
        try:
            works = self.net.run(f"@{function.name}", partial(self._plan, function, aim))
        except OutOfTime:
            self.skipped[function.name] = REACHED
            return []
        if isinstance(works, Failure):
            self.skipped[function.name] = works.reason
            self.failed.add(function.name)
            return []
        return works

    def _plan(self, function: Function, aim: Aim) -> list[FunctionWork]:
        run, o = self.run, self.run.options
        if self._is_recalled(function, aim):
            return []
        budget = run.tools.budget(function, o.effort)
        shared = Shared(run, aim, self.proofs.vet, self.net, self.ledger, budget)
        assert run.target is not None
        scene = partial(
            Scene, target=run.target, assume_defined=o.assume_no_undef, deadline=run.clock.search
        )
        rival = self.rivals.get(function.name)
        forms = enumerate(forms_of(self.module, function, aim.bits, o.disabled))
        return [FunctionWork(shared, scene(m, f), reform, k, rival) for k, (m, f, reform) in forms]

    def _is_recalled(self, function: Function, aim: Aim) -> bool:
        """Tell whether it is known what becomes of a function."""
        if self.memory is None:
            return False
        asked = repr(self.run.about(aim)) + " beside a rival" * (function.name in self.rivals)
        key = self.keys[function.name] = key_of(self.module, function, asked)
        known = function.name not in self.run.forgotten and read(self.memory.recall(key), function)
        if known:
            self.known[function.name] = known
        return function.name in self.known

    def _write(self) -> Text | None:
        """Write the accepted rewrites and prove them on the printed text; for what is not proved is
        taken back, functions are decided again.
        """
        while True:
            old = {name: d.edits for name, d in self.known.items() if d.edits.lines}
            chosen = self._limit()
            if not (chosen or old or any(w.reform for w in self.works)):
                self._keep({}, self.module)
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
                if self._find_beaten():
                    return None
                self.run.tools.watch(PROVE, partial(str, text.written))
                self._keep(text.new, text.printed)
                return text
            if not self.ledger.take_back(lost):
                raise AssertionError(f"nothing can be taken back: {text}")
            self._decide_again({entry.function for entry, _ in lost})

    def _lose(self, chosen: Chosen, text: Text | str | Failure) -> list[tuple[Entry, Reason]]:
        """Return what cannot be written or is not proved of a text, each with the reason."""
        if isinstance(text, Text):
            self.run.tools.watch(SPLICE, partial(str, text.written))
            return list(self.proofs.unproved(self.works, chosen, text))
        return list(self._blame(chosen, text))

    def _stale(self, old: Collection[str], text: Text | str | Failure) -> set[str]:
        """Return the functions of which what is known is not what was proved of them."""
        if isinstance(text, Failure) and old:
            self.net.caught.pop()  # it may be what is known that fails
        if not isinstance(text, Text):
            return set(old)
        return {n for n in old if print_of(text.printed, n) != self.known[n].printed}

    def _decide_again(self, names: Collection[str]) -> None:
        """Decide functions again without what was taken back, with the answers that are known."""
        for k, work in enumerate(self.works):
            if work.function.name in names:
                forms = self.forms[work.function.name]
                work.budget.renew()
                anew = [w.again(rungs(self.run.options.effort)[0], anew=True) for w in forms]
                (self.works[k],) = climb(anew, self.rounds)
                self.works[k].timed_out |= work.timed_out

    def _text(self, rewrites: Sequence[Rewrite], old: Mapping[str, Edits]) -> Text | str:
        """Return the module with rewrites and with what is known of other functions, or why it
        is not accepted.
        """
        new = partial(edits_of, self.works, rewrites, self.run.instructions)
        return self.writer.attempt(new, old)

    def _blame(self, chosen: Chosen, why: str | Failure) -> Lost:
        """Yield the rewrites on which writing fails by itself too; all of them where there are
        none, or where it was refused; where there is no rewrite the forms.
        """
        reason = Refusal(why) if isinstance(why, str) else why
        yield from ((w.entry, reason) for w in self.works if w.reform is not None and not chosen)
        alone = chosen if isinstance(why, Failure) and len(chosen) > 1 else ()
        jobs = [(x, partial(self._text, [x[1].rewrite], {})) for x in alone]
        culprits = [x for x, job in jobs if isinstance(self.net.run(x[1].place, job), Failure)]
        for _, c in culprits or chosen:
            yield c.entry, c.refusal(why) if isinstance(why, str) else why

    def _keep(self, new: Mapping[str, Edits], printed: Module) -> None:
        """Let what was decided be recalled, unless more time, another solver or another module
        might give something else, or something failed.
        """
        for work in self.works if self.memory is not None else ():
            if work.settled:
                self.net.run(f"@{work.function.name}", partial(self._keep_one, work, new, printed))

    def _keep_one(self, work: FunctionWork, new: Mapping[str, Edits], printed: Module) -> None:
        assert self.memory is not None
        name = work.function.name
        windows = tuple((r.place.root, r) for r in work.reports())
        made = new.get(name, Edits({}, {})), print_of(printed, name)
        decided = Decided(*made, windows, *work.coverage(), work.cost())
        self.memory.keep(self.keys[name], write(decided))

    def _limit(self) -> list[tuple[FunctionWork, Choice]]:
        chosen = [(w, c) for w in self.works for c in w.chosen()]
        if self.limit is not None:
            for work, choice in chosen[self.limit :]:
                work.withdraw(choice, f"beyond --bisect-limit {self.limit}")
        return chosen[: self.limit]

    def report(self) -> ModuleReport:
        """Return what was done."""
        works = {w.function.name: w for w in self.works}
        rows = [self._row(f, works.get(f.name)) for f in self.module.functions]
        names = self._late() if self.run.options.time_limit is not None else ()
        windows = tuple(w for _, found in rows for w in found)
        functions, caught = tuple(f for f, _ in rows), tuple(self.net.caught)
        return ModuleReport(self.run.file, windows, functions, bool(names), caught, names)

    def _late(self) -> tuple[str, ...]:
        """Return the functions that the time limit left out, or in part."""
        late = {w.function.name for w in self.works if w.timed_out}
        late.update(name for name, why in self.skipped.items() if why == REACHED)
        return tuple(f.name for f in self.module.functions if f.name in late)

    def _row(
        self, f: Function, work: FunctionWork | None
    ) -> tuple[FunctionReport, list[WindowReport]]:
        """Return the report of a function, which was searched, or is known, or was skipped."""
        count, kept = len(f.view.work), self.known.get(f.name)
        if work is not None:
            found, covered, cost = work.reports(), work.coverage(), work.cost()
        elif kept is not None:
            found, covered = kept.reports(self.module, f), (kept.inside, kept.left_out)
            cost = kept.cost
        else:
            why, failed = self.skipped.get(f.name, ""), f.name in self.failed
            return FunctionReport(f.name, why, count, 0, {}, failed), []
        scalable = not found and is_scalable(f)
        return FunctionReport(f.name, "", count, *covered, False, cost, scalable), found


def _forms(works: Sequence[FunctionWork]) -> str:
    """Return the functions that are tried in another form, in each of them."""
    forms = ((w.function, w.module.lines) for w in works if w.reform is not None)
    return "\n".join("\n".join(lines[f.first : f.last + 1]) for f, lines in forms)


def _windows(works: Sequence[FunctionWork]) -> str:
    """Return the largest window of each place."""
    return "\n".join(text for w in works for text in w.windows())
