"""Sums taken apart by leaf."""

from __future__ import annotations

from isel.ir.build import extract, make, shl, zext
from isel.ir.canon import canonical
from isel.ir.expr import Expr, const, elem
from isel.synth.edges.parted import by_leaf, parted
from isel.synth.values.linear import monomials

X, Y = elem("x", 0, 8), elem("y", 0, 8)


def bits(x: Expr, count: int) -> list[Expr]:
    return [zext(extract(x, k, 1), 8) for k in range(count)]


def total(terms: list[Expr]) -> Expr:
    found = terms[0]
    for t in terms[1:]:
        found = make("add", (found, t))
    return found


def test_many_terms_of_one_leaf_are_one_value() -> None:
    ((own, rest),) = parted(total([*bits(X, 8), Y]))
    assert own is not Y and rest is Y
    assert {own.op, rest.op} == {"add", "elem"}


def test_few_terms_and_one_leaf_are_left() -> None:
    assert list(parted(total([*bits(X, 2), Y]))) == []
    assert list(parted(total(bits(X, 8)))) == []
    assert list(parted(make("mul", (X, Y)))) == []
    assert list(parted(make("add", (X, const(3, 8))))) == []


def test_a_product_with_a_literal_of_two_bits_is_a_sum_of_shifts() -> None:
    (parts,) = parted(make("mul", (X, const(10, 8))))
    assert set(parts) == {shl(X, const(3, 8)), shl(X, const(1, 8))}
    assert list(parted(make("mul", (X, const(11, 8))))) == []


def test_counts_of_leaves_are_values_of_one_function() -> None:
    wide = [zext(extract(x, k, 1), 64) for x in (X, Y) for k in range(8)]
    found = by_leaf(monomials(total(wide)), 64)
    (first, second) = (m.atoms[0].term for m in found)
    assert first.width == 8 and canonical(first)[0] is canonical(second)[0]
    assert len(by_leaf(monomials(total(wide[6:10])), 64)) == 4
