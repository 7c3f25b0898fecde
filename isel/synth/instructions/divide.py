"""Divisions by constants as products: what instructions offer in place of a division.

Granlund and Montgomery, Division by Invariant Integers using Multiplication (PLDI'94), theorem 4.2,
for dividends that are known to be bounded: where ``n * (m * d - 2**k) < 2**k``, ``x / d`` is
``x * m / 2**k`` for all ``x`` up to ``n``.  A factor that needs a bit more than the dividend has is
spelled with two additions (figure 4.1).
"""

from __future__ import annotations

from collections.abc import Callable

from isel.ir.build import add, lshr, make, sub, trunc, zext
from isel.ir.expr import Expr, const
from isel.ir.ranges import range_of

_WIDEST = 32


def divide(e: Expr, high: Callable[[int], bool] = lambda width: True) -> Expr | None:
    """Return an equal term of a division by a positive literal, a shifted product; None for what is
    no such division.

    A dividend that fits in half its width is divided there.  ``high`` tells whether some
    instruction gives the high half of a product of two values of a width.  Where none does, a
    product of more than 32 bits is shifted by more than half: compilers that see a high half take
    it apart for even and for odd lanes.
    """
    if e.op not in ("udiv", "sdiv") or not _fits(*e.args, signed=e.op == "sdiv"):
        return None
    x, divisor = e.args
    most = range_of(x).unsigned[1]
    half = e.width // 2
    if most < 1 << half and divisor.value < 1 << (half - 1) and e.width > 16:
        narrow = divide(make("udiv", (trunc(x, half), const(divisor.value, half))), high)
        return None if narrow is None else zext(narrow, e.width)
    if divisor.value & (divisor.value - 1) == 0:
        return lshr(x, const(divisor.value.bit_length() - 1, e.width))
    factor, amount = _multiplier(
        divisor.value, most, e.width + (e.width > 16 and not high(e.width))
    )
    if not factor >> e.width:
        return _scale(x, factor, amount)
    part = _scale(x, factor - (1 << e.width), e.width)
    return lshr(
        add(lshr(sub(x, part), const(1, e.width)), part), const(amount - e.width - 1, e.width)
    )


def _fits(x: Expr, divisor: Expr, *, signed: bool) -> bool:
    """Tell whether something is divided by a positive literal, and is never negative itself."""
    known = divisor.is_const and 1 < divisor.value < 1 << (x.width - 1)
    return known and x.width <= _WIDEST and not (signed and range_of(x).signed[0] < 0)


def _scale(x: Expr, factor: int, amount: int) -> Expr:
    wide = 2 * x.width
    return trunc(
        lshr(make("mul", (zext(x, wide), const(factor, wide))), const(amount, wide)), x.width
    )


def _multiplier(divisor: int, most: int, amount: int) -> tuple[int, int]:
    """Return a factor and a shift for dividends up to ``most``, the least from ``amount`` on: of
    at most one bit more than the width if ``amount`` is that.
    """
    while True:
        factor = -(-(1 << amount) // divisor)
        if most * (factor * divisor - (1 << amount)) < 1 << amount:
            return factor, amount
        amount += 1
