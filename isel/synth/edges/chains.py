"""Long sums as chains: each instruction takes neighbours in memory out of a sum, and adds what
the next one gives.

The order of the links decides nothing, so there is one chain and not a choice at each link: the
work grows with the number of terms.  What no link takes is a sum of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from isel.ir.build import add
from isel.ir.expr import Expr
from isel.ir.ops import signed
from isel.ir.spans import whole, within
from isel.synth.edges.fillings import Order, filled
from isel.synth.edges.found import arguments, sum_of_two
from isel.synth.edges.sums import Dots, Group, eligible, runs_of
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.linear import SumOfProducts, monomials, rebuild, summed

_LEAST: Final = 8  # terms; how the products of shorter sums are grouped is searched
_Taken: TypeAlias = tuple[LaneFn, SumOfProducts, Group]
Groups: TypeAlias = Callable[[SumOfProducts, Group, Order], Iterable[Group]]


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


def neighbours(shape: SumOfProducts, ms: Group, order: Order) -> Iterator[Group]:
    """Yield groups of neighbours in memory, none of them twice, that nearly fill the slots of a
    sum.
    """
    slots = len(shape.products)
    runs = runs_of(eligible(shape, ms, order), slots, order)
    return (g for g in runs if len(g) >= max(slots - 1, 2))


def by_place(shape: SumOfProducts, ms: Group, order: Order) -> Iterator[Group]:
    """Yield groups, none of them twice, that fill the slots of a sum, wherever their atoms are: in
    the order of memory, or by their factors where fewer literals do.
    """
    slots, found = len(shape.products), eligible(shape, ms, order)
    ordered = found, sorted(found, key=lambda m: abs(signed(m.coefficient, shape.width)))
    every = ([tuple(x[k : k + slots]) for k in range(0, len(x), slots)] for x in ordered)
    least = min(every, key=lambda groups: len({_factors(g) for g in groups} - {(1,)}))
    return (g for g in least if len(g) == slots)


def _factors(group: Group) -> tuple[int, ...]:
    return tuple(m.coefficient for m in group)


def chains_of(dots: Dots, term: Expr, order: Order) -> Iterator[Chain]:
    """Yield the chains that give a long sum: of neighbours in memory or, if there are none, of
    what lies anywhere; then, of products alone, the one with a product a link.

    ``dots`` and ``order`` are those of :func:`isel.synth.edges.sums.dot_edges`.
    """
    chain = chain_of(dots, term, order, neighbours) or chain_of(dots, term, order, by_place)
    if chain is None:
        return
    yield chain
    if all(len(m.atoms) > 1 for m in monomials(term)):
        single = [dot for dot in dots if len(dot[1].products) == 1]
        other = chain_of(single, term, order, by_place)
        if other is not None and other != chain:
            yield other


def computes(term: Expr) -> bool:
    """Tell whether summands are neither products nor elements."""
    return any(len(m.atoms) == 1 and m.atoms[0].term.args for m in monomials(term))


def chain_of(dots: Dots, term: Expr, order: Order, choose: Groups) -> Chain | None:
    """Return a chain that gives a long sum of products and elements, or of values of these, grouped
    as ``choose`` says; None for other terms.
    """
    ms = monomials(term) if term.op in ("add", "sub") else ()
    if sum(m.atoms != () and m.atoms[0].term.op != "extract" for m in ms) <= _LEAST:
        return None  # bits of an element are other instructions'
    own = [dot for dot in dots if dot[0].width == term.width and _accumulates(dot[1])]
    taken, left = _take(own, ms, order, choose)
    if len(taken) < 2:
        return None
    rest = rebuild(left, term.width)
    return Chain(tuple(_links(taken, rest, order)), rest)


def _take(dots: Dots, left: Group, order: Order, choose: Groups) -> tuple[list[_Taken], Group]:
    """Return the groups that functions take out of a sum, the largest first, and what is left."""
    taken: list[_Taken] = []
    for fn, shape in sorted(dots, key=lambda d: (-len(d[1].products), not d[1].addends)):
        groups = [g for g in choose(shape, left, order) if _fits(shape, g, order)]
        taken += [(fn, shape, g) for g in groups]
        gone = {m for g in groups for m in g}
        left = tuple(m for m in left if m not in gone)
    return taken, left


def _links(taken: Sequence[_Taken], value: Expr, order: Order) -> Iterator[Link]:
    """Yield the links of a chain that adds groups to a value, the last group first."""
    for fn, shape, group in reversed(taken):
        made, zero = rebuild(group, fn.width), value.is_const and not value.value
        total = made if zero else add(made, value)
        added = {shape.addends[0].term: value} if shape.addends else {}
        every = filled(shape, group, fn.width, order)
        ways = tuple(arguments(fn, args | added) for args in every)
        yield Link(total if added else made, fn, ways)
        if not added and not zero:
            yield Link(total, sum_of_two(fn.width), ((made, value),))
        value = total


def _fits(shape: SumOfProducts, group: Group, order: Order) -> bool:
    """Tell whether products fill the slots of a sum, which does not saturate."""
    span = summed(group, shape.width).bounds()
    return next(filled(shape, group, shape.width, order), None) is not None and (
        not shape.clamped or within(span, whole(shape.width, signed=True))
    )


def _accumulates(shape: SumOfProducts) -> bool:
    """Tell whether a function adds products to at most one value of its own width; where it
    saturates, to none.
    """
    one = not shape.clamped and len(shape.addends) == 1
    return not shape.addends or (one and shape.addends[0].term.width == shape.width)
