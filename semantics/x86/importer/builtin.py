"""Functions of the operation language that the guide uses without defining, or defines by loops
over unknown bounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.expr import Expr, const
from isel.rules import derived
from semantics.x86.importer.simplify import bits, choose, compare, make
from semantics.x86.importer.values import (
    Endless,
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

Function: TypeAlias = Callable[..., Value]
REPLACED: Final = frozenset({"POPCNT"})


def rotated(value: Value, count: Value) -> Value:
    """Return a term rotated to the left by a number, in the width that the term has."""
    if not isinstance(value, Val) or not isinstance(count, int):
        raise Inexact("a rotation of a number or by a variable")
    term = value.term
    n = count % term.width
    return (
        unsigned(make("concat", (bits(term, 0, term.width - n), bits(term, term.width - n, n))))
        if n
        else value
    )


def sign_extend(width: int, v: Value) -> Value:
    """Return the operand's bits as a signed number; a value that is signed already stays."""
    if isinstance(v, int) or (isinstance(v, Val) and v.bounds[0] < 0):
        return v
    if isinstance(v, Endless):
        return signed(v.low(width))
    return signed(v.term if v.term.width <= width else bits(v.term, 0, width))


def zero_extend(width: int, v: Value) -> Value:
    """Return the operand's bits as an unsigned number of at most ``width`` bits."""
    if isinstance(v, int):
        return v & ((1 << width) - 1)
    if isinstance(v, Endless):
        return unsigned(v.low(width))
    if spans.within(v.bounds, spans.unsigned(width)):
        return v
    return unsigned(v.term if v.term.width <= width else bits(v.term, 0, width))


def truncate(width: int, v: Value) -> Value:
    """Return the low bits as an unsigned number."""
    return unsigned(low_bits(v, width))


def as_signed(v: Value) -> Value:
    """Return the operand's bits as a signed number."""
    return sign_extend(1 << 20, v)


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
    pair = difference(term)
    if pair is not None and pair[0].width == width:
        return unsigned(derived.usub_sat(*pair))
    wide = max(term.width, width + 1)
    return unsigned(derived.sat_su(low_bits(v, wide), width))


def difference(term: Expr) -> tuple[Expr, Expr] | None:
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
    pair = difference(term)
    if pair is not None:
        return unsigned(derived.uabsdiff(*pair))
    return ranged(derived.sabs(term), spans.ONE["abs"](span(v)))


def _extreme(v: Value, w: Value, *, greatest: bool) -> Value:
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


def rotate_right(v: Value, count: Value) -> Value:
    """Return a slice rotated to the right, in its width, by a count modulo its width."""
    if not isinstance(v, Val):
        raise Inexact("a rotation of a number, whose width is not known")
    n = v.term.width
    twice = make("concat", (v.term, v.term))
    amount = make("zext", (low_bits(count, n.bit_length() - 1),), (2 * n,))
    return unsigned(bits(make("lshr", (twice, amount)), 0, n))


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


_PLAIN: Final[dict[str, Function]] = {
    "ABS": absolute,
    "MIN": lambda v, w: _extreme(v, w, greatest=False),
    "MAX": lambda v, w: _extreme(v, w, greatest=True),
    "Signed": as_signed,
    "POPCNT": population,
    "PopCount": population,
    "LZCNT": leading_zeros,
    "TRUTH": truth_table,
    "ROTATE_RIGHT": rotate_right,
    "SIGNED_DWORD_SATURATE": lambda v: saturate(32, v),
    "UNSIGNED_DWORD_SATURATE": lambda v: saturate_unsigned(32, v),
}
_SIZED: Final[dict[str, Callable[[int, Value], Value]]] = {
    "SignExtend": sign_extend,
    "ZeroExtend": zero_extend,
    "Truncate": truncate,
    "Saturate": saturate,
    "SaturateU": saturate_unsigned,
}
_NAME: Final = re.compile(r"([A-Za-z]+?)(\d+)$")


def function(name: str) -> Function | None:
    """Return the function of a name, or None."""
    found = _PLAIN.get(name)
    if found is not None:
        return found
    m = _NAME.match(name)
    sized = _SIZED.get(m[1]) if m else None
    if m is None or sized is None:
        return None
    width = int(m[2])
    return lambda v: sized(width, v)
