"""Stores of the source, side by side in memory, as one store of all of their values, where the
target has one such store.

The same bytes are written, none of them is accessed in between, and all that is in between comes
back or is undefined behaviour.  Where the source has a choice (an address that rests on undef) this
is one of its ways; what it promises of the other addresses is asked no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TypeAlias

from frontends.llvm.function.addresses import Address, Addresses
from frontends.llvm.function.alias import Writes
from frontends.llvm.function.graph import WHOLE, Graph, Place
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, VectorType
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.parse import with_lines
from frontends.llvm.text.syntax import shape_of

_Row: TypeAlias = list[Place]  # stores in the order of their addresses
_Found: TypeAlias = Mapping[Address | None, Place]


def join_stores(source: Graph, target: Graph, blocks: Mapping[str, str]) -> Function:
    """Return the source's function with such stores joined; itself where there are none."""
    function, writes = source.function, Writes(source)
    names = function.view.free_names("isel.joined")
    for b, a in blocks.items():
        lines = dict[int, Sequence[str]]()
        for row in _rows(writes, target, a, b):
            lines.update((p.instr.line, ()) for p in row)
            lines[max(p.instr.line for p in row)] = _join([p.instr for p in row], names)
        if lines:
            own = (x for i in function.view.block(a).instrs for x in lines.get(i.line, (i.text,)))
            function = with_lines(function, a, own)
    return function


def _rows(writes: Writes, target: Graph, a: str, b: str) -> Iterator[_Row]:
    """Yield stores, in the order of their addresses, that are as much as one of the target."""
    mine, theirs = writes.graph.effects[a], target.effects[b]
    sizes = [_bits(t.instr) for t in theirs]
    left = [p for p in mine if _bits(p.instr)] if len(mine) > len(theirs) else []
    while left:
        offers = filter(writes.may_join, _offers(writes.addresses, left, sizes))
        if row := next(offers, []):
            sizes.remove(len(row) * _bits(row[0].instr))
            yield row
        left = [p for p in left[not row :] if p not in row]


def _bits(i: Instr) -> int:
    """Return the bits of a plain store of integers of whole bytes, 0 for another."""
    plain = i.opcode == "store" and i.known and i.align and not i.flags
    shape = shape_of(i.operands[0].type) if plain else (0, 0)
    return prod(shape) if shape[1] in WHOLE else 0


def _offers(addresses: Addresses, left: Sequence[Place], sizes: Sequence[int]) -> Iterator[_Row]:
    """Yield neighbours of the first of some stores, itself among them, of as many bits in all as
    one of some sizes: several integers, or two vectors.
    """
    (value, pointer), bits = left[0].instr.operands, _bits(left[0].instr)
    alike = (p for p in left if p.instr.operands[0].type == value.type)
    found = {addresses.of(p.instr.operands[1]): p for p in alike}
    at, most = addresses.of(pointer), 2 if isinstance(value.type, VectorType) else len(left)
    above, below = ([*_follow(found, at, step)] for step in (bits // 8, -bits // 8))
    for size in dict.fromkeys(sizes):
        more = size // bits - 1
        row = [*below[: more - len(above[:more])][::-1], left[0], *above[:more]]
        if 1 < len(row) <= most and len(row) * bits == size:
            yield row


def _follow(found: _Found, at: Address | None, step: int) -> Iterator[Place]:
    """Yield the stores that lie one behind the other, so many bytes further each time."""
    while at is not None and (p := found.get(at := at.moved(step))) is not None:
        yield p


def _join(row: Sequence[Instr], names: Iterator[str]) -> Sequence[str]:
    """Return what puts values together, and the store of them."""
    values, w = [i.operands[0] for i in row], Lines(names)
    vectors = isinstance(values[0].type, VectorType)
    whole = w.pair(*values) if vectors else w.chain(values)
    return [*w.lines, build.store(whole, row[0].operands[1], row[0].align)]
