"""Integers that are put together of others as what these are."""

from __future__ import annotations

from frontends.llvm.meaning.lanes import Value, join
from isel.ir.build import extract, make, zext
from isel.ir.expr import Expr, const


def by_parts(value: Value) -> Value:
    """Return lanes that were joined bit by bit or moved by a number as what their parts are: wide
    ones by bytes, of others those of which the low bits are kept as the part that has these.
    """
    if value.width > 64 and value.width % 8 == 0:
        return by_bytes(value)
    lanes = (_low_part(e) if e.op == "and" else e for e in value.lanes)
    return Value(value.width, tuple(lanes), value.poison)


def by_bytes(value: Value) -> Value:
    """Return lanes that were joined bit by bit or moved by a number as what their bytes are: each
    of these depends on few bytes.
    """
    lanes = (join([_bits(e, k, 8) for k in range(0, value.width, 8)]) for e in value.lanes)
    return Value(value.width, tuple(lanes), value.poison)


def _bits(e: Expr, low: int, width: int) -> Expr:
    """Return bits of a term, of what it moves by a number or joins bit by bit where it does."""
    if e.op in ("and", "or", "xor"):
        return make(e.op, tuple(extract(x, low, width) for x in e.args))
    if e.op in ("shl", "lshr") and e.args[1].is_const:
        by = min(e.args[1].value, e.width)
        place = low + by if e.op == "lshr" else low - by
        if 0 <= place <= e.width - width:
            return extract(e.args[0], place, width)
        if place + width <= 0 or place >= e.width:
            return const(0, width)
    return extract(e, low, width)


def _low_part(e: Expr) -> Expr:
    for x, mask in (e.args, e.args[::-1]):
        if x.op == "concat" and mask.is_const and mask.value == (1 << x.args[1].width) - 1:
            return zext(x.args[1], e.width)
    return e
