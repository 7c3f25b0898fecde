"""Products as unknowns within their bounds: what holds for all such values holds for the products.

Solvers that spell a product in bits cannot see its range; what both sides of an equality make of one product seldom
needs more than that.
"""

from __future__ import annotations

from typing import Final

from isel.ir.build import all_of, make, sle
from isel.ir.expr import Expr, const, postorder, var
from isel.ir.intervals import full, intervals

_NARROWEST: Final = 16  # below, solvers are as fast with the product itself


def without_products(bit: Expr) -> Expr | None:
    """Return a one-bit term that can be 1 wherever ``bit`` can: its products of two terms are new leaves, bounded by intervals.

    None where there is no such product.
    """
    nodes = list(postorder([bit]))
    known = intervals(bit)
    swaps: dict[Expr, Expr] = {}
    bounds: list[Expr] = []
    for e in nodes:
        if e.op == "mul" and e.width >= _NARROWEST and not any(a.is_const for a in e.args):
            fresh = swaps[e] = var(f"product{len(swaps)}", e.width)
            low, high = known[e]
            if (low, high) != full(e.width):
                bounds.append(sle(const(low, e.width), fresh))
                bounds.append(sle(fresh, const(high, e.width)))
    if not swaps:
        return None
    done: dict[Expr, Expr] = {}
    for e in nodes:
        done[e] = swaps.get(e) or (make(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e)
    return all_of(done[bit], *bounds)
