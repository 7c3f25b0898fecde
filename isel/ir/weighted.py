"""Sums of products whose weights add up to a constant: a mean of two values is between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from isel.ir import spans
from isel.ir.domain import Range
from isel.ir.expr import Expr
from isel.ir.spans import Span, hull, within

_MOST: Final = 8  # addends that are looked at


def weighted(e: Expr, known: Mapping[Expr, Range], *, signed: bool) -> Span | None:
    """Return an interval of a sum, read as signed or not, of which two addends are products by
    weights that add up to a constant; None where there is no such pair or the sum may wrap.
    """
    addends = list(_addends(e))
    products = [x for x in addends if x.op == "mul"]
    whole = spans.whole(e.width, signed=signed)
    if len(addends) > _MOST:
        return None
    for p, q in combinations(products, 2):
        pair = _mean(p, q, known, signed=signed)
        if pair is None or not within(pair, whole):
            continue
        total = pair
        for x in addends:
            if x is not p and x is not q:
                total = spans.TWO["add"](total, known[x].read(signed=signed))
        return total if within(total, whole) else None
    return None


def _addends(e: Expr) -> Iterator[Expr]:
    for a in e.args:
        if a.op == "add":
            yield from _addends(a)
        else:
            yield a


def _mean(p: Expr, q: Expr, known: Mapping[Expr, Range], *, signed: bool) -> Span | None:
    """Return the interval of ``a*x + (c-a)*y`` as integers, where ``a`` is at most ``c``."""
    for a, x in (p.args, p.args[::-1]):
        for b, y in (q.args, q.args[::-1]):
            total = _total(a, b, known)
            if total is not None:
                low, high = hull(known[x].read(signed=signed), known[y].read(signed=signed))
                return total * low, total * high
    return None


def _total(a: Expr, b: Expr, known: Mapping[Expr, Range]) -> int | None:
    """Return what two terms add up to as unsigned integers, where that is a literal."""
    for x, y in ((a, b), (b, a)):
        if y.op == "sub" and y.args[0].is_const and y.args[1] is x:
            total = y.args[0].value
        elif y.op == "xor" and y.args[0] is x and y.args[1].is_const:
            total = y.args[1].value
            if total & (total + 1):
                continue
        elif y.op == x.op == "zext" and y.args[0].op == "not" and y.args[0].args[0] is x.args[0]:
            return (1 << x.args[0].width) - 1
        else:
            continue
        if known[x].unsigned[1] <= total:
            return total
    return None
