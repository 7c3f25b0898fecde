"""Functions of ASL that are not taken from its own text: those of the language, those of registers'
elements, saturation, and what patches put in place of shifts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final, TypeAlias

from isel.ir import build
from isel.ir.expr import Expr, const
from semantics.arm.importer.values import (
    Asl,
    Fill,
    Truth,
    as_bits,
    as_integer,
    as_number,
    as_truth,
    bits,
    blank,
    integer_of,
    truth,
)
from semantics.importing.functions import (
    absolute,
    extreme,
    leading_zeros,
    population,
    saturate,
    saturate_unsigned,
)
from semantics.importing.simplify import choose, equal, joined, make
from semantics.importing.values import Inexact, Value, exact, infix, low_bits, span, unsigned

Function: TypeAlias = Callable[..., Asl]


def _known(value: Asl) -> bool:
    known = as_truth(value).known
    if known is None:
        raise Inexact("a choice of signedness that an operand decides")
    return known


def _saturated(value: Asl, width: Asl, is_unsigned: bool) -> Asl:
    """Return the nearest number in bits; whether it was another one sets a flag only."""
    n = as_number(width)
    v = as_integer(value)
    found = saturate_unsigned(n, v) if is_unsigned else saturate(n, v)
    return bits(low_bits(found, n)), truth(False)


def _integer(x: Asl, is_unsigned: bool) -> Value:
    return integer_of(as_bits(x), is_signed=not is_unsigned)


def _filled(bit: int) -> Function:
    def fill(width: Asl | None = None) -> Asl:
        if width is None:
            return Fill(const(bit, 1))
        return as_bits(Fill(const(bit, 1)), as_number(width)) if width != 0 else blank(0)

    return fill


def _extended(is_signed: bool) -> Function:
    def extend(x: Asl, width: Asl) -> Asl:
        return bits(low_bits(integer_of(as_bits(x), is_signed=is_signed), as_number(width)))

    return extend


def _replicated(x: Asl, times: Asl) -> Asl:
    return bits(reduce(joined, [as_bits(x).term] * as_number(times)))


def _shifted(op: str) -> Function:
    def shift(x: Asl, count: Asl) -> Asl:
        term, n = as_bits(x).term, as_integer(count)
        return bits(_by(op, term, n))

    return shift


def _by(op: str, term: Expr, count: Value) -> Expr:
    """Return a term shifted by a count that is not negative; by its width or more gives what all
    bits shifted out leave.
    """
    least, greatest = span(count)
    if least < 0:
        raise Inexact("a shift by a count that may be negative")
    need = max(term.width, greatest.bit_length())
    wide = (
        term if need == term.width else make("sext" if op == "ashr" else "zext", (term,), (need,))
    )
    return make("extract", (make(op, (wide, low_bits(count, need))),), (0, term.width))


def _rotated(x: Asl, count: Value) -> Asl:
    term = as_bits(x).term
    if isinstance(count, int):
        n = count % term.width
        parts = [make("extract", (term,), at) for at in ((0, n), (n, term.width - n)) if at[1]]
        return bits(make("concat", tuple(parts)) if n else term)
    if span(count)[1] >= term.width:
        raise Inexact("a rotation by a variable that may be as much as the width")
    back = infix("-", term.width, count)
    return bits(make("or", (_by("lshr", term, count), _by("shl", term, back))))


def _right(x: Asl, count: Asl) -> Asl:
    return _rotated(x, as_integer(count))


def _left(x: Asl, count: Asl) -> Asl:
    n = as_bits(x).width
    return _rotated(x, infix("-", n, as_integer(count)))


def _leading_sign_bits(x: Asl) -> Asl:
    """Return the leading bits that are as the one above them: those of x EOR x >> 1 below the
    highest.
    """
    term = as_bits(x).term
    top = make("extract", (term,), (1, term.width - 1))
    other = make("extract", (term,), (0, term.width - 1))
    return leading_zeros(unsigned(make("xor", (top, other))))


def _highest(x: Asl) -> Asl:
    term = as_bits(x).term
    if term.op != "const":
        raise Inexact("the highest bit that is set in an operand")
    return int(term.value).bit_length() - 1


def _lowest(x: Asl) -> Asl:
    term = as_bits(x).term
    if term.op != "const":
        raise Inexact("the lowest bit that is set in an operand")
    value = int(term.value)
    return (value & -value).bit_length() - 1 if value else term.width


def _is_zero(x: Asl) -> Asl:
    term = as_bits(x).term
    return Truth(equal(term, const(0, term.width)))


def rounded_right(x: Asl, count: Asl, rounding: Asl) -> Asl:
    """Return an integer shifted to the right, one added where it is rounded up."""
    v, n = as_integer(x), as_integer(count)
    whole = infix(">>", v, n)
    if not _known(rounding):
        return whole
    if span(n)[0] < 1:
        raise Inexact("a rounded shift by nothing")
    last = infix(">>", v, infix("-", n, 1))
    return infix("+", whole, infix("AND", 1, last) if isinstance(last, int) else _bit(last))


def _bit(v: Value) -> Value:
    return unsigned(make("extract", (exact(v),), (0, 1)))


def saturated_left(x: Asl, count: Asl, from_unsigned: Asl, to_unsigned: Asl) -> Asl:
    """Return bits shifted to the left, or the greatest or least number where some are lost."""
    term = as_bits(x).term
    n = low_bits(as_integer(count), max(term.width, span(as_integer(count))[1].bit_length()))
    if n.width != term.width:
        raise Inexact("a count of more bits than what it shifts")
    return bits(_left_saturated(term, n, _known(from_unsigned), _known(to_unsigned)))


def _left_saturated(x: Expr, n: Expr, from_unsigned: bool, to_unsigned: bool) -> Expr:
    w = x.width
    moved = make("shl", (x, n))
    fits = equal(make("lshr" if to_unsigned else "ashr", (moved, n)), x)
    negative = make("extract", (x,), (w - 1, 1))
    if to_unsigned:
        most = choose(fits, moved, const(-1, w))
        return most if from_unsigned else choose(negative, const(0, w), most)
    limit = choose(negative, const(1 << (w - 1), w), const((1 << (w - 1)) - 1, w))
    return choose(fits, moved, limit)


def shifted_either(x: Asl, count: Asl, rounding: Asl, saturating: Asl, is_unsigned: Asl) -> Asl:
    """Return bits shifted to the left by a signed count of eight bits, to the right by minus it
    where it is negative.
    """
    term, c = as_bits(x).term, low_bits(as_integer(count), 8)
    w, zero = term.width, _known(is_unsigned)
    n = c if w == 8 else build.sext(c, w)
    back = make("neg", (n,))
    op = "lshr" if zero else "ashr"
    right = make(op, (term, back))
    if _known(rounding):
        last = make(op, (term, make("sub", (back, const(1, w)))))
        right = make("add", (right, build.zext(make("extract", (last,), (0, 1)), w)))
    left = _left_saturated(term, n, zero, zero) if _known(saturating) else make("shl", (term, n))
    return bits(choose(make("extract", (c,), (7, 1)), right, left))


def _reduced(_op: Asl, x: Asl, width: Asl) -> Asl:
    """Return the sum of the elements: of the reductions, only that one is of integers."""
    whole, w = as_bits(x), as_number(width)
    total = whole.part(0, w).term
    for at in range(w, whole.width, w):
        total = make("add", (total, whole.part(at, w).term))
    return bits(total)


FUNCTIONS: Final[dict[str, Function]] = {
    "UInt": lambda x: integer_of(as_bits(x), is_signed=False),
    "SInt": lambda x: integer_of(as_bits(x), is_signed=True),
    "Int": lambda x, is_unsigned: _integer(x, _known(is_unsigned)),
    "SatQ": lambda v, n, is_unsigned: _saturated(v, n, _known(is_unsigned)),
    "SignedSatQ": lambda v, n: _saturated(v, n, False),
    "UnsignedSatQ": lambda v, n: _saturated(v, n, True),
    "Zeros": _filled(0),
    "Ones": _filled(1),
    "ZeroExtend": _extended(False),
    "SignExtend": _extended(True),
    "Replicate": _replicated,
    "LSL": _shifted("shl"),
    "LSR": _shifted("lshr"),
    "ASR": _shifted("ashr"),
    "ROR": _right,
    "ROL": _left,
    "Abs": lambda v: absolute(as_integer(v)),
    "Min": lambda v, w: extreme(as_integer(v), as_integer(w), greatest=False),
    "Max": lambda v, w: extreme(as_integer(v), as_integer(w), greatest=True),
    "BitCount": lambda x: population(unsigned(as_bits(x).term)),
    "CountLeadingZeroBits": lambda x: leading_zeros(unsigned(as_bits(x).term)),
    "CountLeadingSignBits": _leading_sign_bits,
    "HighestSetBit": _highest,
    "LowestSetBit": _lowest,
    "IsZero": _is_zero,
    "Reduce": _reduced,
    "RoundedRight": rounded_right,
    "SaturatedLeft": saturated_left,
    "ShiftedEither": shifted_either,
}
