"""Splices become loads before windows are cut, which then see plain loads.

They are planned together, proved block by block on what LLVM prints of them, and judged by the gate
a function at a time.  Where they alone are no gain they are tried all the same, and stay if
the function is faster with what windows make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TypeVar

from frontends.llvm.deadline import Deadline
from frontends.llvm.failures import Failure, Net
from frontends.llvm.linked import binding
from frontends.llvm.loops.carried import Splice, Splices
from frontends.llvm.loops.edits import as_written, loads_for
from frontends.llvm.loops.path import Paths
from frontends.llvm.machine.compare import Judgement
from frontends.llvm.opt.aim import Aim, aim_of, why_skip
from frontends.llvm.opt.options import Options, Tools
from frontends.llvm.opt.text import Text, with_layout
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.functions import Options as Effort
from frontends.llvm.refine.functions import judge
from frontends.llvm.report.tried import ModuleReport, Outcome, WindowReport, place_of
from frontends.llvm.splicing.write import Edits, edited
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.identity import contents
from frontends.llvm.text.isolate import isolated, name_alone
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.table import CARRIED_LOADS
from isel.errors import IselError, UnknownName
from isel.model.mechanisms import enabled
from isel.model.verdict import Proved, Verdict
from isel.spec.target import Target

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Planned:
    """The splices of one function; ``edits`` are empty and ``why`` says so where none stays."""

    function: Function
    splices: tuple[Splice, ...]
    edits: Edits
    why: str = ""
    judgement: Judgement | None = None
    proof: str = ""

    @property
    def kept(self) -> bool:
        return bool(self.edits.lines)

    def left(self, why: str) -> _Planned:
        """Return it with nothing done, for a reason."""
        return replace(self, edits=Edits({}, {}), why=why)


@dataclass(frozen=True, slots=True)
class Loads:
    """A module and what loads in place of splices make of it."""

    before: Module
    planned: tuple[_Planned, ...]
    failures: tuple[tuple[str, Failure], ...] = ()

    @property
    def edits(self) -> dict[str, Edits]:
        """What the lines of functions become."""
        return {p.function.name: p.edits for p in self.planned if p.kept}

    def module(self, triple: str) -> Module:
        """Return the module with loads in place of splices."""
        edits = self.edits
        if not edits:
            return self.before
        return with_layout(parse_module(edited(self.before, edits)), triple)

    def left(self, options: Options) -> Options:
        """Return what the windows may do after this."""
        limit = options.bisect_limit
        return options if limit is None else replace(options, bisect_limit=limit - len(self.edits))

    def without(self, reasons: Mapping[str, str]) -> Loads:
        """Return it with nothing done to functions of these names."""
        planned = (
            p.left(reasons[p.function.name]) if p.kept and p.function.name in reasons else p
            for p in self.planned
        )
        return replace(self, planned=tuple(planned))

    def report(self, made: ModuleReport) -> ModuleReport:
        """Return what was done to the module with loads as done to the one before, and the
        splices with it.
        """
        roots = {(f.name, i.name): i for f in self.before.functions for i in f.view}
        windows = [
            replace(w, place=place_of(self.before, w.place.function, roots[name]))
            if (name := (w.place.function, w.place.root)) in roots
            else w
            for w in made.windows
        ]
        windows += [row for p in self.planned for row in self._rows(p)]
        costs = {p.function.name: p.judgement for p in self.planned if p.kept}
        functions = [
            replace(f, cost=(j.before, j.after if f.cost is None else f.cost[1]))
            if (j := costs.get(f.name)) is not None
            else f
            for f in made.functions
        ]
        return replace(
            made,
            windows=tuple(sorted(windows, key=lambda w: w.place.line)),
            functions=tuple(functions),
            failures=(*made.failures, *self.failures),
        )

    def _rows(self, p: _Planned) -> list[WindowReport]:
        rows: list[WindowReport] = []
        for s in p.splices:
            where = place_of(self.before, p.function.name, s.shuffle)
            text = (s.shuffle.text.strip(),)
            after = p.edits.lines.get(s.shuffle.line - p.function.first, ())
            if not after:
                rows.append(WindowReport(where, Outcome.KEPT, text, reason=s.why or p.why))
                continue
            row = WindowReport(
                where,
                Outcome.REWRITTEN,
                text,
                tuple(x.strip() for x in after),
                proof=p.proof,
                chosen="unaligned load",
            )
            j = p.judgement
            rows.append(
                row if j is None else replace(row, cost_before=j.before, cost_after=j.after)
            )
        return rows


class Loading:
    """Puts loads in place of splices for one run of the rewriter."""

    def __init__(
        self, module: Module, options: Options, tools: Tools, file: str, deadline: Deadline
    ) -> None:
        self._module = module
        self._deadline = deadline
        self._options = options
        self._tools = tools
        self._file = file
        self._net = Net(strict=options.strict)
        self._triple = options.triple or module.triple or binding.host_triple()
        self._aims: dict[str, Aim] = {}
        self._said = cache(partial(contents, module))
        self._sizes = cache(partial(sizes_of, module.layout, module.lines))

    def run(self) -> Loads:
        """Plan, prove and judge loads in place of the splices of a module."""
        if not enabled(self._options.disabled, CARRIED_LOADS):
            return Loads(self._module, ())
        try:
            target = self._tools.target_of(self._triple)
        except UnknownName:
            return Loads(self._module, ())
        planned = [
            p
            for f in self._module.functions
            if isinstance(p := self._caught(f, partial(self._plan, f, target)), _Planned)
        ]
        planned = self._proved(planned, target)
        judged = [
            self._caught(p.function, partial(self._judged, p)) if p.kept else p for p in planned
        ]
        kept = [
            old.left(new.reason) if isinstance(new, Failure) else new
            for old, new in zip(planned, judged, strict=True)
        ]
        found = Loads(self._module, tuple(kept), tuple(self._net.caught))
        limit = self._options.bisect_limit
        beyond = list(found.edits)[limit:] if limit is not None else ()
        return found.without(dict.fromkeys(beyond, f"beyond --bisect-limit {limit}"))

    def _caught(self, function: Function, job: Callable[[], T]) -> T | Failure:
        return self._net.run(f"@{function.name}", job)

    def _plan(self, function: Function, target: Target) -> _Planned | None:
        skipped = self._deadline.passed or why_skip(self._module, function, self._options)
        if skipped or not _shuffles(function):
            return None
        aim = aim_of(function, target, self._options)
        sizes = self._sizes()
        if isinstance(aim, str) or sizes is None:
            return None
        self._aims[function.name] = aim
        paths = Paths(function, self._said())
        found = tuple(Splices(function, sizes, paths).found())
        if not found:
            return None
        good = [s for s in found if not s.why]
        edits = loads_for(self._module, function, good) if good else Edits({}, {})
        return _Planned(function, found, edits)

    def _proved(self, planned: list[_Planned], target: Target) -> list[_Planned]:
        """Leave what is not proved of what LLVM reads."""
        edits = {p.function.name: p.edits for p in planned if p.kept}
        if not edits:
            return planned
        try:
            printed = parse_module(binding.normalise(edited(self._module, edits), self._file))
        except IselError as problem:
            why = f"LLVM does not accept it: {problem.message().splitlines()[0]}"
            return [p.left(why) if p.kept else p for p in planned]
        frames = Frames.of(self._module, printed)
        after = {f.name: f for f in printed.functions}
        found: list[_Planned] = []
        for p in planned:
            name = p.function.name
            job = partial(self.verdict, p.function, after[name], target, frames)
            v = self._caught(p.function, job) if p.kept else None
            if isinstance(v, Proved):
                found.append(replace(p, proof="the same bytes, block by block"))
            elif v is None:
                found.append(p)
            else:
                found.append(p.left(f"what was written is not proved: {getattr(v, 'reason', '')}"))
        return found

    def verdict(self, a: Function, b: Function, target: Target, frames: Frames) -> Verdict:
        """Decide whether a function with loads refines the one with splices."""
        effort = Effort(self._options.effort)
        return judge(a, b, target, frames, effort, by_blocks=True).verdict

    def _judged(self, p: _Planned) -> _Planned:
        after = edited(self._module, {p.function.name: p.edits})
        return replace(p, judgement=self.judged(p.function, self._module.text, after))

    def lost(self, loads: Loads, over: Module, done: Text | str | None) -> dict[str, str]:
        """Return the functions whose splices should stay after all, each with the reason: nothing
        could be written, or not what was proved, or loads alone do not make them faster, nor with
        what was made of them.
        """
        if not isinstance(done, Text):
            return {} if done is None else dict.fromkeys(loads.edits, done)
        found: dict[str, str] = {}
        for p in (p for p in loads.planned if p.kept):
            name = p.function.name
            if not as_written(over, done.spliced, done.printed, name, p.splices):
                found[name] = "what was written is not what was proved"
            elif p.judgement is not None and not p.judgement.accept:
                j = self.judged(p.function, self._module.text, done.spliced.text)
                if not j.accept:
                    found[name] = j.reason
        return found

    def judged(self, function: Function, before: str, after: str) -> Judgement:
        """Judge a function of two modules by itself, or with all of both where it needs them."""
        aim = self._aims[function.name]
        target = self._tools.target_of(self._triple)
        gate = self._tools.make_judge(target, aim.cpu, aim.named, self._triple)
        try:
            alone = [binding.normalise(isolated(x, function.name)) for x in (before, after)]
            name = name_alone(function.name)
        except IselError:
            alone = [binding.normalise(x) for x in (before, after)]
            name = function.name.strip('"')
        return gate.judge(alone[0], alone[1], name)


def _shuffles(function: Function) -> bool:
    return any(i.opcode == "shufflevector" for i in function.view)
