"""Constructors that simplify more than :mod:`isel.ir.build`: slices are pushed to the leaves,
extensions vanish from comparisons.

Leaves are slices of whole operands, so that a slice of a slice is one leaf.  Every rule is an
equality of bit-vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from isel.ir import build
from isel.ir.expr import Expr, const, elem, substitute
from isel.ir.ops import Attr
from isel.ir.ranges import fits, range_of

_FEW: Final = 4  # bits of an index that a shift by elements is expanded for


def make(op: str, args: tuple[Expr, ...], attr: Attr = ()) -> Expr:
    """Apply ``op`` and simplify."""
    if op == "extract":
        low, width = attr
        assert isinstance(low, int) and isinstance(width, int)
        return bits(args[0], low, width)
    if op == "ite":
        return choose(*args)
    if op == "eq":
        return equal(*args)
    if op in ("ult", "ule", "slt", "sle"):
        return compare(op, *args)
    if op == "and":
        return conjunction(*args)
    if op == "concat":
        return joined(*args)
    if op in ("or", "xor", "add"):
        apart = disjoint(*args) or disjoint(*args[::-1])
        if apart is not None:
            return apart
    if op == "neg" and args[0].op == "sub":
        return make("sub", args[0].args[::-1])
    return build.make(op, args, attr)


def instantiate(root: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """Replace leaves and simplify."""
    return substitute(root, mapping, make)


def low(e: Expr, width: int) -> Expr:
    """Return the low ``width`` bits."""
    return bits(e, 0, width)


def extended(e: Expr, width: int, signed: bool) -> Expr:
    """Return the value in ``width`` bits, more or fewer than it has."""
    if width <= e.width:
        return low(e, width)
    return build.sext(e, width) if signed else build.zext(e, width)


@cache
def bits(e: Expr, at: int, width: int) -> Expr:
    """Return the slice of ``width`` bits at bit ``at``."""
    if at == 0 and width == e.width:
        return e
    a = e.args
    match e.op:
        case "const":
            return const(e.value >> at, width)
        case "elem":
            return elem(e.source, e.offset + at, width)
        case "extract":
            return bits(a[0], at + e.int_attr(0), width)
        case "and" | "or" | "xor" | "not":
            return make(e.op, tuple(bits(x, at, width) for x in a))
        case "ite":
            return choose(a[0], bits(a[1], at, width), bits(a[2], at, width))
        case "concat":
            cut = a[1].width
            if at >= cut:
                return bits(a[0], at - cut, width)
            if at + width <= cut:
                return bits(a[1], at, width)
            return joined(bits(a[0], 0, at + width - cut), bits(a[1], at, cut - at))
        case "zext" | "sext":
            return _of_extension(e, at, width)
        case "add" | "sub" | "mul" | "neg" if at == 0:
            return make(e.op, tuple(bits(x, 0, width) for x in a))
        case "add" | "sub" | "mul" | "neg" if at + width < e.width:
            return build.make(
                "extract", (make(e.op, tuple(bits(x, 0, at + width) for x in a)),), (at, width)
            )
        case "shl" | "lshr" | "ashr":
            return _of_shift(e, at, width)
    return build.make("extract", (e,), (at, width))


def _of_extension(e: Expr, at: int, width: int) -> Expr:
    x = e.args[0]
    if at + width <= x.width:
        return bits(x, at, width)
    if at < x.width:
        return build.make(e.op, (bits(x, at, x.width - at),), (width,))
    if e.op == "zext":
        return const(0, width)
    return build.sext(bits(x, x.width - 1, 1), width)


def _of_shift(e: Expr, at: int, width: int) -> Expr:
    x, count = e.args
    if count.op == "const":
        n = min(count.value, e.width)
        if e.op == "shl":
            if at >= n:
                return bits(x, at - n, width)
            if at + width <= n:
                return const(0, width)
            return joined(bits(x, 0, at + width - n), const(0, n - at))
        wide = build.zext(x, 3 * e.width) if e.op == "lshr" else build.sext(x, 2 * e.width)
        return bits(wide, at + n, width)
    if e.op == "shl" and at == 0 and count.op == "zext" and count.args[0].width <= width:
        return make("shl", (bits(x, 0, width), build.zext(count.args[0], width)))
    if e.op == "lshr" and count.op != "elem" and width <= 64:
        index, stride, base = progression(count)
        if index.width <= _FEW and stride % 8 == 0:
            wide = build.zext(x, e.width + base + (stride << index.width))
            return picked(
                [bits(wide, at + base + stride * k, width) for k in range(1 << index.width)], index
            )
    return build.make("extract", (e,), (at, width))


def picked(table: list[Expr], index: Expr) -> Expr:
    """Return entry ``index`` of a table of ``2**index.width`` terms."""
    for i in range(index.width):
        bit = bits(index, i, 1)
        table = [choose(bit, table[k + 1], table[k]) for k in range(0, len(table), 2)]
    return table[0]


def progression(term: Expr) -> tuple[Expr, int, int]:
    """Return index, stride and base with ``term == base + stride * index``, where nothing wraps."""
    stride, base = 1, 0
    while True:
        if term.op == "zext":
            term = term.args[0]
        elif term.op == "concat" and term.args[1].op == "const":
            base += stride * term.args[1].value
            stride <<= term.args[1].width
            term = term.args[0]
        elif (
            term.op in ("add", "mul")
            and term.args[1].op == "const"
            and fits(term.op, *term.args, signed=False)
        ):
            if term.op == "add":
                base += stride * term.args[1].value
            else:
                stride *= term.args[1].value
            term = term.args[0]
        else:
            return term, stride, base


def joined(high: Expr, lower: Expr) -> Expr:
    """Return the concatenation; adjacent leaves are one."""
    if (
        high.op == "elem"
        and lower.op == "elem"
        and high.source == lower.source
        and high.offset == lower.offset + lower.width
    ):
        return elem(lower.source, lower.offset, high.width + lower.width)
    if lower.op == "concat":
        first = joined(high, lower.args[0])
        if first.op != "concat" and first.op != "zext":
            return joined(first, lower.args[1])
    if high.op == "concat" and high.args[1].op == "elem" and lower.op == "elem":
        last = joined(high.args[1], lower)
        if last.op == "elem":
            return joined(high.args[0], last)
    if (
        high.op == "sext"
        and lower.op == "sext"
        and high.args[0] is lower.args[0]
        and high.args[0].width == 1
    ):
        return build.sext(high.args[0], high.width + lower.width)
    return build.concat(high, lower)


def _ones(e: Expr) -> bool:
    return e.op == "const" and e.value == (1 << e.width) - 1


def _zero(e: Expr) -> bool:
    return e.op == "const" and e.value == 0


def choose(c: Expr, a: Expr, b: Expr) -> Expr:
    """Return ``c ? a : b``."""
    if c.op == "const":
        return a if c.value else b
    if c.op == "not":
        return choose(c.args[0], b, a)
    if a.op == "ite" and a.args[0] is c:
        a = a.args[1]
    if b.op == "ite" and b.args[0] is c:
        b = b.args[2]
    if a is b:
        return a
    if a.width > 1 and _zero(b) and _ones(a):
        return build.sext(c, a.width)
    if a.width > 1 and _zero(a) and _ones(b):
        return build.sext(build.bnot(c), a.width)
    if a.width > 1 and _zero(b) and a.op == "const" and a.value == 1:
        return build.zext(c, a.width)
    if _is_guard(c, a, b):
        return a
    return build.make("ite", (c, a, b))


def _is_guard(c: Expr, a: Expr, b: Expr) -> bool:
    """Tell whether a shift by less than the width is guarded by what the shift means anyway."""
    if (
        c.op != "ult"
        or a.op not in ("shl", "lshr", "ashr")
        or a.args[1] is not c.args[0]
        or c.args[1].op != "const"
        or c.args[1].value != a.width
    ):
        return False
    if a.op == "ashr":
        return b is build.sext(bits(a.args[0], a.width - 1, 1), a.width)
    return _zero(b)


def equal(a: Expr, b: Expr) -> Expr:
    """Return ``a == b``."""
    if a.op == "const":
        a, b = b, a
    if a.op in ("zext", "sext") and a.op == b.op and a.args[0].width == b.args[0].width:
        return equal(a.args[0], b.args[0])
    if a.op == "zext" and b.op == "const":
        x = a.args[0]
        return equal(x, const(b.value, x.width)) if b.value < 1 << x.width else const(0, 1)
    return build.eq(a, b)


def compare(op: str, a: Expr, b: Expr) -> Expr:
    """Return an ordering; extensions are dropped, and comparisons with a literal are
    ``x < literal``.
    """
    if a.op == "const" and b.op == "const":
        return build.make(op, (a, b))
    if (
        op in ("slt", "sle")
        and a.op in ("zext", "const")
        and b.op in ("zext", "const")
        and min(range_of(x).signed[0] for x in (a, b)) >= 0
    ):
        return compare("u" + op[1:], a, b)
    if (
        op == "slt"
        and _zero(b)
        and a.op == "sub"
        and all(x.op == "zext" and x.args[0].width < a.width for x in a.args)
    ):
        return compare("ult", *a.args)
    narrow = "zext" if op[0] == "u" else "sext"
    if a.op == narrow and b.op == narrow and a.args[0].width == b.args[0].width:
        return compare(op, a.args[0], b.args[0])
    if narrow == "zext" and a.op == "zext" and b.op == "const":
        w = a.args[0].width
        return compare(op, a.args[0], const(b.value, w)) if b.value < 1 << w else const(1, 1)
    if narrow == "zext" and b.op == "zext" and a.op == "const":
        w = b.args[0].width
        return compare(op, const(a.value, w), b.args[0]) if a.value < 1 << w else const(0, 1)
    if op == "ule" and b.op == "const":
        return const(1, 1) if _ones(b) else compare("ult", a, const(b.value + 1, b.width))
    if op == "ult" and a.op == "const":
        return (
            const(0, 1) if _ones(a) else build.bnot(compare("ult", b, const(a.value + 1, a.width)))
        )
    if op == "ule" and a.op == "const":
        return build.bnot(compare("ult", b, a))
    if op == "ult" and b.op == "const" and b.value == 1:
        return equal(a, const(0, a.width))
    return build.make(op, (a, b))


def conjunction(a: Expr, b: Expr) -> Expr:
    """Return ``a & b``; a mask of low bits is a slice."""
    if a.op == "const":
        a, b = b, a
    if b.op == "const" and b.value and b.value & (b.value + 1) == 0 and not _ones(b):
        n = b.value.bit_length()
        return build.zext(bits(a, 0, n), a.width)
    return build.make("and", (a, b))


def disjoint(high: Expr, lower: Expr) -> Expr | None:
    """Return the concatenation that a sum of operands without common bits is."""
    if (
        high.op != "concat"
        or not _zero(high.args[1])
        or lower.op != "zext"
        or lower.args[0].width > high.args[1].width
    ):
        return None
    return joined(high.args[0], build.zext(lower.args[0], high.args[1].width))
