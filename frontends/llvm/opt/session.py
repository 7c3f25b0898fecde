"""The functions of one module on their way through the rounds: planned, searched, judged, written,
and what was written proved.

Functions are decided in rounds (:mod:`frontends.llvm.opt.rungs`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import count

from frontends.llvm.linked import binding
from frontends.llvm.opt.aim import Aim, aim_of, why_skip
from frontends.llvm.opt.budget import by_heat
from frontends.llvm.opt.decided import Decided, Stale, key_of, print_of, read, write
from frontends.llvm.opt.forms import best, edits_of, forms_of
from frontends.llvm.opt.function import FunctionWork
from frontends.llvm.opt.judge import Choice, Refusal
from frontends.llvm.opt.options import NotProved, Options, Tools
from frontends.llvm.opt.proofs import Chosen, Lost, Proofs, why_not
from frontends.llvm.opt.rows import rows_of
from frontends.llvm.opt.rungs import Rounds, climb, rungs
from frontends.llvm.opt.search import Recipe
from frontends.llvm.opt.stages import PROVE, SPLICE
from frontends.llvm.opt.writer import Text, Writer
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.splicing.write import Edits, Rewrite
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger, Reason
from frontends.llvm.transform.table import REGROUPED_REDUCTIONS, WINDOWS
from frontends.llvm.windows.scene import Scene
from isel.deadline import REACHED, Clock, OutOfTime
from isel.errors import UnknownName
from isel.failures import Failure, Net
from isel.model.mechanisms import enabled
from isel.model.verdict import Proved
from isel.spec.instruction import Instructions
from isel.spec.target import Target


@dataclass
class Session:
    """One module on its way through the rounds; of ``forgotten`` functions nothing is recalled."""

    module: Module
    options: Options
    tools: Tools
    file: str
    rounds: Rounds
    clock: Clock
    forgotten: frozenset[str]
    writer: Writer
    ledger: Ledger
    skipped: dict[str, str] = field(default_factory=dict)
    works: list[FunctionWork] = field(default_factory=list)
    forms: dict[str, list[FunctionWork]] = field(default_factory=dict)
    instructions: Instructions = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    known: dict[str, Decided] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        o = self.options
        self.net = Net(strict=o.strict)
        self.triple = o.triple or self.module.triple or binding.host_triple()
        self.choose = partial(best, ledger=self.ledger)
        self.proofs = Proofs(self.module, self.triple, o, self.tools, self.clock, self.net)
        whole = o.bisect_limit is None and not (o.verify_each or o.detailed)
        self.memory = self.tools.memory if whole else None

    def run(self) -> Text | None:
        """Decide every function, then write and prove the module; None where nothing is changed."""
        target = self._target()
        if target is not None:
            self.instructions = {i.name: i for i in target.instructions()}
            make = self.tools.make_judge
            self.judge_for = cache(lambda cpu, named: make(target, cpu, named, self.triple))
            self._decide(target)
        return self._write()

    def _decide(self, target: Target) -> None:
        """Decide what becomes of every function, the hottest first: time is theirs."""
        functions, read = self.module.functions, count()
        for group in by_heat(functions):
            works: list[FunctionWork] = []
            for function in group:
                self.tools.tell("functions read", next(read) + 1, len(functions))
                works += self._work(function, target)
            self.tools.watch(REGROUPED_REDUCTIONS, partial(_forms, works))
            self.tools.watch(WINDOWS, partial(_windows, works))
            for w in works:
                self.forms.setdefault(w.function.name, []).append(w)
            self.works += climb(works, self.rounds, self.choose) if works else []
        places = {f.name: k for k, f in enumerate(functions)}
        self.works.sort(key=lambda w: places[w.function.name])

    def _target(self) -> Target | None:
        try:
            return self.tools.target_of(self.triple)
        except UnknownName:
            if self.options.triple:
                raise
            self.skipped.update(
                (f.name, f"no target for the triple '{self.triple}'") for f in self.module.functions
            )
            return None

    def _work(self, function: Function, target: Target) -> list[FunctionWork]:
        aimed = why_skip(self.module, function, self.options) or aim_of(
            function, target, self.options
        )
        if isinstance(aimed, str):
            self.skipped[function.name] = aimed
            return []
        try:
            works = self.net.run(f"@{function.name}", partial(self._plan, function, target, aimed))
        except OutOfTime:
            self.skipped[function.name] = REACHED
            return []
        if isinstance(works, Failure):
            self.skipped[function.name] = works.reason
            self.failed.add(function.name)
            return []
        return works

    def _plan(self, function: Function, target: Target, aim: Aim) -> list[FunctionWork]:
        """Cut the forms of a function into windows; none where it is known what becomes of it."""
        o, tools = self.options, self.tools
        recipe = Recipe(
            tools.target_of,
            tools.make,
            rungs(o.effort)[0],
            self.triple,
            aim.priced,
            aim.features,
            aim.bits,
        )
        if self._is_recalled(function, recipe, aim.cpu):
            return []
        budget = tools.budget(function, o.effort)
        judge = self.judge_for(aim.cpu, aim.named)
        limits = replace(o.limits, register=recipe.vector_bits)
        return [
            FunctionWork(
                Scene(m, f, target, assume_defined=o.assume_no_undef, deadline=self.clock.search),
                recipe,
                self.instructions,
                judge,
                partial(self._vet, m),
                limits,
                self.net,
                budget,
                detailed=o.detailed,
                reform=reform,
                form=k,
                cut=enabled(o.disabled, WINDOWS),
                ledger=self.ledger,
            )
            for k, (m, f, reform) in enumerate(
                forms_of(self.module, function, recipe.vector_bits, o.disabled)
            )
        ]

    def _is_recalled(self, function: Function, recipe: Recipe, cpu: str) -> bool:
        """Tell whether it is known what becomes of a function."""
        if self.memory is None:
            return False
        o, digest = self.options, self.tools.target_of(self.triple).digest
        machine = (
            digest,
            recipe.triple,
            cpu,
            recipe.cpu,
            sorted(recipe.features),
            recipe.vector_bits,
        )
        asked = *machine, o.effort, o.assume_no_undef, o.disabled, o.limits, o.llvm_version
        key = self.keys[function.name] = key_of(self.module, function, repr(asked))
        found = None if function.name in self.forgotten else read(self.memory.recall(key), function)
        if found is not None:
            self.known[function.name] = found
        return found is not None

    def _vet(self, module: Module, text: str, rewrites: Sequence[Rewrite]) -> str:
        """Return the text as LLVM prints it; raise an error if LLVM or, on request, the
        verifier does not accept it.
        """
        printed = binding.normalise(text, self.file)
        if self.options.verify_each:
            checker = self.proofs.checker(module, parse_module(text), parse_module(printed))
            for v in map(checker.check, rewrites):
                if not isinstance(v, Proved):
                    raise NotProved(why_not(v))
        return printed

    def _write(self) -> Text | None:
        """Write the accepted rewrites and prove them on the printed text; for what is not proved is
        taken back, functions are decided again.
        """
        old = {name: d.edits for name, d in self.known.items() if d.edits.lines}
        while True:
            chosen = self._limit()
            if not (chosen or old or any(w.reform for w in self.works)):
                self._keep({}, self.module)
                return None
            text = self.net.run(
                "the rewritten module", partial(self._text, [c.rewrite for _, c in chosen], old)
            )
            lost = self._lose(chosen, text, old)
            if isinstance(text, Text) and not lost:
                self.tools.watch(PROVE, partial(_write, text))
                self._keep(text.new, text.printed)
                return text
            if not self.ledger.take_back(lost):
                raise AssertionError(f"nothing can be taken back: {text}")
            self._decide_again({entry.function for entry, _ in lost})

    def _lose(
        self, chosen: Chosen, text: Text | str | Failure, old: Mapping[str, Edits]
    ) -> list[tuple[Entry, Reason]]:
        """Return what cannot be written or is not proved of a text, each with the reason."""
        if isinstance(text, Text):
            self._check_known(old, text)
            self.tools.watch(SPLICE, partial(_write, text))
            return list(self.proofs.unproved(self.works, chosen, text))
        if old:
            raise Stale(frozenset(old))
        return list(self._blame(chosen, text))

    def _check_known(self, old: Mapping[str, Edits], text: Text) -> None:
        """Raise :class:`Stale` where what is known of functions is not what was proved of them."""
        known = {name: self.known[name].printed for name in old}
        stale = frozenset(n for n, p in known.items() if print_of(text.printed, n) != p)
        if stale:
            raise Stale(stale)

    def _decide_again(self, names: Collection[str]) -> None:
        """Decide functions again without what was taken back, with the answers that are known."""
        for k, work in enumerate(self.works):
            if work.function.name in names:
                forms = self.forms[work.function.name]
                work.budget.renew()
                anew = [w.again(rungs(self.options.effort)[0], anew=True) for w in forms]
                (self.works[k],) = climb(anew, self.rounds, self.choose)
                self.works[k].timed_out |= work.timed_out

    def _text(self, rewrites: Sequence[Rewrite], old: Mapping[str, Edits]) -> Text | str:
        """Return the module with rewrites and with what is known of other functions, or why it
        is not accepted.
        """
        new = partial(edits_of, self.works, rewrites, self.instructions)
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
        inside, left_out = work.coverage()
        decided = Decided(
            new.get(name, Edits({}, {})),
            print_of(printed, name),
            windows,
            inside,
            left_out,
            work.cost(),
        )
        self.memory.keep(self.keys[name], write(decided))

    def _limit(self) -> list[tuple[FunctionWork, Choice]]:
        chosen = [(w, c) for w in self.works for c in w.chosen()]
        limit = self.options.bisect_limit
        if limit is None or limit >= len(chosen):
            return chosen
        for work, choice in chosen[limit:]:
            work.withdraw(choice, f"beyond --bisect-limit {limit}")
        return chosen[:limit]

    def report(self) -> ModuleReport:
        """Return what was done."""
        functions, windows = rows_of(self.module, self.works, self.known, self.skipped, self.failed)
        late = {w.function.name for w in self.works if w.timed_out}
        late.update(name for name, why in self.skipped.items() if why == REACHED)
        if self.options.time_limit is None:
            late.clear()
        return ModuleReport(
            self.file,
            windows,
            functions,
            bool(late),
            tuple(self.net.caught),
            tuple(f.name for f in self.module.functions if f.name in late),
        )


def _write(text: Text) -> str:
    return text.written


def _forms(works: Sequence[FunctionWork]) -> str:
    """Return the functions that are tried in another form, in each of them."""
    forms = ((w.function, w.module.lines) for w in works if w.reform is not None)
    return "\n".join("\n".join(lines[f.first : f.last + 1]) for f, lines in forms)


def _windows(works: Sequence[FunctionWork]) -> str:
    """Return the largest window of each place."""
    return "\n".join(text for w in works for text in w.windows())
