"""The control flow graph of a function: how many loops are around each block."""

from __future__ import annotations

from frontends.llvm.ast import Block, Function, OtherType, Symbol
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


def _targets(block: Block) -> list[str]:
    """Return the labels that the last instruction of a block names."""
    end = next((i for i in reversed(block.instrs) if i.opcode != "dbg"), None)
    return (
        []
        if end is None
        else [
            o.text.removeprefix("%")
            for o in end.operands
            if isinstance(o, Symbol) and o.type == OtherType("label")
        ]
    )
