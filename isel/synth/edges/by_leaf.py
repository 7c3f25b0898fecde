"""Long sums, and those over GF(2), as two that have no leaf in common: each may be had by a lookup
or by a matrix, however its terms were mixed with the other's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain
from typing import Final

from isel.ir.build import make
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, leaves
from isel.synth.limits import FEW_LEAVES
from isel.synth.values.bank import Application
from isel.synth.values.lanefn import lane_fn

_SUMS: Final = ("xor", "add", "or", "and")


def leaf_edges(term: Expr) -> Iterator[Application]:
    """Yield a sum as what has some leaf, and the rest."""
    if term.op not in _SUMS or not 2 <= len(leaves(term)) <= FEW_LEAVES:
        return
    groups: list[list[Expr]] = []
    literals, terms = [], []
    for e in _summands(term):
        (literals if e.is_const else terms).append(e)
    for e in terms:
        own = [g for g in groups if not set(leaves(e)).isdisjoint(leaves(*g))]
        groups = [*(g for g in groups if g not in own), [*chain(*own), e]]
    groups[0] += literals
    fn = lane_fn(canonical(make(term.op, (formal(0, term.width), formal(1, term.width))))[0])
    for group in groups if len(groups) > 1 else ():
        rest = [e for g in groups if g is not group for e in g]
        args = _joined(term.op, group), _joined(term.op, rest)
        if set(args) != set(term.args):
            yield fn, args


def _joined(op: str, terms: Sequence[Expr]) -> Expr:
    return reduce(lambda x, y: make(op, (x, y)), terms)


def _summands(term: Expr) -> Iterator[Expr]:
    stack = [term]
    while stack:
        e = stack.pop()
        if e.op == term.op:
            stack += e.args
        else:
            yield e
