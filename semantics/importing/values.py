"""Unbounded integers, exact: a term, and the range of its value.

Nothing is truncated before an assignment says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from isel.ir import build, spans
from isel.ir.expr import Expr, const
from isel.ir.ops import signed as as_signed
from isel.ir.spans import Span, bits_of, hull
from semantics.importing.simplify import (
    bits,
    choose,
    compare,
    conjunction,
    equal,
    extended,
    low,
    make,
)


class Inexact(Exception):
    """An operation that has no exact finite result."""


@dataclass(frozen=True, slots=True)
class Val:
    """The integer in ``bounds`` that ``term`` stands for: signed if the least of them is
    negative.

    ``wider`` gives the same value in more bits where that is not the extension of ``term``: a sum
    of wider summands.
    """

    term: Expr
    bounds: Span
    wider: Callable[[int], Expr] | None = None
    known: dict[int, Expr] = field(default_factory=dict, compare=False)

    def low(self, width: int) -> Expr:
        """Return the value modulo ``2**width``."""
        if self.wider is not None and width > self.term.width:
            found = self.known.get(width)
            if found is None:
                found = self.known[width] = self.wider(width)
            return found
        return extended(self.term, width, self.bounds[0] < 0)


@dataclass(frozen=True, slots=True)
class Endless:
    """An integer of which only low bits are wanted: the result of a shift to the left by a
    variable.
    """

    low: Callable[[int], Expr]


Value: TypeAlias = int | Val | Endless
_INT: Final[dict[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "XOR": lambda a, b: a ^ b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
}
_SAME: Final = {"&": "AND", "|": "OR", "^": "XOR"}
_TERM: Final = {"+": "add", "-": "sub", "*": "mul", "AND": "and", "OR": "or", "XOR": "xor"}


def unsigned(term: Expr) -> Value:
    """Return the unsigned value of a term."""
    return term.value if term.op == "const" else Val(term, spans.unsigned(term.width))


def signed(term: Expr) -> Value:
    """Return the signed value of a term."""
    if term.op == "const":
        return as_signed(term.value, term.width)
    return Val(term, spans.signed(term.width))


def ranged(term: Expr, bounds: Span) -> Value:
    """Return the value of a term that is known to be in a range."""
    if term.op == "const":
        return int(term.value) if bounds[0] >= 0 else signed(term)
    return Val(term, bounds)


def span(v: Value) -> Span:
    """Return the least and greatest value."""
    if isinstance(v, int):
        return v, v
    if isinstance(v, Val):
        return v.bounds
    raise Inexact("a shift to the left by a variable, expected a slice or an assignment around it")


def low_bits(v: Value, width: int) -> Expr:
    """Return a value modulo ``2**width``."""
    return const(v, width) if isinstance(v, int) else v.low(width)


def exact(v: Value) -> Expr:
    """Return a value in the least bits that hold its range."""
    return low_bits(v, bits_of(span(v)))


def truth(v: Value) -> int | Expr:
    """Return whether a value is not zero: 0 or 1, or a one-bit term."""
    if isinstance(v, int):
        return int(v != 0)
    least, greatest = span(v)
    if least > 0 or greatest < 0:
        return 1
    term = exact(v)
    bit = term if term.width == 1 else build.bnot(equal(term, const(0, term.width)))
    return bit.value if bit.op == "const" else bit


def infix(op: str, a: Value, b: Value) -> Value:
    """Apply a binary operator to unbounded integers; raise :class:`Inexact`."""
    op = _SAME.get(op, op)
    if op in ("&&", "||"):
        x, y = _bit(truth(a)), _bit(truth(b))
        return unsigned(make("and" if op == "&&" else "or", (x, y)))
    if isinstance(a, int) and isinstance(b, int):
        if op in ("<<", ">>") and b < 0:
            raise Inexact("a shift by a negative count")
        return _INT[op](a, b)
    if op == "*" and isinstance(a, int):
        a, b = b, a
    if op == "*" and isinstance(b, int) and b > 0 and b & (b - 1) == 0:
        a, b, op = a, b.bit_length() - 1, "<<"
    if op in ("<<", ">>"):
        return _shift_left(a, b) if op == "<<" else _shift_right(a, b)
    if op in ("/", "%"):
        return _division(op, a, b)
    if op in ("==", "!=", "<", ">", "<=", ">="):
        return _comparison(op, a, b)
    if isinstance(a, Endless) or isinstance(b, Endless):
        return Endless(lambda w: make(_TERM[op], (low_bits(a, w), low_bits(b, w))))
    return _bitwise(op, a, b) if op in ("AND", "OR", "XOR") else _arithmetic(op, a, b)


def _bit(t: int | Expr) -> Expr:
    return const(t, 1) if isinstance(t, int) else t


def _arithmetic(op: str, a: Value, b: Value) -> Value:
    bounds = spans.TWO[_TERM[op]](span(a), span(b))
    w = bits_of(bounds)
    term = make(_TERM[op], (low_bits(a, w), low_bits(b, w)))
    if op == "*" or term.op == "const":
        return ranged(term, bounds)
    return Val(term, bounds, lambda n: make(_TERM[op], (low_bits(a, n), low_bits(b, n))))


def _bitwise(op: str, a: Value, b: Value) -> Value:
    bounds = hull(span(a), span(b))
    if op == "AND" and max(span(a)[0], span(b)[0]) >= 0:
        w = min(bits_of(x) for x in (span(a), span(b)) if x[0] >= 0)
        return unsigned(conjunction(low_bits(a, w), low_bits(b, w)))
    w = bits_of(bounds)
    term = make(_TERM[op], (low_bits(a, w), low_bits(b, w)))
    return unsigned(term) if bounds[0] >= 0 else signed(term)


def _shift_left(a: Value, b: Value) -> Value:
    if isinstance(b, int):
        if isinstance(a, Endless):
            return Endless(
                lambda w: make("shl", (low_bits(a, w), const(b, w))) if b < w else const(0, w)
            )
        return ranged(_joined_zeros(exact(a), b), spans.TWO["shl"](span(a), (b, b)))
    if span(b)[0] < 0:
        raise Inexact("a shift by a count that may be negative")
    return Endless(lambda w: _shifted("shl", low_bits(a, w), b, const(0, w)))


def _joined_zeros(term: Expr, n: int) -> Expr:
    return make("concat", (term, const(0, n))) if n else term


def _shift_right(a: Value, b: Value) -> Value:
    least, greatest = span(a)
    if isinstance(b, int):
        if greatest >> b == least >> b:
            return greatest >> b
        term = a.term if isinstance(a, Val) else exact(a)
        return ranged(bits(term, b, term.width - b), (least >> b, greatest >> b))
    if span(b)[0] < 0:
        raise Inexact("a shift by a count that may be negative")
    term = a.term if isinstance(a, Val) else exact(a)
    if least < 0:
        fill = build.sext(bits(term, term.width - 1, 1), term.width)
        return Val(_shifted("ashr", term, b, fill), (least, max(greatest, 0)))
    return Val(_shifted("lshr", term, b, const(0, term.width)), (0, greatest))


def _shifted(op: str, term: Expr, count: Value, fill: Expr) -> Expr:
    w = term.width
    if span(count)[1] < 1 << w:
        return make(op, (term, low_bits(count, w)))
    wide = exact(count)
    return choose(compare("ult", wide, const(w, wide.width)), make(op, (term, low(wide, w))), fill)


def _division(op: str, a: Value, b: Value) -> Value:
    if not isinstance(b, int) or b <= 0 or b & (b - 1) or span(a)[0] < 0:
        raise Inexact(f"'{op}' of a variable, expected a power of two on the right")
    n = b.bit_length() - 1
    if op == "/":
        return _shift_right(a, n)
    return unsigned(low_bits(a, n)) if n else 0


def _comparison(op: str, a: Value, b: Value) -> Value:
    if op in (">", "<="):
        a, b, op = b, a, "<" if op == ">" else ">="
    (la, ga), (lb, gb) = span(a), span(b)
    w = bits_of(hull(span(a), span(b)))
    x, y = low_bits(a, w), low_bits(b, w)
    if op in ("==", "!="):
        term = const(0, 1) if ga < lb or gb < la else equal(x, y)
        return unsigned(term if op == "==" else build.bnot(term))
    if ga < lb or la >= gb:  # certain for "<"
        return int((ga < lb) == (op == "<"))
    sign = "s" if min(la, lb) < 0 else "u"
    return unsigned(compare(sign + "lt", x, y) if op == "<" else compare(sign + "le", y, x))


def negated(a: Value) -> Value:
    """Return ``-a``."""
    if isinstance(a, int):
        return -a
    if isinstance(a, Endless):
        return Endless(lambda w: make("neg", (a.low(w),)))
    bounds = spans.ONE["neg"](a.bounds)
    return ranged(make("neg", (a.low(bits_of(bounds)),)), bounds)


def complement(a: Value) -> Value:
    """Return ``-1 - a``: every bit inverted."""
    if isinstance(a, int):
        return ~a
    if isinstance(a, Endless):
        return Endless(lambda w: make("not", (a.low(w),)))
    bounds = spans.ONE["not"](a.bounds)
    return ranged(make("not", (a.low(bits_of(bounds)),)), bounds)


def select(c: Expr, a: Value, b: Value) -> Value:
    """Return ``c ? a : b``."""
    if isinstance(a, Endless) or isinstance(b, Endless):
        return Endless(lambda w: choose(c, low_bits(a, w), low_bits(b, w)))
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return a
    bounds = hull(span(a), span(b))
    w = bits_of(bounds)
    term = choose(c, low_bits(a, w), low_bits(b, w))
    if term.op != "ite" or not (_is_sum(a) and _is_plain(b)):
        return ranged(term, bounds)
    return Val(term, bounds, lambda n: choose(c, low_bits(a, n), low_bits(b, n)))


def _is_sum(v: Value) -> bool:
    return isinstance(v, Val) and v.wider is not None


def _is_plain(v: Value) -> bool:
    return isinstance(v, int) or (isinstance(v, Val) and v.term.op == "elem")


def sliced(v: Value, at: int, width: int) -> Value:
    """Return bits ``at`` and up as an unsigned value."""
    if isinstance(v, int):
        return v >> at & ((1 << width) - 1)
    if isinstance(v, Endless):
        return unsigned(bits(v.low(at + width), at, width))
    whole = max(v.term.width, at + width)
    return unsigned(bits(v.low(whole), at, width))
