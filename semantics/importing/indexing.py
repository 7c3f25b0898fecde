"""Slices of variables at places that depend on operands: a choice among all the places."""

from __future__ import annotations

from typing import Final

from isel.ir import build
from isel.ir.expr import Expr, const
from semantics.importing.cells import Cell
from semantics.importing.simplify import bits, choose, equal, make, picked, progression
from semantics.importing.values import Inexact, Val, Value, low_bits, span, unsigned

_CHOICES: Final = 9  # bits of the widest index that is expanded


def chosen(cell: Cell, at: Value, width: int) -> Value:
    """Return the slice of a variable that begins at a computed bit."""
    index, stride, base = affine(at)
    if width == 1 and stride == 1:
        size = 1 << index.width
        word = low_bits(cell.read(base, size), size)
        if size >= index.width:
            return unsigned(bits(make("lshr", (word, build.zext(index, size))), 0, 1))
    table = [low_bits(cell.read(base + stride * k, width), width) for k in range(1 << index.width)]
    return unsigned(picked(table, index))


def chosen_written(cell: Cell, at: Value, width: int, value: Value) -> Cell:
    """Return the variable with the slice that begins at a computed bit replaced."""
    index, stride, base = affine(at)
    for k in range(1 << index.width):
        here = base + stride * k
        test = equal(index, const(k, index.width))
        old = low_bits(cell.read(here, width), width)
        cell = cell.written(here, width, unsigned(choose(test, low_bits(value, width), old)))
    return cell


def affine(at: Value) -> tuple[Expr, int, int]:
    """Return index, stride and base with ``at == base + stride * index``; raise
    :class:`Inexact`.
    """
    least, greatest = span(at)
    if least < 0 or not isinstance(at, Val):
        raise Inexact("an index that may be negative")
    index, stride, base = progression(low_bits(at, greatest.bit_length()))
    if index.width > _CHOICES:
        raise Inexact(f"an index of {index.width} bits, expected at most {_CHOICES}")
    return index, stride, base
