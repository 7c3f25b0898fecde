"""Which integers an expression can be: intervals from the types of what it reads.

Every bound holds for inputs that overflow nothing; an operation that may wrap has the bounds of its
type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final, TypeAlias

from frontends.halide.expr.expand import EXPANSIONS
from frontends.halide.expr.meaning import clamped, quotient, shifted
from frontends.halide.expr.tree import Node
from frontends.halide.expr.types import Type
from isel.ir import spans
from isel.ir.spans import Span

_Rule: TypeAlias = Callable[..., Span]

_EXACT: Final[Mapping[str, _Rule]] = {
    **{op: spans.TWO[op] for op in ("add", "sub", "mul", "min", "max")},
    "cast": lambda a: a,
    "abs": spans.ONE["abs"],
    "select": lambda c, a, b: spans.hull(a, b),
    "if_then_else": lambda c, a, b: spans.hull(a, b),
}
"""Bounds before the result is wrapped to its type."""

_CLAMPED: Final[Mapping[str, _Rule]] = {
    "saturating_cast": lambda a: a,
    "saturating_add": _EXACT["add"],
    "saturating_sub": _EXACT["sub"],
}
"""Bounds before the result is clamped to its type."""

_BY_CONSTANT: Final[Mapping[str, Callable[[int, int], int]]] = {
    "div": quotient,
    "shift_left": shifted,
    "shift_right": lambda a, b: shifted(a, -b),
}


def inside(interval: Span, type_: Type) -> bool:
    """Tell whether every integer of an interval is in a type."""
    return spans.within(interval, (type_.low, type_.high))


class Bounds:
    """The intervals of nodes, each computed once."""

    def __init__(self) -> None:
        self._known: dict[Node, Span] = {}

    def of(self, n: Node) -> Span:
        """Return the least and the greatest integer that ``n`` can be."""
        found = self._known.get(n)
        if found is None:
            low, high = self._exact(n) or (n.type.low, n.type.high)
            fits = inside((low, high), n.type)
            found = self._known[n] = (low, high) if fits else (n.type.low, n.type.high)
        return found

    def exact(self, n: Node) -> Span | None:
        """Return the bounds of an addition, subtraction or product before it wraps, of a
        saturating operation before it clamps.
        """
        rule = _EXACT.get(n.op) or _CLAMPED.get(n.op)
        return None if rule is None else rule(*(self.of(a) for a in n.args))

    def totals(self, kind: str, body: Node, count: int) -> Span:
        """Return the bounds of all partial results of a reduction of ``count`` elements,
        unwrapped.
        """
        low, high = self.of(body)
        if kind in ("sum", "saturating_sum"):
            return min(low, low * count), max(high, high * count)
        return low, high

    def _exact(self, n: Node) -> Span | None:
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
            return reduce(spans.hull, (self.of(a) for a in n.args))
        return self._by_constant(n)

    def _by_constant(self, n: Node) -> Span | None:
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
