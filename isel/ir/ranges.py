"""The ranges of terms, each computed once, and comparisons that they decide.

A range holds for all values of the leaves, or, where facts are given, for those that satisfy them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from isel.ir import spans
from isel.ir.build import make
from isel.ir.domain import Range, both, either, full, literal
from isel.ir.expr import Expr, const, unseen
from isel.ir.limits import KEPT_TERMS
from isel.ir.spans import within
from isel.ir.transfer import ORDERS, TRANSFER, given


class Ranges:
    """Ranges where one-bit terms, the facts, are 1; a fact that contradicts others says nothing."""

    def __init__(self, facts: Iterable[Expr] = ()) -> None:
        self._known: dict[Expr, Range] = {}
        self._decided: dict[Expr, Expr] = {}
        self._given: dict[Expr, Range] = {}
        for f in facts:
            for x, a in said(f).items():
                self._given[x] = both(self._given.get(x, a), a) or a

    def of(self, root: Expr) -> Range:
        """Return the range of a term."""
        known = self._known
        if len(known) > KEPT_TERMS:
            known.clear()
        for e in unseen(root, known):
            known[e] = self._one(e)
        return known[root]

    def _one(self, e: Expr) -> Range:
        found = TRANSFER[e.op](e, self._known) if e.args else _leaf(e)
        said = self._given.get(e) if self._given else None
        return found if said is None else both(found, said) or found

    def decide(self, root: Expr) -> Expr:
        """Return a term that is equal where the facts hold, without the comparisons that ranges
        decide.
        """
        done = self._decided
        if len(done) > KEPT_TERMS:
            done.clear()
        for e in unseen(root, done):
            answer = self.of(e) if e.op in ORDERS else None
            if answer is not None and answer.is_const:
                done[e] = const(answer.unsigned[0], 1)
            else:
                done[e] = make(e.op, tuple([done[a] for a in e.args]), e.attr) if e.args else e
        return done[root]


def _leaf(e: Expr) -> Range:
    return literal(e.value, e.width) if e.is_const else full(e.width)


def said(fact: Expr, holds: bool = True) -> dict[Expr, Range]:
    """Return what a one-bit term, or its opposite, says of terms that it compares with literals."""
    if fact.op == "not":
        return said(fact.args[0], not holds)
    if fact.op in ("and", "or") and fact.width == 1:
        a, b = (said(x, holds) for x in fact.args)
        if (fact.op == "and") == holds:
            met = {x: both(a[x], b[x]) for x in a if x in b}
            return {**a, **b, **{x: r for x, r in met.items() if r is not None}}
        return {x: either(a[x], b[x]) for x in a if x in b}
    if fact.op not in ORDERS or not any(a.is_const for a in fact.args):
        return {}
    ends = {a: _leaf(a) if a.is_const else full(a.width) for a in fact.args}
    found = {x: given(fact, holds, x, ends[x], ends) for x in fact.args if not x.is_const}
    return {x: r for x, r in found.items() if r is not None}


_ANYWHERE: Final = Ranges()


def range_of(e: Expr) -> Range:
    """Return the range of a term, whatever its leaves are."""
    return _ANYWHERE.of(e)


def high(e: Expr) -> int:
    """Return the greatest that a term may be, unsigned, whatever its leaves are."""
    return range_of(e).unsigned[1]


def decide(root: Expr) -> Expr:
    """Return an equal term without the comparisons that ranges decide."""
    return _ANYWHERE.decide(root)


def ranges_where(facts: Iterable[Expr]) -> Ranges:
    """Return the ranges of terms where facts hold."""
    about = [f for f in facts if said(f)]
    return Ranges(about) if about else _ANYWHERE


def fits(op: str, x: Expr, y: Expr, *, signed: bool) -> bool:
    """Tell whether a sum, difference or product is that of the integers its operands are read
    as.
    """
    a, b = (range_of(e).read(signed=signed) for e in (x, y))
    return within(spans.TWO[op](a, b), spans.whole(x.width, signed=signed))
