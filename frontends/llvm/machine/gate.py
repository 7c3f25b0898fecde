"""The never-slower gate: machine code before and after, priced block by block; ties lose
(DESIGN section 7).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from frontends.llvm.limits import GATE_KEPT, GATE_LATE
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.machine.aligned import unalign
from frontends.llvm.machine.named import read_names
from isel.cost.block import BlockCost, code_costs, quickest_ways, waits_of
from isel.cost.chains import Timing
from isel.cost.code import Block, Code, Dialect
from isel.cost.gain import is_slower, makeup
from isel.cost.judgement import Judgement, Priced, compare
from isel.cost.lines import Lines
from isel.cost.work import Work, work_of
from isel.errors import IselError
from isel.spec.target import Target
from semantics.assembly import read_functions
from semantics.pricing import priced_as, pricing

_STORE = re.compile(r"^ *store ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Failed:
    """Why LLVM made no code of a function."""

    reason: str


@dataclass(eq=False)
class Gate:
    """Judges rewrites of functions for one CPU; compiles in ``worker``, which LLVM may abort.

    ``verdicts`` may be given to remember judgements across gates; its keys hold both functions'
    modules and the target, so that they need no other context.
    """

    worker: LlvmWorker
    target: Target
    cpu: str
    features: str
    triple: str
    verdicts: MutableMapping[str, Judgement] = field(default_factory=dict)
    _compiled: dict[tuple[str, str], Priced | _Failed] = field(default_factory=dict)
    _late: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        has = self.target.features(self.cpu, self.features)
        priced = pricing(self.target.name, priced_as(self.target.name, self.cpu, has))
        self._prices, self._mistaken = priced.prices, priced.mistaken
        self._timing, *self._others = map(Timing, (priced.prices, *priced.others))
        self._dialect: Dialect = priced.dialect

    @property
    def table(self) -> str:
        """The CPU whose prices are used: the gate's own, or the nearest that has a table."""
        return self._prices.cpu

    @property
    def digest(self) -> str:
        """A hash of the prices, for cache keys."""
        return " ".join(x.prices.digest for x in (self._timing, *self._others))

    def judge(self, before: str, after: str, function: str) -> Judgement:
        """Compare what code generation makes of two whole modules that contain ``function``.

        No pass runs before it: nobody knows of any that will.
        """
        about = (self.triple, self.cpu, self.features, self.digest, function)
        whole = "\0".join((*about, before, after))
        key = sha256(whole.encode(errors="surrogateescape")).hexdigest()
        known = self.verdicts.get(key)
        if known is None:
            known = self.verdicts[key] = self._judge(before, after, function)
        return known

    def cost(self, module: str, function: str) -> float | None:
        """Return the cycles of ``function`` as :class:`Judgement` counts them, or None where a
        form has no price.
        """
        made = self._made(module, function)
        return None if isinstance(made, _Failed) or made.missing() else made.pass_cycles

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        """Return what the instructions of each function do; nothing is known of any where LLVM
        fails.
        """
        assembly = self._assembly(module)
        if isinstance(assembly, WorkerFailed):
            return [Work()] * len(functions)
        codes = read_functions(assembly, self._dialect)
        return [work_of(codes.get(f), self._prices, self._dialect) for f in functions]

    def blocks(self, module: str, function: str) -> tuple[tuple[Block, BlockCost], ...]:
        """Return the blocks of ``function`` with their costs; empty where LLVM fails."""
        own = self._made(module, function)
        return (
            () if isinstance(own, _Failed) else tuple(zip(own.code.blocks, own.costs, strict=True))
        )

    def _miscompiled(self, module: str, code: Code) -> str:
        """Return what LLVM is known to get wrong in the code of a module, or nothing: such code has
        no cost that counts.
        """
        forms = {o.form for b in code.blocks for o in b.operations}
        found = (m for form, m in self._mistaken.items() if form in forms)
        return next((m.what for m in found if m.intrinsic not in module), "")

    def _judge(self, before: str, after: str, function: str) -> Judgement:
        new = self._made(after, function)
        if isinstance(new, _Failed):
            return Judgement(False, f"after: {new.reason}")
        old = self._made(before, function)
        if isinstance(old, _Failed):
            return Judgement(False, f"before: {old.reason}")
        found = compare(old, new)
        if (wrong := self._miscompiled(before, old.code)) and not self._miscompiled(
            after, new.code
        ):
            why = f"correctness: {wrong}"
            blocks = (0.0,) * len(found.runs), found.after_blocks, found.runs
            return Judgement(True, why, 0.0, new.pass_cycles, *blocks)
        if not found.accept:
            return found
        # What only the IR does not align lies at multiples of a line in most programs.
        aligned = compare(*(replace(made, costs=made.aligned) for made in (old, new)))
        if aligned.accept:
            slower = self._slower(old, new)
            return replace(found, accept=False, reason=slower) if slower else found
        why = f"where memory is aligned, {aligned.reason}"
        return replace(aligned, reason=why, before=found.before, after=found.after)

    def _slower(self, old: Priced, new: Priced) -> str:
        """Tell on which other CPU that its code is for a function is slower, nothing if on none."""
        known = zip(self._others, old.elsewhere, new.elsewhere, strict=True)
        found = (t.prices.cpu for t, x, y in known if x and y and is_slower(x, y))
        return next((f"on {cpu} the function would be slower" for cpu in found), "")

    def _made(self, module: str, function: str) -> Priced | _Failed:
        if (key := (module, function)) not in self._compiled:
            if self._late[function] >= GATE_LATE:
                return _Failed("LLVM takes too long on this function")
            if sum(len(text) for text, _ in self._compiled) > GATE_KEPT:
                self._compiled.clear()
                for timing in (self._timing, *self._others):
                    timing.known.clear()
            self._compiled[key] = self._compile(module, function)
        return self._compiled[key]

    def _compile(self, module: str, function: str) -> Priced | _Failed:
        source = read_names(module, function)
        try:
            assembly = self._assembly(source.text, verbose=True)
        except IselError as bad:
            return _Failed(bad.message().splitlines()[0])
        if isinstance(assembly, WorkerFailed):
            self._late[function] += assembly.late
            return _Failed(f"LLVM failed: {assembly.reason}")
        code = read_functions(assembly, self._dialect).get(function)
        if code is None:
            return _Failed(f"no code for '{function}'")
        lines = Lines(self._dialect.accessed, unalign(module, function))
        made_of = tuple(makeup(b.operations, self._dialect) for b in code.blocks)
        bare = Priced(code, (), (), len(_STORE.findall(module)), source.runs, made_of)
        waits, weights = waits_of(code, self._timing), bare.weights
        costs, aligned = (code_costs(code, self._timing, weights, waits, x) for x in (lines, None))
        elsewhere = tuple(_pass_on(x, bare) for x in self._others)
        return replace(
            bare,
            costs=costs,
            aligned=aligned,
            quickest=quickest_ways(costs, waits),
            elsewhere=elsewhere,
        )

    def _assembly(self, text: str, *, verbose: bool = False) -> str | WorkerFailed:
        return self.worker.assembly(
            text, triple=self.triple, cpu=self.cpu, features=self.features, verbose=verbose
        )


def _pass_on(timing: Timing, bare: Priced) -> float:
    """Return the cycles of a function on another CPU, 0 where some form has no price there."""
    costs = code_costs(bare.code, timing, bare.weights, waits_of(bare.code, timing))
    found = replace(bare, costs=costs)
    return 0.0 if found.missing() else found.pass_cycles
