"""Cost of a block: the greatest of the dispatch, port-subset, scheduler and loop-carried latency
bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from isel.cost.chains import Timing
from isel.cost.code import Block, Code, Loop, Operation, Traffic
from isel.cost.lines import Lines
from isel.cost.ports import Usage, port_bound
from isel.cost.prices import Price, Prices

Waits: TypeAlias = tuple[tuple[Loop, tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True)
class BlockCost:
    """Cycles for one pass over a block, by bound, and the forms that have no price with their
    counts.

    ``path`` is what its longest chain of operations takes: no bound where passes overlap.
    """

    dispatch: float
    ports: float
    carried: float
    path: float
    missing: tuple[tuple[str, int], ...]
    hidden: tuple[tuple[str, float], ...]  # each spill and constant load with its own throughput
    waiting: float = 0.0  # bound by how many operations of all passes can wait at a time
    blocked: float = 0.0  # by loads of what several stores wrote

    @property
    def cycles(self) -> float:
        """The cost of the block in cycles."""
        return max(self.dispatch, self.ports, self.carried, self.waiting, self.blocked)

    @property
    def kinds(self) -> Counter[str]:
        """How many spills and loads of constants there are."""
        return Counter(kind for kind, _ in self.hidden)


def beyond_hidden(allowed: Mapping[str, int], *costs: BlockCost) -> float:
    """Charge every spill and constant load that is not allowed its own price, hidden behind
    nothing.
    """
    extra = 0.0
    for kind in (Traffic.SPILL, Traffic.CONSTANT):
        prices = sorted((p for c in costs for k, p in c.hidden if k == kind), reverse=True)
        extra += sum(prices[: max(0, len(prices) - allowed.get(kind, 0))])
    return extra


def block_cost(block: Block, prices: Prices, lines: Lines | None = None) -> BlockCost:
    """Return what one pass over ``block`` costs; operations without a price are left out and
    named.

    Without ``lines`` no access touches two lines of memory.
    """
    return _block_cost(block, Timing(prices), lines)


def _block_cost(block: Block, timing: Timing, lines: Lines | None) -> BlockCost:
    prices, chains = timing.prices, timing.of(block.operations, repeats=block.repeats)
    priced = [(o, p) for o in block.operations if (p := prices.of(o.form)) is not None]
    missing = Counter(o.form for o in block.operations if prices.of(o.form) is None)
    hidden = [
        (str(o.traffic), max(p.throughput, p.uops / prices.dispatch))
        for o, p in priced
        if o.traffic is not Traffic.NONE
    ]
    return BlockCost(
        dispatch=sum(p.uops for _, p in priced) / prices.dispatch,
        ports=port_bound([*_open(priced, prices), *_split(block, prices, lines)]),
        carried=chains.carried,
        path=chains.path,
        missing=tuple(sorted(missing.items())),
        hidden=tuple(sorted(hidden)),
        waiting=chains.waiting,
        blocked=chains.blocked,
    )


def _split(block: Block, prices: Prices, lines: Lines | None) -> Iterator[Usage]:
    if lines is not None and prices.split is not None:
        for o in block.operations:
            yield from lines.split(o, prices.split)


def _open(priced: Sequence[tuple[Operation, Price]], prices: Prices) -> list[Usage]:
    """Return the port use of a block, on the ports that are open to each operation beside the
    others.
    """
    closed = prices.closed
    if closed is None or not any(_uses(o, closed.beside) for o, _ in priced):
        return [u for _, p in priced for u in p.usages]
    found: list[Usage] = []
    for o, p in priced:
        shut = closed.ports if any(_uses(o, kind) for kind in closed.kinds) else 0
        found.extend(Usage(u.ports & ~shut or u.ports, u.cycles) for u in p.usages)
    return found


def _uses(o: Operation, kind: str) -> bool:
    return any(operand.startswith(kind) for operand in o.form.partition(" ")[2].split(","))


def code_costs(
    code: Code,
    timing: Timing,
    weights: Sequence[float],
    waits: Waits,
    lines: Lines | None = None,
) -> tuple[BlockCost, ...]:
    """Return what one pass over each block of a function costs; ``weights`` are how often they run,
    ``waits`` what :func:`waits_of` says.

    Where a pass through a loop of several blocks waits for longer than its blocks take, its first
    block takes the rest.
    """
    costs = [_block_cost(b, timing, lines) for b in code.blocks]
    for loop, own in waits:
        first, *_ = loop.blocks
        passed = sum(weights[b] * costs[b].cycles for b in loop.blocks) / weights[first]
        late = _mean_wait(loop, own, weights) - passed
        if late > 0:
            costs[first] = replace(costs[first], carried=costs[first].cycles + late)
    return tuple(costs)


def waits_of(code: Code, timing: Timing) -> Waits:
    """Return the loops of several blocks, each with how long a pass waits on each way through."""

    def wait(way: Sequence[int]) -> float:
        operations = tuple(o for b in way for o in code.blocks[b].operations)
        chains = timing.of(operations, repeats=True)
        return max(chains.carried, chains.waiting, chains.blocked)

    return tuple((x, tuple(map(wait, x.ways))) for x in code.loops if x.ways)


def quickest_ways(costs: Sequence[BlockCost], waits: Waits) -> tuple[float, ...]:
    """Return what a pass takes through each loop of several blocks, on the quickest of its ways."""
    busy = [max(c.dispatch, c.ports) for c in costs]
    return tuple(
        min(max(w, sum(busy[b] for b in way)) for way, w in zip(loop.ways, own, strict=True))
        for loop, own in waits
    )


def _mean_wait(loop: Loop, waits: Sequence[float], weights: Sequence[float]) -> float:
    """Return how long a pass through a loop waits, in the mean over the ways through it."""
    often = [min(weights[b] for b in way) for way in loop.ways]
    return sum(w * x for w, x in zip(often, waits, strict=True)) / sum(often)
