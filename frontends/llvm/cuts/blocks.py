"""Blocks in place of a loop of one block, and other lines in place of those of a block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from frontends.llvm.cuts.counting import Cycle
from frontends.llvm.text.ast import Block, Function, Instr
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import rename


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


def with_lines(function: Function, label: str, lines: Iterable[str]) -> Function:
    """Return a function with other lines in a block."""
    at = count(max(i.line for i in function.view) + 1)
    block = Block(label, tuple(parse_instruction(x, next(at)) for x in lines))
    blocks = (block if b.label == label else b for b in function.blocks)
    return replace(function, blocks=tuple(blocks))


def with_blocks(function: Function, found: Mapping[str, Blocks]) -> Function:
    """Return a function with blocks in place of loops, by their labels."""
    at = count(max(i.line for i in function.view) + 1)
    blocks = list[Block]()
    for b in function.blocks:
        others = [d for header, d in found.items() if header != b.label]
        plain = ((b.label, tuple(i.text.strip() for i in b.instrs)),)
        for label, lines in found[b.label].blocks if b.label in found else plain:
            instrs = (_behind(others, b.label, x, next(at)) for x in lines)
            blocks.append(Block(label, tuple(instrs)))
    return replace(function, blocks=tuple(blocks))


def _behind(found: Sequence[Blocks], block: str, text: str, at: int) -> Instr:
    for d in found:
        text = d.behind(block, text)
    return parse_instruction(text, at)
