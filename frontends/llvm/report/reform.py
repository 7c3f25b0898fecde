"""What reports say of functions in another form, in places of the source."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from frontends.llvm.loops.form import Reform, has_reductions
from frontends.llvm.meaning.partial import is_partial
from frontends.llvm.report.tried import Outcome, Place, WindowReport, place_of
from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.transform.table import REGROUPED_REDUCTIONS

_GROUPED: Final = "one of the groupings that the call leaves open"
_REDUCED: Final = "by induction: both reduce to the same value"


def place_in(reform: Reform | None, module: Module, function: str, root: Instr) -> Place:
    """Return where an instruction is in the source: a new one is where the reduction is that it
    belongs to.
    """
    if reform is None:
        return place_of(module, function, root)
    own = reform.roots.get(root.name) or reform.original.view.defs[root.name]
    return place_of(reform.source, function, own)


def regrouped_reports(reform: Reform) -> list[WindowReport]:
    """Return a report for each reduction whose lanes are other ones."""
    name = reform.function.name
    return [
        WindowReport(
            place_of(reform.source, name, row.root),
            Outcome.REWRITTEN,
            row.before,
            after=row.after,
            proof=_GROUPED if is_partial(row.root) else _REDUCED,
            operations=len(row.before),
            by=REGROUPED_REDUCTIONS,
        )
        for row in reform.rows
    ]


def kept_reports(reform: Reform, why: str) -> list[WindowReport]:
    """Return a report for each reduction that keeps its lanes after all."""
    return [
        replace(r, outcome=Outcome.KEPT, proof="", reason=why) for r in regrouped_reports(reform)
    ]


def first_reports(module: Module, function: Function, reform: Reform | None) -> list[WindowReport]:
    """Return a report for each reduction that a form regroups, or in the source's own form for each
    whose lanes may not be regrouped.
    """
    if reform is not None:
        return regrouped_reports(reform)
    if not has_reductions(function):
        return []
    from frontends.llvm.loops.reforms import left_alone

    return [
        WindowReport(
            place_of(module, function.name, i),
            Outcome.KEPT,
            (i.text.strip(),),
            reason=why,
            by=REGROUPED_REDUCTIONS,
        )
        for i, why in left_alone(function)
    ]
