"""CEGIS on a scaled lane first: what it finds is proved on the real one, else the real one is
searched.
"""

from __future__ import annotations

from dataclasses import replace

from isel.ir.build import ne
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves
from isel.ir.ops import WidthError
from isel.smt.portfolio import default_portfolio
from isel.smt.query import Query, Unsat
from isel.synth.cegis.samples import bank
from isel.synth.cegis.scale import Scale, scale_for
from isel.synth.cegis.search import DEFAULT_EFFORT, Check, cegis
from isel.synth.cegis.types import Exhausted, Found, Grammar, Outcome


def cegis_scaled(
    lane: Expr,
    grammar: Grammar,
    effort: int = DEFAULT_EFFORT,
    premise: Expr | None = None,
    *,
    check: Check | None = None,
    lanes: int = 1,
) -> Outcome:
    """Search like :func:`isel.synth.cegis.search.cegis`, on narrower elements first where the lane
    has wide ones.

    An answer from the small scale is never called optimal: only sizes at full width count.
    """
    holds = const(1, 1) if premise is None else premise
    scale = scale_for([e.width for e in leaves(lane, holds)])
    if scale is None:
        return cegis(lane, grammar, effort, premise, check=check, lanes=lanes)
    prove = check or default_portfolio().check
    first = _on_small(lane, holds, grammar, effort // 2, scale, prove, lanes)
    if isinstance(first, Found):
        return first
    spent = 0 if first is None else first.effort
    second = cegis(lane, grammar, max(effort - spent, 0), premise, check=check, lanes=lanes)
    return replace(second, effort=second.effort + spent)


def _on_small(
    lane: Expr, holds: Expr, grammar: Grammar, effort: int, scale: Scale, check: Check, lanes: int
) -> Outcome | None:
    small, premise = scale.term(lane), scale.term(holds)
    over = leaves(lane, holds)
    if (
        small is None
        or premise is None
        or leaves(small, premise) != tuple(scale.leaf(e) for e in over)
    ):
        return None
    try:
        answer = cegis(small, scale.grammar(grammar), effort, premise, lanes=lanes)
    except WidthError:
        return None
    if not isinstance(answer, Found):
        return answer
    parts = {c.name: c for c in grammar.components}
    inputs = (*over, *grammar.constants)
    known = list(inputs)
    for name, numbers in answer.steps:
        c = parts[name]
        known.append(
            instantiate(c.fn, dict(zip(c.formals, (known[n] for n in numbers), strict=True)))
        )
    values = tuple(known[len(inputs) :])
    if bank(lane, holds, over).mismatch(values[-1]) is not None or not isinstance(
        check(Query((holds, ne(lane, values[-1])))), Unsat
    ):
        return Exhausted(grammar.name, 0, answer.effort)
    return Found(
        grammar.name, inputs, answer.steps, values, answer.cost, len(values) == 1, answer.effort
    )
