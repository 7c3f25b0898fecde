"""Edges to the high half of a product, for what is a product shifted to the right."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.rules.apply import RuleSet
from isel.rules.books import book
from isel.rules.derived import smulhi, umulhi
from isel.rules.proofs import proofs
from isel.rules.recognise import recognised
from isel.synth.values.lanefn import LaneFn, lane_fn


@cache
def _rules() -> RuleSet:
    return RuleSet(book("products").rules, proofs())


_HALVES: Final = {
    "lshr": ("umulhi", umulhi),
    "zext": ("umulhi", umulhi),
    "ashr": ("smulhi", smulhi),
    "sext": ("smulhi", smulhi),
}


def high_edges(fns: Collection[LaneFn], term: Expr) -> Iterator[tuple[LaneFn, tuple[Expr, ...]]]:
    """Yield (function, operands) for a product that is shifted to the right."""
    if term.op not in _HALVES or term.width > 64:
        return
    name, half = _HALVES[term.op]
    fn = lane_fn(canonical(half(formal(0, term.width), formal(1, term.width)))[0])
    if fn not in fns:
        return
    for _, made in _rules().every(term):
        for use in recognised(made, (name,)):
            yield fn, use.args
