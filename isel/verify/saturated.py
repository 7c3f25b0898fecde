"""Lanes shown equal by steps: a graph finds them, the checker replays them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from isel.egraph.explain import explained
from isel.egraph.graph import Contradiction, Graph, Spent
from isel.egraph.saturate import added, saturate
from isel.ir.domain import Range, both
from isel.ir.expr import Expr, postorder
from isel.ir.ranges import said
from isel.model.steps import Steps
from isel.smt.query import Unsat
from isel.verify.steps import replay

STEPS: Final = "steps"
_MOST_TERMS: Final = 200  # of a query
_MOST_NODES: Final = 1200


def steps_of(left: Expr, right: Expr, facts: dict[Expr, Range]) -> Steps | None:
    """Return steps by which two terms are equal where leaves are in ranges; None where rules do not
    show that.
    """
    g = Graph(_MOST_NODES)
    done: dict[Expr, int] = {}
    try:
        a, b = added(g, left, done), added(g, right, done)
        for x, r in facts.items():
            if x in done:
                g.assume(done[x], r)
    except (Spent, Contradiction):
        return None
    saturate(g, (a, b))
    if g.find(a) != g.find(b):
        return None
    try:
        return explained(g, a, b)
    except (Spent, AssertionError):
        return None


def by_steps(key: Expr) -> Unsat | None:
    """Say that a one-bit term is never 1 where steps show it: two terms are said to differ in it
    that are equal where the rest holds.
    """
    if sum(1 for _ in postorder([key])) > _MOST_TERMS:
        return None
    parts = list(_parts(key))
    for p in parts:
        inner = p.args[0] if p.op == "not" else p
        if inner is p or inner.op != "eq" or inner.args[0].width == 1:
            continue
        facts: dict[Expr, Range] = {}
        for f in parts:
            for x, r in said(f).items() if f is not p else ():
                met = both(facts.get(x, r), r)
                if x.is_leaf and met is not None:
                    facts[x] = met
        left, right = inner.args
        found = steps_of(left, right, facts)
        if found is not None and not replay(found, left, right, facts):
            return Unsat(STEPS)
    return None


def _parts(e: Expr) -> Iterator[Expr]:
    """Yield what a conjunction says."""
    if e.op == "and" and e.width == 1:
        for a in e.args:
            yield from _parts(a)
    else:
        yield e
