"""One transfer function an operator: the range of a result by those of the operands (``TRANSFER``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.domain import Range, both, either, full, literal, reduced, trailing
from isel.ir.expr import Expr
from isel.ir.ops import signed as as_signed
from isel.ir.spans import Span

Known: TypeAlias = Mapping[Expr, Range]
Transfer: TypeAlias = Callable[[Expr, Known], Range]


def _wrapped(span: Span, whole: Span) -> Span:
    """Return integers modulo the size of ``whole``: all of it where the interval goes around its end."""
    low, high = span
    size = whole[1] - whole[0] + 1
    turn = (low - whole[0]) // size * size
    return (low - turn, high - turn) if high - turn <= whole[1] else whole


def _made(
    width: int, u: Span | None = None, s: Span | None = None, zeros: int = 0, ones: int = 0
) -> Range:
    """Return what a transfer function says; of operands that have no value, all values."""
    return reduced(width, u, s, zeros, ones) or full(width)


def _two(e: Expr, known: Known) -> tuple[Range, Range]:
    return known[e.args[0]], known[e.args[1]]


# Sums and products: over the integers, then wrapped; their bits by what is known of carries.


def _carried(a: Range, zeros: int, ones: int, carry: int) -> tuple[int, int]:
    """Return the known bits, zeros and ones, of a sum with a carry into its lowest bit."""
    mask = (1 << a.width) - 1
    most, least = (a.zeros ^ mask) + (zeros ^ mask) + carry, a.ones + ones + carry
    settled = ~(most ^ a.zeros ^ zeros ^ least ^ a.ones ^ ones)
    both_known = (a.zeros | a.ones) & (zeros | ones) & settled
    return ~most & both_known, least & both_known


def _exactly(
    w: int, op: Callable[[Span, Span], Span], a: Range, b: Range, zeros: int, ones: int
) -> Range:
    u = _wrapped(op(a.unsigned, b.unsigned), (0, (1 << w) - 1))
    s = _wrapped(op(a.signed, b.signed), (-(1 << (w - 1)), (1 << (w - 1)) - 1))
    return _made(w, u, s, zeros, ones)


def _add(e: Expr, known: Known) -> Range:
    a, b = _two(e, known)
    return _exactly(e.width, spans.TWO["add"], a, b, *_carried(a, b.zeros, b.ones, 0))


def _difference(a: Range, b: Range) -> Range:
    return _exactly(a.width, spans.TWO["sub"], a, b, *_carried(a, b.ones, b.zeros, 1))


def _mul(e: Expr, known: Known) -> Range:
    a, b = _two(e, known)
    below = (1 << min(trailing(a.zeros | a.ones), trailing(b.zeros | b.ones))) - 1
    ones = a.ones * b.ones & below
    zeros = (1 << min(a.low_zeros + b.low_zeros, e.width)) - 1
    return _exactly(e.width, spans.TWO["mul"], a, b, zeros | (below & ~ones), ones)


def _udiv(e: Expr, known: Known) -> Range:
    """A quotient by zero is all ones."""
    (low, high), (least, most) = (x.unsigned for x in _two(e, known))
    top = (1 << e.width) - 1
    return _made(e.width, (low // most if most else top, high // least if least else top))


def _sdiv(e: Expr, known: Known) -> Range:
    (low, high), (least, most) = (x.signed for x in _two(e, known))
    if least <= 0:
        return full(e.width)
    ends = [x // y if x >= 0 else -(-x // y) for x in (low, high) for y in (least, most)]
    return _made(e.width, None, (min(ends), max(ends)))


def _urem(e: Expr, known: Known) -> Range:
    """A remainder by zero is the dividend."""
    a, b = _two(e, known)
    high, (least, most) = a.unsigned[1], b.unsigned
    return a if high < least else _made(e.width, (0, min(high, most - 1) if least else high))


def _srem(e: Expr, known: Known) -> Range:
    """A remainder has the dividend's sign, and is less than a divisor that is not zero."""
    (low, high), (least, most) = (x.signed for x in _two(e, known))
    below = max(-least, most) - 1 if least > 0 or most < 0 else max(-low, high)
    return _made(e.width, None, (max(min(low, 0), -below), min(max(high, 0), below)))


# Logic: bit by bit.  With their signs, results need no more bits than operands.


def _logic(e: Expr, a: Range, b: Range, u: Span | None, zeros: int, ones: int) -> Range:
    return _made(e.width, u, spans.signed(max(a.signed_bits, b.signed_bits)), zeros, ones)


def _and(e: Expr, known: Known) -> Range:
    a, b = _two(e, known)
    u = (0, min(a.unsigned[1], b.unsigned[1]))
    return _logic(e, a, b, u, a.zeros | b.zeros, a.ones & b.ones)


def _or(e: Expr, known: Known) -> Range:
    a, b = _two(e, known)
    u = (max(a.unsigned[0], b.unsigned[0]), (1 << e.width) - 1)
    return _logic(e, a, b, u, a.zeros & b.zeros, a.ones | b.ones)


def _xor(e: Expr, known: Known) -> Range:
    a, b = _two(e, known)
    zeros, ones = a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros
    return _logic(e, a, b, None, zeros, ones)


def _not(e: Expr, known: Known) -> Range:
    a, top = known[e.args[0]], (1 << e.width) - 1
    (low, high), (least, most) = a.unsigned, a.signed
    return Range(e.width, (top - high, top - low), (~most, ~least), a.ones, a.zeros)


# Shifts: by the width and more they give 0, or the sign everywhere.


def _amount(e: Expr, known: Known, most: int) -> Span:
    low, high = known[e.args[1]].unsigned
    return min(low, most), min(high, most)


def _shl(e: Expr, known: Known) -> Range:
    a, w, by = known[e.args[0]], e.width, _amount(e, known, e.width)
    if by[0] == w:
        return literal(0, w)
    zeros = (1 << min(a.low_zeros + by[0], w)) - 1
    if by[1] == w:
        return _made(w, zeros=zeros)
    fixed = (1 << w) - 1 if by[0] == by[1] else 0
    zeros |= a.zeros << by[0] & fixed
    exact = spans.TWO["shl"]
    u = _wrapped(exact(a.unsigned, by), spans.unsigned(w))
    return _made(
        w, u, _wrapped(exact(a.signed, by), spans.signed(w)), zeros, a.ones << by[0] & fixed
    )


def _lshr(e: Expr, known: Known) -> Range:
    a, w, by = known[e.args[0]], e.width, _amount(e, known, e.width)
    u = spans.TWO["shr"](a.unsigned, by)
    if by[0] < by[1]:
        return _made(w, u)
    new = ((1 << by[0]) - 1) << (w - by[0])
    return _made(w, u, None, a.zeros >> by[0] | new, a.ones >> by[0])


def _ashr(e: Expr, known: Known) -> Range:
    a, w, by = known[e.args[0]], e.width, _amount(e, known, e.width - 1)
    s = spans.TWO["shr"](a.signed, by)
    if by[0] < by[1]:
        return _made(w, None, s)
    top = (1 << w) - 1
    zeros, ones = (as_signed(x, w) >> by[0] & top for x in (a.zeros, a.ones))
    return _made(w, None, s, zeros, ones)


# Widths.


def _zext(e: Expr, known: Known) -> Range:
    a = known[e.args[0]]
    above = (1 << e.width) - (1 << a.width)
    return Range(e.width, a.unsigned, a.unsigned, a.zeros | above, a.ones)


def _sext(e: Expr, known: Known) -> Range:
    a, top = known[e.args[0]], (1 << e.width) - 1
    zeros, ones = (as_signed(x, a.width) & top for x in (a.zeros, a.ones))
    return _made(e.width, None, a.signed, zeros, ones)


def _extract(e: Expr, known: Known) -> Range:
    """A slice of what is shifted right is a slice of what was shifted, its sign included."""
    x, at, w = e.args[0], e.int_attr(0), e.width
    while x.op == "lshr" and x.args[1].is_const and at + x.args[1].value + w <= x.width:
        at, x = at + x.args[1].value, x.args[0]
    a, top = known[x], (1 << w) - 1
    u = _wrapped((a.unsigned[0] >> at, a.unsigned[1] >> at), spans.unsigned(w))
    s = _wrapped((a.signed[0] >> at, a.signed[1] >> at), spans.signed(w))
    return _made(w, u, s, a.zeros >> at & top, a.ones >> at & top)


def _concat(e: Expr, known: Known) -> Range:
    a, b = _two(e, known)
    n, (low, high) = b.width, b.unsigned
    u, s = ((x << n | low, y << n | high) for x, y in (a.unsigned, a.signed))
    return Range(e.width, u, s, a.zeros << n | b.zeros, a.ones << n | b.ones)


# Comparisons and choices.


def _compared(e: Expr, known: Known) -> Range:
    answer = _answer(e.op, *_two(e, known))
    return full(1) if answer is None else literal(answer, 1)


def _answer(op: str, a: Range, b: Range) -> int | None:
    if op == "eq":
        if a.is_const and a == b:
            return 1
        return 0 if both(a, b) is None else None
    (low, high), (least, most) = (x.read(signed=op[0] == "s") for x in (a, b))
    strict = op.endswith("lt")
    if high < least or (high == least and not strict):
        return 1
    return 0 if low > most or (low == most and strict) else None


def _ite(e: Expr, known: Known) -> Range:
    """What a condition compares is known better in the branches; one may turn out to be impossible."""
    (c, yes, no), truth = e.args, known[e.args[0]].unsigned
    first = given(c, True, yes, known[yes], known) if truth[1] else None
    second = given(c, False, no, known[no], known) if not truth[0] else None
    if first is None or second is None:
        return first or second or full(e.width)
    return either(first, second)


def given(c: Expr, holds: bool, x: Expr, a: Range, known: Known) -> Range | None:
    """Return the range of ``x``, which is ``a`` anyway, where a condition holds or not; None: nowhere."""
    while c.op == "not":
        c, holds = c.args[0], not holds
    if x not in c.args or c.op not in ORDERS:
        return a
    p, q = c.args
    if c.op == "eq":
        return both(a, known[q if x is p else p]) if holds else a
    sign, strict = c.op[0] == "s", c.op.endswith("lt") == holds
    if not holds:
        p, q = q, p
    low, high = a.read(signed=sign)
    limit = (low, min(high, known[q].read(signed=sign)[1] - strict)) if x is p else None
    limit = limit or (max(low, known[p].read(signed=sign)[0] + strict), high)
    u, s = (a.unsigned, limit) if sign else (limit, a.signed)
    return reduced(a.width, u, s, a.zeros, a.ones)


ORDERS: Final = ("eq", "ult", "ule", "slt", "sle")
TRANSFER: Final[Mapping[str, Transfer]] = MappingProxyType(
    {
        "add": _add,
        "sub": lambda e, known: _difference(*_two(e, known)),
        "mul": _mul,
        "udiv": _udiv,
        "urem": _urem,
        "sdiv": _sdiv,
        "srem": _srem,
        "and": _and,
        "or": _or,
        "xor": _xor,
        "not": _not,
        "neg": lambda e, known: _difference(literal(0, e.width), known[e.args[0]]),
        "shl": _shl,
        "lshr": _lshr,
        "ashr": _ashr,
        **dict.fromkeys(ORDERS, _compared),
        "zext": _zext,
        "sext": _sext,
        "extract": _extract,
        "concat": _concat,
        "ite": _ite,
    }
)
"""What an operation can be, by the ranges of its operands and of what these are made of."""
