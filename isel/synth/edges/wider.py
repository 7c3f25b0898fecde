"""Edges to a sum of products in another width, in which an instruction adds up more products than
in the sum's own: to bits of it from those bits in a greater width, and from part of it in half.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from isel.ir.build import zext
from isel.ir.canon import formal
from isel.ir.expr import Expr
from isel.ir.linear import Linear
from isel.ir.slices import bits
from isel.synth.edges.fillings import Order
from isel.synth.edges.found import Found, sum_of_two
from isel.synth.edges.sums import Dots, Group, fill, reads
from isel.synth.limits import LEAST_PRODUCTS, LEAST_WIDER
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.linear import monomials, rebuild, summed


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


def half_edges(dots: Dots, term: Expr, order: Order) -> Iterator[Found]:
    """Yield a sum of products as an extension of the most of these that fit in half its width, in
    which alone instructions add up several, made positive by a literal, and the rest.  What else
    is added is added last, as loops carry it.
    """
    width, several = term.width, {fn.width for fn, shape in dots if len(shape.products) > 1}
    if width // 2 in several and width not in several:
        yield from _halves(monomials(term), width, order)


def _halves(ms: Group, width: int, order: Order) -> Iterator[Found]:
    products = sorted((m for m in ms if len(m.atoms) > 1), key=lambda m: reads(m, order))
    others, join = [m for m in ms if len(m.atoms) == 1], sum_of_two(width)
    half, part = width // 2, _most(tuple(products), width)
    if part is None:
        return
    if others:
        inner = rebuild([m for m in ms if m not in others], width)
        yield Found(join, (rebuild(others, width), inner), join)
        return
    rest = summed(ms, width).plus(part, -1).modulo(width)
    beside = rest.term(width) if rest.parts else None
    cast = lane_fn(zext(formal(0, half), width))
    yield Found(cast, (part.modulo(half).term(half),), join, beside)


def _most(products: Group, width: int) -> Linear | None:
    """Return the sum of the most of products that fit in half a width, made positive."""
    for k in range(len(products), LEAST_PRODUCTS - 1, -1):
        part = summed(products[:k], width)
        low, high = part.bounds()
        if high - low < 1 << (width // 2):
            return part.plus(Linear({(): max(-low, 0)}))
    return None
