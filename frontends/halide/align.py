"""Stack buffers aligned as vectors of the target are, and what is known so of the loads and stores
that reach them.

Code for a machine with narrow registers, or none, aligns its stack buffers to those; a wide vector
then lies in two cache lines.  A larger alignment of a stack buffer is always right.  That of a load
or store is raised only where its address is a stack buffer plus sums of multiples
(:mod:`frontends.llvm.function.addresses`), whose common power of two is its alignment.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from frontends.llvm.function.addresses import Addresses
from frontends.llvm.text.ast import Function, Instr, Symbol
from frontends.llvm.text.layout import NotSized, Sizes, sizes_of
from frontends.llvm.text.parse import parse_module

_FIXED: Final = frozenset(
    ("no-realign-stack", "naked")
)  # attributes of functions whose stack cannot be aligned
_ALIGN: Final = re.compile(r", align \d+")


def align_stack(text: str, natural: int) -> str:
    """Return a module, as LLVM printed it, with its stack buffers aligned to ``natural`` bytes,
    smaller ones to what they fill.
    """
    module = parse_module(text)
    sizes = sizes_of(module.layout, module.lines)
    if sizes is None:
        return text
    lines = list(module.lines)
    for function in module.functions:
        for instr, align in _raised(function, sizes, natural):
            lines[instr.line] = _ALIGN.sub(f", align {align}", lines[instr.line], count=1)
    return "\n".join(lines) + "\n"


def _raised(function: Function, sizes: Sizes, natural: int) -> list[tuple[Instr, int]]:
    """Return the instructions of a function whose alignment can be raised, and to what."""
    if _FIXED & function.attributes.keys():
        return []
    instrs = [i for block in function.blocks for i in block.instrs]
    addresses = Addresses(function, sizes)
    buffers = {
        f"%{i.name}": max(i.align, _filled(i, sizes, natural))
        for i in instrs
        if i.opcode == "alloca" and i.known and i.align
    }
    found = [
        (i, buffers[f"%{i.name}"])
        for i in instrs
        if f"%{i.name}" in buffers and i.opcode == "alloca"
    ]
    found += [
        (i, _known(i, addresses, buffers))
        for i in instrs
        if i.opcode in ("load", "store") and i.known
    ]
    return [(i, align) for i, align in found if align > i.align > 0]


def _filled(alloca: Instr, sizes: Sizes, natural: int) -> int:
    """Return the alignment of a buffer: that of the widest vector that fits in it, at most
    ``natural``; 0 where its size is not known.
    """
    kind = alloca.operands[0]
    if len(alloca.operands) != 1 or not isinstance(kind, Symbol):
        return 0
    try:
        size = sizes.stride(kind.type)
    except NotSized:
        return 0
    return min(natural, 1 << size.bit_length() >> 1)


def _known(access: Instr, addresses: Addresses, buffers: Mapping[str, int]) -> int:
    """Return the alignment of a load or store of a stack buffer, 0 of any other."""
    address = addresses.of(access.operands[-1])
    if address is None or address.base not in buffers:
        return 0
    whole = math.gcd(address.offset, *(factor for _, factor in address.atoms))
    return min(buffers[address.base], whole & -whole) if whole else buffers[address.base]
