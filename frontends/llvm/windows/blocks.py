"""The control flow graph of a function: how many loops are around each block."""

from __future__ import annotations

from frontends.llvm.text.ast import Block, Function, Instr, OtherType, Symbol
from isel.cost.loops import loop_depths


def block_depths(function: Function) -> list[int]:
    """Return the number of loops around each block of a function, in order."""
    return loop_depths(dict(enumerate(successors(function))))


def successors(function: Function) -> list[tuple[int, ...]]:
    """Return for each block of a function, in order, the numbers of those that may follow it."""
    index = {b.label: k for k, b in enumerate(function.blocks)}
    return [
        tuple(dict.fromkeys(index[x] for x in _targets(b) if x in index)) for b in function.blocks
    ]


def labels(end: Instr) -> list[str]:
    """Return the blocks that an instruction at the end of a block goes to, in the order of its
    text.
    """
    return [
        o.text.removeprefix("%")
        for o in end.operands
        if isinstance(o, Symbol) and o.type == OtherType("label")
    ]


def _targets(block: Block) -> list[str]:
    end = next((i for i in reversed(block.instrs) if i.opcode != "dbg"), None)
    return labels(end) if end is not None else []
