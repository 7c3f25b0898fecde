"""Memory of straight-line code: pointer arguments plus constant offsets, cut into units of whole bytes.

A unit is as wide as every access of its region allows.  What cannot be followed raises
:class:`frontends.llvm.refine_choice.Cannot` with a reason that starts with ``memory``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd
from typing import Final

from frontends.llvm.ast import Function, Instr, IntType, Literal, Local, Operand, PtrType, Type, VectorType
from frontends.llvm.lower import integer_type
from frontends.llvm.meaning import NO, Unsupported, Value, recast
from frontends.llvm.refine_choice import Cannot, Chooser
from frontends.llvm.refine_inputs import World, poison_bit, undef_bit
from isel.ir.expr import Expr, elem

_HARMLESS: Final = frozenset({"dbg", "nontemporal", "noundef", "prof"})  # noundef is handled where a value is loaded


@dataclass(frozen=True, slots=True)
class Pointer:
    """Argument ``base`` plus ``offset`` bytes."""

    base: int
    offset: int


@dataclass(frozen=True, slots=True)
class Access:
    """A load or store of ``size`` bytes at ``align``; ``tags`` is metadata that promises something."""

    at: Pointer
    size: int
    align: int
    store: bool
    tags: frozenset[tuple[str, str]] = frozenset()

    def units(self, unit: int) -> Iterator[int]:
        """Yield the units that are touched, ``unit`` bytes each."""
        yield from range(self.at.offset // unit, (self.at.offset + self.size) // unit)


def step(instr: Instr, pointers: Mapping[str, Pointer]) -> Pointer:
    """Return the address that a getelementptr gives."""
    scale = _size(instr.operands[0].type)
    base, index = _pointer(instr.operands[1], pointers), instr.operands[2] if len(instr.operands) == 3 else None
    if not isinstance(index, Literal) or not isinstance(index.type, IntType) or not isinstance(index.lanes[0], int):
        raise Cannot("memory: an address that is not a constant offset from an argument")
    value, bits = index.lanes[0], index.type.bits
    return Pointer(base.base, base.offset + scale * (value - (1 << bits) if value >> (bits - 1) else value))


def _size(kind: Type) -> int:
    shape = integer_type(kind)
    if shape is None or shape[0] * shape[1] % 8 or (size := shape[0] * shape[1] // 8) & (size - 1):
        raise Cannot(f"memory: an address in steps of {kind}")
    return size


def _pointer(o: Operand, pointers: Mapping[str, Pointer]) -> Pointer:
    found = pointers.get(o.name) if isinstance(o, Local) else None
    if found is None:
        raise Cannot("memory: an address that is not a constant offset from an argument")
    return found


def access(instr: Instr, pointers: Mapping[str, Pointer]) -> Access:
    """Return what a load or store touches."""
    store = instr.opcode == "store"
    kind = instr.operands[0].type if store else instr.type
    shape = integer_type(kind)
    if shape is None:
        raise Cannot("floating point" if any(x in str(kind) for x in ("float", "double", "half")) else f"memory: an access of type {kind}")
    if shape[1] % 8:
        raise Cannot("memory: elements that are no whole bytes")
    return Access(
        _pointer(instr.operands[1 if store else 0], pointers),
        shape[0] * shape[1] // 8,
        instr.align,
        store,
        frozenset(m for m in instr.metadata if m[0] not in _HARMLESS),
    )


def units(*functions: Function) -> dict[int, int]:
    """Return the bytes of a unit of each argument's region, over all accesses of the functions."""
    found: dict[int, int] = {}
    for function in functions:
        pointers = {a.name: Pointer(k, 0) for k, a in enumerate(function.arguments) if isinstance(a.type, PtrType)}
        for i in (i for block in function.blocks for i in block.instrs if i.known):
            if i.opcode == "getelementptr":
                pointers[i.name] = step(i, pointers)
            elif i.opcode in ("load", "store"):
                a = access(i, pointers)
                width = integer_type(i.operands[0].type if a.store else i.type)
                assert width is not None
                found[a.at.base] = gcd(found.get(a.at.base, 0), width[1] // 8, a.at.offset)
    return found


@dataclass
class Memory:
    """What one side has read and written."""

    unit: Mapping[int, int]
    noalias: frozenset[int]
    accesses: list[Access] = field(default_factory=list)
    steps: list[tuple[Pointer, Pointer, frozenset[str]]] = field(default_factory=list)
    written: dict[tuple[int, int], tuple[Expr, Expr]] = field(default_factory=dict)
    read: set[tuple[int, int]] = field(default_factory=set)

    def address(self, instr: Instr, pointers: Mapping[str, Pointer]) -> Pointer:
        """Return the address that a getelementptr gives, and note its flags."""
        if isinstance(instr.type, VectorType):
            raise Cannot("memory: a vector of addresses")
        found = step(instr, pointers)
        self.steps.append((_pointer(instr.operands[1], pointers), found, instr.flags))
        return found

    def load(self, instr: Instr, pointers: Mapping[str, Pointer], chooser: Chooser, world: World) -> Value:
        """Return what a load reads."""
        a = self._note(access(instr, pointers))
        unit = self.unit[a.at.base]
        parts = [self.content(a.at.base, u, chooser, world) for u in a.units(unit)]
        shape = integer_type(instr.type)
        assert shape is not None
        value = recast(Value(unit * 8, tuple(e for e, _ in parts), tuple(p for _, p in parts)), shape[1])
        if isinstance(value, Unsupported):
            raise Cannot(value.reason)
        return value

    def content(self, base: int, unit: int, chooser: Chooser, world: World) -> tuple[Expr, Expr]:
        """Return a unit as this look at it sees it."""
        key = (base, unit)
        if key not in self.written:
            return self._initial(base, unit, chooser, world)
        value, poison = self.written[key]
        seen = chooser.again(Value(value.width, (value,), (poison,)))
        return seen.lanes[0], seen.poison[0]

    def _initial(self, base: int, unit: int, chooser: Chooser, world: World) -> tuple[Expr, Expr]:
        what, width = f"m{base}", 8 * self.unit[base]
        x, p = elem(what, unit * width, width), poison_bit(what, unit)
        if not world.undefs:
            return x, p
        seen = chooser.undef(what, unit * width, width, undef_bit(what, unit), x)
        if (base, unit) in self.read:
            seen = chooser.again(Value(width, (seen,), (NO,))).lanes[0]
        self.read.add((base, unit))
        return seen, p

    def store(self, instr: Instr, value: Value, pointers: Mapping[str, Pointer], chooser: Chooser) -> None:
        """Write the lanes of a value."""
        a = self._note(access(instr, pointers))
        unit = self.unit[a.at.base]
        parts = recast(value, unit * 8)
        if isinstance(parts, Unsupported):
            raise Cannot(parts.reason)
        for u, e, p in zip(a.units(unit), parts.lanes, parts.poison, strict=True):
            self.written[a.at.base, u] = (e, p)

    def _note(self, a: Access) -> Access:
        for other in self.accesses:
            apart = other.at.base != a.at.base
            if apart and (other.store or a.store) and not {a.at.base, other.at.base} & self.noalias:
                raise Cannot("memory: arguments that may alias")
        self.accesses.append(a)
        return a


def compatible(source: Memory, target: Memory, *, same_nodes: bool) -> str:
    """Return why the target's accesses are not covered by the source's; empty if they are."""
    mine = {(a.at.base, u) for a in source.accesses for u in a.units(source.unit[a.at.base])}
    for a in target.accesses:
        if not {(a.at.base, u) for u in a.units(target.unit[a.at.base])} <= mine:
            return "memory: the target accesses bytes that the source does not"
        if a.tags and not (same_nodes and any((x.at, x.size, x.store) == (a.at, a.size, a.store) and a.tags <= x.tags for x in source.accesses)):
            return "memory: metadata of an access that the source does not have"
        if not _aligned(a, source):
            return "memory: the target accesses at an alignment that the source does not have"
    if not set(target.written) <= set(source.written):
        return "memory: the target writes bytes that the source does not"
    flagged = {(s, e, f) for s, e, flags in source.steps for f in flags}
    if any((s, e, f) not in flagged for s, e, flags in target.steps for f in flags):
        return "memory: flags of an address that the source does not have"
    return ""


def _aligned(a: Access, source: Memory) -> bool:
    known = (x for x in source.accesses if x.at.base == a.at.base)
    return a.align > 0 and (a.align == 1 or any(x.align >= a.align and (x.at.offset - a.at.offset) % a.align == 0 for x in known))


def conditions(source: Memory, target: Memory, s: Chooser, t: Chooser, world: World) -> Iterator[tuple[str, tuple[Expr, Expr], tuple[Expr, Expr]]]:
    """Yield the final content of each unit that either side wrote: where, the source's, the target's."""
    for base, unit in sorted(source.written):
        where = f"byte {unit * source.unit[base]} of argument {base}"
        yield where, source.content(base, unit, s, world), target.content(base, unit, t, world)
