"""The forms of each function side by side: which one is written, and how its lines are put
together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from frontends.llvm.limits import REFORMS_SAVE
from frontends.llvm.loops.form import Reform, has_reductions
from frontends.llvm.opt.function import FunctionWork
from frontends.llvm.report.reform import kept_reports
from frontends.llvm.splicing.write import Edits, Rewrite, compose, edits
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.transform.ledger import Ledger
from frontends.llvm.transform.table import REGROUPED_REDUCTIONS
from isel.model.mechanisms import Disabled, enabled
from isel.spec.instruction import Instructions


def forms_of(
    module: Module, function: Function, register: int, disabled: Disabled
) -> Iterator[tuple[Module, Function, Reform | None]]:
    """Yield a function as it is, and its other forms, with their modules."""
    yield module, function, None
    if not enabled(disabled, REGROUPED_REDUCTIONS) or not has_reductions(function):
        return
    from frontends.llvm.loops.reforms import reforms_of

    for reform in reforms_of(module, function, register):
        yield reform.module, reform.function, reform


def best(works: Sequence[FunctionWork], ledger: Ledger) -> list[FunctionWork]:
    """Return one form of each function: of those that are faster than the source the fastest that
    was not taken back, else the source's own, which reports the others.

    The works of a function follow each other, its own form first.
    """
    found: list[FunctionWork] = []
    for _, group in groupby(works, key=lambda w: w.function.name):
        own, *others = group
        ranked = _faster(others, own.after())
        for w in ranked:  # the function's own form reports those that were taken back
            if (why := ledger.why(w.entry)) is not None and w.reform is not None:
                own.notes += kept_reports(w.reform, why.reason)
        found.append(next((w for w in ranked if ledger.why(w.entry) is None), own))
    return found


def _faster(works: Sequence[FunctionWork], price: float | None) -> list[FunctionWork]:
    """Return the works that cost less than a price, or anything where there is none; the fastest
    first, of equal ones that of the cheapest programs.  What a loop carries in other lanes has to
    save more: joins take longer than an addition, which few iterations do not make up for.
    """
    most = math.inf if price is None else price
    shares = (1 - REFORMS_SAVE if w.reform and w.reform.carries else 1 for w in works)
    costs = [(w.after(), most * x, k) for k, (w, x) in enumerate(zip(works, shares, strict=True))]
    better = ((a, _price(works[k]), k) for a, least, k in costs if a is not None and a < least)
    return [works[k] for *_, k in sorted(better)]


def _price(work: FunctionWork) -> int:
    return sum(c.candidate.program.cost for c in work.chosen())


def edits_of(
    works: Sequence[FunctionWork], rewrites: Sequence[Rewrite], instructions: Instructions
) -> dict[str, Edits]:
    """Return what becomes of the lines of each function that changes; raise
    :class:`frontends.llvm.splicing.emit.EmissionError`.
    """
    found: dict[str, Edits] = {}
    for work in works:
        name = work.function.name
        own = [r for r in rewrites if r.site.function == name]
        new = edits(work.module, own, instructions).get(name)
        if (reform := work.reform) is not None:
            length = len(reform.original.span)
            new = reform.edits if new is None else compose(reform.edits, new, length)
        if new is not None:
            found[name] = new
    return found
