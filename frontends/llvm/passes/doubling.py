"""A loop of one block as one whose passes do what two passes did, and a last one where their
number is odd: where one step more is what the loop ends at, one pass is left.  Nothing is assumed
of how often it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from frontends.llvm.passes.blocks import Blocks, outputs
from frontends.llvm.passes.counting import Cycle
from frontends.llvm.passes.left import require
from frontends.llvm.passes.unroll import unroll
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Local, Operand
from frontends.llvm.text.rewording import copy, rename
from frontends.llvm.text.syntax import TWICE
from frontends.llvm.text.view import View


def double(view: View, loop: Cycle, names: Iterator[str]) -> Blocks:
    """Return a loop as blocks; raises :class:`Left` for one that does more than its passes."""
    require(loop.latch == loop.header, "it has several blocks")
    instrs = [i for i in view.block(loop.header).instrs if i.opcode != "dbg"]
    outs = {i.name: next(names) for i in outputs(view, instrs)}
    wide = f"{TWICE}{next(names).rpartition('.')[2]}"
    between, rest, end = (next(names) for _ in range(3))
    writer = _Writer(view, loop, instrs, names, (loop.header, wide, between, rest, end), outs)
    return Blocks(loop, tuple(zip(writer.labels, writer.blocks(), strict=True)), outs)


@dataclass(slots=True)
class _Writer:
    """The lines of a loop as blocks."""

    view: View
    loop: Cycle
    instrs: list[Instr]
    names: Iterator[str]
    labels: tuple[str, str, str, str, str]
    outs: Mapping[str, str]

    def blocks(self) -> Iterator[tuple[str, ...]]:
        """Yield the lines of the blocks in the order of their labels."""
        c, done = self.loop, next(self.names)
        first, wide, between, rest, end = self.labels
        yield (
            *self._tests(c.start, next(self.names), odd := next(self.names)),
            build.branch(f"%{odd}", rest, wide),
        )
        yield tuple(self._wide(done))
        yield (build.branch(f"%{done}", end, rest),)
        own = {i.name: next(self.names) for i in self.instrs if i.name}
        yield (*self._rest(own, {c.before: first, first: between}), build.go(end))
        kinds = {i.name: i.type for i in self.instrs}
        phis = (
            build.phi(kinds[name], ((f"%{name}", between), (f"%{own[name]}", rest))).line(new)
            for name, new in self.outs.items()
        )
        yield (*phis, build.go(c.out))

    def _tests(self, counter: Operand, after: str, ends: str) -> Iterator[str]:
        """Yield lines that tell whether a pass is the last."""
        c = self.loop
        yield build.binary("add", counter, c.step).line(after)
        yield build.compare("eq", Local(after, c.kind), c.stop).line(ends)

    def _wide(self, done: str) -> Iterator[str]:
        c, (first, wide, between, _, _) = self.loop, self.labels
        lines = unroll(self.view, c, 2, self.names)
        edges = {c.before: first, first: wide}
        *body, branch = self.instrs
        for i in body:
            text = copy([i], edges) if i.opcode == "phi" else lines[i.line]
            yield from () if i is c.test else text
        ends, odd = next(self.names), next(self.names)
        yield build.compare("eq", build.result(c.after), c.stop).line(done)
        yield from self._tests(build.result(c.after), next(self.names), odd)
        yield build.binary("or", *(Local(x, IntType(1)) for x in (done, odd))).line(ends)
        said = branch.text.strip().partition(", !")
        yield build.branch(f"%{ends}", between, wide, "".join(said[1:]))

    def _rest(self, own: Mapping[str, str], edges: Mapping[str, str]) -> Iterator[str]:
        """Yield one pass, whose test is known, with its own names."""
        for i in self.instrs[:-1]:
            name, _, said = i.text.strip().partition(" = ")
            if i.opcode == "phi":
                yield f"{rename(name, own)} = {rename(said, edges)}"
            elif i is not self.loop.test:
                yield rename(i.text.strip(), own)
