"""Stencils that reuse what they computed: columns once, and moved; of an earlier pass, carried.

A sum of loads on a grid (:mod:`frontends.llvm.transform.stencils`) is a sum of columns that
differ by their place: those between two registers of columns are lanes of both.  The register
before is one of the same block, or was computed in the pass before, and comes by a phi.  Where a
pass goes down by a row, rows are computed once and carried as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from frontends.llvm.limits import STENCILS_LEAST
from frontends.llvm.text.ast import VectorType
from frontends.llvm.transform.site import Change, Opportunity, Scope, stay

if TYPE_CHECKING:  # loaded where there are enough loads
    from frontends.llvm.transform.stencils import Plan


def _write(scope: Scope, label: str, plans: Sequence[Plan], names: Iterator[str]) -> Change:
    """Return what the lines of a block become."""
    from frontends.llvm.text.lines import Lines
    from frontends.llvm.transform.columns import Writer

    writer = Writer(scope, label, Lines(names))
    for plan in plans:
        writer.write(plan)
    return writer.change()


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the blocks with stencils that have something in common, in program order."""
    for b in scope.view.blocks:
        vectors = sum(i.opcode == "load" and isinstance(i.type, VectorType) for i in b.instrs)
        if vectors >= STENCILS_LEAST:
            from frontends.llvm.transform.stencils import plans_of

            plans = plans_of(scope, b)
            if isinstance(plans, str):
                yield stay(b.instrs[0], plans)
            elif plans:
                root = plans[0].group[0].terms.root
                yield Opportunity(root, partial(_write, scope, b.label, plans), scope.why_small)
