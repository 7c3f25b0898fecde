"""Sums by leaf, and products with a literal by its bits."""

from __future__ import annotations

from isel.ir.build import extract, make, shl, zext
from isel.ir.canon import canonical
from isel.ir.expr import Expr, const, elem
from isel.synth.edges.parted import by_leaf, shifts
from isel.synth.values.linear import monomials

X, Y = elem("x", 0, 8), elem("y", 0, 8)


def bits(x: Expr, count: int) -> list[Expr]:
    return [zext(extract(x, k, 1), 8) for k in range(count)]


def total(terms: list[Expr]) -> Expr:
    found = terms[0]
    for t in terms[1:]:
        found = make("add", (found, t))
    return found


def test_a_product_with_a_literal_of_two_bits_is_a_sum_of_shifts() -> None:
    (parts,) = shifts(make("mul", (X, const(10, 8))))
    assert set(parts) == {shl(X, const(3, 8)), shl(X, const(1, 8))}
    assert list(shifts(make("mul", (X, const(11, 8))))) == []
    assert list(shifts(make("mul", (X, Y)))) == list(shifts(make("add", (X, const(3, 8))))) == []


def test_counts_of_leaves_are_values_of_one_function() -> None:
    wide = [zext(extract(x, k, 1), 64) for x in (X, Y) for k in range(8)]
    found = by_leaf(monomials(total(wide)), 64)
    (first, second) = (m.atoms[0].term for m in found)
    assert first.width == 8 and canonical(first)[0] is canonical(second)[0]
    assert len(by_leaf(monomials(total(wide[6:10])), 64)) == 4
