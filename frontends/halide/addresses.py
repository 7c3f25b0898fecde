"""Addresses as sums: a base, symbols times bytes, and a constant; so that neighbours can be told from others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.ast import Instr, IntType, Literal, Local, Operand, PtrType, Symbol, Type, VectorType

_MASK: Final = (1 << 64) - 1
_DEPTH: Final = 32


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer: the name of its base, what is added to it in bytes (name and factor, sorted), and a constant in bytes."""

    base: str
    terms: tuple[tuple[str, int], ...]
    offset: int

    @property
    def signed(self) -> int:
        """The constant as a signed number."""
        return _signed(self.offset)

    def distance(self, other: Address) -> int | None:
        """Return how many bytes ``other`` lies behind this address, or None where that is not a constant."""
        if (self.base, self.terms) != (other.base, other.terms):
            return None
        return _signed(other.offset - self.offset)


@dataclass(slots=True)
class _Sum:
    terms: dict[str, int] = field(default_factory=dict)
    offset: int = 0


def size_of(kind: Type) -> int | None:
    """Return the bytes between neighbours of a type in memory, None where that is not a whole power of two of them."""
    if isinstance(kind, IntType):
        return kind.bits // 8 if kind.bits in (8, 16, 32, 64) else None
    if isinstance(kind, PtrType):
        return None
    if isinstance(kind, VectorType):
        each = size_of(kind.elem)
        total = 0 if each is None else each * kind.count
        return total if total and total & (total - 1) == 0 else None
    return {"half": 2, "bfloat": 2, "float": 4, "double": 8}.get(str(kind))


def address_of(pointer: Operand, definitions: Mapping[str, Instr]) -> Address | None:
    """Return the address that a pointer operand stands for, seen through getelementptr and 64-bit sums."""
    total = _Sum()
    at = pointer
    for _ in range(_DEPTH):
        step = definitions.get(at.name) if isinstance(at, Local) else None
        if step is None or step.opcode != "getelementptr" or not _stepped(step, total, definitions):
            break
        at = step.operands[1]
    if isinstance(at, Local):
        name = f"%{at.name}"
    elif isinstance(at, Symbol):
        name = at.text
    else:
        return None
    terms = sorted((n, f & _MASK) for n, f in total.terms.items() if f & _MASK)
    return Address(name, tuple(terms), total.offset & _MASK)


def _stepped(step: Instr, total: _Sum, definitions: Mapping[str, Instr]) -> bool:
    """Add a getelementptr with one index to the sum; tell whether it could be."""
    if not step.known or len(step.operands) != 3:
        return False
    kind, _, index = step.operands
    size = size_of(kind.type) if isinstance(kind, Symbol) else None
    if size is None or index.type != IntType(64):
        return False
    _add(index, size, total, definitions, _DEPTH)
    return True


def _add(index: Operand, factor: int, total: _Sum, definitions: Mapping[str, Instr], depth: int) -> None:
    if isinstance(index, Literal) and isinstance(index.lanes[0], int):
        total.offset += index.lanes[0] * factor
        return
    step = definitions.get(index.name) if isinstance(index, Local) else None
    if step is not None and depth and len(step.operands) == 2:
        left, right = step.operands
        constant = right.lanes[0] if isinstance(right, Literal) else None
        if step.opcode == "add" or (step.opcode == "or" and "disjoint" in step.flags):
            _add(left, factor, total, definitions, depth - 1)
            _add(right, factor, total, definitions, depth - 1)
            return
        if step.opcode == "sub":
            _add(left, factor, total, definitions, depth - 1)
            _add(right, -factor, total, definitions, depth - 1)
            return
        if step.opcode in ("shl", "mul") and isinstance(constant, int) and (step.opcode == "mul" or constant < 64):
            _add(left, factor * (constant if step.opcode == "mul" else 1 << constant), total, definitions, depth - 1)
            return
    name = f"%{index.name}" if isinstance(index, Local) else str(index)
    total.terms[name] = total.terms.get(name, 0) + factor


def _signed(value: int) -> int:
    value &= _MASK
    return value - (1 << 64) if value >> 63 else value
