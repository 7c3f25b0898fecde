"""Rewrite a module: windows, searches, judgement, splicing, and the proof of what was written.

Functions are decided in rounds.  A round searches one window a place (all places of all functions at
once, in the pool), then judges what was found.  Places that stay unchanged get their next, smaller
window in the next round, unless the first one took many steps.  Nothing depends on the order in which searches end.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from frontends.llvm import binding
from frontends.llvm.ast import Function, Module
from frontends.llvm.decided import Decided, Memory, key_of, print_of, read, write
from frontends.llvm.emit import EmissionError
from frontends.llvm.layout import is_big_endian
from frontends.llvm.opt_function import FunctionWork, plan
from frontends.llvm.opt_judge import Choice, Judge
from frontends.llvm.opt_search import Job, MakeSynthesizer, Recipe, TargetOf, search_all
from frontends.llvm.parse import parse_module
from frontends.llvm.report import FunctionReport, ModuleReport, WindowReport
from frontends.llvm.splice import Edits, Rewrite, edited, edits
from frontends.llvm.splice_check import Checker
from frontends.llvm.windows import Limits
from isel.collector import rarely
from isel.errors import IselError, UnknownName
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from isel.verify.verdict import Certificate, Proved, Verdict
from isel.workers import Pool

_ROUNDS: Final = 4
_SKIPPING: Final = ("strictfp", "optnone", "naked")

MakeJudge: TypeAlias = Callable[[Target, str, str, str], Judge]


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for.

    ``triple``, ``cpu`` and ``features`` (``+a,-b``) hold where the module or a function says nothing;
    ``time_limit`` is in seconds, ``vector_width`` in bits, ``only_function`` a regular expression that
    must match a whole name, ``bisect_limit`` the number of rewrites to apply.
    """

    triple: str = ""
    cpu: str = ""
    features: str = ""
    effort: int = 1
    jobs: int = 1
    time_limit: float | None = None
    vector_width: int | None = None
    only_function: str = ""
    bisect_limit: int | None = None
    verify_each: bool = False
    assume_no_undef: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Tools:
    """What the rewriter works with.

    ``target_of`` finds the target of a triple, ``make`` a synthesizer for a machine (both module-level
    functions or partials of them: they travel to worker processes), ``make_judge`` takes target, CPU,
    features and triple.  ``memory`` keeps what was decided about functions.
    """

    target_of: TargetOf
    make: MakeSynthesizer
    make_judge: MakeJudge
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The module as LLVM prints it before and after, and what was done."""

    before: str
    text: str
    report: ModuleReport


def rewrite_module(text: str, options: Options, tools: Tools, file: str = "<stdin>") -> Rewritten:
    """Rewrite a module given as LLVM text; raise :class:`isel.errors.IselError` for a module that is not one."""
    source = binding.normalise(text, file)
    module = _with_layout(parse_module(source), options.triple)
    if options.bisect_limit == 0:
        return Rewritten(source, source, ModuleReport(file))
    forgotten: frozenset[str] = frozenset()
    with ExitStack() as stack:
        stack.enter_context(rarely())
        pool = stack.enter_context(Pool(options.jobs)) if options.jobs > 1 else None
        while True:
            try:
                return _Session(module, source, options, tools, file, pool, forgotten).run()
            except _Stale as stale:
                forgotten |= stale.functions


def _with_layout(module: Module, triple: str) -> Module:
    """Return a module with the data layout under which it is compiled: its own, or that of the triple where it names none or another triple."""
    triple = triple or module.triple or binding.host_triple()
    if (module.layout and module.triple == triple) or not binding.known_triple(triple):
        return module
    return replace(module, layout=binding.data_layout(triple))


class _Stale(Exception):
    """What was kept of some functions does not give what was proved."""

    def __init__(self, functions: frozenset[str]) -> None:
        super().__init__()
        self.functions = functions


class NotProved(IselError):
    """What was written for a window is not proved."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def message(self) -> str:
        """Return the line to print."""
        return f"what was written is not proved: {self.why}"


class _Session:
    """One module on its way through the rounds; of ``forgotten`` functions nothing is recalled."""

    def __init__(self, module: Module, source: str, options: Options, tools: Tools, file: str, pool: Pool | None, forgotten: frozenset[str]) -> None:
        self.module = module
        self.source = source
        self.options = options
        self.tools = tools
        self.file = file
        self.pool = pool
        self.deadline = None if options.time_limit is None else time.monotonic() + options.time_limit
        self.triple = options.triple or module.triple or binding.host_triple()
        self.judges: dict[tuple[str, str], Judge] = {}
        self.skipped: dict[str, str] = {}
        self.works: list[FunctionWork] = []
        self.instructions: dict[str, Instruction] = {}
        self.memory = tools.memory if options.bisect_limit is None and not options.verify_each else None
        self.forgotten = forgotten
        self.keys: dict[str, str] = {}
        self.known: dict[str, Decided] = {}

    def run(self) -> Rewritten:
        """Decide every function, then write and prove the module."""
        target = self._target()
        if target is not None:
            self.instructions = {i.name: i for i in target.instructions()}
            for function in self.module.functions:
                work = self._work(function, target)
                if work is not None:
                    self.works.append(work)
        for round_ in range(_ROUNDS):
            self._round(round_)
        for work in self.works:
            work.settle()
        text = self._written()
        return Rewritten(self.source, text, self._report())

    def _target(self) -> Target | None:
        try:
            return self.tools.target_of(self.triple)
        except UnknownName:
            if self.options.triple:
                raise
            self.skipped.update((f.name, f"no target for the triple '{self.triple}'") for f in self.module.functions)
            return None

    def _why_skip(self, function: Function) -> str:
        if is_big_endian(self.module.layout):
            return "big-endian layout"
        if self.options.only_function and not re.fullmatch(self.options.only_function, function.name.strip('"')):
            return "not selected"
        return next((f"it is {word}" for word in _SKIPPING if word in function.attributes), "")

    def _work(self, function: Function, target: Target) -> FunctionWork | None:
        reason = self._why_skip(function)
        if reason:
            self.skipped[function.name] = reason
            return None
        cpu = function.attributes.get("target-cpu") or self.options.cpu
        own = function.attributes.get("target-features", "")
        named = ",".join(x for x in (own, "" if function.attributes.get("target-cpu") else self.options.features) if x)
        try:
            features = target.features(cpu, named)
        except UnknownName as problem:
            if not (function.attributes.get("target-cpu") or own):
                raise
            self.skipped[function.name] = problem.message()
            return None
        bits = target.vector_bits(features, function.attributes)
        if self.options.vector_width is not None:
            bits = min(bits, self.options.vector_width)
        recipe = Recipe(self.tools.target_of, self.tools.make, self.triple, cpu, features, bits)
        if self._recalled(function, recipe):
            return None
        judge = self._judge(target, cpu, named)
        tools = (self.instructions, judge, self._vet)
        o = self.options
        return plan(self.module, function, target, recipe, tools, limits=o.limits, effort=o.effort, assume_defined=o.assume_no_undef)

    def _recalled(self, function: Function, recipe: Recipe) -> bool:
        """Tell whether it is known what becomes of a function."""
        if self.memory is None:
            return False
        o, digest = self.options, self.tools.target_of(self.triple).digest
        asked = (digest, recipe.triple, recipe.cpu, sorted(recipe.features), recipe.vector_bits, o.effort, o.assume_no_undef, o.limits)
        key = self.keys[function.name] = key_of(self.module, function, repr(asked))
        found = None if function.name in self.forgotten else read(self.memory.recall(key), function)
        if found is not None:
            self.known[function.name] = found
        return found is not None

    def _judge(self, target: Target, cpu: str, features: str) -> Judge:
        found = self.judges.get((cpu, features))
        if found is None:
            found = self.judges[cpu, features] = self.tools.make_judge(target, cpu, features, self.triple)
        return found

    def _vet(self, text: str, rewrites: Sequence[Rewrite]) -> str:
        """Return the text as LLVM prints it; raise an error if LLVM or, on request, the verifier does not accept it."""
        printed = binding.normalise(text, self.file)
        if self.options.verify_each:
            for v in self._verdicts(text, parse_module(printed), rewrites, [None] * len(rewrites)):
                if not isinstance(v, Proved):
                    raise NotProved(_why(v))
        return printed

    def _round(self, round_: int) -> None:
        wanted = [(work, attempt) for work in self.works for attempt in work.agenda(round_)]
        if not wanted:
            return
        windows = [w for work in self.works for w in work.windows([a for owner, a in wanted if owner is work])]
        jobs = [Job(work.recipe, window, self.deadline) for (work, _), window in zip(wanted, windows, strict=True)]
        outcomes = search_all(jobs, self.pool)
        for work in self.works:
            work.decide([(a, o) for (w, a), o in zip(wanted, outcomes, strict=True) if w is work])

    def _written(self) -> str:
        """Write the accepted rewrites and prove them on the printed text; what is not proved is taken back."""
        old = {name: d.edits for name, d in self.known.items() if d.edits.lines}
        while True:
            chosen = self._limited()
            if not chosen and not old:
                self._keep({}, self.module)
                return self.source
            rewrites = [c.rewrite for _, c in chosen]
            try:
                new = edits(self.module, rewrites, self.instructions)
                raw = edited(self.module, {**old, **new})
                text = binding.normalise(raw, self.file)
            except (EmissionError, IselError) as problem:
                if old:
                    raise _Stale(frozenset(old)) from None
                self._withdraw(chosen, f"the rewritten module is not accepted: {problem}")
                continue
            printed = parse_module(text)
            stale = frozenset(name for name in old if print_of(printed, name) != self.known[name].printed)
            if stale:
                raise _Stale(stale)
            verdicts = self._verdicts(raw, printed, rewrites, [c.candidate.proof.certificate for _, c in chosen])
            failed = [(pair, v) for pair, v in zip(chosen, verdicts, strict=True) if not isinstance(v, Proved)]
            if not failed:
                for (work, choice), v in zip(chosen, verdicts, strict=True):
                    assert isinstance(v, Proved)
                    work.proved(choice, v)
                self._keep(new, printed)
                return text
            for (work, choice), v in failed:
                work.withdraw(choice, f"what was written is not proved: {_why(v)}")

    def _keep(self, new: Mapping[str, Edits], printed: Module) -> None:
        """Let what was decided be recalled, unless more time, another solver or another module might give something else."""
        for work in self.works if self.memory is not None else ():
            name = work.function.name
            if work.settled:
                assert self.memory is not None
                windows = tuple((r.place.root, r) for r in work.reports())
                inside, left_out = work.coverage()
                decided = Decided(new.get(name, Edits({}, {})), print_of(printed, name), windows, inside, left_out)
                self.memory.keep(self.keys[name], write(decided))

    def _limited(self) -> list[tuple[FunctionWork, Choice]]:
        chosen = [(w, c) for w in self.works for c in w.chosen()]
        limit = self.options.bisect_limit
        if limit is None or limit >= len(chosen):
            return chosen
        for work, choice in chosen[limit:]:
            work.withdraw(choice, f"beyond --bisect-limit {limit}")
        return chosen[:limit]

    def _withdraw(self, chosen: Sequence[tuple[FunctionWork, Choice]], reason: str) -> None:
        for work, choice in chosen:
            work.withdraw(choice, reason)

    def _verdicts(self, raw: str, printed: Module, rewrites: Sequence[Rewrite], known: Sequence[Certificate | None]) -> list[Verdict]:
        if not rewrites:
            return []
        checker = Checker(self.module, parse_module(raw), printed, self.tools.target_of(self.triple), self.options.effort)
        return [checker.check(r, c) for r, c in zip(rewrites, known, strict=True)]

    def _report(self) -> ModuleReport:
        by_name = {w.function.name: w for w in self.works}
        functions: list[FunctionReport] = []
        windows: list[WindowReport] = []
        for f in self.module.functions:
            work, known = by_name.get(f.name), self.known.get(f.name)
            count = sum(1 for b in f.blocks for i in b.instrs if i.opcode != "dbg")
            if work is not None:
                functions.append(FunctionReport(f.name, "", count, *work.coverage()))
                windows += work.reports()
            elif known is not None:
                functions.append(FunctionReport(f.name, "", count, known.inside, known.left_out))
                windows += known.reports(self.module, f)
            else:
                functions.append(FunctionReport(f.name, self.skipped.get(f.name, ""), count, 0, {}))
        timed_out = self.deadline is not None and any(w.timed_out for w in self.works)
        return ModuleReport(self.file, tuple(windows), tuple(functions), timed_out)


def _why(verdict: Verdict) -> str:
    return getattr(verdict, "reason", "") or f"counterexample at {getattr(verdict, 'where', '')}"
