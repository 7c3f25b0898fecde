"""Long sums as chains: each instruction takes neighbours in memory out of a sum, and adds what
the next one gives.

The order of the links decides nothing, so there is one chain and not a choice at each link: the
work grows with the number of terms.  What no link takes is a sum of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isel.ir.canon import formal
from isel.ir.expr import Expr
from isel.synth.dots import filled, neighbours
from isel.synth.groups import sum_of_two
from isel.synth.lanefn import LaneFn
from isel.synth.linear import SumOfProducts, monomials, rebuild

_LEAST: Final = 8  # terms; how the products of shorter sums are grouped is searched


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
    dots: Sequence[tuple[LaneFn, SumOfProducts]], term: Expr, order: Mapping[Expr, tuple[int, int]]
) -> Chain | None:
    """Return a chain that gives a long sum of products of neighbours, None for other terms.

    ``dots`` and ``order`` are those of :func:`isel.synth.dots.dot_edges`.
    """
    if term.op not in ("add", "sub"):
        return None
    left = list(monomials(term))
    if len(left) <= _LEAST:
        return None
    found: list[tuple[LaneFn, SumOfProducts, list[dict[Expr, Expr]]]] = []
    for fn, shape in sorted(dots, key=lambda d: (-len(d[1].products), not d[1].addends)):
        if fn.width != term.width or not _accumulates(shape):
            continue
        for group in neighbours(shape, left, term.width, order):
            ways = list(filled(shape, group, term.width))
            if ways:
                found.append((fn, shape, ways))
                left = [m for m in left if m not in group]
    if len(found) < 2:
        return None
    value = rest = rebuild(left, term.width)
    links: list[Link] = []
    for fn, shape, ways in reversed(found):
        for link in _linked(fn, shape, ways, value):
            links.append(link)
            value = link.value
    return Chain(tuple(links), rest)


def _accumulates(shape: SumOfProducts) -> bool:
    """Tell whether a function adds exact products to at most one value of its own width."""
    return not shape.clamped and (
        not shape.addends
        or (len(shape.addends) == 1 and shape.addends[0].term.width == shape.width)
    )


def _linked(
    fn: LaneFn, shape: SumOfProducts, ways: list[dict[Expr, Expr]], value: Expr
) -> Iterator[Link]:
    """Yield what adds products to a value, their operands by slot given in one or more ``ways``:
    one instruction, or one and an addition.
    """
    added = {shape.addends[0].term: value} if shape.addends else {}
    operands = tuple(
        tuple((args | added)[formal(i, w)] for i, w in enumerate(fn.widths)) for args in ways
    )
    made = fn.apply(*operands[0])
    yield Link(made, fn, operands)
    if not shape.addends and not (value.is_const and not value.value):
        total = sum_of_two(fn.width)
        yield Link(total.apply(made, value), total, ((made, value),))
