"""Modules of the same pipeline held against each other by the block model: which code is
faster, with LLVM's -O3 once more or without.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

from frontends.halide.package import HalideProblem
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.machine.trips import runs_of
from frontends.llvm.text.isolate import definition_of
from isel.cost.block import block_cost
from isel.cost.code import Code
from isel.cost.gain import is_gain, is_slower
from isel.cost.limits import BLOCK
from isel.cost.runs import UNKNOWN
from semantics import isa_named
from semantics.assembly import read_functions
from semantics.pricing import pricing

T = TypeVar("T")
_REMARK: Final = re.compile(
    r"(?:^|\s)#(?: .*)?$", re.MULTILINE
)  # Halide's names of blocks; an immediate's sign stands before its number


@dataclass(frozen=True, slots=True)
class Compiled:
    """A module as code is generated of it: with -O3 before (``passes``) or as it stands, object and
    assembly, and the cost of its code.

    ``cycles`` are those of one pass through each loop, by function and depth; ``missing`` the forms
    without a price in loops, in the whole code where there are none; ``executed`` those of all
    blocks as often as they run, 0 on a machine on which that tells too little.
    """

    text: str
    passes: bool
    object: bytes = field(repr=False)
    assembly: str = field(repr=False)
    cycles: tuple[tuple[tuple[str, int], float], ...]
    missing: tuple[tuple[str, int], ...]
    executed: float = 0.0

    @property
    def total(self) -> float:
        """Cycles of one pass through all loops, of the whole code where there are none."""
        return sum(c for (_, depth), c in self.cycles if depth) or sum(c for _, c in self.cycles)

    def why_not(self, other: Compiled) -> str:
        """Say why this code may not replace another whatever it costs in all, nothing where no
        function's loops of some depth cost more.
        """
        ours, theirs = dict(self.cycles), dict(other.cycles)
        if ours.keys() != theirs.keys():
            return "it has other loops, and nobody knows how often they run"
        if self.missing != other.missing:
            return "it has instructions without a price"
        inside = [k for k in ours if k[1]] or list(ours)
        worse = next((k for k in inside if is_slower(theirs[k], ours[k])), None)
        if worse is None:
            return ""
        return f"loops of @{worse[0]} at depth {worse[1]}: {theirs[worse]:.2f} -> {ours[worse]:.2f}"

    def faster(self, other: Compiled) -> bool:
        """Tell whether this code is faster than another: no function's loops of some depth cost
        more, and some cost less.

        Code with loops that the other does not have is not, since it may not fit in caches of
        decoded instructions, except where all that it executes is counted.
        """
        if self.executed and other.executed:
            same = self._calls() == other._calls()
            return same and is_gain(other.executed, self.executed, BLOCK)
        ours, theirs = dict(self.cycles), dict(other.cycles)
        if ours.keys() != theirs.keys() or self.missing != other.missing:
            return False
        pairs = [(theirs[k], ours[k]) for k in [k for k in ours if k[1]] or ours]
        gains = any(is_gain(*p, BLOCK) for p in pairs)
        return gains and not any(is_slower(*p) for p in pairs)

    def _calls(self) -> list[tuple[str, int]]:
        """Return the calls in loops, of which nobody knows what they execute."""
        return [(form.replace("##", ""), n) for form, n in self.missing if form.startswith("call")]


class Model:
    """Compiles modules for a target, and prices what comes out."""

    def __init__(self, target: HalideTarget, worker: LlvmWorker) -> None:
        self._target, self._worker = target, worker
        priced = pricing(target.name, target.cpu)
        self._prices, self._dialect = priced.prices, priced.dialect
        self._in_order = isa_named(target.name).machine.in_order

    def best(self, text: str, before: str = "") -> Compiled:
        """Return a module's code, with LLVM's -O3 first where that is faster by the model; what
        was rewritten is as it was ``before`` where all that it executes is counted, and was less.

        Loops that -O3 unrolls further are other loops: such code was slower more often than not,
        since it no longer fits in caches of decoded instructions.  Raises :class:`HalideProblem`
        where LLVM generates no code.
        """
        found = self.better(text)
        if self._in_order and before not in ("", text):
            plain = self.better(before)
            found = plain if plain.faster(found) else found
        return self._with_object(found)

    def better(self, text: str) -> Compiled:
        """The same, without the object; -O3 that LLVM takes too long over is not faster."""
        t = self._target
        plain = self._priced(text, passes=False)
        optimised = self._worker.optimise(text, triple=t.triple, cpu=t.cpu, features=t.features)
        if isinstance(optimised, WorkerFailed):
            return plain
        try:
            again = self._priced(optimised, passes=True)
        except HalideProblem:
            return plain
        return again if again.faster(plain) else plain

    def _with_object(self, found: Compiled) -> Compiled:
        t, text = self._target, found.text
        job = partial(binding.object_code, text, triple=t.triple, cpu=t.cpu, features=t.features)
        return replace(found, object=_made(self._worker.run(job)))

    def plain(self, text: str) -> Compiled:
        """Return a module's code as it stands."""
        return self._with_object(self._priced(text, passes=False))

    def of_assembly(
        self, text: str, code: bytes, assembly: str, *, passes: bool = False
    ) -> Compiled:
        """Return code that was generated of a module, priced."""
        codes = read_functions(_REMARK.sub("", assembly), self._dialect)
        costs = [
            (name, b.depth, block_cost(b, self._prices))
            for name, function in codes.items()
            for b in function.blocks
        ]
        executed = sum(self._executed(text, c) for c in codes.values()) if self._in_order else 0.0
        cycles: dict[tuple[str, int], float] = defaultdict(float)
        missing: Counter[str] = Counter()
        loops = any(depth for _, depth, _ in costs)
        for name, depth, cost in costs:
            cycles[name, depth] += cost.cycles
            if depth or not loops:
                missing.update(dict(cost.missing))
        tables = tuple(sorted(cycles.items())), tuple(sorted(missing.items()))
        return Compiled(text, passes, code, assembly, *tables, executed)

    def _executed(self, text: str, code: Code) -> float:
        """Return the cycles of a function's blocks as often as they run: loops as their own
        instructions say, or else those of its IR; calls outside of loops are of what fails.
        """
        lines = text.splitlines()
        inside = definition_of(lines, code.name)
        runs = runs_of(lines[inside.start + 1 : inside.stop], twice=True)
        weights = [1.0] * len(code.blocks)
        around = [1.0] * len(code.blocks)  # how often the IR's loop around a block is entered
        for loop in code.loops:
            if not loop.blocks:
                continue
            known = runs.get(code.blocks[loop.blocks[0]].source)
            guess = around[loop.blocks[0]] * (loop.passes or UNKNOWN)
            count = guess if known is None else known.count
            passes = loop.passes or max(1.0, count / around[loop.blocks[0]])
            for b in loop.blocks:
                weights[b] *= passes
                around[b] = count
        costs = [block_cost(b, self._prices) for b in code.blocks]
        every = zip(weights, costs, code.blocks, strict=True)
        return sum(w * c.cycles for w, c, b in every if b.depth or not c.missing)

    def _priced(self, text: str, *, passes: bool) -> Compiled:
        t = self._target
        found = self._worker.assembly(
            text, triple=t.triple, cpu=t.cpu, features=t.features, verbose=self._in_order
        )
        return self.of_assembly(text, b"", _made(found), passes=passes)


def _made(found: T | WorkerFailed) -> T:
    if isinstance(found, WorkerFailed):
        raise HalideProblem(f"LLVM generates no code: {found.reason}")
    return found
