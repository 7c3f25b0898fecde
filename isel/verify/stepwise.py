"""Queries that have no model by steps: somebody finds the steps, and they are replayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from isel.ir.domain import Range, both
from isel.ir.expr import Expr, joined_by, postorder
from isel.ir.ranges import said
from isel.model.steps import Finder
from isel.smt.query import Unsat
from isel.verify.limits import KEPT_QUERIES, MOST_QUERY_TERMS, MOST_STEPS
from isel.verify.steps import replay

STEPS: Final = "steps"


@lru_cache(maxsize=KEPT_QUERIES)
def by_steps(key: Expr, finder: Finder) -> Unsat | None:
    """Say that a one-bit term is never 1 where steps show it: two terms are said to differ in it
    that are equal where the rest holds.
    """
    if sum(1 for _ in postorder([key])) > MOST_QUERY_TERMS:
        return None
    parts = list(joined_by("and", key))
    for p in parts:
        facts = _facts(q for q in parts if q is not p)
        if any(_shows(left, right, facts, finder) for left, right in _pair(p)):
            return Unsat(STEPS)
    return None


def _pair(e: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield the two terms that a condition says are not equal."""
    inner = e.args[0] if e.op == "not" else e
    if inner is not e and inner.op == "eq" and inner.args[0].width > 1:
        yield inner.args[0], inner.args[1]


def _shows(left: Expr, right: Expr, facts: dict[Expr, Range], finder: Finder) -> bool:
    found = finder(left, right, facts, MOST_STEPS)
    return found is not None and not replay(found, left, right, facts)


def _facts(said_parts: Iterable[Expr]) -> dict[Expr, Range]:
    """Return the ranges of leaves that conditions say."""
    facts: dict[Expr, Range] = {}
    for x, r in (row for p in said_parts for row in said(p).items() if row[0].is_leaf):
        met = both(facts.get(x, r), r)
        if met is not None:
            facts[x] = met
    return facts
