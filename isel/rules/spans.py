"""The range of one operation, primitive or derived, by the ranges of its operands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from isel.ir.canon import formal
from isel.ir.domain import Range, full, literal, reduced
from isel.ir.expr import Expr, postorder, term
from isel.ir.ops import OPS, Attr
from isel.ir.spans import Span
from isel.ir.transfer import TRANSFER
from isel.rules.derived import expanded
from isel.rules.limits import KEPT_RANGES, KEPT_SHAPES


@lru_cache(maxsize=KEPT_SHAPES)
def operation(op: str, attr: Attr, widths: tuple[int, ...]) -> Expr:
    """Return an operation of formals; raises :class:`isel.ir.ops.WidthError` where it has none."""
    args = tuple(formal(k, w) for k, w in enumerate(widths))
    if op in OPS:
        return term(op, *args, attr=attr)
    return expanded(op, args, tuple(a for a in attr if isinstance(a, int)))


@lru_cache(maxsize=KEPT_SHAPES)
def _parts(op: str, attr: Attr, widths: tuple[int, ...]) -> tuple[Expr, ...]:
    return tuple(e for e in postorder([operation(op, attr, widths)]) if not e.is_leaf)


@lru_cache(maxsize=KEPT_RANGES)
def range_of_operation(op: str, attr: Attr, args: tuple[Range, ...]) -> Range:
    """Return a range of what an operation gives for operands of these ranges."""
    widths = tuple(a.width for a in args)
    known = {formal(k, a.width): a for k, a in enumerate(args)}
    last = known[formal(0, widths[0])]
    for e in _parts(op, attr, widths):
        last = known[e] = TRANSFER[e.op](e, known) if e.args else literal(e.value, e.width)
    return last


def range_of_sum(width: int, constant: int, parts: Sequence[tuple[Range, int]]) -> Range:
    """Return a range of a constant and ranges times factors, modulo ``2**width``."""
    low = high = constant
    twos, ones = width, 0
    for r, factor in parts:
        u, s = r.unsigned, r.signed
        span: Span = u if u[1] - u[0] <= s[1] - s[0] else s
        ends = (span[0] * factor, span[1] * factor)
        low, high = low + min(ends), high + max(ends)
        twos = min(twos, r.low_zeros + (factor & -factor or 1 << width).bit_length() - 1)
    size, half = 1 << width, 1 << (width - 1)
    turn = low // size * size
    u_span = (low - turn, high - turn) if high - turn < size else None
    turn = (low + half) // size * size
    s_span = (low - turn, high - turn) if high - turn < half else None
    ones, below = constant & ((1 << twos) - 1), (1 << twos) - 1
    return reduced(width, u_span, s_span, below & ~ones, ones) or full(width)
