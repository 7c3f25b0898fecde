"""Simplifying constructors for terms: constants fold, casts compose, identities vanish.

Every rule here is an equality of bit-vectors; ``tests/ir/test_build.py`` checks each on random
terms against the unsimplified one.
"""

from __future__ import annotations

from typing import Final

from isel.ir.expr import Expr, const, term
from isel.ir.ops import OPS, Attr, apply_integer

_ZERO_RIGHT: Final = frozenset({"add", "sub", "or", "xor", "shl", "lshr", "ashr"})
_ZERO_LEFT: Final = frozenset({"shl", "lshr", "ashr", "udiv", "urem"})


def make(op: str, args: tuple[Expr, ...], attr: Attr = ()) -> Expr:
    """Apply ``op`` and simplify; the result equals ``term(op, *args, attr=attr)`` for all
    inputs.
    """
    row = OPS[op]
    for a in args:
        if a.op != "const":
            break
    else:
        plain = term(op, *args, attr=attr)
        return const(
            apply_integer(row, [a.value for a in args], [a.width for a in args], attr), plain.width
        )
    if row.commutes:
        a, b = args
        if a.op == "const" or (b.op != "const" and b.shape < a.shape):
            args = (b, a)
    return _simplify(op, args, attr) or term(op, *args, attr=attr)


def _simplify(op: str, args: tuple[Expr, ...], attr: Attr) -> Expr | None:
    if op == "extract":
        return _extract(args[0], attr)
    if op == "zext" or op == "sext":
        return _extend(op, args[0], attr)
    if op == "ite":
        return _ite(*args)
    if len(args) == 2:
        return _binary(op, *args)
    if args[0].op == op:  # not and neg are involutions
        return args[0].args[0]
    return None


def _binary(op: str, a: Expr, b: Expr) -> Expr | None:
    w = a.width
    if a is b:
        if op in ("sub", "xor", "urem", "srem"):
            # x % x is 0, and x % 0 is x, which is 0 here
            return const(0, w)
        if op in ("and", "or"):
            return a
        if op in ("eq", "ule", "sle"):
            return const(1, 1)
        if op in ("ult", "slt"):
            return const(0, 1)
    if op == "concat":
        return _concat(a, b)
    if a.op == "const" and a.value == 0 and op in _ZERO_LEFT and op != "udiv":
        return a
    if b.op != "const":
        return None
    v = b.value
    if v == 0:
        if op in _ZERO_RIGHT:
            return a
        if op in ("mul", "and", "clmul"):
            return b
        if op == "ult":
            return const(0, 1)
    if op in ("shl", "lshr") and v >= w:
        return const(0, w)
    if op in ("mul", "clmul") and v == 1:
        return a
    if v == (1 << w) - 1:
        if op == "and":
            return a
        if op == "or":
            return b
        if op == "xor":
            return make("not", (a,))
    if op in ("add", "and", "or", "xor", "mul") and a.op == op and a.args[1].op == "const":
        return make(op, (a.args[0], make(op, (a.args[1], b))))
    if op == "sub":
        return make("add", (a, const(-v, w)))
    if op in ("shl", "lshr", "ashr") and a.op == op and a.args[1].op == "const":
        total = v + a.args[1].value
        return (
            make(op, (a.args[0], const(min(total, w if op != "ashr" else w - 1), w)))
            if min(total, w) < (1 << w)
            else None
        )
    if w == 1 and op == "eq":
        return a if v else make("not", (a,))
    return None


def _concat(hi: Expr, lo: Expr) -> Expr | None:
    if hi.op == "const" and hi.value == 0:
        return make("zext", (lo,), (hi.width + lo.width,))
    if (
        hi.op == "extract"
        and lo.op == "extract"
        and hi.args[0] is lo.args[0]
        and hi.int_attr(0) == lo.int_attr(0) + lo.width
    ):
        return make("extract", hi.args, (lo.int_attr(0), hi.width + lo.width))
    if (
        hi.op == "elem"
        and lo.op == "elem"
        and hi.source == lo.source
        and hi.offset == lo.offset + lo.width
    ):
        return None  # elements are never merged here: their width is the access width
    return None


def _extract(a: Expr, attr: Attr) -> Expr | None:
    low, width = attr
    assert isinstance(low, int) and isinstance(width, int)
    if width == a.width and low == 0:
        return a
    if a.op == "extract":
        return make("extract", a.args, (low + a.int_attr(0), width))
    if a.op in ("zext", "sext"):
        x = a.args[0]
        if low + width <= x.width:
            return make("extract", (x,), (low, width))
        if low == 0:
            return make(a.op, (x,), (width,))
        if a.op == "zext" and low >= x.width:
            return const(0, width)
    if a.op == "concat":
        hi, lo = a.args
        if low + width <= lo.width:
            return make("extract", (lo,), (low, width))
        if low >= lo.width:
            return make("extract", (hi,), (low - lo.width, width))
    return None


def _extend(op: str, a: Expr, attr: Attr) -> Expr | None:
    (width,) = attr
    assert isinstance(width, int)
    if width == a.width:
        return a
    if a.op == "zext" or a.op == op:
        return make(a.op, a.args, attr)
    return None


def _ite(c: Expr, a: Expr, b: Expr) -> Expr | None:
    if a is b:
        return a
    if c.op == "const":
        return a if c.value else b
    if c.op == "not":
        return make("ite", (c.args[0], b, a))
    if a.width == 1 and a.op == "const" and b.op == "const":
        return c if a.value else make("not", (c,))
    return None


# Shorthands, used wherever a meaning is written down.
# fmt: off
def add(a: Expr, b: Expr) -> Expr: return make("add", (a, b))
def sub(a: Expr, b: Expr) -> Expr: return make("sub", (a, b))
def mul(a: Expr, b: Expr) -> Expr: return make("mul", (a, b))
def band(a: Expr, b: Expr) -> Expr: return make("and", (a, b))
def bor(a: Expr, b: Expr) -> Expr: return make("or", (a, b))
def bxor(a: Expr, b: Expr) -> Expr: return make("xor", (a, b))
def clmul(a: Expr, b: Expr) -> Expr: return make("clmul", (a, b))
def bnot(a: Expr) -> Expr: return make("not", (a,))
def neg(a: Expr) -> Expr: return make("neg", (a,))
def shl(a: Expr, b: Expr) -> Expr: return make("shl", (a, b))
def lshr(a: Expr, b: Expr) -> Expr: return make("lshr", (a, b))
def ashr(a: Expr, b: Expr) -> Expr: return make("ashr", (a, b))
def eq(a: Expr, b: Expr) -> Expr: return make("eq", (a, b))
def ne(a: Expr, b: Expr) -> Expr: return bnot(eq(a, b))
def ult(a: Expr, b: Expr) -> Expr: return make("ult", (a, b))
def ule(a: Expr, b: Expr) -> Expr: return make("ule", (a, b))
def slt(a: Expr, b: Expr) -> Expr: return make("slt", (a, b))
def sle(a: Expr, b: Expr) -> Expr: return make("sle", (a, b))
def ite(c: Expr, a: Expr, b: Expr) -> Expr: return make("ite", (c, a, b))
def concat(hi: Expr, lo: Expr) -> Expr: return make("concat", (hi, lo))
def extract(a: Expr, low: int, width: int) -> Expr: return make("extract", (a,), (low, width))
def trunc(a: Expr, n: int) -> Expr: return a if n == a.width else make("extract", (a,), (0, n))
def zext(a: Expr, n: int) -> Expr: return a if n == a.width else make("zext", (a,), (n,))
def sext(a: Expr, n: int) -> Expr: return a if n == a.width else make("sext", (a,), (n,))
def lit(value: int, like: Expr) -> Expr: return const(value, like.width)
# fmt: on


def any_of(*bits: Expr) -> Expr:
    """Return the disjunction of one-bit terms (0 for none)."""
    result = const(0, 1)
    for b in dict.fromkeys(bits):
        result = bor(result, b)
    return result


def all_of(*bits: Expr) -> Expr:
    """Return the conjunction of one-bit terms (1 for none)."""
    result = const(1, 1)
    for b in dict.fromkeys(bits):
        result = band(result, b)
    return result
