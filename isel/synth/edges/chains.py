"""Long sums as chains: each instruction takes neighbours in memory out of a sum, and adds what
the next one gives.

The order of the links decides nothing, so there is one chain and not a choice at each link: the
work grows with the number of terms.  What no link takes is a sum of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from isel.ir import spans
from isel.ir.build import add
from isel.ir.canon import formal
from isel.ir.expr import Expr
from isel.synth.edges.dots import Order, by_place, filled, in_order, neighbours
from isel.synth.edges.groups import sum_of_two
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.linear import Monomial, SumOfProducts, monomials, rebuild, summed

_LEAST: Final = 8  # terms; how the products of shorter sums are grouped is searched
_Group: TypeAlias = tuple[Monomial, ...]
_Taken: TypeAlias = tuple[LaneFn, SumOfProducts, _Group]
Groups: TypeAlias = Callable[[SumOfProducts, _Group, Order], Iterable[_Group]]


@dataclass(frozen=True, slots=True)
class Link:
    """``value`` equals ``fn`` of each of ``ways``; the last link of a chain has the value of the
    sum.
    """

    value: Expr
    fn: LaneFn
    ways: tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """Links, each of which uses the ones before it, and what the first one adds to."""

    links: tuple[Link, ...]
    rest: Expr


def chain_of(
    dots: Sequence[tuple[LaneFn, SumOfProducts]],
    term: Expr,
    order: Order,
    choose: Groups,
) -> Chain | None:
    """Return a chain that gives a long sum of products, grouped as ``choose`` says; None for other
    terms.

    ``dots`` and ``order`` are those of :func:`isel.synth.edges.dots.dot_edges`.
    """
    if term.op not in ("add", "sub"):
        return None
    left = monomials(term)
    if any(shape.rows for _, shape in dots):
        left = in_order(left, order)
    if sum(len(m.atoms) > 1 or not m.atoms[0].term.args for m in left if m.atoms) <= _LEAST:
        return None  # computed summands (absolute differences) have instructions of their own
    taken: list[_Taken] = []
    for fn, shape in sorted(dots, key=lambda d: (-len(d[1].products), not d[1].addends)):
        if fn.width == term.width and _accumulates(shape):
            groups = [g for g in choose(shape, left, order) if _fits(shape, g)]
            taken += [(fn, shape, g) for g in groups]
            gone = {m for g in groups for m in g}
            left = tuple(m for m in left if m not in gone)
    if len(taken) < 2:
        return None
    rest = rebuild(left, term.width)
    return Chain(tuple(_links(taken, rest)), rest)


def chains_of(
    dots: Sequence[tuple[LaneFn, SumOfProducts]], term: Expr, order: Order
) -> Iterator[Chain]:
    """Yield the chains that give a long sum: of neighbours in memory or, if there are none, of
    what lies anywhere; then, of products alone, the one with a product a link.
    """
    chosen = (chain_of(dots, term, order, groups) for groups in (neighbours, by_place))
    chain = next((c for c in chosen if c is not None), None)
    if chain is None:
        return
    yield chain
    single = [dot for dot in dots if len(dot[1].products) == 1]
    if all(len(m.atoms) > 1 for m in monomials(term)):
        other = chain_of(single, term, order, by_place)
        if other is not None and other != chain:
            yield other


def _links(taken: Sequence[_Taken], value: Expr) -> Iterator[Link]:
    """Yield what adds products to a value: for each group one instruction, or one and an
    addition.
    """
    for fn, shape, group in reversed(taken):
        added = {shape.addends[0].term: value} if shape.addends else {}
        ways = tuple(
            tuple((args | added)[formal(i, w)] for i, w in enumerate(fn.widths))
            for args in filled(shape, group, fn.width)
        )
        made, zero = rebuild(group, fn.width), value.is_const and not value.value
        total = made if zero else add(made, value)
        yield Link(total if added else made, fn, ways)
        if not added and not zero:
            yield Link(total, sum_of_two(fn.width), ((made, value),))
        value = total


def _fits(shape: SumOfProducts, group: _Group) -> bool:
    """Tell whether products fill the slots of a sum, which does not saturate."""
    whole = spans.whole(shape.width, signed=True)
    return next(filled(shape, group, shape.width), None) is not None and (
        not shape.clamped or spans.within(summed(group, shape.width).bounds(), whole)
    )


def _accumulates(shape: SumOfProducts) -> bool:
    """Tell whether a function adds products to at most one value of its own width; where it
    saturates, to none.
    """
    return not shape.addends or (
        not shape.clamped and len(shape.addends) == 1 and shape.addends[0].term.width == shape.width
    )
