"""Machine code of lowered expressions: what is emitted, what it costs, and whether an
instruction is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.machine.constants import constants
from isel.cost.block import block_cost
from isel.errors import IselError
from semantics.assembly import instructions_of, read_functions
from semantics.pricing import Pricing

_NAME: Final = "select"
_REGISTERS: Final = re.compile(r"\*(?P<kind>[xyz]mm|%k)$")
_PREFIX: Final = re.compile(r"^\{\w+\} ")
_UNPRICED: Final = 1e9


@dataclass(frozen=True, slots=True)
class Code:
    """A function's instructions as assembly, the cycles of one call (None: a form has no price),
    the module they come from, micro-operations.

    ``constants`` says in words what the labels in its lines stand for.
    """

    lines: tuple[str, ...]  # without the return
    cost: float | None
    module: str
    uops: int = 0
    constants: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def order(self) -> tuple[float, int]:
        """What code is ranked by, the best first."""
        return (_UNPRICED if self.cost is None else self.cost, len(self.lines))


@dataclass(frozen=True, slots=True)
class Compiler:
    """Compiles for one CPU and prices for another, or the same."""

    worker: LlvmWorker
    triple: str
    cpu: str
    features: str
    priced: Pricing

    def codes(self, module: str) -> list[Code]:
        """Return the code of ``@select`` with and without the -O3 pipeline, as far as LLVM
        makes any, the best first.
        """
        triple, cpu, features = self.triple, self.cpu, self.features
        found: list[Code] = []
        try:
            optimised = self.worker.optimise(module, triple=triple, cpu=cpu, features=features)
        except IselError:
            return found
        for text in dict.fromkeys((optimised, module)):
            if not isinstance(text, WorkerFailed):
                code = self.worker.assembly(text, triple=triple, cpu=cpu, features=features)
                found += [] if isinstance(code, WorkerFailed) else [self._code(code, text)]
        return sorted(found, key=lambda c: c.order)

    def _code(self, assembly: str, module: str) -> Code:
        dialect, prices = self.priced.dialect, self.priced.prices
        every = instructions_of(assembly, _NAME, dialect)
        lines = tuple(text for text in every if not dialect.read(text).returns)
        blocks = read_functions(assembly, dialect)[_NAME].blocks
        costs = [block_cost(b, prices) for b in blocks]
        known = (prices.of(o.form) for b in blocks for o in b.operations)
        uops = sum(p.uops for p in known if p is not None)
        cost = None if any(c.missing for c in costs) else round(sum(c.cycles for c in costs), 4)
        named = constants(assembly).items()
        used = {label: text for label, text in named if any(label in line for line in lines)}
        return Code(lines, cost, module, uops, used)


def best(codes: Iterable[Code]) -> Code | None:
    """Return the cheapest code, the first of equal ones."""
    return min(codes, key=lambda c: c.order, default=None)


def contains(lines: Sequence[str], instruction: str) -> bool:
    """Tell whether an instruction is in the code: a mnemonic with ``*`` for any letters, and
    ``*ymm`` or ``*%k`` for an operand.

    The prefix ``v`` of the encodings with three operands makes no difference.  What is written as
    the application of a function is anywhere in a line, with ``*`` for any number.
    """
    if "(" in instruction:
        text = re.escape(instruction.replace(" ", "")).replace(r"\*", r"[\d:]*")
        return any(re.search(text, line.replace(" ", "")) for line in lines)
    kind = _REGISTERS.search(instruction)
    stem, operand = instruction, ""
    if kind is not None:
        stem, operand = f"{instruction[: kind.start()]}*", kind["kind"]
    mnemonic = re.compile("v?" + re.escape(stem).replace(r"\*", r"[^\s,%]*") + r"\s")
    return any(mnemonic.match(f"{_PREFIX.sub('', line)} ") and operand in line for line in lines)
