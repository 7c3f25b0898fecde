"""Sums of products: the multilinear normal form of a term modulo ``2**width``, and lane functions
of that form.

A dot product is found by writing the wanted value as ``c0 + sum(ck * xk * yk)`` over narrow atoms
and filling the slots of an instruction's own sum with those monomials, instead of enumerating
operands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from isel.ir.build import extract, make, sext, zext
from isel.ir.expr import Expr, const, postorder

_MAX_TERMS = 24


@dataclass(frozen=True, slots=True)
class Atom:
    """A narrow term and how it is extended to the width of the sum."""

    narrow: Expr
    signed: bool


@dataclass(frozen=True, slots=True)
class Monomial:
    """``coefficient`` times the product of one or two atoms; none for the constant."""

    coefficient: int
    atoms: tuple[Atom, ...]


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
def _linear(e: Expr) -> tuple[Monomial, ...] | None:
    """Return the monomials of ``e`` modulo ``2**e.width`` in order of appearance, or None if
    there are too many.
    """
    w = e.width
    if e.is_const:
        return (Monomial(e.value, ()),) if e.value else ()
    match e.op:
        case "add" | "sub":
            a, b = _linear(e.args[0]), _linear(e.args[1])
            if a is None or b is None:
                return None
            return _collect(w, [*a, *(b if e.op == "add" else _scaled(b, -1, w))])
        case "neg":
            a = _linear(e.args[0])
            return None if a is None else _collect(w, list(_scaled(a, -1, w)))
        case "shl":
            if e.args[1].is_const:
                a = _linear(e.args[0])
                return None if a is None else _collect(w, list(_scaled(a, 1 << e.args[1].value, w)))
        case "mul":
            a, b = _linear(e.args[0]), _linear(e.args[1])
            if a is None or b is None or len(a) * len(b) > _MAX_TERMS:
                return None
            product = [
                Monomial(x.coefficient * y.coefficient, (*x.atoms, *y.atoms)) for x in a for y in b
            ]
            if all(len(m.atoms) <= 2 for m in product):
                return _collect(w, product)
        case "zext" | "sext":
            inner = _exact_extension(e)
            if inner is not None:
                return inner
            return (Monomial(1, (Atom(e.args[0], e.op == "sext"),)),)
        case "extract":
            if e.int_attr(0) == 0:
                a = _linear(e.args[0])
                if (
                    a is not None
                    and len(a) > 1
                    and all(x.narrow.width <= w for m in a for x in m.atoms)
                ):
                    return _collect(w, list(a))
    return (Monomial(1, (Atom(e, False),)),)


def _exact_extension(e: Expr) -> tuple[Monomial, ...] | None:
    """Return the sum under an extension where no intermediate value can overflow its width."""
    x = e.args[0]
    if x.op not in ("add", "sub", "mul", "shl"):
        return None
    inner = _linear(x)
    if inner is None or len(inner) > 8:
        return None
    low = high = 0
    half, full = 1 << (x.width - 1), 1 << x.width
    fixed: list[Monomial] = []
    for m in inner:
        c = m.coefficient if m.coefficient < half else m.coefficient - full
        lo, hi = c, c
        for a in m.atoms:
            n = a.narrow.width
            if n >= x.width:
                return None
            least, most = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if a.signed else (0, (1 << n) - 1)
            ends = (lo * least, lo * most, hi * least, hi * most)
            lo, hi = min(ends), max(ends)
        low, high = low + lo, high + hi
        fixed.append(Monomial(c, m.atoms))
    fits = (low >= 0 and high < full) if e.op == "zext" else (-half <= low and high < half)
    return _collect(e.width, fixed) if fits else None


def _scaled(ms: tuple[Monomial, ...], k: int, w: int) -> list[Monomial]:
    return [Monomial(m.coefficient * k & ((1 << w) - 1), m.atoms) for m in ms]


def _collect(w: int, ms: list[Monomial]) -> tuple[Monomial, ...] | None:
    total: dict[tuple[Atom, ...], int] = {}
    for m in ms:
        key = m.atoms
        if len(key) == 2 and key[::-1] in total:
            key = key[::-1]
        total[key] = (total.get(key, 0) + m.coefficient) & ((1 << w) - 1)
    found = tuple(Monomial(c, k) for k, c in total.items() if c)
    return found if len(found) <= _MAX_TERMS else None


def monomials(e: Expr) -> tuple[Monomial, ...] | None:
    """Return ``e`` as a sum of monomials modulo ``2**e.width``, or None if it has too many."""
    return _linear(e)


def rebuild(ms: tuple[Monomial, ...], width: int) -> Expr:
    """Return the term that a sum of monomials stands for."""
    result: Expr | None = None
    for m in ms:
        value: Expr | None = None
        for a in m.atoms:
            x = extend(a, width)
            value = x if value is None else make("mul", (value, x))
        c = const(m.coefficient, width)
        if value is None:
            value = c
        elif m.coefficient != 1:
            value = make("mul", (value, c))
        result = value if result is None else make("add", (result, value))
    return const(0, width) if result is None else result


def extend(a: Atom, width: int) -> Expr:
    """Return the atom at the width of its sum."""
    if a.narrow.width >= width:
        return extract(a.narrow, 0, width)
    return sext(a.narrow, width) if a.signed else zext(a.narrow, width)


def _unclamped(e: Expr) -> Expr | None:
    """Return the value inside a saturating narrow: ``extract(max(min(v, high), low))`` in
    either nesting.
    """
    if e.op != "extract" or e.int_attr(0) != 0:
        return None
    x = e.args[0]
    for _ in range(2):
        if x.op != "ite":
            return None
        arms = [a for a in x.args[1:] if not a.is_const]
        if len(arms) != 1:
            return None
        x = arms[0]
    return x


@cache
def sum_of_products(e: Expr) -> SumOfProducts | None:
    """Recognise a lane function of at least one product, over holes only."""
    inner = _unclamped(e)
    body = e if inner is None else inner
    if not any(s.op == "mul" for s in postorder([body])):
        return None
    ms = monomials(body)
    if ms is None or len(ms) < 2:
        return None
    products: list[tuple[Atom, Atom]] = []
    addends: list[Atom] = []
    for m in ms:
        if m.coefficient != 1 or not m.atoms or any(not a.narrow.is_leaf for a in m.atoms):
            return None
        if len(m.atoms) == 2:
            products.append((m.atoms[0], m.atoms[1]))
        else:
            addends.append(m.atoms[0])
    if not products:
        return None
    return SumOfProducts(e.width, tuple(products), tuple(addends), inner is not None)
