"""One transfer function an operator: the range of a result by those of the operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.domain import Range, both, either, full, literal, reduced, trailing
from isel.ir.expr import Expr
from isel.ir.ops import signed as as_signed
from isel.ir.spans import TWO, Span
from isel.ir.weighted import weighted

Known: TypeAlias = Mapping[Expr, Range]
Transfer: TypeAlias = Callable[[Expr, Known], Range]
ORDERS: Final = ("eq", "ult", "ule", "slt", "sle")


def _made(
    width: int, u: Span | None = None, s: Span | None = None, zeros: int = 0, ones: int = 0
) -> Range:
    """Return what a transfer function says; of operands that have no value, all values."""
    return reduced(width, u, s, zeros, ones) or full(width)


def _wrapped(span: Span, whole: Span) -> Span:
    """Return integers modulo the size of ``whole``, all of it where they go around its end."""
    low, high = span
    size = whole[1] - whole[0] + 1
    turn = (low - whole[0]) // size * size
    return (low - turn, high - turn) if high - turn <= whole[1] else whole


def _integers(
    width: int, op: Callable[[Span], Span], a: Range, zeros: int = 0, ones: int = 0
) -> Range:
    """Return the range of what an operator makes of a value as an integer, wrapped."""
    u = _wrapped(op(a.unsigned), spans.unsigned(width))
    return _made(width, u, _wrapped(op(a.signed), spans.signed(width)), zeros, ones)


def _of_two(name: str, a: Range, b: Range, zeros: int, ones: int) -> Range:
    u = _wrapped(TWO[name](a.unsigned, b.unsigned), spans.unsigned(a.width))
    s = _wrapped(TWO[name](a.signed, b.signed), spans.signed(a.width))
    return _made(a.width, u, s, zeros, ones)


def _carried(a: Range, zeros: int, ones: int, carry: int) -> tuple[int, int]:
    """Return the known bits, zeros and ones, of a sum with a carry into its lowest bit."""
    mask = (1 << a.width) - 1
    most, least = (a.zeros ^ mask) + (zeros ^ mask) + carry, a.ones + ones + carry
    settled = (
        (a.zeros | a.ones) & (zeros | ones) & ~(most ^ a.zeros ^ zeros ^ least ^ a.ones ^ ones)
    )
    return ~most & settled, least & settled


def _add(e: Expr, a: Range, b: Range) -> Range:
    return _of_two("add", a, b, *_carried(a, b.zeros, b.ones, 0))


def _sum(e: Expr, known: Known) -> Range:
    """A sum of products by weights that add up to a constant is bounded better than each."""
    plain = _add(e, known[e.args[0]], known[e.args[1]])
    if not any(a.op in ("add", "mul") for a in e.args):
        return plain
    u, s = (weighted(e, known, signed=signed) for signed in (False, True))
    better = reduced(e.width, u, s) if u or s else None
    return plain if better is None else both(plain, better) or plain


def _sub(e: Expr, a: Range, b: Range) -> Range:
    return _of_two("sub", a, b, *_carried(a, b.ones, b.zeros, 1))


def _clmul(e: Expr, a: Range, b: Range) -> Range:
    top = sum(x.unsigned[1].bit_length() for x in (a, b)) - 1  # above the highest term
    return _made(e.width, zeros=(1 << e.width) - 1 & -1 << max(top, 0))


def _mul(e: Expr, a: Range, b: Range) -> Range:
    below = (1 << min(trailing(a.zeros | a.ones), trailing(b.zeros | b.ones))) - 1
    ones = a.ones * b.ones & below
    zeros = (1 << min(a.low_zeros + b.low_zeros, e.width)) - 1
    plain = _of_two("mul", a, b, zeros | (below & ~ones), ones)
    return plain if e.args[0] is not e.args[1] else both(plain, _square(a)) or plain


def _square(a: Range) -> Range:
    """Return the range of the product of a value by itself, which is not negative as an integer."""
    low, high = a.signed
    most = max(low * low, high * high)
    span = (0 if low <= 0 <= high else min(low * low, high * high), most)
    u, s = (_wrapped(span, whole(a.width)) for whole in (spans.unsigned, spans.signed))
    return _made(a.width, u, s)


def _udiv(e: Expr, a: Range, b: Range) -> Range:
    """A quotient by zero is all ones."""
    (low, high), (least, most), top = a.unsigned, b.unsigned, (1 << e.width) - 1
    return _made(e.width, (low // most if most else top, high // least if least else top))


def _sdiv(e: Expr, a: Range, b: Range) -> Range:
    if b.signed[0] <= 0:
        return full(e.width)
    ends = [x // y if x >= 0 else -(-x // y) for x in a.signed for y in b.signed]
    return _made(e.width, None, (min(ends), max(ends)))


def _urem(e: Expr, a: Range, b: Range) -> Range:
    """A remainder by zero is the dividend."""
    high, (least, most) = a.unsigned[1], b.unsigned
    return a if high < least else _made(e.width, (0, min(high, most - 1) if least else high))


def _srem(e: Expr, a: Range, b: Range) -> Range:
    """A remainder has the dividend's sign, and is less than a divisor that is not zero."""
    (low, high), (least, most) = a.signed, b.signed
    below = max(-least, most) - 1 if least > 0 or most < 0 else max(-low, high)
    return _made(e.width, None, (max(min(low, 0), -below), min(max(high, 0), below)))


def _logic(a: Range, b: Range, u: Span | None, zeros: int, ones: int) -> Range:
    """With their signs, results of logic need no more bits than operands."""
    return _made(a.width, u, spans.signed(max(a.signed_bits, b.signed_bits)), zeros, ones)


def _and(e: Expr, a: Range, b: Range) -> Range:
    u = (0, min(a.unsigned[1], b.unsigned[1]))
    return _logic(a, b, u, a.zeros | b.zeros, a.ones & b.ones)


def _or(e: Expr, a: Range, b: Range) -> Range:
    u = (max(a.unsigned[0], b.unsigned[0]), (1 << e.width) - 1)
    return _logic(a, b, u, a.zeros & b.zeros, a.ones | b.ones)


def _xor(e: Expr, a: Range, b: Range) -> Range:
    zeros, ones = a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros
    return _logic(a, b, None, zeros, ones)


def _not(e: Expr, a: Range) -> Range:
    (low, high), (least, most), top = a.unsigned, a.signed, (1 << e.width) - 1
    return Range(e.width, (top - high, top - low), (~most, ~least), a.ones, a.zeros)


def _amount(b: Range, most: int) -> Span:
    """Return by how much is shifted, where more than ``most`` is the same as that."""
    return min(b.unsigned[0], most), min(b.unsigned[1], most)


def _shl(e: Expr, a: Range, b: Range) -> Range:
    w, by = e.width, _amount(b, e.width)
    fixed = (1 << w) - 1 if by[0] == by[1] else 0
    zeros = (1 << min(a.low_zeros + by[0], w)) - 1 | a.zeros << by[0] & fixed
    if by[1] == w:
        return _made(w, zeros=zeros)
    return _integers(w, lambda x: TWO["shl"](x, by), a, zeros, a.ones << by[0] & fixed)


def _lshr(e: Expr, a: Range, b: Range) -> Range:
    w, by = e.width, _amount(b, e.width)
    u = TWO["shr"](a.unsigned, by)
    if by[0] < by[1]:
        return _made(w, u)
    new = ((1 << by[0]) - 1) << (w - by[0])
    return _made(w, u, None, a.zeros >> by[0] | new, a.ones >> by[0])


def _ashr(e: Expr, a: Range, b: Range) -> Range:
    w, by = e.width, _amount(b, e.width - 1)
    fixed = (1 << w) - 1 if by[0] == by[1] else 0
    zeros, ones = (as_signed(x, w) >> by[0] & fixed for x in (a.zeros, a.ones))
    return _made(w, None, TWO["shr"](a.signed, by), zeros, ones)


def _zext(e: Expr, a: Range) -> Range:
    above = (1 << e.width) - (1 << a.width)
    return Range(e.width, a.unsigned, a.unsigned, a.zeros | above, a.ones)


def _sext(e: Expr, a: Range) -> Range:
    zeros, ones = (as_signed(x, a.width) & ((1 << e.width) - 1) for x in (a.zeros, a.ones))
    return _made(e.width, None, a.signed, zeros, ones)


def _extract(e: Expr, known: Known) -> Range:
    """A slice of what is shifted right is a slice of what was shifted, its sign included."""
    x, at, w = e.args[0], e.int_attr(0), e.width
    while x.op == "lshr" and x.args[1].is_const and at + x.args[1].value + w <= x.width:
        at, x = at + x.args[1].value, x.args[0]
    a, top = known[x], (1 << w) - 1
    return _integers(
        w, lambda s: (s[0] >> at, s[1] >> at), a, a.zeros >> at & top, a.ones >> at & top
    )


def _concat(e: Expr, a: Range, b: Range) -> Range:
    n, (low, high) = b.width, b.unsigned
    u, s = ((x << n | low, y << n | high) for x, y in (a.unsigned, a.signed))
    return Range(e.width, u, s, a.zeros << n | b.zeros, a.ones << n | b.ones)


def _compared(e: Expr, a: Range, b: Range) -> Range:
    if e.op == "eq":
        same = a.is_const and a == b
        return literal(int(same), 1) if same or both(a, b) is None else full(1)
    (low, high), (least, most) = (x.read(signed=e.op[0] == "s") for x in (a, b))
    strict = e.op.endswith("lt")
    if high < least or (high == least and not strict):
        return literal(1, 1)
    return literal(0, 1) if low > most or (low == most and strict) else full(1)


def _ite(e: Expr, known: Known) -> Range:
    """What a condition compares is known better in the branches; one may turn out to be
    impossible.
    """
    (c, yes, no), truth = e.args, known[e.args[0]].unsigned
    first = given(c, True, yes, known[yes], known) if truth[1] else None
    second = given(c, False, no, known[no], known) if not truth[0] else None
    if first is None or second is None:
        return first or second or full(e.width)
    return either(first, second)


def given(c: Expr, holds: bool, x: Expr, a: Range, known: Known) -> Range | None:
    """Return the range of ``x``, which is ``a`` anyway, where a condition holds or does not; None
    where that is nowhere.
    """
    while c.op == "not":
        c, holds = c.args[0], not holds
    if c.op not in ORDERS:
        return a
    if x not in c.args:
        return _narrow_related(c, holds, x, a, known)
    p, q = c.args
    if c.op == "eq":
        return both(a, known[q if x is p else p]) if holds else a
    sign, strict = c.op[0] == "s", c.op.endswith("lt") == holds
    if not holds:
        p, q = q, p
    low, high = a.read(signed=sign)
    if x is p:
        high = min(high, known[q].read(signed=sign)[1] - strict)
    else:
        low = max(low, known[p].read(signed=sign)[0] + strict)
    u, s = (a.unsigned, (low, high)) if sign else ((low, high), a.signed)
    return reduced(a.width, u, s, a.zeros, a.ones)


def _narrow_related(c: Expr, holds: bool, x: Expr, a: Range, known: Known) -> Range | None:
    """Return what :func:`given` does of a term that is no operand of the comparison: the opposite
    of one, or the difference of both.
    """
    if x.op == "neg" and x.args[0] in c.args:
        (y,) = x.args
        inner = given(c, holds, y, known[y], known)
        return None if inner is None else both(a, TRANSFER["neg"](x, {y: inner}))
    differs = x.op == "sub" and set(x.args) == set(c.args) and c.op != "eq"
    return _difference(c, holds, x, a, known) if differs else a


def _difference(c: Expr, holds: bool, x: Expr, a: Range, known: Known) -> Range | None:
    """Return what :func:`given` does of the difference of what is compared: one way it is as great
    as these are far from each other, without a wrap.
    """
    less, more = c.args if holds else (c.args[1], c.args[0])
    (least, most), (low, high) = (known[y].read(signed=c.op[0] == "s") for y in (less, more))
    distance = reduced(a.width, (max(low - most, int(c.op.endswith("lt") == holds)), high - least))
    if distance is None:
        return None
    return both(a, distance if x.args[0] is more else _sub(x, literal(0, a.width), distance))


def _by_operands(function: Callable[..., Range]) -> Transfer:
    return lambda e, known: function(e, *[known[a] for a in e.args])


_BY_OPERANDS: Final[Mapping[str, Callable[..., Range]]] = {
    "sub": _sub,
    "mul": _mul,
    "clmul": _clmul,
    "udiv": _udiv,
    "urem": _urem,
    "sdiv": _sdiv,
    "srem": _srem,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "not": _not,
    "neg": lambda e, a: _sub(e, literal(0, e.width), a),
    "shl": _shl,
    "lshr": _lshr,
    "ashr": _ashr,
    **dict.fromkeys(ORDERS, _compared),
    "zext": _zext,
    "sext": _sext,
    "concat": _concat,
}
TRANSFER: Final[Mapping[str, Transfer]] = MappingProxyType(
    {op: _by_operands(f) for op, f in _BY_OPERANDS.items()}
    | {"add": _sum, "extract": _extract, "ite": _ite}
)
"""The range of an operation by the ranges of its operands, and of what these are made of."""
