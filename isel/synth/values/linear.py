"""Sums of products: the multilinear normal form of a term modulo ``2**width``, and lane functions
of that form.

A dot product is found by writing the wanted value as ``c0 + sum(ck * xk * yk)`` over narrow atoms
and filling the slots of an instruction's own sum with those monomials, instead of enumerating
operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from isel.ir.build import trunc
from isel.ir.expr import Expr, nodes
from isel.ir.linear import Atom, Linear, Product, linear
from isel.ir.ops import natural, signed
from isel.ir.ranges import range_of
from isel.ir.slices import bits


@dataclass(frozen=True, slots=True)
class Monomial:
    """``coefficient`` times the product of one or two atoms; none for the constant."""

    coefficient: int
    atoms: tuple[Atom, ...]

    @property
    def value(self) -> Atom | None:
        """The one atom that it is, None where it is something else."""
        return self.atoms[0] if len(self.atoms) == self.coefficient == 1 else None


@dataclass(frozen=True, slots=True)
class SumOfProducts:
    """A lane function ``outer(sum of holes + sum of products of holes)``.

    ``products`` pairs atoms whose narrow terms are holes; ``addends`` are single holes; ``clamped``
    tells that the sum saturates, so equality with a plain sum holds only where it stays in range.
    """

    width: int
    products: tuple[tuple[Atom, Atom], ...]
    addends: tuple[Atom, ...]
    clamped: bool


@cache
def monomials(e: Expr) -> tuple[Monomial, ...]:
    """Return the monomials whose sum is ``e`` modulo ``2**e.width``, in order of appearance."""
    form = linear(e, degree=2).modulo(e.width)
    return tuple(Monomial(c, p) for p, c in form.parts.items())


def factored(e: Expr, narrow: Callable[[Expr], Expr]) -> tuple[Monomial, ...]:
    """Return the monomials of a sum whose products stay products of what was multiplied, each
    factor in the least natural width that holds its values.
    """
    form = linear(e).modulo(e.width)
    return tuple(Monomial(c, _factors(p, narrow)) for p, c in form.parts.items())


def _factors(product: Product, narrow: Callable[[Expr], Expr]) -> Product:
    if len(product) != 1 or product[0].term.op != "mul":
        return product
    found: list[Atom] = []
    for x in product[0].term.args:
        width = natural(range_of(x).signed_bits)
        found.append(Atom(narrow(trunc(x, width)) if width < x.width else x, signed=True))
    fits = sum(x.term.width for x in found) <= product[0].term.width
    return tuple(found) if fits else product


def narrow_atoms(e: Expr) -> tuple[Monomial, ...]:
    """Return the monomials of a sum, each atom in the least natural width that holds its values."""
    return tuple(Monomial(m.coefficient, tuple(map(_cut, m.atoms))) for m in monomials(e))


def _cut(x: Atom) -> Atom:
    low, high = x.bounds()
    width = natural(high.bit_length()) if low >= 0 else x.term.width
    return x if width >= x.term.width else Atom(bits(x.term, 0, width), signed=False)


def rebuild(ms: Iterable[Monomial], width: int) -> Expr:
    """Return the term that a sum of monomials stands for."""
    return Linear({m.atoms: m.coefficient for m in ms}).term(width)


def summed(ms: Iterable[Monomial], width: int) -> Linear:
    """Return the sum of monomials over the integers, their coefficients being signed."""
    return Linear({m.atoms: signed(m.coefficient, width) for m in ms})


def unclamped(e: Expr) -> Expr | None:
    """Return the value inside a saturating narrow: ``extract(max(min(v, high), low))`` in
    either nesting.
    """
    if e.op != "extract" or e.int_attr(0) != 0:
        return None
    x = e.args[0]
    for _ in range(2):
        arms = [a for a in x.args[1:] if not a.is_const] if x.op == "ite" else []
        if len(arms) != 1:
            return None
        x = arms[0]
    return x


@cache
def sum_of_products(e: Expr) -> SumOfProducts | None:
    """Recognise a lane function of at least one product, over holes only."""
    inner = unclamped(e)
    body = inner or e
    ms = monomials(body) if any(s.op == "mul" for s in nodes(body)) else ()
    if len(ms) < 2 or not all(map(_is_of_leaves, ms)):
        return None
    products = tuple((m.atoms[0], m.atoms[1]) for m in ms if len(m.atoms) == 2)
    addends = tuple(m.atoms[0] for m in ms if len(m.atoms) == 1)
    return SumOfProducts(e.width, products, addends, inner is not None) if products else None


def _is_of_leaves(m: Monomial) -> bool:
    return m.coefficient == 1 and bool(m.atoms) and all(x.term.is_leaf for x in m.atoms)
