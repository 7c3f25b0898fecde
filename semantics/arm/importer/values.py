"""Values of ASL: integers without bounds, bits with a width, truths, names and tuples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from isel.ir import build
from isel.ir.expr import Expr, const
from semantics.importing.cells import Cell, merged
from semantics.importing.simplify import choose
from semantics.importing.values import (
    Endless,
    Inexact,
    Val,
    Value,
    low_bits,
    select,
    signed,
    unsigned,
)


@dataclass(frozen=True, slots=True)
class Bits:
    """``width`` bits, as pieces."""

    width: int
    cell: Cell

    @property
    def term(self) -> Expr:
        """The bits as one term."""
        return low_bits(self.cell.whole(), self.width)

    def part(self, at: int, width: int) -> Bits:
        """Return bits ``at`` and up; raise :class:`Inexact`."""
        if at < 0 or at + width > self.width:
            raise Inexact(f"bits {at} to {at + width - 1} of {self.width}")
        return bits(low_bits(self.cell.read(at, width), width))


@dataclass(frozen=True, slots=True)
class Fill:
    """Copies of one bit, as many as are wanted: zeros, ones, or a choice between them."""

    bit: Expr


@dataclass(frozen=True, slots=True)
class Truth:
    """A boolean, as a term of one bit."""

    term: Expr

    @property
    def known(self) -> bool | None:
        """Its value, None where it depends on an operand."""
        return bool(self.term.value) if self.term.op == "const" else None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of an enumeration."""

    name: str


@dataclass(frozen=True, slots=True)
class Varies:
    """What differs with an immediate in no simple way: it must not be used."""

    name: str = field(default="")


Asl: TypeAlias = Value | Bits | Fill | Truth | Symbol | Varies | tuple["Asl", ...]


def bits(term: Expr) -> Bits:
    """Return a term as bits."""
    return Bits(term.width, Cell(unsigned(term)))


def blank(width: int) -> Bits:
    """Return bits that nothing was assigned to."""
    return Bits(width, Cell())


def truth(value: bool) -> Truth:
    """Return a boolean that is known."""
    return Truth(const(int(value), 1))


def as_integer(value: Asl) -> Value:
    """Return an integer; raise :class:`Inexact` for anything else."""
    if isinstance(value, (int, Val, Endless)):
        return value
    raise Inexact(f"{_said(value)}, expected an integer")


def as_number(value: Asl) -> int:
    """Return an integer that is known; raise :class:`Inexact`."""
    if isinstance(value, int):
        return value
    raise Inexact(f"{_said(value)}, expected a number that no operand decides")


def as_truth(value: Asl) -> Truth:
    """Return a boolean, a single bit as one; raise :class:`Inexact`."""
    if isinstance(value, Truth):
        return value
    raise Inexact(f"{_said(value)}, expected a boolean")


def as_bits(value: Asl, width: int | None = None) -> Bits:
    """Return bits, of a width where one is wanted: wider ones are cut, integers are taken modulo;
    raise :class:`Inexact`.
    """
    if isinstance(value, Fill):
        if width is None:
            raise Inexact("zeros or ones of an unknown width")
        return bits(build.sext(value.bit, width))
    if isinstance(value, Bits):
        return value if width is None or width == value.width else _resized(value, width)
    if isinstance(value, (int, Val, Endless)) and width is not None:
        return bits(low_bits(value, width))
    raise Inexact(f"{_said(value)}, expected bits")


def _resized(value: Bits, width: int) -> Bits:
    if width < value.width:
        return value.part(0, width)
    return bits(build.zext(value.term, width))


def _said(value: Asl) -> str:
    match value:
        case Bits(width=w):
            return f"{w} bits"
        case Truth():
            return "a boolean"
        case Symbol(name=n) | Varies(name=n):
            return n
        case tuple():
            return f"{len(value)} values"
        case Fill():
            return "zeros or ones"
        case _:
            return "an integer that an operand decides"


def chosen(test: Truth, yes: Asl, no: Asl) -> Asl:
    """Return one of two values by a condition; raise :class:`Inexact`."""
    if yes is no or yes == no:
        return yes
    c = test.term
    if isinstance(yes, Fill) and isinstance(no, Fill):
        return Fill(choose(c, yes.bit, no.bit))
    if isinstance(yes, (Bits, Fill)) and isinstance(no, (Bits, Fill)):
        width = yes.width if isinstance(yes, Bits) else no.width if isinstance(no, Bits) else None
        a, b = as_bits(yes, width), as_bits(no, width)
        return Bits(a.width, merged(c, a.cell, b.cell))
    if isinstance(yes, (int, Val, Endless)) and isinstance(no, (int, Val, Endless)):
        return select(c, yes, no)
    if isinstance(yes, Truth) and isinstance(no, Truth):
        return Truth(choose(c, yes.term, no.term))
    if isinstance(yes, tuple) and isinstance(no, tuple) and len(yes) == len(no):
        return tuple(chosen(test, a, b) for a, b in zip(yes, no, strict=True))
    raise Inexact(f"{_said(yes)} or {_said(no)} by a condition")


def integer_of(value: Bits, *, is_signed: bool) -> Value:
    """Return bits as an integer."""
    return signed(value.term) if is_signed else unsigned(value.term)
