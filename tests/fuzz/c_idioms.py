"""Random C arithmetic made of what instructions are for: saturation, averages, fixed point,
differences, narrowing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tests.fuzz.c_values import (
    CType,
    Value,
    add,
    bitwise,
    cast,
    choose,
    clamped,
    computed,
    greatest,
    least,
    left,
    literal,
    mul,
    of_type,
    right,
    sub,
)
from tests.fuzz.writer import corners

INT: Final = CType(32, True)


@dataclass(slots=True)
class Body:
    """The statements of a loop's body; ``leaf`` writes a load or a parameter as a value of a
    type.
    """

    rng: random.Random
    leaf: Callable[[Body, CType], Value]
    lines: list[str] = field(default_factory=list)
    names: int = 0
    values: list[Value] = field(default_factory=list)

    def name(self, x: Value) -> Value:
        """Return the value as a variable, so that it can be used twice."""
        if x.text.isidentifier():
            return x
        self.names += 1
        self.lines.append(f"{x.type} t{self.names} = {x.text};")
        return Value(f"t{self.names}", x.type, x.low, x.high)

    def value(self, type_: CType, depth: int) -> Value:
        """Return a random value of a type, made of at most ``depth`` levels of idioms."""
        old = [v for v in self.values if v.type == type_]
        if old and self.rng.random() < 0.15:
            return self.rng.choice(old)
        if depth <= 0:
            return self.name(self.leaf(self, type_))
        made = self.name(
            cast(self.rng.choices(_MAKERS, _WEIGHTS)[0](self, type_, depth - 1), type_)
        )
        self.values.append(made)
        return made

    def constant(self, type_: CType) -> Value:
        """Return a constant, often a corner."""
        return literal(
            self.rng.choice(corners(type_.bits))
            if self.rng.random() < 0.5
            else self.rng.randrange(100),
            type_,
        )


Maker: TypeAlias = Callable[[Body, CType, int], Value]


def _wide(type_: CType) -> CType:
    """Return a type for sums and products of values of a type; signed, as C has it, where the
    values are narrow.
    """
    return CType(64, True) if type_.bits == 32 else INT


def _product_type(type_: CType) -> CType:
    """Return a type that holds every product."""
    return CType(2 * type_.bits, False) if not type_.signed and type_.bits > 8 else _wide(type_)


def _narrowed(b: Body, x: Value, type_: CType) -> Value:
    """Narrow a value by what programs do: saturation or truncation."""
    return clamped(b.name(x), type_) if b.rng.random() < 0.7 else cast(x, type_)


def _rounded(b: Body, x: Value, amount: int) -> Value:
    half = literal(1 << (amount - 1), x.type) if amount else literal(0, x.type)
    return right(add(x, half, x.type) if b.rng.random() < 0.7 else x, amount)


def average(b: Body, t: CType, depth: int) -> Value:
    """(x + y + r) >> 1."""
    w = _wide(t)
    total = add(b.value(t, depth), b.value(t, depth), w)
    return right(add(total, literal(1, w), w) if b.rng.random() < 0.7 else total, 1)


def saturated(b: Body, t: CType, depth: int) -> Value:
    """A sum or a difference that saturates, of values of one or two signs."""
    w, x, y = _wide(t), b.value(t, depth), b.value(t, depth)
    return clamped(b.name(b.rng.choice((add, sub))(x, y, w)), t)


def saturated_by_choice(b: Body, t: CType, depth: int) -> Value:
    """x > y ? x - y : 0, or a sum tested for a carry."""
    x, y, u = b.value(t, depth), b.value(t, depth), t.unsigned()
    if t.signed or b.rng.random() < 0.5:
        return choose(
            x,
            b.rng.choice((">", ">=")),
            y,
            cast(sub(x, y, computed(t)), t),
            literal(b.rng.choice((0, 0, 1)), t),
        )
    total = b.name(cast(add(x, y, computed(t)), u))
    return choose(total, "<", x, literal(u.high, u), total)


def difference(b: Body, t: CType, depth: int) -> Value:
    """|x - y|, by comparison or by the sign of the difference."""
    x, y, w = b.value(t, depth), b.value(t, depth), _wide(t)
    if b.rng.random() < 0.5:
        return choose(x, b.rng.choice((">", ">=", "<")), y, sub(x, y, w), sub(y, x, w))
    d = b.name(sub(x, y, w if w.signed else CType(64, True)))
    return choose(d, "<", literal(0, d.type), sub(literal(0, d.type), d, d.type), d)


def fixed_point(b: Body, t: CType, depth: int) -> Value:
    """(x * y + r) >> k, saturated or truncated: Q7, Q15 and others."""
    if (
        t.bits == 32 and b.rng.random() < 0.8
    ):  # products of 64 bits are slow to search and seldom better
        return dot(b, t, depth)
    w = _product_type(t)
    other = b.value(t, depth) if b.rng.random() < 0.8 else b.constant(t)
    product = mul(b.value(t, depth), other, w)
    amount = b.rng.choice((t.bits - 1, t.bits - 1, t.bits, t.bits, b.rng.randrange(1, t.bits + 1)))
    return _narrowed(b, _rounded(b, product, amount), t)


def rounding_shift(b: Body, t: CType, depth: int) -> Value:
    """A wider value shifted right with rounding and narrowed."""
    w = _wide(t)
    x = (
        left(cast(b.value(t, depth), w), b.rng.randrange(4))
        if b.rng.random() < 0.3
        else cast(b.value(t, depth), w)
    )
    x = add(x, b.value(t, depth), w) if b.rng.random() < 0.4 else x
    return _narrowed(b, _rounded(b, x, b.rng.randrange(1, t.bits)), t)


def weighted(b: Body, t: CType, depth: int) -> Value:
    """A weighted sum of two to four values, rounded: stencils, blends."""
    w = _wide(t)
    count = b.rng.choice((2, 3, 3, 4))
    total = literal(0, w)
    for k in range(count):
        term = mul(
            b.value(t, depth if k == 0 else 0),
            literal(b.rng.choice((1, 1, 2, 3, 4, 5, 7, 8)), w),
            w,
        )
        total = term if k == 0 else add(total, term, w)
    return _narrowed(b, _rounded(b, total, b.rng.randrange(1, 5)), t)


def blend(b: Body, t: CType, depth: int) -> Value:
    """(x * a + y * (M - a) + r) >> k."""
    w, a = _product_type(t), cast(b.value(t.unsigned(), 0), _product_type(t))
    top = 1 << t.bits
    x, y = b.value(t, depth), b.value(t, 0)
    total = add(mul(x, a, w), mul(y, sub(literal(b.rng.choice((top - 1, top)), w), a, w), w), w)
    return cast(_rounded(b, total, t.bits), t)


def extreme(b: Body, t: CType, depth: int) -> Value:
    """The smaller or the greater of two, or a clamp."""
    x, y = b.value(t, depth), b.value(t, 0) if b.rng.random() < 0.7 else b.constant(t)
    return b.rng.choice((least, greatest))(x, y)


def narrowing(b: Body, t: CType, depth: int) -> Value:
    """A value of the type of twice the size, saturated."""
    if t.bits == 32:
        return saturated(b, t, depth)
    source = CType(t.bits * 2, b.rng.random() < 0.6)
    return clamped(b.value(source, depth), t)


def dot(b: Body, t: CType, depth: int) -> Value:
    """A sum of two to four products of narrower values of any signs, for types of at least 16
    bits.
    """
    if t.bits == 8:
        return fixed_point(b, t, depth)
    narrow = b.rng.choice([n for n in (8, 16) if n < t.bits])
    left_, right_ = CType(narrow, b.rng.random() < 0.6), CType(narrow, b.rng.random() < 0.6)
    total: Value | None = b.value(t, 0) if b.rng.random() < 0.3 else None
    for _ in range(b.rng.choice((2, 2, 4))):
        product = mul(b.value(left_, 0), b.value(right_, 0), INT)
        total = add(total, product, computed(t)) if total is not None else product
    assert total is not None
    return _narrowed(b, total, t)


def plain(b: Body, t: CType, depth: int) -> Value:
    """Wrapping arithmetic and logic."""
    x, y = b.value(t, depth), b.value(t, 0) if b.rng.random() < 0.7 else b.constant(t)
    kind = b.rng.random()
    if kind < 0.5:
        return b.rng.choice((add, sub, mul))(x, y, CType(32, False) if t.bits < 32 else t)
    if kind < 0.8:
        return bitwise(b.rng.choice("&|^"), x, y, t)
    return (
        right(x, b.rng.randrange(t.bits))
        if kind < 0.9
        else cast(left(cast(x, computed(t)), b.rng.randrange(t.bits - 1)), t)
    )


def masked(b: Body, t: CType, depth: int) -> Value:
    """A choice by a comparison of other values."""
    x, y = b.value(t, 0), b.value(t, 0) if b.rng.random() < 0.5 else b.constant(t)
    return choose(
        x, b.rng.choice(("<", "<=", ">", ">=", "==", "!=")), y, b.value(t, depth), b.value(t, 0)
    )


def bit_select(b: Body, t: CType, depth: int) -> Value:
    """(x & m) | (y & ~m)."""
    x, y, m = b.value(t, depth), b.value(t, 0), b.value(t, 0)
    inverse = of_type(f"({t})~{m.text}", t)
    return bitwise(b.rng.choice("|^"), bitwise("&", x, m, t), bitwise("&", y, inverse, t), t)


_TABLE: Final[tuple[tuple[Maker, int], ...]] = (
    (average, 4),
    (saturated, 3),
    (saturated_by_choice, 4),
    (difference, 2),
    (fixed_point, 6),
    (rounding_shift, 2),
    (weighted, 4),
    (blend, 3),
    (extreme, 1),
    (narrowing, 2),
    (dot, 6),
    (plain, 1),
    (masked, 1),
    (bit_select, 1),
)
_MAKERS: Final[Sequence[Maker]] = [m for m, _ in _TABLE]
_WEIGHTS: Final = [n for _, n in _TABLE]
