"""Which integers an expression can be: intervals from the types of what it reads.

Every bound holds for inputs that overflow nothing; an operation that may wrap has the bounds of its
type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from frontends.halide.expr.expand import EXPANSIONS
from frontends.halide.expr.meaning import clamped, quotient, shifted
from frontends.halide.expr.tree import Node
from frontends.halide.expr.types import Type

Interval: TypeAlias = tuple[int, int]
_Rule: TypeAlias = Callable[[Sequence[Interval]], Interval]


def _corners(op: Callable[[int, int], int]) -> _Rule:
    def bound(args: Sequence[Interval]) -> Interval:
        found = [op(a, b) for a in args[0] for b in args[1]]
        return min(found), max(found)

    return bound


def _absolute(args: Sequence[Interval]) -> Interval:
    low, high = args[0]
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


_EXACT: Final[Mapping[str, _Rule]] = {
    "add": _corners(lambda a, b: a + b),
    "sub": _corners(lambda a, b: a - b),
    "mul": _corners(lambda a, b: a * b),
    "min": _corners(min),
    "max": _corners(max),
    "cast": lambda args: args[0],
    "abs": _absolute,
    "select": lambda args: (min(args[1][0], args[2][0]), max(args[1][1], args[2][1])),
    "if_then_else": lambda args: (min(args[1][0], args[2][0]), max(args[1][1], args[2][1])),
}
"""Bounds before the result is wrapped to its type."""

_CLAMPED: Final[Mapping[str, _Rule]] = {
    "saturating_cast": lambda args: args[0],
    "saturating_add": _EXACT["add"],
    "saturating_sub": _EXACT["sub"],
}
"""Bounds before the result is clamped to its type."""

_BY_CONSTANT: Final[Mapping[str, Callable[[int, int], int]]] = {
    "div": quotient,
    "shift_left": shifted,
    "shift_right": lambda a, b: shifted(a, -b),
}


def inside(interval: Interval, type_: Type) -> bool:
    """Tell whether every integer of an interval is in a type."""
    return type_.low <= interval[0] and interval[1] <= type_.high


class Bounds:
    """The intervals of nodes, each computed once."""

    def __init__(self) -> None:
        self._known: dict[Node, Interval] = {}

    def of(self, n: Node) -> Interval:
        """Return the least and the greatest integer that ``n`` can be."""
        found = self._known.get(n)
        if found is None:
            low, high = self._exact(n) or (n.type.low, n.type.high)
            fits = inside((low, high), n.type)
            found = self._known[n] = (low, high) if fits else (n.type.low, n.type.high)
        return found

    def exact(self, n: Node) -> Interval | None:
        """Return the bounds of an addition, subtraction or product before it wraps, of a
        saturating operation before it clamps.
        """
        rule = _EXACT.get(n.op) or _CLAMPED.get(n.op)
        return None if rule is None else rule([self.of(a) for a in n.args])

    def totals(self, kind: str, body: Node, count: int) -> Interval:
        """Return the bounds of all partial results of a reduction of ``count`` elements,
        unwrapped.
        """
        low, high = self.of(body)
        if kind in ("sum", "saturating_sum"):
            return min(low, low * count), max(high, high * count)
        return low, high

    def _exact(self, n: Node) -> Interval | None:
        if n.op == "const":
            return n.numbers[0], n.numbers[0]
        if n.op in _EXACT:
            return self.exact(n)
        if n.op in _CLAMPED:
            low, high = self.exact(n) or (0, 0)
            return clamped(low, n.type), clamped(high, n.type)
        if n.op in EXPANSIONS:
            return self.of(EXPANSIONS[n.op](n))
        if n.op == "reduce":
            return self.totals(n.name, n.args[0], n.numbers[1] - n.numbers[0] + 1)
        if n.op == "vector_reduce":
            return self.totals(n.name, n.args[0], n.args[0].type.lanes // n.type.lanes)
        if n.op in ("broadcast", "shuffle"):
            found = [self.of(a) for a in n.args]
            return min(f[0] for f in found), max(f[1] for f in found)
        return self._by_constant(n)

    def _by_constant(self, n: Node) -> Interval | None:
        if len(n.args) != 2 or n.args[1].op != "const":
            return None
        by = n.args[1].numbers[0]
        if n.op == "mod":
            return (0, abs(by) - 1) if by else (0, 0)
        if n.op == "bitwise_and" and by >= 0:
            return 0, by
        rule = _BY_CONSTANT.get(n.op)
        if rule is None or (abs(by) > 2 * n.type.bits and n.op != "div"):
            return None
        found = [rule(a, by) for a in self.of(n.args[0])]
        return min(found), max(found)
