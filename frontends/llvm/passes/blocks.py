"""Blocks in place of a loop of one block, and other lines in place of those of a block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from frontends.llvm.passes.counting import Cycle
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.rewording import rename
from frontends.llvm.text.view import View


@dataclass(frozen=True, slots=True)
class Blocks:
    """A loop as blocks, with their lines by label, in order: the first keeps the loop's label, in
    the last they meet.  ``outs`` are what the loop's values are called behind it.
    """

    loop: Cycle
    blocks: tuple[tuple[str, tuple[str, ...]], ...]
    outs: Mapping[str, str]

    def behind(self, block: str, line: str) -> str:
        """Return a line of another block as it is then."""
        moved = " = phi " in line and block == self.loop.out
        edges = {self.loop.header: self.blocks[-1][0]} if moved else {}
        return rename(line, {**self.outs, **edges})


def outputs(view: View, instrs: Sequence[Instr]) -> Iterator[Instr]:
    """Yield what others use of what instructions give."""
    inner = {i.line for i in instrs}
    for i in instrs:
        if i.name and not {u.line for u in view.used_by(i.name)} <= inner:
            yield i
