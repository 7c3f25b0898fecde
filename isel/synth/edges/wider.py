"""Edges to bits of a sum of products from those bits of it in a greater width, in which an
instruction adds up more products than in the sum's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from isel.ir.expr import Expr
from isel.ir.slices import bits
from isel.synth.edges.fillings import Order
from isel.synth.edges.found import Found
from isel.synth.edges.sums import Dots, Group, fill, reads
from isel.synth.limits import LEAST_WIDER
from isel.synth.values.linear import monomials, summed


def wider_edges(dots: Dots, term: Expr, order: Order) -> Iterator[Found]:
    """Yield applications of ``dots`` that hold a term in bits of theirs, by all products at once:
    only a literal is added to these.
    """
    part = bits(term, 0, term.width)
    total, by = (part.args[0], part.int_attr(0)) if part.op == "extract" else (term, 0)
    ms = _products(total, order)
    for fn, shape in dots if ms else ():
        if fn.width > total.width and not shape.clamped:
            wide = monomials(summed(ms, total.width).term(fn.width))
            found = fill(fn, shape, wide, fn.width, order)
            yield from (replace(x, by=by) for x in found if _is_whole(x))


def _products(total: Expr, order: Order) -> Group:
    """Return the monomials of a sum of several with weights, of elements of one register: those of
    others would have to be brought beside them.
    """
    ms = monomials(total) if total.op in ("add", "sub") else ()
    products = [m for m in ms if m.atoms]
    if len(products) < LEAST_WIDER or all(m.coefficient == 1 for m in ms):
        return ()
    return ms if len({tuple(x[0] for x in reads(m, order)) for m in products}) == 1 else ()


def _is_whole(found: Found) -> bool:
    """Tell whether nothing else is computed in the greater width."""
    computed = (a for a in found.args if a.args and a.width == found.fn.width)
    return found.rest is None and not any(computed)
