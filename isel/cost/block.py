"""Cost of a block: the greatest of the dispatch, port-subset, scheduler and loop-carried latency
bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from isel.cost.code import Block, Operation, Traffic
from isel.cost.lines import Lines
from isel.cost.ports import Usage, port_bound
from isel.cost.prices import Price, Prices


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

    @property
    def cycles(self) -> float:
        """The cost of the block in cycles."""
        return max(self.dispatch, self.ports, self.carried, self.waiting)


def block_cost(block: Block, prices: Prices, lines: Lines | None = None) -> BlockCost:
    """Return what one pass over ``block`` costs; operations without a price are left out and
    named.

    Without ``lines`` no access touches two lines of memory.
    """
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
        carried=carried_latency(block.operations, prices) if block.repeats else 0.0,
        path=longest_path(block.operations, prices),
        missing=tuple(sorted(missing.items())),
        hidden=tuple(sorted(hidden)),
        waiting=waiting_bound(block, prices),
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


def carried_latency(operations: Sequence[Operation], prices: Prices) -> float:
    """Return the cycles per pass that chains of registers through successive passes need at least.

    A pass maps the times at which registers are ready to such times (max-plus linear); the bound is
    the greatest mean weight of a cycle in that map.
    """
    edges: dict[
        str, dict[str, int]
    ] = {}  # register at the end -> register at the start -> longest path
    kinds: dict[str, str] = {}  # of what wrote a register last, at first in the pass before
    for o in operations:
        _note(o, prices, kinds)
    for o in operations:
        if o.reads or o.addresses or o.writes:
            _step(o, prices, edges, kinds)
        _note(o, prices, kinds)
    read_first = {source for row in edges.values() for source in row}
    graph = {
        end: {s: w for s, w in row.items() if s in edges}
        for end, row in edges.items()
        if end in read_first
    }
    return _greatest_cycle_mean(graph)


def longest_path(operations: Sequence[Operation], prices: Prices) -> float:
    """Return the cycles from the first operation to the last value where only latencies count."""
    return max((done for _, done in _times(operations, prices)), default=0)


def waiting_bound(block: Block, prices: Prices) -> float:
    """Return the cycles of a pass over a loop where only so many operations can wait at a time:
    those that all of them wait, by that number (Little's law).
    """
    if prices.scheduler is None or not block.repeats:
        return 0.0
    waited = sum(start for start, _ in _times(block.operations, prices))
    return waited / prices.scheduler.entries


def _times(operations: Sequence[Operation], prices: Prices) -> Iterator[tuple[int, int]]:
    """Yield when the operands of each operation are there, and its result, where only latencies
    count.
    """
    ready: dict[str, int] = {}
    kinds: dict[str, str] = {}
    for o in operations:
        waits = [ready.get(r, 0) + latency for r, latency in _waits(o, prices, kinds)]
        done = max(waits, default=_latencies(o, prices)[0])
        yield max((ready.get(r, 0) for r in o.reads), default=0), done
        ready.update(dict.fromkeys(o.writes, done))
        _note(o, prices, kinds)


def _note(o: Operation, prices: Prices, kinds: dict[str, str]) -> None:
    """Note what has written the registers that an operation writes."""
    price = prices.of(o.form)
    kind = "" if price is None or price.forwarded is None else price.forwarded.kind
    kinds.update(dict.fromkeys(o.writes, kind))


def _waits(o: Operation, prices: Prices, kinds: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the registers that an operation waits for, each with the cycles from it to the
    result.
    """
    full, late = _latencies(o, prices)
    price = prices.of(o.form)
    forwarded = None if price is None else price.forwarded
    for r in o.reads:
        soon = forwarded is not None and r == o.accumulator and kinds.get(r) == forwarded.kind
        yield r, forwarded.latency if forwarded is not None and soon else late
    for r in o.addresses:
        yield r, full


def _step(
    o: Operation, prices: Prices, paths: dict[str, dict[str, int]], kinds: Mapping[str, str]
) -> None:
    row: dict[str, int] = {}
    for register, latency in _waits(o, prices, kinds):
        for source, length in paths.get(register, {register: 0}).items():
            row[source] = max(row.get(source, 0), length + latency)
    for register in o.writes:
        paths[register] = row


def _latencies(o: Operation, prices: Prices) -> tuple[int, int]:
    """Return the cycles from an operation's address to its result, and from its registers."""
    price = prices.of(o.form)
    full = 0 if price is None else price.latency
    direct = prices.of(o.register_form) if o.register_form else None
    return full, full if direct is None else min(full, direct.latency)


def _greatest_cycle_mean(graph: dict[str, dict[str, int]]) -> float:
    """Karp's algorithm over every node as a start; 0 where there is no cycle."""
    nodes = sorted(graph)
    steps = len(nodes)
    walks: list[dict[str, float]] = [dict.fromkeys(nodes, 0.0)]
    for _ in range(steps):
        last = walks[-1]
        walks.append(
            {
                n: max(
                    (last[s] + w for s, w in graph[n].items() if s in last), default=float("-inf")
                )
                for n in nodes
            }
        )
    return max((_least_slope(walks, n, steps) for n in nodes), default=0.0)


def _least_slope(walks: Sequence[dict[str, float]], node: str, steps: int) -> float:
    end = walks[steps][node]
    if end == float("-inf"):
        return 0.0
    return min(
        (end - walks[k][node]) / (steps - k) for k in range(steps) if walks[k][node] > float("-inf")
    )
