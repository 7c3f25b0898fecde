"""What the code of a row costs by a CPU's price table: as LLVM makes it, and as it is rewritten."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from frontends.halide.expr.code import Code, Compiler, best
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Tools
from isel.api.tools import make_tools
from isel.errors import UnknownName
from semantics import isas
from semantics.pricing import pricing
from tests.fixed_point.rows import Row

CPU: Final = "sapphirerapids"
_FIXED: Final = {"arm": "-sve,-sve2"}  # no registers whose size only the CPU knows


@dataclass(frozen=True, slots=True)
class Judged:
    """Cycles a call of LLVM's code and of the code written; ``seconds`` are CPU time of the
    rewriting in this process.
    """

    row: Row
    bits: int
    llvm: float
    cost: float
    program: tuple[str, ...]
    seconds: float

    @property
    def dearer(self) -> bool:
        return self.cost > self.llvm


@dataclass(frozen=True, slots=True)
class Judge:
    """Rewrites rows and prices both sides."""

    options: Options
    tools: Tools
    compiler: Compiler

    def judge(self, row: Row, bits: int) -> Judged:
        source = f'target triple = "{self.options.triple}"\n{row.text(bits)}'
        plain = self._code(binding.normalise(source))
        start = time.process_time()
        done = rewrite_module(source, self.options, self.tools, row.name)
        seconds = time.process_time() - start
        code = plain if done.text == done.before else self._code(done.text)
        assert plain.cost is not None and code.cost is not None, row.name
        return Judged(row, bits, plain.cost, code.cost, code.lines, seconds)

    def _code(self, module: str) -> Code:
        found = best(self.compiler.codes(module))
        assert found is not None, module
        return found


@contextmanager
def judge(cpu: str = CPU) -> Iterator[Judge]:
    """Yield a judge for one CPU of any target, without a cache; raise :class:`UnknownName` for
    one without prices.
    """
    known = {name: i for i in isas() for name in i.priced()}
    if cpu not in known:
        raise UnknownName("CPU with prices", cpu, tuple(known))
    isa = known[cpu]
    usual = isa.usual
    features = _FIXED.get(isa.name, usual.features if usual.cpu == cpu else "")
    options = Options(triple=isa.machine.triple, cpu=cpu, features=features)
    compiler = Compiler(LlvmWorker(), options.triple, cpu, features, pricing(isa.name, cpu))
    with compiler.worker as worker, make_tools(worker, options, "off") as tools:
        yield Judge(options, tools, compiler)


def table(found: Sequence[Judged]) -> str:
    """Return a line a row, and one that counts."""
    lines = [f"{'# row':34} bits   LLVM   isel  seconds"]
    lines += [
        f"{x.row.name:34} {x.bits:4} {x.llvm:6.2f} {x.cost:6.2f} {x.seconds:7.2f}"
        f"{'  DEARER' if x.dearer else ''}"
        for x in found
    ]
    cheaper = sum(x.cost < x.llvm for x in found)
    dearer = sum(x.dearer for x in found)
    lines.append(
        f"{len(found)} rows: {cheaper} cheaper than LLVM, {dearer} dearer;"
        f" {sum(x.llvm for x in found):.2f} -> {sum(x.cost for x in found):.2f} cycles;"
        f" {sum(x.seconds for x in found):.1f} s"
    )
    return "".join(f"{line}\n" for line in lines)
