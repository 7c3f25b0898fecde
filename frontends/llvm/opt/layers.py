"""What transforms make of functions before windows are cut, which then see plain code.

Each transform is planned on what those before it left, proved block by block on what LLVM prints,
and judged by the gate, a function at a time.  One that is ``patient`` is tried where it alone is no
gain, and stays if the function is faster with what windows make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from frontends.llvm.linked import binding
from frontends.llvm.linked.layouts import with_layout, with_own_layout
from frontends.llvm.linked.worker import WorkerFailed
from frontends.llvm.machine.named import read_names
from frontends.llvm.opt.aim import Aim
from frontends.llvm.opt.changes import changes_of, edits_of, new_lines, replaced_lines
from frontends.llvm.opt.judge import Refusal
from frontends.llvm.opt.planned import NOTHING, Planned
from frontends.llvm.opt.run import Run
from frontends.llvm.opt.writer import Text
from frontends.llvm.report.tried import ModuleReport, WindowReport, per_pass, place_of
from frontends.llvm.splicing.write import Edits, compose, edit
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.identity import Pairing, contents
from frontends.llvm.text.isolate import isolate, name_alone
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.site import Change, Scope
from frontends.llvm.transform.table import Row, before_windows
from isel.cost.gain import is_gain
from isel.cost.judgement import Judgement
from isel.cost.limits import FUNCTION
from isel.errors import IselError
from isel.failures import Failure, Net
from isel.model.verdict import Proved, Verdict
from isel.spec.target import Target

if TYPE_CHECKING:  # what proves functions is imported where there is something to prove
    from frontends.llvm.refine.frames import Frames

T = TypeVar("T")
_OTHER = "what was written is not what was proved"
_BEATEN = Refusal("the function is faster without it")


@dataclass(frozen=True, slots=True)
class Layers:
    """A module, and what transforms make of it one after the other."""

    before: Module
    module: Module
    planned: tuple[Planned, ...]
    failures: tuple[tuple[str, Failure], ...] = ()

    @property
    def kept(self) -> tuple[Planned, ...]:
        """What changes a function."""
        return tuple(p for p in self.planned if p.kept)

    @property
    def rivals(self) -> list[Planned]:
        """What a function is written without as well."""
        return [p for p in self.kept if p.row.rival]

    @property
    def edits(self) -> dict[str, Edits]:
        """What the lines of functions become."""
        found: dict[str, Edits] = {}
        for p in self.kept:
            name = p.function.name
            f = self.before.function(name)
            first = found.get(name, NOTHING)
            found[name] = compose(first, p.edits, len(f.span))
        return found

    def report(self, done: ModuleReport) -> ModuleReport:
        """Return what was done to the last module as done to the first, and what transforms did."""
        roots = {(f.name, i.name): i for f in self.before.functions for i in f.view}

        def place(w: WindowReport) -> WindowReport:
            root = roots.get((w.place.function, w.place.root))
            if root is None:
                return w
            return replace(w, place=place_of(self.before, w.place.function, root))

        rows = self._rows(done.windows)
        costs = self._costs()
        functions = [
            replace(f, cost=_chain(costs[f.name], f.cost) if f.cost else costs[f.name])
            if f.name in costs
            else f
            for f in done.functions
        ]
        return replace(
            done,
            windows=tuple(sorted(map(place, rows), key=lambda w: w.place.line)),
            functions=tuple(functions),
            failures=(*done.failures, *self.failures),
        )

    def _rows(self, windows: Sequence[WindowReport]) -> Iterator[WindowReport]:
        """Yield the reports of transforms and windows, with the cycles of the user's passes."""
        passes = dict[tuple[str, str], int]()
        for p in self.planned:
            for w, (site, change) in zip(p.reports(), p.sites, strict=True):
                before = passes.get(p.key(site), 1)
                yield per_pass(w, before)
                if p.kept and isinstance(change, Change):
                    new = (((p.function.name, x), n * before) for x, n in change.passes.items())
                    passes.update(new)
        views = {f.name: f.view for f in self.module.functions}
        for w in windows:
            view, root = views[w.place.function], w.place.root
            label = view.label(root) if root in view.defs else ""
            yield per_pass(w, passes.get((w.place.function, label), 1))

    def _costs(self) -> dict[str, tuple[float, float]]:
        """Return the cycles of changed functions before the first change and after the last."""
        found: dict[str, tuple[float, float]] = {}
        for p in self.kept:
            if (j := p.judgement) is not None:
                name = p.function.name
                found[name] = _chain(found.get(name, (j.before, j.before)), (j.before, j.after))
        return found


def _chain(first: tuple[float, float], then: tuple[float, float]) -> tuple[float, float]:
    """Return cycles before one change and after a second one, which may count those of longer
    passes.
    """
    scale = first[1] / then[0] if then[0] and first[1] != then[1] else 1.0
    return first[0], round(then[1] * scale, 4)


@dataclass
class Layering:
    """Applies transforms for one run of the rewriter."""

    run: Run
    _planned_in_time: set[Entry] = field(default_factory=set)
    _done: dict[tuple[str, ...], Planned] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._net, self.module = Net(strict=self.run.options.strict), self.run.module

    def apply(self, ledger: Ledger) -> Layers:
        """Plan, prove and judge every transform; what was taken back is left out."""
        module, planned = self.module, list[Planned]()
        for row in before_windows(self.run.options.disabled):
            new = self._plan_all(row, module)
            new = [p.leave(why.reason) if (why := ledger.why(p.entry)) else p for p in new]
            new = self._judge(new if row.rival else self._prove(new, module), module)
            new = self._limit(new, sum(p.kept for p in planned))
            changes = {p.function.name: p.edits for p in new if p.kept}
            if changes:
                module = with_layout(parse_module(edit(module, changes)), self.run.options.triple)
            planned += new
            self.run.tools.watch(row.name, lambda of=module: of.text)  # type: ignore[misc]
        return Layers(self.module, module, tuple(planned), tuple(self._net.caught))

    def prove(self, layers: Layers) -> tuple[Layers, list[tuple[Entry, Refusal]]]:
        """Prove rivals that stay, after all their searches; return what is not proved, too."""
        planned = list(layers.planned)
        open_ = [k for k, p in enumerate(planned) if p.kept and not p.proof]
        for k in open_:
            (planned[k],) = self._prove([planned[k]], planned[k].module)
        lost = [(p.entry, Refusal(p.why)) for k in open_ if not (p := planned[k]).kept]
        return replace(layers, planned=tuple(planned)), lost

    def _limit(self, new: list[Planned], before: int) -> list[Planned]:
        """Leave what is beyond the limit of rewrites, so many of which were made before."""
        limit = self.run.options.bisect_limit
        if limit is None:
            return new
        beyond = [p for p in new if p.kept][max(limit - before, 0) :]
        return [p.leave(f"beyond --bisect-limit {limit}") if p in beyond else p for p in new]

    def _catch(self, row: Row, function: Function, job: Callable[[], T]) -> T | Failure:
        return self._net.run(f"@{function.name}, {row.name}", job)

    def _plan_all(self, row: Row, module: Module) -> list[Planned]:
        sizes = sizes_of(module.layout, module.lines)
        able = [f for f in module.functions if _has(module, f, row.word)]
        if sizes is None or not able:
            return []
        scope = partial(Scope, module, sizes=sizes, said=contents(module))
        found = (self._catch(row, f, partial(self._plan, row, scope, f)) for f in able)
        return [p for p in found if isinstance(p, Planned)]

    def _plan(self, row: Row, scoped: partial[Scope], function: Function) -> Planned | None:
        entry = Entry(row.name, function.name)
        if self.run.clock.loads.is_over and entry not in self._planned_in_time:
            return None
        self._planned_in_time.add(entry)
        aim = self.run.aim(function)
        if isinstance(aim, str):
            return None
        scope = scoped(function, bits=aim.bits, optimise=partial(self._optimise, aim))
        sites = tuple(changes_of(scope, row.load().sites(scope)))
        changes = [c for _, c in sites if isinstance(c, Change)]
        edits = edits_of(scope.module, function, changes)
        return Planned(row, scope.module, function, sites, edits) if sites else None

    def _optimise(self, aim: Aim, text: str) -> str | WorkerFailed:
        if (worker := self.run.tools.worker) is None:
            return WorkerFailed("there is no worker")
        return worker.optimise(text, triple=self.run.triple, cpu=aim.cpu, features=aim.named)

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

    def find_lost(
        self, layers: Layers, done: Text | str | None, beaten: Collection[str]
    ) -> Iterator[tuple[Entry, Refusal]]:
        """Yield what should be taken back after all, with the reasons: a function is faster without
        a rival, nothing could be written, or not what was proved, or a transform alone does not
        make a function faster, nor with what was made of it.
        """
        if beaten:
            yield from ((p.entry, _BEATEN) for p in layers.rivals if p.function.name in beaten)
            return
        if done is None or not layers.kept:
            return
        if isinstance(done, str):
            yield from ((p.entry, Refusal(done)) for p in layers.kept)
            return
        pairing = Pairing(contents(layers.module), contents(done.printed))
        for name in layers.edits:
            yield from self._lost_of(name, layers, done, pairing)

    def _lost_of(
        self, name: str, layers: Layers, done: Text, pairing: Pairing
    ) -> Iterator[tuple[Entry, Refusal]]:
        from frontends.llvm.splicing.printed import as_written

        own = [p for p in layers.kept if p.function.name == name]
        before, over = layers.before.function(name), layers.module.function(name)
        texts = over, done.spliced.function(name), done.printed.function(name)
        lines = new_lines(layers.edits[name], before, over)
        gone = replaced_lines(done.changes.get(name), layers.module, over)
        if not as_written(*texts, lines - gone, pairing):
            yield from ((p.entry, Refusal(_OTHER)) for p in own)
            return
        doubtful = [p for p in own if p.judgement and not p.judgement.accept]
        if doubtful and (why := self._why_lost(before, done)):
            yield doubtful[-1].entry, Refusal(why)

    def _why_lost(self, before: Function, done: Text) -> str:
        """Return why a transform that is no gain alone goes; empty if it stays."""
        j = self.judge(before, self.module.text, done.spliced.text)
        if not j.accept:
            return j.reason
        return "" if is_gain(j.before, j.after, FUNCTION) else "too little is saved"

    def judge(self, function: Function, before: str, after: str) -> Judgement:
        """Judge a function of two modules by itself, or with all of both where it needs them."""
        aim = self.run.aim(function)
        assert isinstance(aim, Aim)
        gate = self.run.gate(aim)
        try:
            name = name_alone(function.name)
            texts = (isolate(x, function.name) for x in (before, after))
            alone = [binding.normalise(read_names(x, name).text) for x in texts]
        except IselError:
            alone = [binding.normalise(x) for x in (before, after)]
            name = function.name.strip('"')
        return gate.judge(alone[0], alone[1], name)


def _has(module: Module, function: Function, word: str) -> bool:
    return any(word in line for line in module.lines[function.first : function.last + 1])
