"""What the analysis of a lane class begins with: the values of its term on samples, the terms near
it and the functions that are worth trying, once for all that is asked of one term.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush

from isel.interp.evaluate import evaluate_all
from isel.ir.expr import Expr
from isel.ir.ops import Lanes
from isel.synth.edges.highs import upper_halves
from isel.synth.edges.relevant import native_terms, relevant
from isel.synth.instructions.library import Library
from isel.synth.limits import FEW_KEPT
from isel.synth.values.constants import constants_of
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.questions import Question
from isel.synth.values.samples import ALGEBRA, samples


def values_of(question: Question) -> dict[Expr, Lanes]:
    """Return the samples of a term and its sub-terms: one dictionary, to which others are added,
    for all questions with the same samples.
    """
    return _values(replace(question, places=(), deep=False, others=(), disabled=()))


@lru_cache(maxsize=FEW_KEPT)
def _values(question: Question) -> dict[Expr, Lanes]:
    return evaluate_all([question.term], samples(question), ALGEBRA)


@lru_cache(maxsize=FEW_KEPT)
def functions_for(
    library: Library, term: Expr
) -> tuple[tuple[int, ...], dict[Expr, int], list[LaneFn]]:
    """Return the literals of a term, the wider terms that hold it in their upper parts with the
    amounts by which it is shifted there, and functions to try.
    """
    literals, amounts = constants_of(term)
    uppers = {x: by for x, by in upper_halves(term, library.high_products) if x is not term}
    amounts |= frozenset(uppers.values())
    return literals, uppers, relevant(library.functions(amounts), term)


def near_terms(root: Expr) -> list[Expr]:
    """Return the sub-terms of a term in the widths of instructions, the near ones first; casts are
    no steps.
    """
    distance = {root: 0}
    queue: list[tuple[int, int, Expr]] = [(0, 0, root)]
    count = 0
    found: dict[Expr, None] = {}
    while queue:
        near, _, e = heappop(queue)
        if near > distance[e]:
            continue
        if e is not root and not e.is_const:
            found.update((x, None) for x in native_terms(e))
        for a in e.args:
            step = near + (0 if e.op in ("zext", "sext", "extract", "concat") else 1)
            if step < distance.get(a, 99):
                distance[a] = step
                count += 1
                heappush(queue, (step, count, a))
    return list(found)
