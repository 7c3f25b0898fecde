"""Intervals of integers without bounds: what sums, products and shifts of integers can be.

Front ends and importers reason about exact integers; :mod:`isel.ir.ranges` wraps what is said here
to the widths of terms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

Span: TypeAlias = tuple[int, int]
"""The least and the greatest of some integers."""


def unsigned(width: int) -> Span:
    """Return the values of a width."""
    return 0, (1 << width) - 1


def signed(width: int) -> Span:
    """Return the values of a width, read as two's complement."""
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


def whole(width: int, *, signed: bool) -> Span:
    """Return the values of a width in one of both readings."""
    half = 1 << (width - 1) if signed else 0
    return -half, (1 << width) - 1 - half


def within(inner: Span, outer: Span) -> bool:
    """Tell whether every integer of one interval is in another."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def hull(a: Span, b: Span) -> Span:
    """Return the least interval that holds two."""
    return min(a[0], b[0]), max(a[1], b[1])


def meet(a: Span, b: Span) -> Span:
    """Return what two intervals have in common; the first number is the greater if that is
    nothing.
    """
    return max(a[0], b[0]), min(a[1], b[1])


def bits_of(span: Span) -> int:
    """Return the bits that hold every integer of an interval, with a sign if there are negative
    ones.
    """
    low, high = span
    if low >= 0:
        return max(1, high.bit_length())
    return max((-low - 1).bit_length(), high.bit_length()) + 1


def corners(op: Callable[[int, int], int]) -> Callable[[Span, Span], Span]:
    """Return what an operator that is monotone in each operand makes of two intervals."""

    def bound(a: Span, b: Span) -> Span:
        found = [op(x, y) for x in a for y in b]
        return min(found), max(found)

    return bound


def _less(a: Span, b: Span) -> Span:
    return a[0] - b[1], a[1] - b[0]


def _absolute(a: Span) -> Span:
    low, high = a
    return max(low, -high, 0), max(-low, high)


ONE: Final[Mapping[str, Callable[[Span], Span]]] = MappingProxyType(
    {
        "neg": lambda a: (-a[1], -a[0]),
        "not": lambda a: (~a[1], ~a[0]),
        "abs": _absolute,
    }
)
"""Operators of one integer."""

TWO: Final[Mapping[str, Callable[[Span, Span], Span]]] = MappingProxyType(
    {
        "add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
        "sub": _less,
        "mul": corners(lambda x, y: x * y),
        "min": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
        "max": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
        "shl": corners(lambda x, n: x << n),
        "shr": corners(lambda x, n: x >> n),
    }
)
"""Operators of two integers; shifts are by amounts that are not negative."""
