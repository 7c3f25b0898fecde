"""A loop of one block and few passes, of scalars, as vectors: a lane for each pass.

LLVM looks for neighbours among what one pass stores, and vectorises loops whose passes are many;
transforms of pictures are neither: each of eight passes computes a row or a column, and what they
load or store lies at multiples of a stride.  What lies side by side in the passes is loaded and
stored as it is, and what lies so in a pass is transposed.  Where bytes that are written may be
reached through another address, the vectors stand behind a check.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from frontends.llvm.meaning.limits import STRAIGHT_PASSES
from frontends.llvm.passes.counting import Loop, loop_of
from frontends.llvm.text.ast import Block, IntType, VectorType
from frontends.llvm.text.syntax import is_masked_load
from frontends.llvm.transform.site import Change, Opportunity, Scope


def _write(scope: Scope, loop: Loop, names: Iterator[str]) -> Change:
    """Return what the lines of a loop become."""
    from frontends.llvm.transform.lanes import Lanes
    from frontends.llvm.transform.loop_blocks import lines_of
    from frontends.llvm.transform.straight import straight

    s = straight(scope.graph, loop, names)
    lanes = Lanes(s, names)
    blocks = s.blocks(scope.view, lanes.write(), names)
    says = f"{len(loop.numbers)} passes as lanes"
    if s.check:
        says += ", behind a check of what is accessed"
    return Change(lines_of(scope, blocks), says, declarations=lanes.lines.declarations)


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield loops of few passes that load and store scalars, in program order."""
    for b in scope.view.blocks:
        stores = [i for i in b.instrs if i.opcode == "store"]
        c = loop_of(scope.view, b.label) if stores else None
        few = c is not None and 1 < len(c.numbers) <= STRAIGHT_PASSES and c.latch == c.header
        if c is not None and few and _loads_few(b, len(c.numbers)):
            yield Opportunity(stores[0], partial(_write, scope, c)).attempt(scope)


def _loads_few(b: Block, passes: int) -> bool:
    """Tell whether what a block loads are scalars, or fewer lanes than there are passes."""
    kinds = [i.type for i in b.instrs if i.opcode == "load"]
    scalar = any(map(is_masked_load, b.instrs)) or any(isinstance(k, IntType) for k in kinds)
    return scalar and all(k.count < passes for k in kinds if isinstance(k, VectorType))
