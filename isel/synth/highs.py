"""Edges to the high half of a product: a factor that is shifted up first makes the half of any
shift of a product to the right.

Bytes are shifted up by half their lane where they are interleaved with zeros the other way round,
so that this costs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from isel.ir.build import concat, extract, make, shl, zext
from isel.ir.canon import formal
from isel.ir.expr import Expr, const
from isel.synth.lanefn import LaneFn, lane_fn


def high_edges(fns: Collection[LaneFn], term: Expr) -> Iterator[tuple[LaneFn, tuple[Expr, ...]]]:
    """Yield (function, operands) for ``x * y >> k``; the caller checks them on samples:
    ``x << width - k`` may lose bits.
    """
    shifted = _shifted(term)
    if shifted is None:
        return
    (x, y), amount = shifted
    w = term.width
    wide = make("mul", (zext(formal(0, w), 2 * w), zext(formal(1, w), 2 * w)))
    fn = lane_fn(extract(wide, w, w))
    if fn not in fns:
        return
    for a, b in ((x, y), (y, x)):
        if a.op == "zext" and a.args[0].width <= amount:
            yield fn, (concat(zext(a.args[0], amount), const(0, w - amount)), b)
        elif not a.is_const:
            yield fn, (shl(a, const(w - amount, w)), b)


def _shifted(term: Expr) -> tuple[tuple[Expr, Expr], int] | None:
    """Return the factors of a product of a term's width and by how much it is shifted to the
    right, all that is left being kept.
    """
    e, w = term, term.width
    if (
        e.op == "zext"
        and e.args[0].op == "extract"
        and e.args[0].int_attr(0) + e.args[0].width == w
    ):
        product, amount = e.args[0].args[0], e.args[0].int_attr(0)
    elif e.op == "lshr" and e.args[1].is_const:
        product, amount = e.args[0], e.args[1].value
    else:
        return None
    return (
        ((product.args[0], product.args[1]), amount)
        if product.op == "mul" and product.width == w and 0 < amount < w
        else None
    )
