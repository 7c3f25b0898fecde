"""What was done to the functions of a module, searched or recalled, for the report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from frontends.llvm.opt.decided import Decided
from frontends.llvm.opt.function import FunctionWork
from frontends.llvm.report.tried import FunctionReport, WindowReport, is_scalable
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
    covered: tuple[int, Mapping[str, int]]
    for f in module.functions:
        work, kept = by_name.get(f.name), known.get(f.name)
        count = len(f.view.work)
        if work is not None:
            found, covered, cost = work.reports(), work.coverage(), work.cost()
        elif kept is not None:
            found, covered = kept.reports(module, f), (kept.inside, kept.left_out)
            cost = kept.cost
        else:
            functions.append(
                FunctionReport(f.name, skipped.get(f.name, ""), count, 0, {}, f.name in failed)
            )
            continue
        scalable = not found and is_scalable(f)
        functions.append(FunctionReport(f.name, "", count, *covered, False, cost, scalable))
        windows += found
    return tuple(functions), tuple(windows)
