"""Ranges of integers as terms."""

from __future__ import annotations

from isel.ir.build import all_of, any_of, eq, ule, ult
from isel.ir.expr import Expr, const


def within(x: Expr, ranges: tuple[tuple[int, int], ...]) -> Expr:
    """Return whether a term is in one of the ranges."""
    return any_of(*(_half_open(x, low, high) for low, high in ranges))


def _half_open(x: Expr, low: int, high: int) -> Expr:
    a, b = const(low, x.width), const(high, x.width)
    if a.value == b.value:
        return eq(x, x)
    if a.value < b.value:
        return all_of(ule(a, x), ult(x, b))
    return any_of(ule(a, x), ult(x, b))
