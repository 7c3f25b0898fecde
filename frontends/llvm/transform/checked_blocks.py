"""A block that loads and stores scalars, any of which may be another one in memory, as vectors
behind a check that they are not.

LLVM leaves such blocks scalar, or checks before whole loops only where what is accessed there is
known at once.  What its own passes make of the block by itself, where no two extents meet
(:mod:`frontends.llvm.transform.block_vectors`), is what stands behind the check; the block as it
was stands beside.
"""

from __future__ import annotations

from collections.abc import Iterator

from frontends.llvm.limits import CHECKED_BLOCKS_LEAST
from frontends.llvm.text.ast import Block, Instr, VectorType
from frontends.llvm.transform.site import Opportunity, Scope


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield blocks that store scalars and load some after that, in program order."""
    roots = [(b.label, root) for b in scope.view.blocks if (root := _root(b)) is not None]
    if roots:
        from frontends.llvm.transform.block_vectors import Vectors

        vectors = Vectors(scope)
        yield from (vectors.of(label, root) for label, root in roots)


def _root(block: Block) -> Instr | None:
    """Return the first load behind the first store of a block, None where there are few of these or
    it has vectors already.
    """
    stores = (n for n, i in enumerate(block.instrs) if i.opcode == "store")
    loads = [i for i in block.instrs[next(stores, len(block.instrs)) :] if i.opcode == "load"]
    few = len(loads) < CHECKED_BLOCKS_LEAST
    return None if few or any(isinstance(i.type, VectorType) for i in block.instrs) else loads[0]
