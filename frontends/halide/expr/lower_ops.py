"""One instruction or a few for each lanewise operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from frontends.halide.expr.bounds import Bounds, inside
from frontends.halide.expr.lines import Lines, Value, ir_type, literal
from frontends.halide.expr.meaning import SAME
from frontends.halide.expr.tree import Node
from frontends.halide.expr.types import Type
from frontends.llvm.text import build

Writer: TypeAlias = Callable[[Lines, Node, Sequence[Value], Bounds], Value]
_DEFINED: Final = 32  # from this width on signed overflow is undefined
_BITWISE: Final = ("bitwise_and", "bitwise_or", "bitwise_xor", "and", "or")
_ORDERS: Final = ("lt", "le", "gt", "ge")


_COUNTS: Final = {
    "popcount": "ctpop",
    "count_leading_zeros": "ctlz",
    "count_trailing_zeros": "cttz",
}


def _sign(type_: Type) -> str:
    return "s" if type_.signed else "u"


def _arithmetic(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    defined = n.type.signed and n.type.bits >= _DEFINED and n.name != "wrapping"
    return lines.binary(n.op + (" nsw" if defined and not _fits(n, bounds) else ""), *args)


def _fits(n: Node, bounds: Bounds) -> bool:
    """Tell whether the exact result is always in the type."""
    exact = bounds.exact(n)
    return exact is not None and inside(exact, n.type)


def _saturating(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    plain = n.op.removeprefix("saturating_")
    if _fits(n, bounds):
        return lines.binary(plain, *args)
    return lines.call(f"{_sign(n.type)}{plain}.sat", n.type, *args)


def _counted(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    return lines.call(_COUNTS[n.op], n.type, args[0], flags=(0,) * (n.op != "popcount"))


def _cast(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    (a,), source = args, n.args[0].type
    if source.is_float:
        raise AssertionError("floating point")
    return converted(lines, a, source, n.type)


def converted(lines: Lines, a: Value, source: Type, wanted: Type) -> Value:
    """Convert the elements of ``a``, read as ``source``."""
    made = wanted.of(a.lanes)
    if wanted.is_bool and not source.is_bool:
        return lines.compare("ne", a, literal(source, [0]))
    if wanted.bits == source.bits:
        return a.read_as(wanted)
    how = "trunc" if wanted.bits < source.bits else "sext" if source.signed else "zext"
    return lines.make(made, build.cast(how, a.operand, ir_type(made)))


def past_the_end(lines: Lines, type_: Type, wrapped: Value) -> Value:
    """Clamp what wraps for one value only, the greatest plus one: the least value stands for it
    and for nothing else.
    """
    wraps = lines.compare("eq", wrapped, literal(type_, [type_.low]))
    return lines.select(wraps, literal(type_, [type_.high]), wrapped)


def _saturating_cast(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    """Clamp in the source's type to what both types hold, as far as the operand reaches beyond
    it, then convert.
    """
    (a,), source = args, n.args[0].type
    low, high = bounds.of(n.args[0])
    if n.type.signed and high == n.type.high + 1 and low > n.type.low:
        return past_the_end(lines, n.type, converted(lines, a, source, n.type))
    if n.type.low > low:
        a = lines.call(f"{_sign(source)}max", source, a, literal(source, [n.type.low]))
    if n.type.high < high:
        a = lines.call(f"{_sign(source)}min", source, a, literal(source, [n.type.high]))
    return converted(lines, a, source, n.type)


def _shift(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    a, b = args
    ways = ("shl", "ashr" if n.type.signed else "lshr")
    way, other = ways if n.op == "shift_left" else ways[::-1]
    if b.known and not any(b.known):
        return lines.spread(a, max(a.lanes, b.lanes))
    if b.known and all(v <= 0 for v in b.known):
        return lines.binary(other, a, literal(n.type, [-v for v in b.known]))
    if not n.args[1].type.signed or (b.known and all(v >= 0 for v in b.known)):
        return lines.binary(way, a, b)
    zero = literal(b.type, [0])
    back = lines.binary("sub", zero, b)
    turned = lines.compare("slt", b, zero)
    return lines.select(turned, lines.binary(other, a, back), lines.binary(way, a, b))


def _power(value: int) -> int:
    """Return the exponent of a power of two, else -1."""
    return value.bit_length() - 1 if value > 0 and value & (value - 1) == 0 else -1


def _divide(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    a, b = args
    if b.known and b.lanes == 1:
        return _by_constant(lines, n.type, a, b.known[0])
    q, _ = _by_variable(lines, n.type, a, b)
    return q


def _modulo(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    a, b = args
    if b.known and b.lanes == 1 and b.known[0]:
        size = abs(b.known[0])
        if _power(size) >= 0:
            return lines.binary("and", a, literal(n.type, [size - 1]))
        if not n.type.signed:
            return lines.binary("urem", a, b)
        q = _by_constant(lines, n.type, a, size)
        return lines.binary("sub", a, lines.binary("mul", q, literal(n.type, [size])))
    _, r = _by_variable(lines, n.type, a, b)
    return r


def _by_constant(lines: Lines, type_: Type, a: Value, by: int) -> Value:
    """Divide so that the remainder is not negative; a negative dividend goes through its
    complement.
    """
    if by == 0:
        return literal(type_, [0])
    size = literal(type_, [abs(by)])
    bits = _power(abs(by))
    if bits == 0:
        q = a
    elif bits > 0:
        q = lines.binary("ashr" if type_.signed else "lshr", a, literal(type_, [bits]))
    elif type_.signed:
        sign = lines.binary("ashr", a, literal(type_, [type_.bits - 1]))
        q = lines.binary("udiv", lines.binary("xor", a, sign), size)
        q = lines.binary("xor", q, sign)
    else:
        q = lines.binary("udiv", a, size)
    if bits < 0:
        # LLVM's own multiplication by a reciprocal is as good as any; what uses it need not look
        # into it
        lines.cut()
    return q if by > 0 else lines.binary("sub", literal(type_, [0]), q)


def _by_variable(lines: Lines, type_: Type, a: Value, b: Value) -> tuple[Value, Value]:
    """Divide by what may be zero or, signed, may be -1 under the least value: in twice the
    bits, by 1 instead of 0.
    """
    source, wide = type_, type_.wide if type_.signed else type_
    a, b = lines.together(a, b)
    zero = lines.compare("eq", b, literal(b.type, [0]))
    x = converted(lines, a, source, wide)
    y = converted(lines, lines.select(zero, literal(b.type, [1]), b), source, wide)
    q, r = (lines.binary(f"{_sign(wide)}{op}", x, y) for op in ("div", "rem"))
    if type_.signed:
        none = literal(wide, [0])
        wrong, down = lines.compare("slt", r, none), lines.compare("sgt", y, none)
        step = lines.select(down, literal(wide, [-1]), literal(wide, [1]))
        q = lines.select(wrong, lines.binary("add", q, step), q)
        r = lines.select(wrong, lines.binary("add", r, lines.call("abs", wide, y, flags=(0,))), r)
    zeros = literal(type_, [0])
    return (
        lines.select(zero, zeros, converted(lines, q, wide, type_)),
        lines.select(zero, zeros, converted(lines, r, wide, type_)),
    )


def _toward_zero(lines: Lines, n: Node, args: Sequence[Value], bounds: Bounds) -> Value:
    """Truncating division is flooring division of the sizes with the sign put back."""
    a, b = args
    sign = lines.binary("xor", a, b)
    plain = n.type.as_uint
    sizes = [lines.call("abs", n.type, v, flags=(0,)) if n.type.signed else v for v in (a, b)]
    q, r = _by_variable(lines, plain, *(converted(lines, v, n.type, plain) for v in sizes))
    found, sign = (q, sign) if n.op == "div_round_to_zero" else (r, a)
    made = found.read_as(n.type)
    if not n.type.signed:
        return made
    none = literal(n.type, [0])
    return lines.select(lines.compare("slt", sign, none), lines.binary("sub", none, made), made)


OPS: Final[Mapping[str, Writer]] = {
    **dict.fromkeys(("add", "sub", "mul"), _arithmetic),
    "div": _divide,
    "mod": _modulo,
    **dict.fromkeys(("div_round_to_zero", "mod_round_to_zero"), _toward_zero),
    **dict.fromkeys(
        ("min", "max"), lambda lines, n, args, _: lines.call(_sign(n.type) + n.op, n.type, *args)
    ),
    **dict.fromkeys(("eq", "ne"), lambda lines, n, args, _: lines.compare(n.op, *args)),
    **dict.fromkeys(
        _ORDERS,
        lambda lines, n, args, _: lines.compare(_sign(n.args[0].type) + n.op, *args),
    ),
    **dict.fromkeys(
        _BITWISE, lambda lines, n, args, _: lines.binary(n.op.removeprefix("bitwise_"), *args)
    ),
    **dict.fromkeys(
        ("not", "bitwise_not"),
        lambda lines, n, args, _: lines.binary("xor", args[0], literal(n.type, [-1])),
    ),
    **dict.fromkeys(("select", "if_then_else"), lambda lines, _, args, __: lines.select(*args)),
    "cast": _cast,
    "saturating_cast": _saturating_cast,
    **dict.fromkeys(("saturating_add", "saturating_sub"), _saturating),
    "abs": lambda lines, n, args, _: (
        lines.call("abs", n.type, args[0], flags=(0,)) if n.args[0].type.signed else args[0]
    ),
    **dict.fromkeys(_COUNTS, _counted),
    **dict.fromkeys(("shift_left", "shift_right"), _shift),
    **dict.fromkeys(SAME, lambda _, n, args, __: args[0].read_as(n.type)),
}


STEPS: Final[Mapping[str, Callable[[Lines, Type, Value, Value], Value]]] = {
    "sum": lambda lines, _, a, b: lines.binary("add", a, b),
    "saturating_sum": lambda lines, t, a, b: lines.call(f"{_sign(t)}add.sat", t, a, b),
    "maximum": lambda lines, t, a, b: lines.call(f"{_sign(t)}max", t, a, b),
    "minimum": lambda lines, t, a, b: lines.call(f"{_sign(t)}min", t, a, b),
}
"""One step of a reduction."""
