"""Functions of the operation language that the guide uses without defining, or defines by loops
over unknown bounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from isel.ir import spans
from semantics.importing.functions import (
    absolute,
    extreme,
    leading_zeros,
    population,
    saturate,
    saturate_unsigned,
    truth_table,
)
from semantics.importing.simplify import bits, make
from semantics.importing.values import Endless, Inexact, Val, Value, low_bits, signed, unsigned

Function: TypeAlias = Callable[..., Value]
REPLACED: Final = frozenset({"POPCNT"})


def rotated(value: Value, count: Value) -> Value:
    """Return a term rotated to the left by a number, in the width that the term has."""
    if not isinstance(value, Val) or not isinstance(count, int):
        raise Inexact("a rotation of a number or by a variable")
    term = value.term
    n = count % term.width
    if not n:
        return value
    parts = bits(term, 0, term.width - n), bits(term, term.width - n, n)
    return unsigned(make("concat", parts))


def sign_extend(width: int, v: Value) -> Value:
    """Return the operand's bits as a signed number; a value that is signed already stays."""
    if isinstance(v, int) or (isinstance(v, Val) and v.bounds[0] < 0):
        return v
    if isinstance(v, Endless):
        return signed(v.low(width))
    return signed(v.term if v.term.width <= width else bits(v.term, 0, width))


def zero_extend(width: int, v: Value) -> Value:
    """Return the operand's bits as an unsigned number of at most ``width`` bits."""
    if isinstance(v, int):
        return v & ((1 << width) - 1)
    if isinstance(v, Endless):
        return unsigned(v.low(width))
    if spans.within(v.bounds, spans.unsigned(width)):
        return v
    return unsigned(v.term if v.term.width <= width else bits(v.term, 0, width))


def truncate(width: int, v: Value) -> Value:
    """Return the low bits as an unsigned number."""
    return unsigned(low_bits(v, width))


def as_signed(v: Value) -> Value:
    """Return the operand's bits as a signed number."""
    return sign_extend(1 << 20, v)


def rotate_right(v: Value, count: Value) -> Value:
    """Return a slice rotated to the right, in its width, by a count modulo its width."""
    if not isinstance(v, Val):
        raise Inexact("a rotation of a number, whose width is not known")
    n = v.term.width
    twice = make("concat", (v.term, v.term))
    amount = make("zext", (low_bits(count, n.bit_length() - 1),), (2 * n,))
    return unsigned(bits(make("lshr", (twice, amount)), 0, n))


_PLAIN: Final[dict[str, Function]] = {
    "ABS": absolute,
    "MIN": lambda v, w: extreme(v, w, greatest=False),
    "MAX": lambda v, w: extreme(v, w, greatest=True),
    "Signed": as_signed,
    "POPCNT": population,
    "PopCount": population,
    "LZCNT": leading_zeros,
    "TRUTH": truth_table,
    "ROTATE_RIGHT": rotate_right,
    "SIGNED_DWORD_SATURATE": lambda v: saturate(32, v),
    "UNSIGNED_DWORD_SATURATE": lambda v: saturate_unsigned(32, v),
}
_SIZED: Final[dict[str, Callable[[int, Value], Value]]] = {
    "SignExtend": sign_extend,
    "ZeroExtend": zero_extend,
    "Truncate": truncate,
    "Saturate": saturate,
    "SaturateU": saturate_unsigned,
}
_NAME: Final = re.compile(r"([A-Za-z]+?)(\d+)$")


def function(name: str) -> Function | None:
    """Return the function of a name, or None."""
    found = _PLAIN.get(name)
    if found is not None:
        return found
    m = _NAME.match(name)
    sized = _SIZED.get(m[1]) if m else None
    if m is None or sized is None:
        return None
    width = int(m[2])
    return lambda v: sized(width, v)
