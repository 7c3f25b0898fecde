"""A loop that adds one product of extended lanes by a scalar in each pass: four passes as one.

What instructions do that multiply and add neighbours needs several steps of the sum at once; LLVM
leaves loops of one block that have enough to do as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from frontends.llvm.cuts.counting import Loop, is_value
from frontends.llvm.cuts.packing import Left, require
from frontends.llvm.cuts.unroll import short_loops, unroll
from frontends.llvm.text.ast import Instr, VectorType
from frontends.llvm.text.view import incoming
from frontends.llvm.transform.site import Change, Scope

_TIMES: Final = (4, 2)


@dataclass(frozen=True, slots=True)
class Passes:
    """A loop, the first of its sums, and how many passes become one."""

    root: Instr
    loop: Loop
    times: int
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return what the lines of the loop become."""
        lines = unroll(scope.view, self.loop, self.times, names)
        by_line = {i.line: i for i in scope.view}
        text = {k: scope.indent(by_line[k], *new) for k, new in lines.items()}
        return Change(text, f"{self.times} passes as one")


def sites(scope: Scope) -> Iterator[Passes]:
    """Yield the loops of one block whose sums of vectors are all of one such product a pass."""
    for loop in short_loops(scope.view):
        sums = list(_sums(scope, loop))
        if sums and all(_is_product(scope, loop, i) for i in sums):
            yield _passes(scope, loop, sums[0])


def _passes(scope: Scope, loop: Loop, root: Instr) -> Passes:
    times = next((n for n in _TIMES if len(loop.numbers) % n == 0), 0)
    try:
        require(not scope.why_small, scope.why_small)
        require(0 < times < len(loop.numbers), "the number of its passes is odd, or small")
        unroll(scope.view, loop, times, iter(f"x{n}" for n in range(1 << 16)))
    except Left as why:
        return Passes(root, loop, 0, str(why))
    return Passes(root, loop, times)


def _sums(scope: Scope, loop: Loop) -> Iterator[Instr]:
    """Yield what vectors that a loop carries are next."""
    for i in scope.view.block(loop.header).instrs:
        if i.opcode == "phi" and isinstance(i.type, VectorType):
            new = scope.definition(incoming(i)[loop.latch])
            yield i if new is None or not any(is_value(o, i) for o in new.operands) else new


def _is_product(scope: Scope, loop: Loop, i: Instr) -> bool:
    """Tell whether a value is a sum with a product of extended lanes by what is in all lanes."""
    products = [d for d in _above(scope, i) if d.opcode == "mul"]
    if i.opcode != "add" or [scope.view.label(d.name) for d in products] != [loop.header]:
        return False
    factors = {d.opcode: d for d in _above(scope, products[0])}
    splat = factors.pop("shufflevector", None)
    return splat is not None and len({*splat.mask}) == 1 and bool({"sext", "zext"} & {*factors})


def _above(scope: Scope, i: Instr) -> list[Instr]:
    return [d for o in i.operands if (d := scope.definition(o)) is not None]
