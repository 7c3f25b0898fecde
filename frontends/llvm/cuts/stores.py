"""Two stores of the source, side by side in memory, as one store of both vectors joined, where the
target has one such store.

The same bytes are written, none of them is accessed in between, and all that is in between comes
back or is undefined behaviour.  Where the source has a choice (an address that rests on undef) this
is one of its ways; what it promises of the second address is asked no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from frontends.llvm.cuts.addresses import Addresses
from frontends.llvm.cuts.alias import Writes
from frontends.llvm.cuts.graph import Graph, Kind, Place, effects
from frontends.llvm.text.ast import Block, Function, Instr, Local, VectorType
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import integer_shape

_BETWEEN = (Kind.FUNCTION, Kind.SILENT, Kind.CHOICE, Kind.DIVISION)
_BYTES = (8, 16, 32, 64)  # bits of elements that are their bytes in memory, one after the other


def join_stores(source: Graph, target: Graph, blocks: Mapping[str, str]) -> Function:
    """Return the source's function with such stores joined; itself where there are none."""
    writes = Writes(source, Addresses(source))
    found, names = dict[int, tuple[Instr, ...]](), source.function.view.free_names("isel.joined")
    for b, a in blocks.items():
        for first, second, low in _pairs(writes, target, a, b):
            found[first.instr.line] = ()
            found[second.instr.line] = _join(first.instr, second.instr, low, next(names))
    if not found:
        return source.function
    changed = (_with(block, found) for block in source.function.blocks)
    return replace(source.function, blocks=tuple(changed))


def _pairs(writes: Writes, target: Graph, a: str, b: str) -> Iterator[tuple[Place, Place, Instr]]:
    """Yield stores that are the halves of a store of the target, and that of the lower half."""
    mine, theirs = effects(writes.graph.body[a]), effects(target.body[b])
    sizes = [_bits(t.instr) for t in theirs]
    left = list(mine) if len(mine) > len(theirs) else []
    while left:
        first, *left = left
        for second in left if 2 * _bits(first.instr) in sizes else ():
            low = _low(writes.addresses, first, second)
            if low is not None and _may_wait(writes, first, second):
                yield first, second, low
                sizes.remove(2 * _bits(first.instr))
                left.remove(second)
                break


def _bits(i: Instr) -> int:
    """Return the bits of a plain store of a computed vector of whole bytes, -1 for another."""
    value = i.operands[0] if i.opcode == "store" and i.known and i.align else None
    shape = integer_shape(value.type) if isinstance(value, Local) else None
    if shape is None or shape[0] < 2 or shape[1] not in _BYTES or i.flags:
        return -1
    return shape[0] * shape[1]


def _low(addresses: Addresses, first: Place, second: Place) -> Instr | None:
    """Return the store of the lower half, None where they do not lie side by side."""
    if _bits(first.instr) != _bits(second.instr):
        return None
    x, y = (p.instr.operands[0] for p in (first, second))
    one, other = (addresses.of(p.instr.operands[1]) for p in (first, second))
    if x.type != y.type or one is None or other is None or one.bits != other.bits:
        return None
    size = _bits(first.instr) // 8
    if one.moved(size) == other:
        return first.instr
    return second.instr if other.moved(size) == one else None


def _may_wait(writes: Writes, first: Place, second: Place) -> bool:
    """Tell whether a store may be done where a later one of its block is."""
    body = writes.graph.body[first.block]
    between = (p for p in body if first.instr.line < p.instr.line < second.instr.line)
    return all(p.kind in _BETWEEN or writes.avoids(first, p) for p in between)


def _join(first: Instr, second: Instr, low: Instr, name: str) -> tuple[Instr, ...]:
    """Return both vectors as one, and the store of it."""
    (x, pointer), y = low.operands, (second if low is first else first).operands[0]
    assert isinstance(x.type, VectorType)
    count = 2 * x.type.count
    mask = ", ".join(f"i32 {k}" for k in range(count))
    both = f"{x.type} {spell(x)}, {y.type} {spell(y)}, <{count} x i32> <{mask}>"
    kind = f"<{count} x {x.type.elem}> %{name}, {pointer.type} {spell(pointer)}"
    return (
        parse_instruction(f"%{name} = shufflevector {both}", first.line),
        parse_instruction(f"store {kind}, align {low.align}", second.line),
    )


def _with(block: Block, found: Mapping[int, tuple[Instr, ...]]) -> Block:
    instrs = (x for i in block.instrs for x in found.get(i.line, (i,)))
    return replace(block, instrs=tuple(instrs))
