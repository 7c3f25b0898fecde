"""Equal expressions that instruction selection may know better; which are equal is known from
bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from frontends.halide.expr.bounds import Bounds, inside
from frontends.halide.expr.tree import Node, binary, cast, constant
from frontends.halide.expr.types import Type
from isel.ir import spans


def scaled(n: Node, bounds: Bounds) -> Node | None:
    """Return a narrowed product, shifted down by less than its upper half, as the upper half of a
    scaled product.

    ``(a*b) >> c`` is ``(a*(b << k)) >> (c + k)`` where nothing overflows; with half a unit added,
    the shift that is looked for is one less (``pmulhrsw``).  None where nothing is to be changed.
    """
    if n.op != "cast":
        return None
    total, count = _shifted_down(n.args[0])
    product, half = total, 0
    if total.op == "add" and total.args[1].op == "const":
        product, half = total.args[0], total.args[1].numbers[0]
    narrow = Type(total.type.code, n.type.bits)
    if (
        product.op != "mul"
        or total.type.bits != 2 * narrow.bits
        or not 0 < count < narrow.bits
        or half not in (0, 1 << (count - 1))
    ):
        return None
    up = narrow.bits - (half != 0) - count
    if up <= 0:
        return None
    for k in (1, 0):
        factor = product.args[k]
        low, high = bounds.of(factor)
        if not inside((low << up, high << up), narrow):
            continue
        sides = (cast(narrow, factor), constant(up, narrow.as_uint))
        bigger = Node("shift_left", narrow.of(factor.type.lanes), sides)
        made = binary("mul", product.args[1 - k], cast(total.type, bigger))
        whole = binary("add", made, constant(half << up, total.type.of(1))) if half else made
        reach = spans.TWO["mul"](bounds.of(product.args[1 - k]), (low << up, high << up))
        if inside((reach[0] + (half << up), reach[1] + (half << up)), total.type):
            by = constant(count + up, total.type.of(1).as_uint)
            return cast(n.type, Node("shift_right", total.type, (whole, by)))
    return None


def _shifted_down(n: Node) -> tuple[Node, int]:
    """Return what is divided by a power of two, and the power; a power of 0 for anything else."""
    if len(n.args) == 2 and n.args[1].op == "const":
        by = n.args[1].numbers[0]
        if n.op == "shift_right":
            return n.args[0], by
        if n.op == "shift_left":
            return n.args[0], -by
        if n.op == "div" and by > 0 and by & (by - 1) == 0:
            return n.args[0], by.bit_length() - 1
    return n, 0


def _absolute_difference(n: Node, bounds: Bounds) -> Node | None:
    """One of two clamped differences is zero."""
    a, b = n.args
    if a.type.signed:
        return None
    one, other = (Node("saturating_sub", n.type, x) for x in ((a, b), (b, a)))
    return Node("bitwise_or", n.type, (one, other))


def _turned(n: Node) -> Node:
    """Return an unsigned number with its sign bit turned."""
    turn = constant(1 << (n.type.bits - 1), n.type.of(1))
    return Node("bitwise_xor", n.type, (n, turn))


def _average(n: Node, bounds: Bounds) -> Node | None:
    """Signed averages are unsigned ones with the sign bits turned."""
    if not n.type.signed:
        return None
    plain = n.type.as_uint
    turned = tuple(_turned(Node("reinterpret", plain, (a,))) for a in n.args)
    return Node("reinterpret", n.type, (_turned(Node(n.op, plain, turned)),))


def _halved_difference(n: Node, bounds: Bounds) -> Node | None:
    """Half a difference is an average with the complement, half the range too low; signed
    operands have their sign bits turned.
    """
    plain = n.type.as_uint
    a, b = (_turned(Node("reinterpret", plain, (x,))) if n.type.signed else x for x in n.args)
    found = Node("rounding_halving_add", plain, (a, Node("bitwise_not", plain, (b,))))
    return Node("reinterpret", n.type, (_turned(found),))


def _clamp(n: Node, bounds: Bounds) -> Node | None:
    """Both limits written out, signed where that is the same."""
    (a,) = n.args
    source = a.type.as_int
    if not inside(bounds.of(a), source) or not inside((n.type.low, n.type.high), source):
        return None
    seen = a if a.type == source else Node("reinterpret", source, (a,))
    least, most = constant(n.type.low, source.of(1)), constant(n.type.high, source.of(1))
    return cast(n.type, Node("min", source, (Node("max", source, (seen, least)), most)))


OTHERWISE: Final[Mapping[str, Callable[[Node, Bounds], Node | None]]] = {
    "halving_sub": _halved_difference,
    "absd": _absolute_difference,
    "halving_add": _average,
    "rounding_halving_add": _average,
    "saturating_cast": _clamp,
}
"""A second spelling of some functions: what one back end knows under one spelling, another knows
under the other.
"""
