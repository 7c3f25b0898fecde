"""The fixed-point operations of Root, Ahmad, Sharlet, Adams, Kamil and Ragan-Kelley, Fast
Instruction Selection for Fast Digital Signal Processing (ASPLOS'23), Table 1, at 8, 16 and 32 bits.

What they mean is what Halide's documentation says of the intrinsics of these names, in integers of
twice the width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tests.fixed_point.spell import Spelling, Type, Value

Operation: TypeAlias = Callable[[Spelling, Value, Value], Value]

TYPES: Final = tuple(Type(w, s) for w in (8, 16, 32) for s in (True, False))
SIGNED: Final = tuple(t for t in TYPES if t.signed)


@dataclass(frozen=True, slots=True)
class Row:
    """One operation on operands of some types; ``name`` says all three."""

    name: str
    first: Type
    second: Type
    make: Operation

    def text(self, bits: int) -> str:
        """Return ``@select`` on registers of ``bits`` bits of the narrower operand."""
        s = Spelling(bits // min(self.first.width, self.second.width))
        a, b = Value("%a", self.first), Value("%b", self.second)
        result = self.make(s, a, b)
        used = [x for x in (a, b) if any(f" {x.text}" in line for line in s.lines)]
        return s.function(result, *used)


def _widening(op: str) -> Operation:
    def make(s: Spelling, a: Value, b: Value) -> Value:
        return _apply(s, op, s.cast(a, a.type.wide), s.cast(b, b.type.wide))

    return make


def _extending(op: str) -> Operation:
    return lambda s, a, b: _apply(s, op, a, s.cast(b, a.type))


def _apply(s: Spelling, op: str, a: Value, b: Value) -> Value:
    return {"add": s.add, "sub": s.sub, "mul": s.mul}[op](a, b)


def _widening_shift(*, left: bool) -> Operation:
    def make(s: Spelling, a: Value, _: Value) -> Value:
        wide = s.cast(a, a.type.wide)
        return (s.left if left else s.right)(wide, s.literal(3, wide.type))

    return make


def _abs(s: Spelling, a: Value, _: Value) -> Value:
    zero = s.literal(0, a.type)
    return s.pick("lt", a, zero, s.sub(zero, a), a)


def _absd(s: Spelling, a: Value, b: Value) -> Value:
    return s.pick("gt", a, b, s.sub(a, b), s.sub(b, a))


def _cast(to: Type) -> Operation:
    return lambda s, a, _: s.clamped(a, to)


def _saturating(op: str) -> Operation:
    """Differences of unsigned operands are signed."""

    def make(s: Spelling, a: Value, b: Value) -> Value:
        signed = Type(a.type.wide.width, signed=op == "sub" or a.type.signed)
        total = _apply(s, op, s.cast(a, signed), s.cast(b, signed))
        return s.clamped(total, a.type)

    return make


def _halving(op: str, *, rounded: bool = False) -> Operation:
    def make(s: Spelling, a: Value, b: Value) -> Value:
        wide = Type(a.type.wide.width, signed=op == "sub" or a.type.signed)
        total = _apply(s, op, s.cast(a, wide), s.cast(b, wide))
        one = s.literal(1, wide)
        return s.cast(s.right(s.add(total, one) if rounded else total, one), a.type)

    return make


def _rounding_right(amount: int) -> Operation:
    """Half a unit is added in the wide type."""

    def make(s: Spelling, a: Value, _: Value) -> Value:
        wide = s.cast(a, a.type.wide)
        total = s.add(wide, s.literal(1 << (amount - 1), wide.type))
        return s.cast(s.right(total, s.literal(amount, wide.type)), a.type)

    return make


def _rounded(s: Spelling, wide: Value, amount: Value) -> Value:
    one = s.literal(1, wide.type)
    unit = Value(s.left(one, amount).text, Type(wide.type.width, signed=False))
    half = Value(s.right(unit, one).text, wide.type)
    return s.right(s.add(wide, half), amount)


def _rounding_right_by(s: Spelling, a: Value, b: Value) -> Value:
    amount = s.both(b, s.literal(a.type.width - 1, b.type))
    return s.cast(_rounded(s, s.cast(a, a.type.wide), s.cast(amount, a.type.wide)), a.type)


def _rounding_left(s: Spelling, a: Value, b: Value) -> Value:
    """Shift to the left by the upper bits of ``b``, to the right and rounded where they are
    negative.
    """
    bits = a.type.width.bit_length() - 1
    count = s.right(
        Value(b.text, Type(a.type.width, signed=True)), s.literal(a.type.width - bits - 1, b.type)
    )
    amount = s.both(count, s.literal(a.type.width - 1, b.type))
    wide = s.cast(a, a.type.wide)
    back = s.cast(s.sub(s.literal(0, count.type), count), Type(wide.type.width, signed=True))
    zero = s.literal(0, back.type)
    right = s.cast(_rounded(s, wide, s.pick("lt", back, zero, zero, back)), a.type)
    return s.pick("lt", count, s.literal(0, count.type), right, s.left(a, amount))


def _mul_right(amount: int, *, rounded: bool) -> Operation:
    def make(s: Spelling, a: Value, b: Value) -> Value:
        product = _apply(s, "mul", s.cast(a, a.type.wide), s.cast(b, a.type.wide))
        if rounded:
            product = s.add(product, s.literal(1 << (amount - 1), product.type))
        return s.clamped(s.right(product, s.literal(amount, product.type)), a.type)

    return make


def _by_literal(factor: int, amount: int) -> Operation:
    """A product by a literal, rounded and shifted; the result fits."""

    def make(s: Spelling, a: Value, _: Value) -> Value:
        product = s.mul(s.cast(a, a.type.wide), s.literal(factor, a.type.wide))
        total = s.add(product, s.literal(1 << (amount - 1), product.type))
        return s.cast(s.right(total, s.literal(amount, product.type)), a.type)

    return make


def rows() -> Iterator[Row]:
    """Yield every row."""
    for t in TYPES:
        for op in ("add", "sub", "mul"):
            yield Row(f"widening_{op} {t.name}", t, t, _widening(op))
            yield Row(f"extending_{op} {t.name}", t.wide, t, _extending(op))
        yield Row(f"widening_shl {t.name}", t, t, _widening_shift(left=True))
        yield Row(f"widening_shr {t.name}", t, t, _widening_shift(left=False))
        yield Row(f"absd {t.name}", t, t, _absd)
        for op in ("add", "sub"):
            yield Row(f"saturating_{op} {t.name}", t, t, _saturating(op))
            yield Row(f"halving_{op} {t.name}", t, t, _halving(op))
        yield Row(f"rounding_halving_add {t.name}", t, t, _halving("add", rounded=True))
        yield Row(f"rounding_shl {t.name}", t, t, _rounding_left)
        yield Row(f"rounding_shr {t.name} 2", t, t, _rounding_right(2))
        yield Row(f"rounding_shr {t.name}", t, t, _rounding_right_by)
        for k in (t.width - 1, t.width):
            yield Row(f"mul_shr {t.name} {k}", t, t, _mul_right(k, rounded=False))
            yield Row(f"rounding_mul_shr {t.name} {k}", t, t, _mul_right(k, rounded=True))
        yield Row(f"saturating_narrow {t.name}", t.wide, t.wide, _cast(t))
        for to in TYPES:
            if to.width <= t.width and (t.least < to.least or t.most > to.most):
                yield Row(f"saturating_cast {t.name} {to.name}", t, t, _cast(to))
    for t in SIGNED:
        yield Row(f"abs {t.name}", t, t, _abs)
    yield Row("rounding_mul_shr i16 14 by 11585", TYPES[2], TYPES[2], _by_literal(11585, 14))
