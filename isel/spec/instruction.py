"""What one target instruction is: operands, results, lane semantics and how LLVM IR says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from isel.ir.expr import Expr


class Role(StrEnum):
    """What an operand is for."""

    IN = "in"
    ACCUMULATOR = "acc"
    MASK = "mask"  # one-bit elements
    INDEX = "index"  # selects elements of another operand
    SCALAR = "scalar"


@dataclass(frozen=True, slots=True)
class Operand:
    """A vector operand of ``lanes`` elements of ``width`` bits (one lane for a scalar)."""

    name: str
    width: int
    lanes: int
    role: Role = Role.IN

    @property
    def bits(self) -> int:
        """The size of the operand in bits."""
        return self.width * self.lanes


@dataclass(frozen=True, slots=True)
class Immediate:
    """A constant operand of ``width`` bits and the values it may have; of a greater one the
    machine takes the rest after ``modulo``, where that is not 0.
    """

    name: str
    width: int
    values: tuple[int, ...]
    modulo: int = 0


@dataclass(frozen=True, slots=True)
class Predication:
    """``none``; or ``merge`` into the operand ``source``, or ``zero``, where the operand
    ``mask`` is 0.
    """

    kind: str = "none"
    mask: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Membership:
    """The equivalence class of an instruction: its name, and the settings of the immediates
    that it is for (empty: all).
    """

    name: str
    settings: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Instruction:
    """A target instruction.

    ``lane(i, immediates)`` is the exact value of result lane ``i`` as a term over
    ``elem(operand name, bit offset, element width)`` leaves; immediates are substituted.
    ``emission`` is LLVM IR text, one instruction a line, over ``%<operand>``, ``$<immediate>``,
    temporaries ``%t0, %t1, …`` and the result ``%r``; :func:`isel.spec.emission.emitted` fills in
    the immediates (shuffle masks are computed from them).  ``call`` is the target intrinsic that
    the emission calls directly with the operands in order, or empty.  ``features`` are LLVM feature
    names, all of which are needed.  ``predication`` is the stage after the lane formula, which
    ``lane`` includes.  ``classes`` are the equivalence classes that the target knows it in: several
    where an immediate chooses among formulas, none where it is not known.  They group what the
    search looks for and decide nothing.
    """

    name: str
    mnemonic: str
    operands: tuple[Operand, ...]
    immediates: tuple[Immediate, ...]
    width: int
    lanes: int
    features: frozenset[str]
    emission: tuple[str, ...]
    call: str
    lane: Callable[[int, Mapping[str, int]], Expr] = field(compare=False)
    predication: Predication = Predication()
    classes: tuple[Membership, ...] = field(default=(), compare=False)

    @property
    def bits(self) -> int:
        """The size of the result in bits."""
        return self.width * self.lanes

    @property
    def widest(self) -> int:
        """The size of the widest register that it reads or writes, in bits."""
        return max([self.bits, *(o.bits for o in self.operands)])

    def operand(self, name: str) -> Operand:
        """Return the operand ``name``."""
        return next(o for o in self.operands if o.name == name)


Instructions: TypeAlias = Mapping[str, Instruction]  # by name


def runs_of(values: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last of values that follow one another, in order."""
    found: list[tuple[int, int]] = []
    for v in values:
        first = found.pop()[0] if found and v == found[-1][1] + 1 else v
        found.append((first, v))
    return found


def runs_text(values: Iterable[int], between: str) -> str:
    """Return values as text, as ``1..3`` those that follow one another."""
    return between.join(str(a) if a == b else f"{a}..{b}" for a, b in runs_of(values))
