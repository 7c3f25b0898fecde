"""Memory that several loads of a block read: what overlaps is the same bytes, so one load's lanes are found in another.

Loads are of one region where they have one base pointer, constant offsets, elements of one width on one grid, and nothing between
them that may write.  No load is added: a window's leaves stay the loads, and say where in the region they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm.ast import Function, Instr, IntType, Literal, Local, Operand
from frontends.llvm.ranges import integer_shape
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, leaves
from isel.synth.window import Leaf, Root, Window

_QUIET: Final = frozenset({"load", "getelementptr", "phi", "dbg", "icmp", "fcmp", "select", "freeze", "alloca", "ptrtoint", "inttoptr"}) | frozenset(
    {"bitcast", "zext", "sext", "trunc", "shufflevector", "insertelement", "extractelement", "add", "sub", "mul", "and", "or", "xor"}
    | {"shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"}
)


@dataclass(frozen=True, slots=True)
class Input:
    """A leaf of a window and the operand that it stands for; ``fixed``: provably neither poison nor undef."""

    leaf: Leaf
    operand: Operand
    fixed: bool


@dataclass(frozen=True, slots=True)
class _Read:
    """A load: ``key`` says what it may share bytes with, ``first`` and ``bits`` what it reads."""

    key: tuple[int, int, str, int]
    first: int
    bits: int


class Regions:
    """The loads of a function by the memory that they read."""

    def __init__(self, function: Function, pure: Callable[[Instr], bool]) -> None:
        """``pure`` tells of a call whether it only computes a value."""
        self._defs = {i.name: i for b in function.blocks for i in b.instrs if i.name}
        self._reads: dict[str, _Read] = {}
        for number, block in enumerate(function.blocks):
            writes = 0
            for i in block.instrs:
                if i.opcode == "load" and i.known and not {"volatile", "atomic"} & i.flags:
                    self._note(i, number, writes)
                elif i.opcode not in _QUIET and not (i.opcode == "call" and pure(i)):
                    writes += 1

    def _note(self, i: Instr, block: int, writes: int) -> None:
        shape, place = integer_shape(i.type), self._place(i.operands[0])
        if shape is not None and place is not None and shape[1] % 8 == 0:
            base, offset = place
            self._reads[i.name] = _Read((block, writes, base, shape[1]), 8 * offset, shape[0] * shape[1])

    def _place(self, pointer: Operand) -> tuple[str, int] | None:
        """Return the base of an address and the bytes from it."""
        offset = 0
        while isinstance(pointer, Local):
            i = self._defs.get(pointer.name)
            step = None if i is None or i.opcode != "getelementptr" or not i.known else _step(i)
            if i is None or step is None:
                return pointer.name, offset
            offset += step
            pointer = i.operands[1]
        return None

    def shared(self, inputs: Sequence[Input]) -> tuple[Input, ...]:
        """Return the inputs of a window, those that overlap with the region that they are parts of."""
        found: dict[tuple[int, int, str, int], list[tuple[_Read, int]]] = {}
        for k, x in enumerate(inputs):
            read = self._reads.get(x.operand.name) if isinstance(x.operand, Local) else None
            if read is not None and (x.leaf.width, x.leaf.width * x.leaf.lanes) == (read.key[3], read.bits):
                found.setdefault(read.key, []).append((read, k))
        result = list(inputs)
        number = 0
        for members in found.values():
            for cluster in _clusters(members):
                start = min(r.first for r, _ in cluster)
                for r, k in cluster:
                    result[k] = replace(inputs[k], leaf=replace(inputs[k].leaf, region=f"m{number}", first=r.first - start))
                number += 1
        return tuple(result)


def _clusters(members: Sequence[tuple[_Read, int]]) -> Iterator[list[tuple[_Read, int]]]:
    """Yield the groups of two and more reads that overlap, one with the next, on one grid of elements."""
    grids: dict[int, list[tuple[_Read, int]]] = {}
    for m in sorted(members, key=lambda m: (m[0].first, m[1])):
        grids.setdefault(m[0].first % m[0].key[3], []).append(m)
    for grid in grids.values():
        cluster: list[tuple[_Read, int]] = []
        end = 0
        for m in grid:
            if cluster and m[0].first >= end:
                if len(cluster) > 1:
                    yield cluster
                cluster = []
            cluster.append(m)
            end = max(end, m[0].first + m[0].bits)
        if len(cluster) > 1:
            yield cluster


def _step(i: Instr) -> int | None:
    """Return the bytes that a getelementptr of one constant index adds."""
    shape = integer_shape(i.operands[0].type)
    index = i.operands[2] if len(i.operands) == 3 else None
    if shape is None or shape[0] != 1 or shape[1] % 8 or not isinstance(index, Literal) or not isinstance(index.type, IntType):
        return None
    (value,) = index.lanes
    if not isinstance(value, int):
        return None
    return shape[1] // 8 * (value - (1 << index.type.bits) if value >> (index.type.bits - 1) else value)


def in_regions(window: Window) -> Window:
    """Return the window with its terms over regions instead of the leaves that are parts of them."""
    parts = {x.name: x for x in window.leaves if x.region}
    if not parts:
        return window

    def placed(e: Expr) -> Expr:
        new = {x: parts[x.source].element(x.offset, x.width) for x in leaves(e) if x.op == "elem" and x.source in parts}
        return instantiate(e, new) if new else e

    roots = tuple(Root(r.width, tuple(None if e is None else placed(e) for e in r.lanes), tuple(map(placed, r.defined))) for r in window.roots)
    return replace(window, roots=roots, facts=tuple(map(placed, window.facts)))
