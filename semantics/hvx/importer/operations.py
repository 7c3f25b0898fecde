"""What LLVM's instructions on integers mean for exact ones.

A value of n bits is any integer that is congruent to it modulo 2**n; what an instruction reads as
signed or unsigned is brought into that range first, so that sums which cannot overflow stay exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from frontends.llvm.text.ast import Instr
from isel.ir import spans
from isel.ir.spans import within
from semantics.importing.values import Endless, Val, Value, infix, low_bits, signed, span, unsigned

_INFIX: Final = {
    "add": "+", "sub": "-", "mul": "*", "and": "AND", "or": "OR", "xor": "XOR", "shl": "<<",
}  # fmt: skip
_COMPARISONS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def wrap(v: Value, width: int) -> Value:
    """Return a value as one that fits into ``width`` bits, signed or unsigned."""
    if isinstance(v, int):
        return v & ((1 << width) - 1) if not -(1 << (width - 1)) <= v < 1 << width else v
    if isinstance(v, Val) and any(
        within(v.bounds, spans.whole(width, signed=sign)) for sign in (False, True)
    ):
        return v
    return unsigned(low_bits(v, width))


def as_signed(v: Value, width: int) -> Value:
    """Return the number that ``width`` bits are when they are read as signed."""
    if not isinstance(v, Endless) and within(span(v), spans.signed(width)):
        return v
    return signed(low_bits(v, width))


def as_unsigned(v: Value, width: int) -> Value:
    """Return the number that ``width`` bits are when they are read as unsigned."""
    if not isinstance(v, Endless) and within(span(v), spans.unsigned(width)):
        return v
    return unsigned(low_bits(v, width))


Operation: TypeAlias = Callable[[Instr, Sequence[Value], Sequence[int], int], Value]


def _binary(i: Instr, given: Sequence[Value], _: Sequence[int], width: int) -> Value:
    a, b = given
    if i.opcode == "shl":
        return infix("<<", a, as_unsigned(b, width))
    return infix(_INFIX[i.opcode], a, b)


def _right(i: Instr, given: Sequence[Value], _: Sequence[int], width: int) -> Value:
    read = as_signed if i.opcode == "ashr" else as_unsigned
    return infix(">>", read(given[0], width), as_unsigned(given[1], width))


def _divide(i: Instr, given: Sequence[Value], _: Sequence[int], width: int) -> Value:
    read = as_signed if i.opcode[0] == "s" else as_unsigned
    a, b = (read(x, width) for x in given)
    if isinstance(a, int) and isinstance(b, int) and b:
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if "div" in i.opcode else a - b * quotient
    return infix("/" if "div" in i.opcode else "%", a, b)


def _extend(i: Instr, given: Sequence[Value], widths: Sequence[int], _: int) -> Value:
    return (as_signed if i.opcode == "sext" else as_unsigned)(given[0], widths[0])


def _cut(_: Instr, given: Sequence[Value], __: Sequence[int], ___: int) -> Value:
    return given[0]


def _compare(i: Instr, given: Sequence[Value], widths: Sequence[int], _: int) -> Value:
    order = i.predicate
    is_signed = order[0] == "s" or (
        order in ("eq", "ne") and any(not isinstance(x, Endless) and span(x)[0] < 0 for x in given)
    )
    read = as_signed if is_signed else as_unsigned
    a, b = (read(x, widths[0]) for x in given)
    return infix(_COMPARISONS[order if order in ("eq", "ne") else order[1:]], a, b)


OPERATIONS: Final[Mapping[str, Operation]] = {
    **dict.fromkeys(_INFIX, _binary),
    **dict.fromkeys(("lshr", "ashr"), _right),
    **dict.fromkeys(("sdiv", "udiv", "srem", "urem"), _divide),
    **dict.fromkeys(("zext", "sext"), _extend),
    "trunc": _cut,
    "icmp": _compare,
}
