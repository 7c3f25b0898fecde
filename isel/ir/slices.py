"""Some neighbouring bits of a term, computed from bits of what it is computed from."""

from __future__ import annotations

from functools import lru_cache

from isel.ir.build import band, concat, extract, make, zext
from isel.ir.expr import Expr, const, leaves
from isel.ir.limits import KEPT_TERMS

_BITWISE = ("and", "or", "xor", "not")


@lru_cache(maxsize=KEPT_TERMS)
def fields(e: Expr) -> tuple[Expr, Expr] | None:
    """Return the halves of what is moved and masked, where it was put together and neither half has
    bits of what the other is made of; None for other terms.
    """
    moved, h = e.args[0] if e.op == "and" else e, e.width // 2
    if moved is e or e.width % 2 or moved.op not in ("shl", "lshr"):
        return None
    if moved.args[0].op != "concat":
        return None
    low, high = masked_bits(e, 0, h), masked_bits(e, h, h)
    apart = leaves(low) and leaves(high) and set(leaves(low)).isdisjoint(leaves(high))
    return (low, high) if apart else None


def masked_bits(e: Expr, low: int, width: int) -> Expr:
    """Return :func:`bits` of a term, where it is masked by a literal without what that clears."""
    if e.op != "and" or not e.args[1].is_const:
        return bits(e, low, width)
    mask = e.args[1].value >> low & (1 << width) - 1
    kept = mask.bit_length()
    if not kept:
        return const(0, width)
    return zext(band(bits(e.args[0], low, kept), const(mask, kept)), width)


def bits(e: Expr, low: int, width: int) -> Expr:
    """Return ``width`` bits of a term from bit ``low`` on: logic, and moves by literals, of bits of
    its leaves as far as it is made of these.
    """
    if e.op in _BITWISE:
        return make(e.op, tuple(bits(a, low, width) for a in e.args))
    if e.op in ("shl", "lshr") and e.args[1].is_const:
        k = e.args[1].value
        at = low - k if e.op == "shl" else low + k
        if 0 <= at <= e.width - width:
            return bits(e.args[0], at, width)
    if e.op in ("zext", "sext") and low + width <= e.args[0].width:
        return bits(e.args[0], low, width)
    return _of_parts(e, low, width)


def _of_parts(e: Expr, low: int, width: int) -> Expr:
    """Return bits of a part of a term, or of two terms side by side."""
    if e.op == "extract":
        return bits(e.args[0], low + e.int_attr(0), width)
    if e.op != "concat":
        return extract(e, low, width)
    (high, least), k = e.args, e.args[1].width
    if low < k < low + width:
        return concat(bits(high, 0, low + width - k), bits(least, low, k - low))
    return bits(high, low - k, width) if low >= k else bits(least, low, width)
