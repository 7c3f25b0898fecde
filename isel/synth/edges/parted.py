"""Sums of terms of several leaves, taken apart by leaf: many terms of one leaf are a function of
it, as counted bits are, which an instruction may have.  A product with a literal is a sum by its
bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from isel.ir.build import shl
from isel.ir.expr import Expr, const, leaves, show
from isel.ir.linear import Atom
from isel.ir.ops import natural
from isel.ir.ranges import range_of
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
    yield from _leaf_by_leaf(term) if term.op == "add" else ()


def by_leaf(every: Sequence[Monomial], width: int) -> tuple[Monomial, ...]:
    """Return monomials in which many of one leaf are one, where that has fewer bits: the same for
    all leaves of which there are the same.
    """
    found: dict[Monomial, None] = dict.fromkeys(every)
    for own in _of_leaves(every):
        own.sort(key=lambda m: (m.coefficient, [show(a.term) for a in m.atoms]))
        whole = rebuild(own, width)
        least = natural(range_of(whole).unsigned_bits)
        if len(own) >= _FUNCTION and least < width:
            found = {m: None for m in found if m not in own}
            found[Monomial(1, (Atom(rebuild(own, least), signed=False),))] = None
    return tuple(found)


def _of_leaves(every: Sequence[Monomial]) -> Iterable[list[Monomial]]:
    found: dict[Expr, list[Monomial]] = {}
    for m in every:
        inside = {x for atom in m.atoms for x in leaves(atom.term)}
        if len(inside) == 1:
            found.setdefault(inside.pop(), []).append(m)
    return found.values()


def _leaf_by_leaf(term: Expr) -> Iterator[tuple[Expr, Expr]]:
    every = monomials(term)
    for own in _of_leaves(every):
        if _FUNCTION <= len(own) < len(every):
            rest = [m for m in every if m not in own]
            yield rebuild(own, term.width), rebuild(rest, term.width)
