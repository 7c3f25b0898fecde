"""C expressions with their type and their bounds, so that what is written has no undefined
behaviour.

Signed arithmetic is written as such where its bounds fit the type (clang then marks it ``nsw``),
and with casts to unsigned where they do not.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CType:
    """``int16_t`` and the like."""

    bits: int
    signed: bool

    def __str__(self) -> str:
        return f"{'' if self.signed else 'u'}int{self.bits}_t"

    @property
    def low(self) -> int:
        """The least value."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """The greatest value."""
        return (1 << (self.bits - (1 if self.signed else 0))) - 1

    @property
    def bytes(self) -> int:
        """The size in bytes."""
        return self.bits // 8

    def holds(self, low: int, high: int) -> bool:
        """Tell whether all values between the bounds are values of the type."""
        return self.low <= low and high <= self.high

    def unsigned(self) -> CType:
        """Return the unsigned type of this size."""
        return CType(self.bits, False)

    def wider(self) -> CType:
        """Return the type of twice the size."""
        return CType(self.bits * 2, self.signed)


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of type ``type``, between ``low`` and ``high``."""

    text: str
    type: CType
    low: int
    high: int


def of_type(text: str, type_: CType) -> Value:
    """Return an expression that may have any value of its type."""
    return Value(text, type_, type_.low, type_.high)


def literal(number: int, type_: CType) -> Value:
    """Return a constant, taken into the type."""
    number = (number - type_.low) % (1 << type_.bits) + type_.low
    suffix = ("" if type_.signed else "u") + ("ll" if type_.bits == 64 else "")
    text = f"(-{-number - 1}{suffix} - 1)" if number < 0 else f"{number}{suffix}"
    return Value(f"({type_}){text}", type_, number, number)


def cast(x: Value, type_: CType) -> Value:
    """Return the value converted, which keeps the low bits."""
    if x.type == type_:
        return x
    low, high = (x.low, x.high) if type_.holds(x.low, x.high) else (type_.low, type_.high)
    return Value(f"({type_})({x.text})", type_, low, high)


def _binary(op: str, x: Value, y: Value, type_: CType, bounds: tuple[int, int]) -> Value:
    """Return ``x op y`` in a type of at least 32 bits; what does not fit wraps."""
    a, b = cast(x, type_), cast(y, type_)
    if type_.holds(*bounds):
        return Value(f"({a.text} {op} {b.text})", type_, *bounds)
    u = type_.unsigned()
    return of_type(f"({type_})(({u})({a.text}) {op} ({u})({b.text}))", type_)


def computed(type_: CType) -> CType:
    """Return the type in which C computes with values of a type: at least 32 bits."""
    return type_ if type_.bits >= 32 else CType(32, True)


def add(x: Value, y: Value, type_: CType) -> Value:
    """Return the sum."""
    return _binary("+", x, y, type_, (x.low + y.low, x.high + y.high))


def sub(x: Value, y: Value, type_: CType) -> Value:
    """Return the difference."""
    return _binary("-", x, y, type_, (x.low - y.high, x.high - y.low))


def mul(x: Value, y: Value, type_: CType) -> Value:
    """Return the product."""
    ends = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
    return _binary("*", x, y, type_, (min(ends), max(ends)))


def right(x: Value, amount: int) -> Value:
    """Return the value shifted to the right, which rounds down."""
    return Value(f"({x.text} >> {amount})", x.type, x.low >> amount, x.high >> amount)


def left(x: Value, amount: int) -> Value:
    """Return the value shifted to the left; what does not fit wraps."""
    return mul(x, literal(1 << amount, x.type), x.type)


def bitwise(op: str, x: Value, y: Value, type_: CType) -> Value:
    """Return ``x & y``, ``x | y`` or ``x ^ y``."""
    return of_type(f"({type_})({cast(x, type_).text} {op} {cast(y, type_).text})", type_)


def choose(x: Value, relation: str, y: Value, yes: Value, no: Value) -> Value:
    """Return ``x relation y ? yes : no`` of values of two equal types."""
    return Value(
        f"({x.text} {relation} {y.text} ? {yes.text} : {no.text})",
        yes.type,
        min(yes.low, no.low),
        max(yes.high, no.high),
    )


def least(x: Value, y: Value) -> Value:
    """Return the smaller of two values of one type."""
    return Value(
        f"({x.text} < {y.text} ? {x.text} : {y.text})",
        x.type,
        min(x.low, y.low),
        min(x.high, y.high),
    )


def greatest(x: Value, y: Value) -> Value:
    """Return the greater of two values of one type."""
    return Value(
        f"({x.text} > {y.text} ? {x.text} : {y.text})",
        x.type,
        max(x.low, y.low),
        max(x.high, y.high),
    )


def clamped(x: Value, type_: CType) -> Value:
    """Return the value, saturated to a narrower type."""
    found = x
    if x.high > type_.high:
        found = least(found, literal(type_.high, x.type))
    if x.low < type_.low:
        found = greatest(found, literal(type_.low, x.type))
    return cast(found, type_)
