"""Functions on exact integers that vendors' texts use by different names: saturation, extremes,
counts of bits, truth tables.
"""

from __future__ import annotations

from isel.ir import spans
from isel.ir.expr import Expr, const
from isel.rules import derived
from semantics.importing.simplify import bits, choose, compare, make
from semantics.importing.values import (
    Inexact,
    Val,
    Value,
    exact,
    low_bits,
    ranged,
    signed,
    span,
    unsigned,
)


def saturate(width: int, v: Value) -> Value:
    """Return the nearest signed number of ``width`` bits."""
    if isinstance(v, int):
        return max(-(1 << (width - 1)), min((1 << (width - 1)) - 1, v))
    wide = spans.bits_of(spans.hull(span(v), (-1, -1)))
    if wide <= width:
        return v
    return signed(derived.sat_s(low_bits(v, wide), width))


def saturate_unsigned(width: int, v: Value) -> Value:
    """Return the nearest unsigned number of ``width`` bits."""
    if isinstance(v, int):
        return max(0, min((1 << width) - 1, v))
    least, greatest = span(v)
    if least >= 0:
        return v if greatest < 1 << width else unsigned(derived.sat_u(exact(v), width))
    term = exact(v)
    pair = _difference(term)
    if pair is not None and pair[0].width == width:
        return unsigned(derived.usub_sat(*pair))
    wide = max(term.width, width + 1)
    return unsigned(derived.sat_su(low_bits(v, wide), width))


def _difference(term: Expr) -> tuple[Expr, Expr] | None:
    """Return a and b where a term is the exact difference of the unsigned a and b."""
    if term.op != "sub" or not all(x.op == "zext" for x in term.args):
        return None
    a, b = (x.args[0] for x in term.args)
    return (a, b) if a.width == b.width < term.width else None


def absolute(v: Value) -> Value:
    """Return the absolute value, which is never negative."""
    if isinstance(v, int):
        return abs(v)
    if span(v)[0] >= 0:
        return v
    term = exact(v)
    pair = _difference(term)
    if pair is not None:
        return unsigned(derived.uabsdiff(*pair))
    return ranged(derived.sabs(term), spans.ONE["abs"](span(v)))


def extreme(v: Value, w: Value, *, greatest: bool) -> Value:
    """Return the greater or the smaller of two integers."""
    if isinstance(v, int) and isinstance(w, int):
        return max(v, w) if greatest else min(v, w)
    bounds = spans.hull(span(v), span(w))
    width = spans.bits_of(bounds)
    a, b = low_bits(v, width), low_bits(w, width)
    less = compare("slt" if bounds[0] < 0 else "ult", a, b)
    term = choose(less, b, a) if greatest else choose(less, a, b)
    return signed(term) if bounds[0] < 0 else unsigned(term)


def population(v: Value) -> Value:
    """Return the number of bits set."""
    if isinstance(v, int):
        return v.bit_count()
    term = exact(v)
    return ranged(derived.popcount(term), (0, term.width))


def leading_zeros(v: Value) -> Value:
    """Return the number of leading zeros of a slice in its width."""
    if not isinstance(v, Val):
        raise Inexact("the leading zeros of a number, whose width is not known")
    return ranged(derived.ctlz(v.term), (0, v.term.width))


def truth_table(table: Value, a: Value, b: Value, c: Value) -> Value:
    """Apply the three-input function whose result for bits a, b and c is bit ``4a + 2b + c`` of
    the table.
    """
    x, y, z = low_bits(a, width := exact(a).width), low_bits(b, width), low_bits(c, width)
    chosen = low_bits(table, 8)
    result = const(0, width)
    for row in range(8):
        parts = [v if row & bit else make("not", (v,)) for v, bit in ((x, 4), (y, 2), (z, 1))]
        minterm = make("and", (make("and", (parts[0], parts[1])), parts[2]))
        result = make(
            "or", (result, make("and", (minterm, make("sext", (bits(chosen, row, 1),), (width,)))))
        )
    return unsigned(result)
