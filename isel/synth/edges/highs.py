"""Edges to the high half of a product, for what is a product shifted to the right."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from isel.egraph.terms import ruled
from isel.ir.build import extract
from isel.ir.expr import Expr, nodes
from isel.rules.derived import smulhi, umulhi
from isel.rules.recognise import recognised
from isel.synth.edges.found import of_two
from isel.synth.values.lanefn import LaneFn

_HALVES: Final = {
    "lshr": ("umulhi", umulhi),
    "zext": ("umulhi", umulhi),
    "ashr": ("smulhi", smulhi),
    "sext": ("smulhi", smulhi),
}


def upper_halves(term: Expr, wide: frozenset[int]) -> Iterator[tuple[Expr, int]]:
    """Yield the upper halves of products of ``wide`` bits that are shifted by half of these or
    more, and by how much more.
    """
    for e in nodes(term):
        by = e.int_attr(0) if e.op == "extract" else _amount(e)
        half = e.args[0].width // 2 if e.args else 0
        if 2 * half in wide and half <= by and any(x.op == "mul" for x in nodes(e.args[0])):
            yield extract(e.args[0], half, half), by - half


def _amount(e: Expr) -> int:
    shifted = e.op in ("lshr", "ashr") and e.args[1].is_const
    return min(e.args[1].value, e.width) if shifted else 0


def high_edges(fns: Collection[LaneFn], term: Expr) -> Iterator[tuple[LaneFn, tuple[Expr, ...]]]:
    """Yield (function, operands) for a product that is shifted to the right."""
    if term.op not in _HALVES or term.width > 64:
        return
    name, half = _HALVES[term.op]
    fn = of_two(half, term.width)
    if fn not in fns:
        return
    for _, made in ruled("products").every(term):
        for use in recognised(made, (name,)):
            yield fn, use.args
