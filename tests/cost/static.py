"""The static figure of llvm-mca: what it calls block reciprocal throughput."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.costs.mca import Mca
from isel.cost.block import block_cost
from isel.cost.code import Block
from isel.cost.ports import Usage
from isel.cost.prices import Prices


def group_bound(usages: Iterable[Usage]) -> float:
    """Return the greatest load of a single port group, without what smaller groups put on its
    ports.

    This is the static "block reciprocal throughput" that llvm-mca prints; it never exceeds
    :func:`port_bound`.
    """
    load: dict[int, float] = {}
    for u in usages:
        load[u.ports] = load.get(u.ports, 0.0) + u.cycles
    return max((cycles / mask.bit_count() for mask, cycles in load.items() if mask), default=0.0)


def block_throughput(block: Block, prices: Prices) -> float:
    """Return the greater of the bounds by dispatch and by single port groups, in cycles; it is at
    most what the block costs.
    """
    known = (prices.of(o.form) for o in block.operations)
    usages = [u for p in known if p is not None for u in p.usages]
    return max(block_cost(block, prices).dispatch, group_bound(usages))


def simulated_cycles(mca: Mca, blocks: Sequence[Sequence[str]], cpu: str) -> list[float]:
    """Return the simulated cycles per pass of each block, by a full run of llvm-mca."""
    return [s["TotalCycles"] / 100 for s in mca.summaries(blocks, cpu, 100)]
