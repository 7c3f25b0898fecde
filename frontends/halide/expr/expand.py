"""Fixed-point functions in terms of simpler ones, in the form that instruction selection knows
best.

Functions that LLVM has an intrinsic for stay as they are.  Averages and products go through twice
the bits up to 32 bits and stay within their bits beyond.  Every expansion is proved against the
definition in wider arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from frontends.halide.expr.tree import Node, binary, compare, constant, select
from frontends.halide.expr.tree import cast as _converted
from frontends.halide.expr.types import Type

_WIDEST: Final = 32
_AVERAGED: Final = 16  # unsigned averages are instructions up to this width


def cast(type_: Type, a: Node) -> Node:
    """Convert the elements of ``a``; a literal stays one, so that what is known of it stays
    known.
    """
    if a.op == "const" and not a.type.is_float:
        return constant(a.numbers[0], type_.of(a.type.lanes))
    return _converted(type_, a)


def _one(like: Node) -> Node:
    return constant(1, like.type.of(1))


def _call(op: str, type_: Type, *args: Node) -> Node:
    return Node(op, type_, args)


def _widened(op: str, n: Node) -> Node:
    a, b = (cast(n.type, x) for x in n.args)
    return binary(op, a, b)


def _widened_shift(op: str, n: Node) -> Node:
    a, b = n.args
    return _call(op, n.type, cast(n.type, a), cast(b.type.wide, b))


def _right(op: str, n: Node) -> Node:
    return binary(op, n.args[0], cast(n.type, n.args[1]))


def _bits(op: str, a: Node, b: Node) -> Node:
    return _call(f"bitwise_{op}", a.type, a, b)


def _halved(a: Node) -> Node:
    return _call("shift_right", a.type, a, constant(1, a.type.of(1).as_uint))


def _halving_add(n: Node) -> Node:
    a, b = n.args
    if n.type.bits <= _WIDEST:
        return cast(n.type, _halved(binary("add", cast(n.type.wide, a), cast(n.type.wide, b))))
    return binary("add", _bits("and", a, b), _halved(_bits("xor", a, b)))


def _rounding_halving_add(n: Node) -> Node:
    a, b = n.args
    if n.type.bits <= _WIDEST:
        total = binary("add", cast(n.type.wide, a), cast(n.type.wide, b))
        return cast(n.type, _halved(binary("add", total, _one(total))))
    return binary("sub", _bits("or", a, b), _halved(_bits("xor", a, b)))


def _halving_sub(n: Node) -> Node:
    a, b = n.args
    if n.type.bits <= _WIDEST:
        wide = n.type.wide.as_int
        return cast(n.type, _halved(binary("sub", cast(wide, a), cast(wide, b))))
    borrow = _bits("and", _bits("and", _call("bitwise_not", b.type, a), b), _one(a))
    return binary("sub", binary("sub", _halved(a), _halved(b)), borrow)


def _rounding_right(n: Node) -> Node:
    """``(a >> b) + ((a >> (b-1)) & 1)``, or an average with 0; an amount that is not positive
    adds nothing.
    """
    a, b = n.args
    if b.op == "const" and b.numbers[0] > 0 and not n.type.signed and n.type.bits <= _AVERAGED:
        almost = _call("shift_right", a.type, a, constant(b.numbers[0] - 1, b.type))
        return _call("rounding_halving_add", n.type, almost, constant(0, a.type.of(1)))
    plain = _call("shift_right", a.type, a, b)
    before = _call("shift_right", a.type, a, binary("sub", b, _one(b)))
    half = _bits("and", before, constant(1, a.type.of(1)))
    if b.op == "const" and b.numbers[0] > 0:
        return binary("add", plain, half)
    return select(compare("gt", b, constant(0, b.type.of(1))), binary("add", plain, half), plain)


def _rounding_left(n: Node) -> Node:
    a, b = n.args
    if not b.type.signed:
        return _call("shift_left", a.type, a, b)
    back = binary("sub", constant(0, b.type.of(1)), b)
    right = _rounding_right(_call("rounding_shift_right", n.type, a, back))
    left = _call("shift_left", a.type, a, b)
    return select(compare("lt", b, constant(0, b.type.of(1))), right, left)


def _saturating_left(n: Node) -> Node:
    a, b = n.args
    wide = _call("shift_left", a.type.wide, cast(a.type.wide, a), cast(b.type.wide, b))
    return _call("saturating_cast", n.type, wide)


def _product(n: Node) -> tuple[Node, Node]:
    a, b, c = n.args
    wide = n.type.wide
    return binary("mul", cast(wide, a), cast(wide, b)), cast(c.type.wide, c)


def _mul_shift_right(n: Node) -> Node:
    product, count = _product(n)
    return _call("saturating_cast", n.type, _call("shift_right", product.type, product, count))


def _rounding_mul_shift_right(n: Node) -> Node:
    """Half a unit is added in the wide type where the sum fits."""
    product, count = _product(n)
    amount = n.args[2].numbers[0] if n.args[2].op == "const" else 0
    if not 0 < amount <= n.type.bits:
        rounded = _call("rounding_shift_right", product.type, product, count)
        return _call("saturating_cast", n.type, rounded)
    total = binary("add", product, constant(1 << (amount - 1), product.type.of(1)))
    return _call("saturating_cast", n.type, _call("shift_right", product.type, total, count))


def _absd(n: Node) -> Node:
    a, b = n.args
    ordered = (binary("max", a, b), binary("min", a, b))
    return _call("reinterpret", n.type, Node("sub", a.type, ordered, name="wrapping"))


EXPANSIONS: Final[Mapping[str, Callable[[Node], Node]]] = {
    **{f"widening_{op}": partial(_widened, op) for op in ("add", "sub", "mul")},
    **{f"widening_{op}": partial(_widened_shift, op) for op in ("shift_left", "shift_right")},
    **{f"widen_right_{op}": partial(_right, op) for op in ("add", "sub", "mul")},
    "halving_add": _halving_add,
    "halving_sub": _halving_sub,
    "rounding_halving_add": _rounding_halving_add,
    "rounding_shift_right": _rounding_right,
    "rounding_shift_left": _rounding_left,
    "saturating_shift_left": _saturating_left,
    "mul_shift_right": _mul_shift_right,
    "rounding_mul_shift_right": _rounding_mul_shift_right,
    "absd": _absd,
    "saturating_narrow": lambda n: _call("saturating_cast", n.type, *n.args),
}
