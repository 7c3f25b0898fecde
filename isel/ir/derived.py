"""Operations that are not primitive, each as an expansion into primitives.

Widths are the least that keep every intermediate value exact.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from isel.ir.build import (
    add,
    band,
    bnot,
    bor,
    concat,
    eq,
    extract,
    ite,
    lit,
    lshr,
    mul,
    neg,
    sext,
    shl,
    sle,
    slt,
    sub,
    trunc,
    ule,
    ult,
    zext,
)
from isel.ir.expr import Expr, const


def umin(a: Expr, b: Expr) -> Expr:
    """Return the unsigned minimum."""
    return ite(ult(a, b), a, b)


def umax(a: Expr, b: Expr) -> Expr:
    """Return the unsigned maximum."""
    return ite(ult(a, b), b, a)


def smin(a: Expr, b: Expr) -> Expr:
    """Return the signed minimum."""
    return ite(slt(a, b), a, b)


def smax(a: Expr, b: Expr) -> Expr:
    """Return the signed maximum."""
    return ite(slt(a, b), b, a)


def sat_s(a: Expr, width: int) -> Expr:
    """Narrow a signed value to ``width`` bits, clamping to the signed range."""
    high, low = lit((1 << (width - 1)) - 1, a), lit(-(1 << (width - 1)), a)
    return trunc(smax(smin(a, high), low), width)


def sat_su(a: Expr, width: int) -> Expr:
    """Narrow a signed value to ``width`` bits, clamping to the unsigned range."""
    return trunc(smax(smin(a, lit((1 << width) - 1, a)), lit(0, a)), width)


def sat_u(a: Expr, width: int) -> Expr:
    """Narrow an unsigned value to ``width`` bits, clamping to the unsigned range."""
    return trunc(umin(a, lit((1 << width) - 1, a)), width)


def sadd_sat(a: Expr, b: Expr) -> Expr:
    """Add with signed saturation."""
    w = a.width
    return sat_s(add(sext(a, w + 1), sext(b, w + 1)), w)


def ssub_sat(a: Expr, b: Expr) -> Expr:
    """Subtract with signed saturation."""
    w = a.width
    return sat_s(sub(sext(a, w + 1), sext(b, w + 1)), w)


def uadd_sat(a: Expr, b: Expr) -> Expr:
    """Add with unsigned saturation."""
    w = a.width
    return sat_u(add(zext(a, w + 1), zext(b, w + 1)), w)


def usub_sat(a: Expr, b: Expr) -> Expr:
    """Subtract with unsigned saturation (at 0)."""
    return ite(ult(a, b), lit(0, a), sub(a, b))


def uavg(a: Expr, b: Expr) -> Expr:
    """Return the unsigned average, rounded up."""
    w = a.width
    return trunc(
        lshr(add(add(zext(a, w + 2), zext(b, w + 2)), const(1, w + 2)), const(1, w + 2)), w
    )


def sabs(a: Expr) -> Expr:
    """Return the absolute value; the least value maps to itself."""
    return ite(slt(a, lit(0, a)), neg(a), a)


def sign(a: Expr, b: Expr) -> Expr:
    """Negate, clear or keep ``a`` as ``b`` is negative, zero or positive."""
    return ite(slt(b, lit(0, b)), neg(a), ite(eq(b, lit(0, b)), lit(0, a), a))


def uabsdiff(a: Expr, b: Expr) -> Expr:
    """Return the unsigned absolute difference."""
    return ite(ult(a, b), sub(b, a), sub(a, b))


def smulhi(a: Expr, b: Expr) -> Expr:
    """Return the high half of the signed product."""
    w = a.width
    return extract(mul(sext(a, 2 * w), sext(b, 2 * w)), w, w)


def umulhi(a: Expr, b: Expr) -> Expr:
    """Return the high half of the unsigned product."""
    w = a.width
    return extract(mul(zext(a, 2 * w), zext(b, 2 * w)), w, w)


def smulhrs(a: Expr, b: Expr) -> Expr:
    """Return bits ``w-1`` and up of the signed product, rounded; (least, least) wraps."""
    w = a.width
    p = mul(sext(a, 2 * w), sext(b, 2 * w))
    return extract(add(lshr(p, const(w - 2, 2 * w)), const(1, 2 * w)), 1, w)


def fshl(a: Expr, b: Expr, count: Expr) -> Expr:
    """Shift ``a:b`` left by ``count`` modulo the width and keep the high half."""
    w = a.width
    wide = shl(concat(a, b), zext(_modulo(count, w), 2 * w))
    return extract(wide, w, w)


def fshr(a: Expr, b: Expr, count: Expr) -> Expr:
    """Shift ``a:b`` right by ``count`` modulo the width and keep the low half."""
    w = a.width
    wide = lshr(concat(a, b), zext(_modulo(count, w), 2 * w))
    return trunc(wide, w)


def _modulo(count: Expr, w: int) -> Expr:
    from isel.ir.build import make

    return band(count, const(w - 1, w)) if w & (w - 1) == 0 else make("urem", (count, const(w, w)))


@lru_cache(maxsize=512)
def popcount(a: Expr) -> Expr:
    """Return the number of ones, in the width of the operand."""
    w = a.width
    total = const(0, w)
    for i in range(w):
        total = add(total, zext(extract(a, i, 1), w))
    return total


def ctlz(a: Expr) -> Expr:
    """Return the number of leading zeros (the width for 0)."""
    w = a.width
    result = const(w, w)
    for i in range(w):
        result = ite(extract(a, i, 1), const(w - 1 - i, w), result)
    return result


def cttz(a: Expr) -> Expr:
    """Return the number of trailing zeros (the width for 0)."""
    w = a.width
    result = const(w, w)
    for i in reversed(range(w)):
        result = ite(extract(a, i, 1), const(i, w), result)
    return result


def bswap(a: Expr) -> Expr:
    """Reverse the bytes."""
    result = extract(a, 0, 8)
    for i in range(8, a.width, 8):
        result = concat(result, extract(a, i, 8))
    return result


def bitreverse(a: Expr) -> Expr:
    """Reverse the bits."""
    result = extract(a, 0, 1)
    for i in range(1, a.width):
        result = concat(result, extract(a, i, 1))
    return result


def mask_of(bit: Expr, width: int) -> Expr:
    """Return all ones where ``bit`` is set, else zero."""
    return sext(bit, width)


def pick(table: list[Expr], index: Expr) -> Expr:
    """Return entry ``index`` of ``table``, whose length is ``2**index.width``."""
    level = list(table)
    assert len(level) == 1 << index.width
    for i in range(index.width):
        bit = extract(index, i, 1)
        level = [ite(bit, level[k + 1], level[k]) for k in range(0, len(level), 2)]
    return level[0]


def truth(a: Expr, b: Expr, c: Expr, table: int) -> Expr:
    """Apply a three-input boolean function bit by bit; bit ``4a + 2b + c`` of ``table`` is its
    result.
    """
    result = lit(0, a)
    for row in range(8):
        if table >> row & 1:
            x = a if row & 4 else bnot(a)
            y = b if row & 2 else bnot(b)
            z = c if row & 1 else bnot(c)
            result = bor(result, band(band(x, y), z))
    return result


UNARY: dict[str, Callable[[Expr], Expr]] = {
    "abs": sabs,
    "popcount": popcount,
    "ctlz": ctlz,
    "cttz": cttz,
    "bswap": bswap,
    "bitreverse": bitreverse,
}
BINARY: dict[str, Callable[[Expr, Expr], Expr]] = {
    "umin": umin,
    "umax": umax,
    "smin": smin,
    "smax": smax,
    "sadd_sat": sadd_sat,
    "ssub_sat": ssub_sat,
    "uadd_sat": uadd_sat,
    "usub_sat": usub_sat,
    "uavg": uavg,
    "sign": sign,
    "uabsdiff": uabsdiff,
    "smulhi": smulhi,
    "umulhi": umulhi,
    "smulhrs": smulhrs,
}
NARROWING: dict[str, Callable[[Expr, int], Expr]] = {
    "sat_s": sat_s,
    "sat_su": sat_su,
    "sat_u": sat_u,
    "trunc": trunc,
}
COMPARES: dict[str, Callable[[Expr, Expr], Expr]] = {
    "eq": eq,
    "ne": lambda a, b: bnot(eq(a, b)),
    "ult": ult,
    "ule": ule,
    "ugt": lambda a, b: ult(b, a),
    "uge": lambda a, b: ule(b, a),
    "slt": slt,
    "sle": sle,
    "sgt": lambda a, b: slt(b, a),
    "sge": lambda a, b: sle(b, a),
}
