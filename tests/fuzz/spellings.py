"""Fixed-point operations on vectors, each with its spellings: widened and cut, by the bits of both
operands, by comparisons, and by intrinsics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from tests.fixed_point.spell import Spelling, Type, Value

Spell: TypeAlias = Callable[..., Value]  # of a Spelling and of the operands

_SHIFTS: Final = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Operation:
    """What operands it takes, and its spellings, which are equal."""

    name: str
    takes: tuple[Type, ...]
    spellings: tuple[Spell, ...]


def operations(t: Type) -> Iterator[Operation]:
    """Yield the operations whose result has a type."""
    two = (t, t)
    yield Operation("average", two, (_wide_average, _lower_average))
    yield Operation("rounded average", two, _ROUNDED)
    for op in ("add", "sub"):
        yield Operation(f"saturating {op}", two, tuple(_saturations(op, t)))
    yield Operation("distance", two, tuple(_distances(t)))
    yield Operation("halving difference", two, (_wide_difference, _lower_difference))
    for read in (True, False):
        high = partial(_cut_product, amount=t.width, read=read)
        yield Operation("high half", two, (high, partial(_swapped, high)))
    for amount in _SHIFTS:
        yield Operation(f"rounding shift {amount}", (t,), tuple(_rounding_shifts(amount)))
    for how in ("min", "max"):
        yield Operation(how, two, (partial(_extreme, how=how), partial(_compared, how=how)))
    if t.signed:
        yield Operation("fractional product", two, _FRACTIONAL)
    if t.width > 8:
        yield Operation("extension", (Type(t.width // 2, t.signed),), (partial(_cast, t=t),))
    if t.width < 32:
        for signed in (True, False):
            wide = Type(2 * t.width, signed)
            narrow = (partial(_narrow, t=t), partial(_clamp, t=t))
            yield Operation(f"saturating narrowing of {wide.name}", (wide,), narrow)


def _wide(s: Spelling, x: Value, *, signed: bool = True) -> Value:
    """Extend by the operand's own sign, to what is read as signed or not."""
    return s.cast(x, Type(2 * x.type.width, signed))


def _cut(s: Spelling, total: Value, amount: int, t: Type) -> Value:
    return s.cast(s.right(total, s.literal(amount, total.type)), t)


def _inverse(s: Spelling, x: Value) -> Value:
    return s.two("xor", x, s.literal(-1, x.type))


def _cast(s: Spelling, x: Value, *, t: Type) -> Value:
    return s.cast(x, t)


def _swapped(spell: Spell, s: Spelling, x: Value, y: Value) -> Value:
    return spell(s, y, x)


def _wide_average(s: Spelling, x: Value, y: Value) -> Value:
    return _cut(s, s.add(_wide(s, x), _wide(s, y)), 1, x.type)


def _lower_average(s: Spelling, x: Value, y: Value) -> Value:
    half = s.right(s.two("xor", x, y), s.literal(1, x.type))
    return s.add(s.both(x, y), half)


def _rounded_average(s: Spelling, x: Value, y: Value, *, signed: bool) -> Value:
    total = s.add(_wide(s, x, signed=signed), _wide(s, y, signed=signed))
    return _cut(s, s.add(total, s.literal(1, total.type)), 1, x.type)


def _averaged_inverse(s: Spelling, x: Value, y: Value) -> Value:
    """x - ~y is x + y + 1."""
    return _cut(s, s.sub(_wide(s, x), _inverse(s, _wide(s, y))), 1, x.type)


def _upper_average(s: Spelling, x: Value, y: Value) -> Value:
    half = s.right(s.two("xor", x, y), s.literal(1, x.type))
    return s.sub(s.two("or", x, y), half)


_ROUNDED: Final = (
    partial(_rounded_average, signed=True),
    partial(_rounded_average, signed=False),
    _averaged_inverse,
    _upper_average,
)


def _saturations(op: str, t: Type) -> Iterator[Spell]:
    yield lambda s, x, y: s.clamped(s.two(op, _wide(s, x), _wide(s, y)), t)
    yield lambda s, x, y: _clamp(s, s.two(op, _wide(s, x), _wide(s, y)), t=t)
    yield lambda s, x, y: s.call(f"{'s' if t.signed else 'u'}{op}.sat", x, y)
    if t.signed:
        yield partial(_by_overflow, op=op)
    elif op == "add":
        yield _or_most
        yield lambda s, x, y: s.add(x, s.call("umin", y, _inverse(s, x)))
    else:
        yield lambda s, x, y: s.pick("gt", x, y, s.sub(x, y), s.literal(0, t))
        yield lambda s, x, y: s.sub(s.call("umax", x, y), y)


def _by_overflow(s: Spelling, x: Value, y: Value, *, op: str) -> Value:
    """Where signs say that the result has overflowed, the bound on the side of ``x``."""
    total = s.two(op, x, y)
    other = s.two("xor", x, y) if op == "sub" else s.two("xor", total, y)
    over = s.both(s.two("xor", total, x), other)
    sign = s.right(x, s.literal(x.type.width - 1, x.type))
    bound = s.two("xor", sign, s.literal(x.type.most, x.type))
    return s.pick("lt", over, s.literal(0, x.type), bound, total)


def _or_most(s: Spelling, x: Value, y: Value) -> Value:
    total = s.add(x, y)
    return s.pick("lt", total, x, s.literal(-1, x.type), total)


def _distances(t: Type) -> Iterator[Spell]:
    yield lambda s, x, y: s.sub(_extreme(s, x, y, how="max"), _extreme(s, x, y, how="min"))
    yield lambda s, x, y: s.cast(s.call("abs", s.sub(_wide(s, x), _wide(s, y))), t)
    yield lambda s, x, y: s.pick("lt", x, y, s.sub(y, x), s.sub(x, y))
    if not t.signed:
        yield lambda s, x, y: s.two("or", s.call("usub.sat", x, y), s.call("usub.sat", y, x))


def _wide_difference(s: Spelling, x: Value, y: Value) -> Value:
    return _cut(s, s.sub(_wide(s, x), _wide(s, y)), 1, x.type)


def _lower_difference(s: Spelling, x: Value, y: Value) -> Value:
    half = s.right(s.two("xor", x, y), s.literal(1, x.type))
    return s.sub(half, s.both(_inverse(s, x), y))


def _cut_product(s: Spelling, x: Value, y: Value, *, amount: int, read: bool) -> Value:
    product = s.mul(_wide(s, x, signed=read), _wide(s, y, signed=read))
    return _cut(s, product, amount, x.type)


def _rounding_shifts(amount: int) -> Iterator[Spell]:
    def wide(s: Spelling, x: Value) -> Value:
        total = _wide(s, x)
        return _cut(s, s.add(total, s.literal(1 << (amount - 1), total.type)), amount, x.type)

    def last_bit(s: Spelling, x: Value) -> Value:
        one = s.literal(1, x.type)
        low = s.two("lshr", x, s.literal(amount - 1, x.type)) if amount > 1 else x
        return s.add(s.right(x, s.literal(amount, x.type)), s.both(low, one))

    def twice(s: Spelling, x: Value) -> Value:
        one = s.literal(1, x.type)
        return s.right(s.add(s.right(x, s.literal(amount - 1, x.type)), one), one)

    yield from (wide, last_bit, *([twice] if amount > 1 else []))


def _extreme(s: Spelling, x: Value, y: Value, *, how: str) -> Value:
    return s.call(f"{'s' if x.type.signed else 'u'}{how}", x, y)


def _compared(s: Spelling, x: Value, y: Value, *, how: str) -> Value:
    return s.pick({"min": "lt", "max": "gt"}[how], x, y, x, y)


def _rounded_product(s: Spelling, x: Value, y: Value) -> Value:
    product = s.mul(_wide(s, x), _wide(s, y))
    half = s.literal(1 << (x.type.width - 2), product.type)
    return _cut(s, s.add(product, half), x.type.width - 1, x.type)


def _rounded_last(s: Spelling, x: Value, y: Value) -> Value:
    product = s.mul(_wide(s, x), _wide(s, y))
    most = s.right(product, s.literal(x.type.width - 2, product.type))
    return _cut(s, s.add(most, s.literal(1, product.type)), 1, x.type)


def _last_bit(s: Spelling, x: Value, y: Value) -> Value:
    product, k = s.mul(_wide(s, x), _wide(s, y)), x.type.width - 1
    low = s.two("lshr", product, s.literal(k - 1, product.type))
    high = s.right(product, s.literal(k, product.type))
    return s.cast(s.add(high, s.both(low, s.literal(1, low.type))), x.type)


_FRACTIONAL: Final = (_rounded_product, _rounded_last, _last_bit)


def _narrow(s: Spelling, x: Value, *, t: Type) -> Value:
    return s.clamped(x, t)


def _clamp(s: Spelling, x: Value, *, t: Type) -> Value:
    """Clamp by minimum and maximum, and cut."""
    if x.type.least < t.least:
        x = _extreme(s, x, s.literal(t.least, x.type), how="max")
    return s.cast(_extreme(s, x, s.literal(t.most, x.type), how="min"), t)
