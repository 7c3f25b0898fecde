"""Sums of terms of several leaves, taken apart by leaf: many terms of one leaf are a function of
it, as counted bits are, which an instruction may have.  A product with a literal is a sum by its
bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from isel.ir.build import shl
from isel.ir.expr import Expr, const, leaves
from isel.synth.limits import SHIFTS_A_PRODUCT
from isel.synth.values.linear import Monomial, monomials, rebuild

_FUNCTION: Final = 3  # terms of one leaf that are more than a factor and a shift of it


def parted(term: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield two values whose sum is ``term``: one of them all its terms of one leaf, or shifts of a
    factor.
    """
    if term.op == "mul" and term.args[1].is_const:
        x, factor = term.args[0], term.args[1].value
        if factor.bit_count() == SHIFTS_A_PRODUCT:
            high, low = factor.bit_length() - 1, (factor & -factor).bit_length() - 1
            yield shl(x, const(high, term.width)), shl(x, const(low, term.width))
    yield from _by_leaf(term) if term.op == "add" else ()


def _by_leaf(term: Expr) -> Iterator[tuple[Expr, Expr]]:
    by_leaf: dict[Expr, list[Monomial]] = {}
    every = monomials(term)
    for m in every:
        inside = {x for atom in m.atoms for x in leaves(atom.term)}
        if len(inside) == 1:
            by_leaf.setdefault(inside.pop(), []).append(m)
    for own in by_leaf.values():
        if _FUNCTION <= len(own) < len(every):
            rest = [m for m in every if m not in own]
            yield rebuild(own, term.width), rebuild(rest, term.width)
