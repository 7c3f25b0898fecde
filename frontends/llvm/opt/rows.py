"""What was done to the functions of a module, searched or recalled, for the report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from frontends.llvm.opt.decided import Decided
from frontends.llvm.opt.function import FunctionWork
from frontends.llvm.report.tried import FunctionReport, WindowReport
from frontends.llvm.text.ast import Module


def rows_of(
    module: Module,
    works: Sequence[FunctionWork],
    known: Mapping[str, Decided],
    skipped: Mapping[str, str],
    failed: Collection[str],
) -> tuple[tuple[FunctionReport, ...], tuple[WindowReport, ...]]:
    """Return the reports of a module's functions and windows: of what was searched, of what was
    ``known``, and of functions that were ``skipped`` for a reason.
    """
    by_name = {w.function.name: w for w in works}
    functions: list[FunctionReport] = []
    windows: list[WindowReport] = []
    for f in module.functions:
        work, kept = by_name.get(f.name), known.get(f.name)
        count = sum(1 for b in f.blocks for i in b.instrs if i.opcode != "dbg")
        if work is not None:
            functions.append(FunctionReport(f.name, "", count, *work.coverage(), cost=work.cost()))
            windows += work.reports()
        elif kept is not None:
            functions.append(
                FunctionReport(f.name, "", count, kept.inside, kept.left_out, cost=kept.cost)
            )
            windows += kept.reports(module, f)
        else:
            functions.append(
                FunctionReport(f.name, skipped.get(f.name, ""), count, 0, {}, f.name in failed)
            )
    return tuple(functions), tuple(windows)
