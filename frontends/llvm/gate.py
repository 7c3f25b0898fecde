"""The never-slower gate: machine code before and after, priced block by block; ties lose
(DESIGN section 7).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from frontends.llvm.asm import Dialect, read_functions
from frontends.llvm.worker import LlvmWorker, WorkerFailed
from isel.cost.block import BlockCost, block_cost
from isel.cost.code import Block, Code, Operation
from isel.cost.prices import Prices
from isel.errors import IselError
from isel.spec.target import Target
from semantics.pricing import pricing

GAIN = 0.02  # what at least one block must win
_LOOP_WEIGHT = 10.0  # passes through a loop for one pass through what is around it
_SLOWER = " would be slower"
_NOISE = 1e-6
_WAYS = ("as it stands", "after -O3")
_STORE = re.compile(r"^ *store ", re.MULTILINE)
_LATE = 3  # compiles of a function that may run out of time, a minute each, before it is left alone


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a rewrite may stay, why, and the cycles before and after.

    The cycles are those of one pass through every loop block, or of the whole function where it has
    no loop; the return is not counted.  They are 0 where there was nothing to price.
    """

    accept: bool
    reason: str
    before: float
    after: float
    before_blocks: tuple[float, ...] = ()
    after_blocks: tuple[float, ...] = ()

    @property
    def slower(self) -> bool:
        """Tell whether some part of the code would be slower."""
        return self.reason.endswith(_SLOWER)


@dataclass(frozen=True, slots=True)
class Work:
    """What LLVM selects for a function, loads and stores left out: the price in hundredths of a
    cycle, None where some form has none, and instructions.

    An instruction is its mnemonic and the kind of the register that it writes.
    """

    price: int | None = None
    instructions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Priced:
    """A function's code with the cost of each block; ``stores`` of the module it was made of
    tell how often loops were unrolled.
    """

    code: Code
    costs: tuple[BlockCost, ...]
    stores: int

    @property
    def weighted(self) -> float:
        return sum(
            c.cycles * _weight(b.depth) for b, c in zip(self.code.blocks, self.costs, strict=True)
        )

    @property
    def shown(self) -> float:
        deep = any(b.depth for b in self.code.blocks)
        return sum(
            c.cycles
            for b, c in zip(self.code.blocks, self.costs, strict=True)
            if b.depth or not deep
        )

    @property
    def cycles(self) -> tuple[float, ...]:
        return tuple(c.cycles for c in self.costs)

    def missing(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for c in self.costs:
            counts.update(dict(c.missing))
        return counts


@dataclass(frozen=True, slots=True)
class _Ways:
    """What LLVM makes of a function, as it stands and after -O3: the codes that it could make,
    and why it could not make the others.
    """

    codes: tuple[_Priced, ...]
    failed: dict[str, str]

    @property
    def problem(self) -> str:
        """Why there is no code at all; empty where there is some."""
        return "" if self.codes else next(reversed(self.failed.values()))


def _weight(depth: int) -> float:
    return float(_LOOP_WEIGHT ** min(depth, 6))


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
        priced = pricing(target.name, cpu)
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
        return [_work(codes.get(f), self._prices) for f in functions]

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
        alike = [_compare(a, b) for a, b in pairs if _same_shape(a, b)]
        for verdict in alike:
            if verdict.slower:
                return verdict
        verdicts = [
            _compare(baseline, candidate)
            for candidate in sorted(new.codes, key=lambda p: p.weighted)
        ]
        if not any(_same_shape(baseline, candidate) for candidate in new.codes):
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
        found: list[_Priced] = []
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
                found.append(
                    _Priced(
                        code,
                        tuple(block_cost(b, self._prices) for b in code.blocks),
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


def _work(code: Code | None, prices: Prices) -> Work:
    if code is None:
        return Work()
    operations = [o for b in code.blocks for o in b.operations]
    found = [_alone(o, prices) for o in operations]
    known = [p for p in found if p is not None]
    forms = [
        o.form.split(" ", 1)
        for o in operations
        if (not o.addresses or o.register_form) and " " in o.form
    ]
    return Work(
        sum(known) if len(known) == len(found) else None,
        tuple((f[0], f[1].split(",")[0].partition("{")[0]) for f in forms),
    )


def _alone(o: Operation, prices: Prices) -> int | None:
    """Return the price of an operation on registers: of a load with work, the work where it has
    a price.
    """
    if not o.addresses:
        return prices.hundredths(o.form)
    if not o.register_form:
        return 0
    found = prices.hundredths(o.register_form)
    return prices.hundredths(o.form) if found is None else found


def _best(ways: Sequence[_Priced]) -> _Priced:
    return min(ways, key=lambda p: (p.missing().total(), p.weighted))


def _compare(old: _Priced, new: _Priced) -> Judgement:
    """Accept when no innermost loop block and no loop nest is worse, the whole is better, and one
    block is better by GAIN.

    What is hoisted out of a loop makes the blocks around it longer: those may be, as long as their
    nest gains. Of an innermost loop block whose micro-operations grow, the cycles must shrink more:
    the port that hides them in the model may not be the port that limits the CPU.
    """

    def says(accept: bool, reason: str) -> Judgement:
        return Judgement(
            accept, reason, round(old.shown, 4), round(new.shown, 4), old.cycles, new.cycles
        )

    unpriced = _unpriced(old, new)
    if unpriced is not None:
        return says(False, f"no price for '{unpriced}'")
    runs = _runs(old, new)
    pairs = [pair for run in runs for pair in run]
    worse = [p.name for p in pairs if p.name and p.after > p.before + _NOISE]
    nests = [run for run in runs if any(p.name for p in run)]
    worse += [
        "a loop nest"
        for run in nests
        if sum(p.after for p in run) > sum(p.before for p in run) + _NOISE
    ]
    worse += [
        f"{p.name}, with more operations for the cycles that it saves,"
        for p in pairs
        if p.name and p.crowded
    ]
    if worse:
        return says(False, f"{worse[0]}{_SLOWER}")
    if (
        any(p.gains for p in pairs)
        and sum(p.after for p in pairs) < sum(p.before for p in pairs) - _NOISE
    ):
        return says(True, "faster")
    return says(False, "not faster")


def _unpriced(old: _Priced, new: _Priced) -> str | None:
    """Equal instructions without a price cancel; return the first that does not.

    They cancel block by block where the blocks match, so that none moves into a loop unseen.
    """
    if _same_shape(old, new):
        sides = [
            (dict(a.missing), dict(b.missing)) for a, b in zip(old.costs, new.costs, strict=True)
        ]
    else:
        sides = [
            (dict(_missing_at(old, d)), dict(_missing_at(new, d)))
            for d in sorted({b.depth for p in (old, new) for b in p.code.blocks})
        ]
    return next(
        (
            min(form for form in {**a, **b} if a.get(form) != b.get(form))
            for a, b in sides
            if a != b
        ),
        None,
    )


def _missing_at(side: _Priced, depth: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for c in _costs_at(side, depth):
        counts.update(dict(c.missing))
    return counts


def _same_shape(old: _Priced, new: _Priced) -> bool:
    """Tell whether two codes have the same loops, whose iterations do the same: rewrites leave
    stores alone.
    """
    return old.stores == new.stores and [(b.depth, b.repeats) for b in old.code.blocks] == [
        (b.depth, b.repeats) for b in new.code.blocks
    ]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Code before and after: its cycles, weighted by loop depth, and the cycles that dispatching
    its micro-operations takes.

    ``name`` is empty unless it is an innermost loop block.
    """

    name: str
    before: float
    after: float
    dispatch_before: float
    dispatch_after: float

    @property
    def gains(self) -> bool:
        return self.before > 0 and self.after <= self.before * (1 - GAIN)

    @property
    def crowded(self) -> bool:
        """Whether micro-operations grow more than cycles shrink."""
        more = self.dispatch_after > self.dispatch_before * (1 + GAIN)
        return (
            more and self.after * self.dispatch_after > self.before * self.dispatch_before - _NOISE
        )


def _runs(old: _Priced, new: _Priced) -> list[list[_Pair]]:
    """Return what is compared, by runs of loop blocks.

    Where the shapes of the two functions differ, the sums over each loop depth are compared
    instead, each by itself.
    """
    if not _same_shape(old, new):
        depths = sorted({b.depth for p in (old, new) for b in p.code.blocks})
        return [[_depths(old, new, d)] for d in depths]
    runs: list[list[_Pair]] = []
    for inside, blocks in groupby(
        zip(new.code.blocks, old.costs, new.costs, strict=True), key=lambda x: x[0].depth > 0
    ):
        run = list(blocks)
        deepest = max(block.depth for block, _, _ in run)
        made: list[_Pair] = []
        for block, a, b in run:
            weight = _weight(block.depth)
            extra = _extra(Counter(dict(_by_kind(a))), b) if inside else 0.0
            name = (
                f"loop block {block.label or 'without a label'}"
                if inside and block.depth == deepest
                else ""
            )
            made.append(
                _Pair(name, a.cycles * weight, (b.cycles + extra) * weight, a.dispatch, b.dispatch)
            )
        runs.append(made)
    return runs


def _depths(old: _Priced, new: _Priced, depth: int) -> _Pair:
    name = f"the loops of depth {depth}" if depth else ""
    cycles = _at(old, depth, {}), _at(new, depth, _hidden_at(old, depth))
    return _Pair(
        name,
        *cycles,
        sum(c.dispatch for c in _costs_at(old, depth)),
        sum(c.dispatch for c in _costs_at(new, depth)),
    )


def _costs_at(side: _Priced, depth: int) -> list[BlockCost]:
    return [c for b, c in zip(side.code.blocks, side.costs, strict=True) if b.depth == depth]


def _at(side: _Priced, depth: int, allowed: dict[str, int]) -> float:
    chosen = _costs_at(side, depth)
    extra = 0.0
    if depth and allowed:
        extra = _extra(Counter(allowed), *chosen)
    return (sum(c.cycles for c in chosen) + extra) * _weight(depth)


def _hidden_at(side: _Priced, depth: int) -> dict[str, int]:
    counts: Counter[str] = Counter({"spill": 0, "constant": 0})
    for c in _costs_at(side, depth):
        counts.update(dict(_by_kind(c)))
    return dict(counts)


def _by_kind(cost: BlockCost) -> list[tuple[str, int]]:
    return sorted(Counter(kind for kind, _ in cost.hidden).items())


def _extra(allowed: Counter[str], *costs: BlockCost) -> float:
    """Charge every spill and constant load that was not there before its own price, hidden
    behind nothing.
    """
    extra = 0.0
    for kind in ("spill", "constant"):
        prices = sorted((p for c in costs for k, p in c.hidden if k == kind), reverse=True)
        extra += sum(prices[: max(0, len(prices) - allowed[kind])])
    return extra
