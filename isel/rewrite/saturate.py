"""Sums and differences that are clamped to their operands' own range, as saturating operations
of that width.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from isel.ir import spans
from isel.ir.build import trunc
from isel.ir.derived import sadd_sat, ssub_sat, uadd_sat, usub_sat
from isel.ir.expr import Expr
from isel.ir.ops import natural, signed
from isel.ir.ranges import range_of

_SIGNED: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {"add": sadd_sat, "sub": ssub_sat}
_UNSIGNED: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {"add": uadd_sat, "sub": usub_sat}


def saturating(e: Expr) -> Expr | None:
    """Return the low part of a clamped sum or difference as one saturating operation on low
    parts, if it is one.
    """
    w = e.width
    total, low, high = _clamped(e.args[0])
    if (
        total.op not in _SIGNED
        or (low is None and high is None)
        or w != natural(w)
        or w >= total.width
    ):
        return None
    a, b = (range_of(x).signed for x in total.args)
    least, most = spans.TWO[total.op](a, b)
    if not spans.within((least, most), spans.signed(total.width)):
        return None
    for operations, (bottom, top) in ((_SIGNED, spans.signed(w)), (_UNSIGNED, spans.unsigned(w))):
        if (
            spans.within(spans.hull(a, b), (bottom, top))
            and (low == bottom if low is not None else bottom <= least)
            and (high == top if high is not None else most <= top)
        ):
            return operations[total.op](*(trunc(x, w) for x in total.args))
    return None


def _clamped(e: Expr) -> tuple[Expr, int | None, int | None]:
    """Return what is inside of signed minima and maxima with literals, and the bounds."""
    low = high = None
    while e.op == "ite" and e.args[0].op == "slt":
        (a, b), (x, y) = e.args[0].args, e.args[1:]
        if (
            {id(a), id(b)} != {id(x), id(y)}
            or not (a.is_const or b.is_const)
            or (a.is_const and b.is_const)
        ):
            break
        bound, inner = (a, b) if a.is_const else (b, a)
        value = signed(bound.value, bound.width)
        if a is x:  # the lesser of both
            if low is not None and value < low:
                break
            high = value if high is None else min(high, value)
        else:
            if high is not None and value > high:
                break
            low = value if low is None else max(low, value)
        e = inner
    return e, low, high
