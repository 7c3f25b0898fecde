"""What operations mean, as integers without bounds: the definition that lowering is held against,
and how constants fold.

Fixed-point functions are those of PITCHFORK's Table 1 (Root et al., ASPLOS 2023) with Halide's
conventions: results wrap unless the name says otherwise, halves round up, a negative shift goes the
other way, division rounds so that the remainder is not negative, and dividing by zero gives zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from frontends.halide.expr.types import Type

Operands: TypeAlias = Sequence[int]
_Meaning: TypeAlias = Callable[..., int]
# What gives its first operand as it is.
SAME: Final = (
    "reinterpret", "likely", "likely_if_innermost", "strict_float", "promise_clamped",
    "unsafe_promise_clamped",
)  # fmt: skip


def quotient(a: int, b: int) -> int:
    """Divide so that the remainder is in 0..|b|-1; by zero gives 0."""
    if b == 0:
        return 0
    return a // b if b > 0 else -(a // -b)


def remainder(a: int, b: int) -> int:
    """Return the remainder that belongs to :func:`quotient`; by zero it is 0."""
    return a % abs(b) if b else 0


def shifted(a: int, b: int) -> int:
    """Multiply by 2**b, rounding down."""
    return a << b if b >= 0 else a >> -b


def rounded(a: int, b: int) -> int:
    """Divide by 2**b, rounding halves up."""
    return (a + (1 << (b - 1))) >> b if b > 0 else a << -b


def clamped(a: int, type_: Type) -> int:
    """Return the nearest value of a type."""
    return min(max(a, type_.low), type_.high)


def _toward_zero(a: int, b: int) -> int:
    q = abs(a) // abs(b) if b else 0
    return q if (a < 0) == (b < 0) else -q


_PLAIN: Final[Mapping[str, _Meaning]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "shift_left": shifted,
    "shift_right": lambda a, b: shifted(a, -b),
}
_EXACT: Final[Mapping[str, _Meaning]] = {
    **{f"{how}{op}": f for op, f in _PLAIN.items() for how in ("", "widening_", "widen_right_")},
    "div": quotient,
    "mod": remainder,
    "min": min,
    "max": max,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "not": lambda a: 1 - a,
    **dict.fromkeys(("select", "if_then_else"), lambda c, a, b: a if c else b),
    **dict.fromkeys(SAME, lambda a, *_: a),
    "div_round_to_zero": _toward_zero,
    "mod_round_to_zero": lambda a, b: a - b * _toward_zero(a, b) if b else 0,
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "bitwise_not": lambda a: ~a,
    "abs": abs,
    "absd": lambda a, b: abs(a - b),
    "rounding_shift_left": lambda a, b: rounded(a, -b),
    "rounding_shift_right": rounded,
    "halving_add": lambda a, b: (a + b) >> 1,
    "halving_sub": lambda a, b: (a - b) >> 1,
    "rounding_halving_add": lambda a, b: (a + b + 1) >> 1,
}
"""The exact value, before it is wrapped to the type of the result."""

_CLAMPED: Final[Mapping[str, _Meaning]] = {
    **{f"saturating_{op}": _PLAIN[op] for op in ("add", "sub", "shift_left")},
    "saturating_cast": lambda a: a,
    "saturating_narrow": lambda a: a,
    "mul_shift_right": lambda a, b, c: a * b >> c,
    "rounding_mul_shift_right": lambda a, b, c: rounded(a * b, c),
}
"""The exact value, before it is clamped to the type of the result."""


def apply(op: str, type_: Type, types: Sequence[Type], values: Operands) -> int:
    """Return one lane of an operation; raises ``KeyError`` for an operation that is not
    lanewise.
    """
    if op in _CLAMPED:
        return clamped(_CLAMPED[op](*values), type_)
    if op == "cast":
        return int(values[0] != 0) if type_.is_bool else type_.wrapped(values[0])
    if op in _EXACT:
        return type_.wrapped(int(_EXACT[op](*values)))
    word = values[0] & ((1 << types[0].bits) - 1)
    if op == "popcount":
        return word.bit_count()
    if op == "count_leading_zeros":
        return types[0].bits - word.bit_length()
    if op == "count_trailing_zeros":
        return types[0].bits if word == 0 else (word & -word).bit_length() - 1
    raise KeyError(op)
