"""Addresses as sums: a base, symbols times bytes, and a constant; so that neighbours can be
told from others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.text.ast import (
    Instr,
    IntType,
    Literal,
    Local,
    Operand,
    PtrType,
    Symbol,
    Type,
    VectorType,
)
from frontends.llvm.text.layout import to_signed

_DEPTH: Final = 32
_POINTER: Final = re.compile(r"(?:^|-)p:(\d+)")


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer: the name of its base, what is added to it in bytes (name and factor, sorted), and
    a constant in bytes.

    All sums are modulo two to the power of ``bits``, the width of a pointer.
    """

    base: str
    terms: tuple[tuple[str, int], ...]
    offset: int
    bits: int

    @property
    def signed(self) -> int:
        """The constant as a signed number."""
        return to_signed(self.offset, self.bits)

    def distance(self, other: Address) -> int | None:
        """Return how many bytes ``other`` lies behind this address, or None where that is not a
        constant.
        """
        if (self.base, self.terms) != (other.base, other.terms):
            return None
        return to_signed(other.offset - self.offset, self.bits)


@dataclass(slots=True)
class _Sum:
    bits: int
    terms: dict[str, int] = field(default_factory=dict)
    offset: int = 0


def size_of(kind: Type) -> int | None:
    """Return the bytes between neighbours of a type in memory, None where that is not a whole
    power of two of them.
    """
    if isinstance(kind, IntType):
        return kind.bits // 8 if kind.bits in (8, 16, 32, 64) else None
    if isinstance(kind, PtrType):
        return None
    if isinstance(kind, VectorType):
        each = size_of(kind.elem)
        total = 0 if each is None else each * kind.count
        return total if total and total & (total - 1) == 0 else None
    return {"half": 2, "bfloat": 2, "float": 4, "double": 8}.get(str(kind))


def pointer_bits(layout: str) -> int:
    """Return the width of a pointer under a data layout."""
    found = _POINTER.search(layout)
    return int(found[1]) if found else 64


def address_of(
    pointer: Operand, definitions: Mapping[str, Instr], bits: int = 64
) -> Address | None:
    """Return the address that a pointer operand stands for, seen through getelementptr and sums
    as wide as a pointer.
    """
    total = _Sum(bits)
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
    mask = (1 << bits) - 1
    terms = sorted((n, f & mask) for n, f in total.terms.items() if f & mask)
    return Address(name, tuple(terms), total.offset & mask, bits)


def _stepped(step: Instr, total: _Sum, definitions: Mapping[str, Instr]) -> bool:
    """Add a getelementptr with one index to the sum; tell whether it could be."""
    if not step.known or len(step.operands) != 3:
        return False
    kind, _, index = step.operands
    size = size_of(kind.type) if isinstance(kind, Symbol) else None
    if (
        size is None
        or not isinstance(index.type, IntType)
        or (index.type.bits != total.bits and not isinstance(index, Literal))
    ):
        return False
    _add(index, size, total, definitions, _DEPTH)
    return True


def _add(
    index: Operand, factor: int, total: _Sum, definitions: Mapping[str, Instr], depth: int
) -> None:
    if isinstance(index, Literal) and isinstance(index.lanes[0], int):
        assert isinstance(index.type, IntType)
        total.offset += to_signed(index.lanes[0], index.type.bits) * factor
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
        if (
            step.opcode in ("shl", "mul")
            and isinstance(constant, int)
            and (step.opcode == "mul" or constant < total.bits)
        ):
            _add(
                left,
                factor * (constant if step.opcode == "mul" else 1 << constant),
                total,
                definitions,
                depth - 1,
            )
            return
    name = f"%{index.name}" if isinstance(index, Local) else str(index)
    total.terms[name] = total.terms.get(name, 0) + factor
