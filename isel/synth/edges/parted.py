"""Sums of terms of several leaves, taken apart by leaf: many terms of one leaf are a function of
it, as counted bits are, which an instruction may have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from isel.ir.expr import Expr, leaves
from isel.synth.values.linear import Monomial, monomials, rebuild

_FUNCTION: Final = 3  # terms of one leaf that are more than a factor and a shift of it


def parted(term: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield two values whose sum is ``term``, one of them all its terms of one leaf."""
    if term.op != "add":
        return
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
