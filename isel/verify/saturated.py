"""Steps by which two terms are equal, as a graph of equal terms finds them: no proof trusts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isel.verify.limits import MOST_QUERY_NODES, MOST_STEPS

if TYPE_CHECKING:
    from isel.ir.domain import Range
    from isel.ir.expr import Expr
    from isel.model.steps import Steps


def steps_of(
    left: Expr, right: Expr, facts: dict[Expr, Range], most: int = MOST_STEPS
) -> Steps | None:
    """Return steps by which two terms are equal where leaves are in ranges; None where rules do not
    show that in at most so many steps of the graph.

    Loads the graph: few queries get so far.
    """
    from isel.egraph.explain import explain
    from isel.egraph.graph import Contradiction, Graph, Spent
    from isel.egraph.saturate import saturate, start
    from isel.egraph.tables import rules
    from isel.rules.books import every_learned

    g = Graph(MOST_QUERY_NODES, most)
    try:
        a, b = start(g, (left, right), facts.items())
    except (Spent, Contradiction):
        return None
    saturate(g, (a, b), rules(every_learned()))
    if g.find(a) != g.find(b):
        return None
    try:
        return explain(g, a, b)
    except (Spent, AssertionError):
        return None
