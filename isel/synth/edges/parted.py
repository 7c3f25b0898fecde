"""Sums and products in other parts: many terms of one leaf are a function of it, as counted bits
are, which an instruction may have; a product with a literal is a sum by its bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from isel.ir.build import shl
from isel.ir.canon import formal, rename
from isel.ir.expr import Expr, const, leaves, show
from isel.ir.linear import Atom
from isel.ir.ops import natural
from isel.ir.ranges import range_of
from isel.synth.limits import SHIFTS_A_PRODUCT
from isel.synth.values.linear import Monomial, rebuild

_FUNCTION: Final = 3  # terms of one leaf that are more than a factor and a shift of it


def shifts(term: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield two values whose sum is a product with a literal of two bits: shifts of the factor."""
    if term.op == "mul" and term.args[1].is_const:
        x, factor = term.args[0], term.args[1].value
        if factor.bit_count() == SHIFTS_A_PRODUCT:
            high, low = factor.bit_length() - 1, (factor & -factor).bit_length() - 1
            yield shl(x, const(high, term.width)), shl(x, const(low, term.width))


def by_leaf(every: Sequence[Monomial], width: int) -> tuple[Monomial, ...]:
    """Return monomials in which many of one leaf are one, where that has fewer bits: the same for
    all leaves of which there are the same.
    """
    found: dict[Monomial, None] = dict.fromkeys(every)
    for x, own in _of_leaves(every).items():
        least = natural(range_of(rebuild(own, width)).unsigned_bits)
        if len(own) >= _FUNCTION and least < width:
            found = {m: None for m in found if m not in own}
            found[Monomial(1, (Atom(_value(x, own, least), signed=False),))] = None
    return tuple(found)


def _value(x: Expr, own: Sequence[Monomial], width: int) -> Expr:
    """Return a sum of monomials of one leaf, in an order that does not depend on that."""
    any_leaf = formal(0, x.width)
    same = [
        replace(m, atoms=tuple(replace(a, term=rename(a.term, {x: any_leaf})) for a in m.atoms))
        for m in own
    ]
    same.sort(key=lambda m: (m.coefficient, [show(a.term) for a in m.atoms]))
    return rename(rebuild(same, width), {any_leaf: x})


def _of_leaves(every: Sequence[Monomial]) -> Mapping[Expr, list[Monomial]]:
    found: dict[Expr, list[Monomial]] = {}
    for m in every:
        inside = {x for atom in m.atoms for x in leaves(atom.term)}
        if len(inside) == 1:
            found.setdefault(inside.pop(), []).append(m)
    return found
