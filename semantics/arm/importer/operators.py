"""Operators of ASL on bits and on integers, and what slices by computed places need."""

from __future__ import annotations

from typing import Final

from isel.ir.expr import Expr, const
from semantics.arm.importer.values import (
    Asl,
    Bits,
    Fill,
    Symbol,
    Truth,
    as_bits,
    as_integer,
    as_number,
    bits,
    truth,
)
from semantics.importing import indexing
from semantics.importing.lookups import Lookup
from semantics.importing.simplify import equal, make
from semantics.importing.values import Inexact, Value, infix, low_bits, span, unsigned
from semantics.importing.values import truth as as_bit

_BITWISE: Final = {"AND": "and", "OR": "or", "EOR": "xor"}
_ARITHMETIC: Final = {"+": "add", "-": "sub"}
_INTEGER: Final = {"DIV": "/", "MOD": "%"}


def within(index: Value, count: int) -> Value:
    """Return an index in the bits that the numbers of elements have: ASL has no element beyond
    them, and a text that reads one asks first.
    """
    width = (count - 1).bit_length()
    if isinstance(index, int) or span(index)[0] < 0 or span(index)[1] < 1 << width:
        return index
    return unsigned(low_bits(index, width))


def compared(op: str, left: Asl, right: Asl) -> Truth:
    """Compare two values of one kind; raise :class:`Inexact`."""
    if isinstance(left, Truth) and isinstance(right, Truth):
        return _equal(op, equal(left.term, right.term))
    if isinstance(left, (Symbol, Truth)) or isinstance(right, (Symbol, Truth)):
        return truth((left == right) == (op == "=="))
    if isinstance(left, (Bits, Fill)) or isinstance(right, (Bits, Fill)):
        width = left.width if isinstance(left, Bits) else as_bits(right).width
        return _equal(op, equal(as_bits(left, width).term, as_bits(right, width).term))
    found = as_bit(infix(op, as_integer(left), as_integer(right)))
    return Truth(const(found, 1) if isinstance(found, int) else found)


def _equal(op: str, term: Expr) -> Truth:
    return Truth(term if op == "==" else make("not", (term,)))


def on_bits(op: str, left: Asl, right: Asl) -> Asl:
    """Apply an operator to bits, the shorter of two widths deciding; raise :class:`Inexact`."""
    width = left.width if isinstance(left, Bits) else right.width if isinstance(right, Bits) else 0
    name = _BITWISE.get(op) or _ARITHMETIC.get(op)
    if name is None or not width:
        raise Inexact(f"'{op}' of bits")
    if name in _BITWISE.values() and isinstance(left, Bits) and isinstance(right, Bits):
        width = min(left.width, right.width)  # a whole register meets a part of one
    return bits(make(name, (as_bits(left, width).term, as_bits(right, width).term)))


def on_integers(op: str, left: Value, right: Value) -> Value:
    """Apply an operator to integers; raise :class:`Inexact`."""
    if op == "^":
        return int(as_number(left) ** as_number(right))
    if op in ("<<", ">>") and isinstance(right, int) and right < 0:
        return infix(">>" if op == "<<" else "<<", left, -right)
    return infix(_INTEGER.get(op, op), left, right)


def looked_up(name: str, table: int, size: int, at: Value, width: int) -> Bits:
    """Return the entry of a constant table."""
    index, stride, base = indexing.affine(at)
    if abs(stride) != width or base:
        raise Inexact("an entry of a table that is not at a multiple of its width")
    values = tuple(table >> k * width & ((1 << width) - 1) for k in range(size // width))
    return bits(Lookup(name.lower(), width, values[: 1 << index.width], index).leaf)
