"""What transforms make of functions before windows are cut, which then see plain code.

Each transform is planned on what those before it left, proved block by block on what LLVM prints,
and judged by the gate, a function at a time.  One that is ``patient`` is tried where it alone is no
gain, and stays if the function is faster with what windows make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from frontends.llvm.linked import binding
from frontends.llvm.linked.layouts import with_layout, with_own_layout
from frontends.llvm.linked.worker import WorkerFailed
from frontends.llvm.machine.named import read_names
from frontends.llvm.pipeline.aim import Aim
from frontends.llvm.pipeline.changes import changes_of, edits_of
from frontends.llvm.pipeline.planned import Planned
from frontends.llvm.pipeline.run import Run
from frontends.llvm.splicing.write import edit
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.identity import contents
from frontends.llvm.text.isolate import isolate, name_alone
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.site import Change, Scope
from frontends.llvm.transform.table import Row, before_windows
from isel.cost.judgement import Judgement
from isel.errors import IselError
from isel.failures import Failure, Net
from isel.model.verdict import Proved, Verdict
from isel.spec.target import Target

if TYPE_CHECKING:  # what proves functions is imported where there is something to prove
    from frontends.llvm.refine.frames import Frames

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Layers:
    """A module, and what transforms make of it one after the other."""

    before: Module
    module: Module
    planned: tuple[Planned, ...]

    @property
    def kept(self) -> tuple[Planned, ...]:
        """What changes a function."""
        return tuple(p for p in self.planned if p.kept)

    @property
    def rivals(self) -> list[Planned]:
        """What a function is written without as well."""
        return [p for p in self.kept if p.row.rival]


@dataclass
class Layering:
    """Applies transforms for one run of the rewriter; of ``unsettled`` functions it may come to
    something else another time.
    """

    run: Run
    net: Net
    unsettled: set[str] = field(init=False, default_factory=set)  # functions
    _planned_in_time: set[Entry] = field(init=False, default_factory=set)
    _done: dict[tuple[str, ...], Planned] = field(init=False, default_factory=dict)

    def apply(self, ledger: Ledger, names: Collection[str] | None = None) -> Layers:
        """Plan, prove and judge every transform of all functions, or of some by their names; what
        was taken back is left out.
        """
        module, planned = self.run.module, list[Planned]()
        for row in before_windows(self.run.options.disabled):
            new = self._plan_all(row, module, names)
            new = [p.leave(why.reason) if (why := ledger.why(p.entry)) else p for p in new]
            new = self._judge(new if row.rival else self._prove(new, module), module)
            changes = {p.function.name: p.edits for p in new if p.kept}
            if changes:
                module = with_layout(parse_module(edit(module, changes)), self.run.options.triple)
            planned += new
            if not row.several:
                self.run.tools.watch(row.name, lambda of=module: of.text)  # type: ignore[misc]
        return Layers(self.run.module, module, tuple(planned))

    def prove(self, p: Planned) -> Planned:
        """Prove what was put off; leave it where that is not done."""
        return self._prove([p], p.module)[0]

    def _catch(self, row: Row, function: Function, job: Callable[[], T]) -> T | Failure:
        found = self.net.run(f"@{function.name}, {row.name}", job)
        self.unsettled.update([function.name] if isinstance(found, Failure) else [])
        return found

    def _plan_all(self, row: Row, module: Module, names: Collection[str] | None) -> list[Planned]:
        sizes = sizes_of(module.layout, module.lines)
        able = [f for f in _named(module, names) if has_word(module, f, row.word)]
        if sizes is None or not able:
            return []
        scope = partial(Scope, module, sizes=sizes, said=contents(module))
        found = (self._catch(row, f, partial(self._plan, row, scope, f)) for f in able)
        return [p for p in found if isinstance(p, Planned)]

    def _plan(self, row: Row, scoped: partial[Scope], function: Function) -> Planned | None:
        entry = Entry(row.name, function.name)
        if self.run.clock.loads.is_over and entry not in self._planned_in_time:
            self.unsettled.add(function.name)
            return None
        self._planned_in_time.add(entry)
        aim = self.run.aim(function)
        if isinstance(aim, str):
            return None
        scope = scoped(function, bits=aim.bits, optimise=partial(self._optimise, function, aim))
        sites = tuple(changes_of(scope, row.load().sites(scope)))
        changes = [c for _, c in sites if isinstance(c, Change)]
        edits = edits_of(scope.module, function, changes)
        return Planned(row, scope.module, function, sites, edits) if sites else None

    def _optimise(self, function: Function, aim: Aim, text: str) -> str | WorkerFailed:
        if (worker := self.run.tools.worker) is None:
            return WorkerFailed("there is no worker")
        done = worker.optimise(text, triple=self.run.triple, cpu=aim.cpu, features=aim.named)
        self.unsettled.update([function.name] if isinstance(done, WorkerFailed) else [])
        return done

    def _prove(self, planned: list[Planned], module: Module) -> list[Planned]:
        """Leave what is not proved of what LLVM reads."""
        edits = {p.function.name: p.edits for p in planned if p.kept}
        if not edits:
            return planned
        try:
            printed = parse_module(binding.normalise(edit(module, edits), self.run.file))
        except IselError as problem:
            why = f"LLVM does not accept it: {problem.message().splitlines()[0]}"
            return [p.leave(why) if p.kept else p for p in planned]
        from frontends.llvm.refine.frames import Frames

        frames = Frames.of(*map(with_own_layout, (module, printed)))
        after = {f.name: f for f in printed.functions}
        prove = partial(self._prove_one, after=after, frames=frames)
        return [self._once("proof", p, prove) for p in planned]

    def _prove_one(self, p: Planned, after: Mapping[str, Function], frames: Frames) -> Planned:
        assert self.run.target is not None
        v = self.verdict(p, after[p.function.name], self.run.target, frames)
        if isinstance(v, Proved):
            return replace(p, proof="the same bytes, block by block")
        return p.leave(f"what was written is not proved: {getattr(v, 'reason', '')}")

    def verdict(self, p: Planned, after: Function, target: Target, frames: Frames) -> Verdict:
        """Decide whether a changed function refines the one before."""
        from frontends.llvm.passes.guesses import GUESSES
        from frontends.llvm.refine.decide import decide
        from frontends.llvm.refine.options import Options as Effort

        effort = Effort(self.run.options.effort, guesses=GUESSES.told(p.exchanges), whole=False)
        return decide(p.function, after, target, frames, effort).verdict

    def _judge(self, planned: list[Planned], module: Module) -> list[Planned]:
        def job(p: Planned) -> Planned:
            after = edit(module, {p.function.name: p.edits})
            j = self.judge(p.function, module.text, after)
            stays = j.accept or p.row.patient
            return replace(p if stays else p.leave(j.reason), judgement=j)

        return [self._once("judgement", p, job) for p in planned]

    def _once(self, what: str, p: Planned, job: Callable[[Planned], Planned]) -> Planned:
        """Return what a job makes of a plan, an equal one of an equal function once."""
        if not p.kept:
            return p
        body = p.module.lines[p.function.first : p.function.last + 1]
        key = (what, *p.entry, *body, repr(p.edits))
        if key not in self._done:
            done = self._catch(p.row, p.function, partial(job, p))
            self._done[key] = p.leave(done.reason) if isinstance(done, Failure) else done
        return replace(self._done[key], module=p.module, function=p.function, sites=p.sites)

    def judge(self, function: Function, before: str, after: str) -> Judgement:
        """Judge a function of two modules by itself, or with all of both where it needs them."""
        aim = self.run.aim(function)
        assert isinstance(aim, Aim)
        gate = self.run.gate(aim)
        try:
            name = name_alone(function.name)
            texts = (isolate(x, function.name) for x in (before, after))
            alone = [binding.normalise(read_names(x, name).text) for x in texts]
        except IselError:  # it needs what other functions say
            self.unsettled.add(function.name)
            alone = [binding.normalise(x) for x in (before, after)]
            name = function.name.strip('"')
        return gate.judge(alone[0], alone[1], name)


def _named(module: Module, names: Collection[str] | None) -> Iterator[Function]:
    """Yield the functions of some names, all of them without."""
    return (f for f in module.functions if names is None or f.name in names)


def has_word(module: Module, function: Function, word: str) -> bool:
    """Tell whether some line of a function has a word."""
    return any(word in line for line in module.lines[function.first : function.last + 1])
