"""The never-slower gate: machine code before and after, priced block by block; ties lose
(DESIGN section 7).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass

from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.machine.aligned import unaligned
from frontends.llvm.machine.asm import read_functions
from frontends.llvm.machine.compare import Judgement, Priced, compare, same_shape
from isel.cost.block import BlockCost, block_cost
from isel.cost.code import Block, Code, Dialect, Operation
from isel.cost.lines import Lines
from isel.cost.prices import Prices
from isel.errors import IselError
from isel.spec.target import Target
from semantics.pricing import priced_as, pricing

_WAYS = ("as it stands", "after -O3")
_STORE = re.compile(r"^ *store ", re.MULTILINE)
_LATE = 3  # compiles of a function that may run out of time, a minute each, before it is left alone


@dataclass(frozen=True, slots=True)
class Work:
    """What LLVM selects for a function, loads and stores left out: the price in hundredths of a
    cycle, None where some form has none, and instructions.

    An instruction is its mnemonic and the kind of the register that it writes.
    """

    price: int | None = None
    instructions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Ways:
    """What LLVM makes of a function, as it stands and after -O3: the codes that it could make,
    and why it could not make the others.
    """

    codes: tuple[Priced, ...]
    failed: dict[str, str]

    @property
    def problem(self) -> str:
        """Why there is no code at all; empty where there is some."""
        return "" if self.codes else next(reversed(self.failed.values()))


class Gate:
    """Judges rewrites of functions for one CPU; compiles in ``worker``, which LLVM may abort.

    ``verdicts`` may be given to remember judgements across gates; its keys hold both functions'
    modules and the target, so that they need no other context.
    """

    def __init__(
        self,
        worker: LlvmWorker,
        target: Target,
        cpu: str,
        features: str,
        triple: str,
        verdicts: MutableMapping[str, Judgement] | None = None,
        exempt: Callable[[str, str], str | None] = lambda before, function: None,
    ) -> None:
        """``exempt`` names the known LLVM miscompile that the code before suffers from: such
        code has no valid cost.
        """
        self._worker = worker
        self._cpu, self._features, self._triple = cpu, features, triple
        has = target.features(cpu, features)
        priced = pricing(target.name, priced_as(target.name, cpu, has))
        self._prices: Prices = priced.prices
        self._dialect: Dialect = priced.dialect
        self._verdicts = {} if verdicts is None else verdicts
        self._exempt = exempt
        self._compiled: dict[tuple[str, str], _Ways] = {}
        self._late: Counter[str] = Counter()

    @property
    def table(self) -> str:
        """The CPU whose prices are used: the gate's own, or the nearest that has a table."""
        return self._prices.cpu

    @property
    def digest(self) -> str:
        """A hash of the prices, for cache keys."""
        return self._prices.digest

    def judge(self, before: str, after: str, function: str) -> Judgement:
        """Compare two whole modules that contain ``function``: the best code LLVM makes of each,
        with and without -O3.

        Where the loops of the best code before are in no code after, codes that were made alike are
        compared. What is faster after -O3 only, and slower as it stands, is refused: nobody knows
        what comes after.  So is what LLVM cannot compile in a way in which it could compile the
        code before.
        """
        key = "\0".join(
            (self._triple, self._cpu, self._features, self._prices.digest, function, before, after)
        )
        known = self._verdicts.get(key)
        if known is None:
            known = self._verdicts[key] = self._judge(before, after, function)
        return known

    def cost(self, module: str, function: str) -> float | None:
        """Return the cycles of ``function`` as :class:`Judgement` counts them, or None where a
        form has no price.
        """
        ways = self._ways(module, function)
        if ways.problem:
            return None
        best = _best(ways.codes)
        return None if best.missing() else best.shown

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        """Return what the instructions of each function do; nothing is known of any where LLVM
        fails.
        """
        assembly = self._assembly(module)
        if isinstance(assembly, WorkerFailed):
            return [Work()] * len(functions)
        codes = read_functions(assembly, self._dialect)
        return [_work(codes.get(f), self._prices, self._dialect) for f in functions]

    def blocks(self, module: str, function: str) -> tuple[tuple[Block, BlockCost], ...]:
        """Return the blocks of the best code of ``function`` with their costs; empty where LLVM
        fails.
        """
        ways = self._ways(module, function)
        if ways.problem:
            return ()
        best = _best(ways.codes)
        return tuple(zip(best.code.blocks, best.costs, strict=True))

    def _judge(self, before: str, after: str, function: str) -> Judgement:
        new = self._ways(after, function)
        if new.problem:
            return Judgement(False, f"after: {new.problem}", 0.0, 0.0)
        miscompile = self._exempt(before, function)
        old = self._ways(before, function) if miscompile is None else _Ways((), {})
        if worse := next((why for way, why in new.failed.items() if way not in old.failed), ""):
            return Judgement(False, f"after: {worse}", 0.0, 0.0)
        if miscompile is not None:
            return Judgement(True, f"correctness: {miscompile}", 0.0, _best(new.codes).shown)
        if old.problem:
            return Judgement(False, f"before: {old.problem}", 0.0, 0.0)
        baseline = _best(old.codes)
        pairs = (
            zip(old.codes, new.codes, strict=True) if old.failed.keys() == new.failed.keys() else ()
        )
        alike = [compare(a, b) for a, b in pairs if same_shape(a, b)]
        for verdict in alike:
            if verdict.slower:
                return verdict
        # of code that -O3 unrolled anew the cycles say little: it counts where the code is faster
        # when both sides are made alike
        trusted = not alike or any(v.accept for v in alike)
        verdicts = [
            compare(baseline, candidate)
            for candidate in sorted(new.codes, key=lambda p: p.weighted)
            if trusted or same_shape(baseline, candidate)
        ] or alike
        if not any(same_shape(baseline, candidate) for candidate in new.codes):
            # -O3 unrolled one side only, and cycles of a loop say nothing about those of its
            # iterations
            verdicts += alike
        return next((v for v in verdicts if v.accept), verdicts[0])

    def _ways(self, module: str, function: str) -> _Ways:
        key = (module, function)
        if key not in self._compiled:
            if self._late[function] >= _LATE:
                return _Ways((), dict.fromkeys(_WAYS, "LLVM takes too long on this function"))
            if len(self._compiled) > 64:
                self._compiled.clear()
            self._compiled[key] = self._compile(module, function)
        return self._compiled[key]

    def _compile(self, module: str, function: str) -> _Ways:
        try:
            optimised = self._worker.optimise(
                module, triple=self._triple, cpu=self._cpu, features=self._features
            )
        except IselError as bad:
            return _Ways((), dict.fromkeys(_WAYS, bad.message().splitlines()[0]))
        found: list[Priced] = []
        failed: dict[str, str] = {}
        for way, text in zip(_WAYS, (module, optimised), strict=True):
            assembly = self._assembly(text)
            if isinstance(assembly, WorkerFailed):
                failed[way] = f"LLVM failed {way}: {assembly.reason}"
                self._late[function] += assembly.late
                continue
            assert isinstance(text, str)  # what failed has no assembly
            code = read_functions(assembly, self._dialect).get(function)
            if code is None:
                failed[way] = f"no code for '{function}'"
            else:
                lines = Lines(self._dialect.accessed, unaligned(text, function))
                found.append(
                    Priced(
                        code,
                        tuple(block_cost(b, self._prices, lines) for b in code.blocks),
                        len(_STORE.findall(text)),
                    )
                )
        return _Ways(tuple(found), failed)

    def _assembly(self, text: str | WorkerFailed) -> str | WorkerFailed:
        if isinstance(text, WorkerFailed):
            return text
        return self._worker.assembly(
            text, triple=self._triple, cpu=self._cpu, features=self._features
        )


def _work(code: Code | None, prices: Prices, dialect: Dialect) -> Work:
    if code is None:
        return Work()
    operations = [o for b in code.blocks for o in b.operations]
    found = [_alone(o, prices) for o in operations]
    known = [p for p in found if p is not None]
    forms = [o.form for o in operations if (not o.addresses or o.register_form) and " " in o.form]
    return Work(
        sum(known) if len(known) == len(found) else None,
        tuple((f.split(" ", 1)[0], dialect.written(f)) for f in forms),
    )


def _alone(o: Operation, prices: Prices) -> int | None:
    """Return the price of an operation on registers: of a load with work, the work where it has
    a price; of one that orders what it loads, what that costs beyond loading.
    """
    if not o.addresses:
        return prices.hundredths(o.form)
    if o.plain_forms:
        return prices.beyond(o.form, o.plain_forms)
    if not o.register_form:
        return 0
    found = prices.hundredths(o.register_form)
    return prices.hundredths(o.form) if found is None else found


def _best(ways: Sequence[Priced]) -> Priced:
    return min(ways, key=lambda p: (p.missing().total(), p.weighted))
