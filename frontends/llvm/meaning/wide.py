"""Integers of more than 64 bits as what their bytes are."""

from __future__ import annotations

from frontends.llvm.meaning.lanes import Value, join
from isel.ir.build import extract, make
from isel.ir.expr import Expr, const


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
