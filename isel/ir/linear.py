"""Terms as sums: integers times atoms, or times products of two atoms, and a constant.

An atom is an interned term read as an unsigned or a signed number.  What a sum stands for is a
number over the integers; the term is that number modulo two to its width.  Extensions are looked
through where their operand, as a sum, has no value beyond its width.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.build import add, extract, mul, sext, zext
from isel.ir.expr import Expr, const, unseen
from isel.ir.limits import KEPT_TERMS
from isel.ir.ops import signed
from isel.ir.ranges import range_of
from isel.ir.slices import bits
from isel.ir.spans import Span

_MOST: Final = 512  # parts of a sum; a term of more is an atom
_MOST_PRODUCTS: Final = 24  # of two sums that are multiplied out
_ANY: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Atom:
    """A term read as an unsigned number, or as two's complement."""

    term: Expr
    signed: bool

    def at(self, width: int) -> Expr:
        """Return the term of this value modulo ``2**width``."""
        if self.term.width >= width:
            return extract(self.term, 0, width)
        return sext(self.term, width) if self.signed else zext(self.term, width)

    def cut(self, width: int) -> Atom:
        """Return an atom of at most ``width`` bits that is the same modulo ``2**width``."""
        return self if self.term.width <= width else Atom(self.at(width), signed=False)

    def bounds(self) -> Span:
        """Return the least and the greatest value."""
        return range_of(self.term).read(signed=self.signed)

    def field(self) -> Atom:
        """Return the bits that a masked or shifted leaf has of it, as an atom of as many."""
        e = self.term
        width = range_of(e).unsigned_bits if e.op in ("and", "lshr") else 0
        if not 0 < width < e.width:
            return self
        found = bits(e, 0, width)
        return (
            Atom(found, signed=False) if found.op == "extract" and found.args[0].is_leaf else self
        )


Product: TypeAlias = tuple[Atom, ...]
"""One atom or two; none where a factor is the constant."""


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of factors, none of them zero, times products of atoms, in the order of their
    appearance.
    """

    parts: Mapping[Product, int]

    @property
    def constant(self) -> int:
        """What is added to products of atoms."""
        return self.parts.get((), 0)

    @property
    def size(self) -> int:
        """How many products of atoms are added up."""
        return len(self.parts) - (() in self.parts)

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """Add ``factor`` times another sum."""
        more = other if factor == 1 else other.times(factor)
        return Linear(_sum(more.parts.items(), dict(self.parts)))

    def times(self, factor: int) -> Linear:
        """Multiply by an integer."""
        return Linear({p: factor * c for p, c in self.parts.items()} if factor else {})

    def bounds(self) -> Span:
        """Return the least and the greatest value of the sum."""
        low = high = 0
        for product, factor in self.parts.items():
            span = reduce(spans.TWO["mul"], (a.bounds() for a in product), (factor, factor))
            low, high = low + span[0], high + span[1]
        return low, high

    def term(self, width: int) -> Expr:
        """Return the term of this value modulo ``2**width``."""
        parts = [_term(p, c, width) for p, c in self.parts.items()]
        return reduce(add, parts) if parts else const(0, width)

    def in_fields(self) -> Linear:
        """Return the same sum whose atoms are fields of leaves where they can be."""
        fields = ((tuple(a.field() for a in p), c) for p, c in self.parts.items())
        return Linear(_sum(fields, {}))

    def modulo(self, width: int) -> Linear:
        """Return a sum of atoms of at most ``width`` bits, with factors below ``2**width``."""
        cut = ((tuple(a.cut(width) for a in p), c) for p, c in self.parts.items())
        mask = (1 << width) - 1
        return Linear({p: c & mask for p, c in _sum(cut, {}).items() if c & mask})


def _term(product: Product, factor: int, width: int) -> Expr:
    factors = [a.at(width) for a in product]
    if factor != 1 or not product:
        factors.append(const(factor, width))
    return reduce(mul, factors)


def _sum(more: Iterable[tuple[Product, int]], total: dict[Product, int]) -> dict[Product, int]:
    """Add factors by product, whose atoms may be in either order, to a sum, which is changed."""
    for p, factor in more:
        key = p if len(p) < 2 or p in total or p[::-1] not in total else p[::-1]
        total[key] = total.get(key, 0) + factor
    return total if all(total.values()) else {p: c for p, c in total.items() if c}


_DONE: Final[dict[tuple[int, int], dict[Expr, Linear]]] = {}


def linear(root: Expr, *, degree: int = 1, width: int = _ANY) -> Linear:
    """Return the sum that a term is modulo ``2**width``, or to its own width.

    Products of two terms that vary are atoms, or, with a ``degree`` of 2, multiplied out.
    """
    done = _DONE.setdefault((degree, width), {})
    if len(done) > KEPT_TERMS:
        done.clear()
    for e in unseen(root, done):
        found = _read(e, done, degree, width)
        done[e] = found if len(found.parts) <= _MOST else _atom(e)
    return done[root]


def _atom(e: Expr, *, sign: bool = False) -> Linear:
    return Linear({(Atom(e, sign),): 1})


def _read(e: Expr, done: Mapping[Expr, Linear], degree: int, width: int) -> Linear:
    """Return a term as a sum by its operands as sums, each modulo its own width or ``width``."""
    if e.is_const:
        value = signed(e.value, e.width)
        return Linear({(): value} if value else {})
    args = [done[a] for a in e.args]
    match e.op:
        case "add":
            return args[0].plus(args[1])
        case "or" if _is_disjoint(*e.args):
            return args[0].plus(args[1])
        case "sub":
            return args[0].plus(args[1], -1)
        case "neg":
            return args[0].times(-1)
        case "shl" if e.args[1].is_const and e.args[1].value < e.width:
            return args[0].times(1 << e.args[1].value)
        case "mul":
            return _multiplied(args[0], args[1], degree) or _atom(e)
        case "extract" if e.int_attr(0) == 0:
            return args[0]
        case "zext" | "sext":
            x, sign = e.args[0], e.op == "sext"
            if x.width >= width or spans.within(
                args[0].bounds(), spans.whole(x.width, signed=sign)
            ):
                return args[0]
            return _atom(x, sign=sign)
    return _atom(e)


def _is_disjoint(a: Expr, b: Expr) -> bool:
    """Tell whether no bit can be 1 in both of two terms, so that either joins them as a sum."""
    return range_of(a).zeros | range_of(b).zeros == (1 << a.width) - 1


def _multiplied(a: Linear, b: Linear, degree: int) -> Linear | None:
    """Return the product of two sums; None where that is not wanted or has too many parts."""
    if len(a.parts) * len(b.parts) > _MOST_PRODUCTS and a.size and b.size:
        return None
    found = _sum(_products(a, b), {})
    return Linear(found) if all(len(p) <= degree for p in found) else None


def _products(a: Linear, b: Linear) -> Iterator[tuple[Product, int]]:
    for x, c in a.parts.items():
        for y, d in b.parts.items():
            yield (*x, *y), c * d
