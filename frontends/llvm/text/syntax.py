"""What a function of LLVM IR is made of, after parsing: types, operands, instructions, blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

REDUCTION: Final = "llvm.vector.reduce."  # what joins the lanes of a vector is called so
UNLIKELY: Final = "isel.unlikely."  # how labels begin of blocks where a check of ours fails
TWICE: Final = "isel.twice."  # how labels begin of blocks of which a pass does what two did
LABELS: Final = (UNLIKELY, TWICE)
_OVERLOADS: Final = re.compile(r"(?:\.v\d+i\d+|\.i\d+)+$")


@dataclass(frozen=True, slots=True)
class IntType:
    """``iN``."""

    bits: int

    def __str__(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True)
class PtrType:
    """``ptr``, with its address space."""

    space: int = 0

    def __str__(self) -> str:
        return "ptr" if self.space == 0 else f"ptr addrspace({self.space})"


@dataclass(frozen=True, slots=True)
class OtherType:
    """Any type whose values are only passed on: floats, structures, arrays, labels, void."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class VectorType:
    """``<count x elem>``; scalable vectors are :class:`OtherType`."""

    count: int
    elem: IntType | PtrType | OtherType

    def __str__(self) -> str:
        return f"<{self.count} x {self.elem}>"


Type: TypeAlias = IntType | PtrType | OtherType | VectorType


@dataclass(frozen=True, slots=True)
class Local:
    """A value of the function: ``%name`` (without the sign)."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Literal:
    """An integer or a vector of integers, unsigned; a lane may be ``"poison"`` or ``"undef"``."""

    type: IntType | VectorType
    lanes: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Symbol:
    """Any other operand, as it is spelled: globals, constant expressions, floats, metadata,
    labels.
    """

    text: str
    type: Type


Operand: TypeAlias = Local | Literal | Symbol


@dataclass(frozen=True, slots=True)
class Instr:
    """One instruction.

    ``name`` is its result (without ``%``) or empty, ``type`` its result's type.  ``flags`` are nsw,
    nuw, exact, disjoint, nneg, samesign, inbounds, volatile, fast-math flags, tail … as written.
    ``predicate`` is of icmp and fcmp, ``mask`` of shufflevector (None is a poison element),
    ``callee`` the called function (without ``@``), ``align`` of loads and stores in bytes (0 where
    unsaid), ``attributes`` those of a call's result and operands as written.  ``known`` tells
    whether every part was understood; if not only name, type, opcode and operands (all locals
    mentioned) can be relied on. ``line`` is the index of its line in the module's text.
    ``metadata`` maps attached kinds to text.
    """

    name: str
    opcode: str
    type: Type
    operands: tuple[Operand, ...]
    text: str
    line: int
    flags: frozenset[str] = frozenset()
    predicate: str = ""
    mask: tuple[int | None, ...] = ()
    callee: str = ""
    align: int = 0
    attributes: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    known: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block; the entry block's label may be empty or implied."""

    label: str
    instrs: tuple[Instr, ...]


def element(kind: Type) -> Type:
    """Return the type of a lane: of a vector that of its elements, of anything else itself."""
    return kind.elem if isinstance(kind, VectorType) else kind


def is_sum(i: Instr) -> bool:
    """Tell whether an instruction adds, or joins bits that do not meet."""
    return i.known and (i.opcode == "add" or (i.opcode == "or" and "disjoint" in i.flags))


def intrinsic_of(i: Instr) -> str:
    """Return which intrinsic of LLVM's an instruction calls, without ``llvm.`` and the integers
    that it is overloaded by; empty for anything else.  LLVM lets nobody define what begins with
    ``llvm.``; any other name is a user's, ``@mul.7`` and ``@umin.v8i16`` among them.
    """
    ours = i.opcode == "call" and i.callee.startswith("llvm.")
    return _OVERLOADS.sub("", i.callee.removeprefix("llvm.")) if ours else ""


def is_masked_load(i: Instr) -> bool:
    """Tell whether an instruction is a load of some lanes of a vector."""
    return i.opcode == "call" and i.callee.startswith("llvm.masked.load.")


def integer_shape(kind: Type) -> tuple[int, int] | None:
    """Return (lanes, bits of a lane) of an integer or a fixed vector of integers, else None."""
    lane = element(kind)
    if not isinstance(lane, IntType):
        return None
    return (kind.count if isinstance(kind, VectorType) else 1), lane.bits


def shape_of(kind: Type) -> tuple[int, int]:
    """Return :func:`integer_shape`, zeros where there is none."""
    return integer_shape(kind) or (0, 0)


def number(o: Operand) -> int | None:
    """Return the value of an integer, or of the first lane of a vector, that is written out."""
    return o.lanes[0] if isinstance(o, Literal) and isinstance(o.lanes[0], int) else None


def is_below(o: Operand, bound: int) -> bool:
    """Tell whether an operand is written out and all its lanes are numbers below a bound."""
    return isinstance(o, Literal) and all(isinstance(x, int) and x < bound for x in o.lanes)
