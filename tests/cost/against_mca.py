"""Pairs of machine code that say the same, priced by the tables and by full runs of llvm-mca."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bench.costs.x86 import MCA
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.cost.block import block_cost
from isel.cost.code import AsmLine, Block, Dialect
from isel.cost.prices import Prices
from semantics.assembly import read_functions
from semantics.x86.asm import DIALECT
from tests.cost.static import simulated_cycles

TRIPLE = "x86_64-pc-linux-gnu"


@dataclass(frozen=True, slots=True)
class Sample:
    """One block: where it comes from, its lines of assembly, and what the tables say of it."""

    name: str
    lines: tuple[str, ...]
    block: Block


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two ways to say the same: cycles by the tables and by the simulation of llvm-mca."""

    name: str
    ours: tuple[float, float]
    theirs: tuple[float, float]


def deepest_block(
    name: str, assembly: str, function: str, dialect: Dialect = DIALECT
) -> Sample | None:
    """Return the only block of a function, or its only loop block; None where there are more,
    calls, or no code.
    """
    texts: dict[int, str] = {}

    def reading(text: str) -> AsmLine:
        line = dialect.read(text)
        texts[id(line.operation)] = text
        return line

    code = read_functions(assembly, replace(dialect, read=reading)).get(function)
    if code is None:
        return None
    depth = max((b.depth for b in code.blocks), default=0)
    blocks = [b for b in code.blocks if b.depth == depth]
    if (
        len(blocks) != 1
        or not blocks[0].operations
        or any(o.form.startswith("call") for o in blocks[0].operations)
    ):
        return None
    return Sample(name, tuple(texts[id(o)] for o in blocks[0].operations), blocks[0])


# Ways to say the same: optimisation levels of the code generator, and instruction sets held back.
WAYS = (
    (3, ""),
    (1, ""),
    (3, "-avx512vnni,-avxvnni,-avx512vbmi,-avx512bw"),
    (3, "-avx2"),
    (3, "-fast-variable-perlane-shuffle,-fast-variable-crosslane-shuffle"),
)


def compile_ways(
    worker: LlvmWorker, name: str, module: str, function: str, cpu: str
) -> Iterator[Sample]:
    """Yield the code of one function before and after -O3, in every one of WAYS that LLVM can
    do.
    """
    optimised = worker.optimise(module, triple=TRIPLE, cpu=cpu, features="")
    for text in (module, optimised):
        for level, features in WAYS:
            if isinstance(text, WorkerFailed):
                continue
            assembly = worker.assembly(text, triple=TRIPLE, cpu=cpu, features=features, level=level)
            sample = (
                None
                if isinstance(assembly, WorkerFailed)
                else deepest_block(name, assembly, function)
            )
            if sample is not None:
                yield sample


def compare(groups: Iterable[Sequence[Sample]], prices: Prices) -> list[Comparison]:
    """Compare every two different ways of each group; ways with a form that has no price, or
    whose passes are tied, are left out.
    """
    kept = [
        [
            s
            for s in _distinct(group)
            if not block_cost(s.block, prices).missing and not tied_passes(s, prices)
        ]
        for group in groups
    ]
    flat = [s for group in kept for s in group]
    cycles = (
        dict(
            zip(
                (id(s) for s in flat),
                simulated_cycles(MCA, [s.lines for s in flat], prices.cpu),
                strict=True,
            )
        )
        if flat
        else {}
    )
    found: list[Comparison] = []
    for group in kept:
        for i, a in enumerate(group):
            for b in group[:i]:
                ours = (block_cost(b.block, prices).cycles, block_cost(a.block, prices).cycles)
                found.append(Comparison(a.name, ours, (cycles[id(b)], cycles[id(a)])))
    return found


def tied_passes(sample: Sample, prices: Prices) -> bool:
    """Tell whether simulating straight-line code pass after pass ties the passes together by
    registers.

    Such code runs once: what it leaves in a register (a clobbered pointer, the target of an idiom
    that llvm-mca does not know to be constant) delays no second pass.  A real loop is never tied
    this way, unless by such an idiom.
    """
    block = sample.block
    plain = block_cost(block, prices)
    reading = tuple(
        replace(o, reads=(*o.reads, *o.writes)) if o.form.endswith(" same") else o
        for o in block.operations
    )
    again = block_cost(replace(block, operations=reading, repeats=True), prices)
    return again.carried > max(plain.carried, 0.8 * plain.cycles)


def _distinct(samples: Iterable[Sample]) -> list[Sample]:
    return list({s.lines: s for s in samples}.values())


def sign(pair: tuple[float, float], tie: float) -> int:
    """Return 1 where the second is dearer by more than the share ``tie``, -1 where it is
    cheaper, else 0.
    """
    a, b = pair
    if abs(a - b) <= tie * max(a, b):
        return 0
    return 1 if b > a else -1
