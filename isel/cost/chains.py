"""Chains of values through registers and memory: what operations wait for within a pass over code
and from one pass to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from isel.cost.code import Operation, Place
from isel.cost.limits import COMPUTED
from isel.cost.prices import Forwarding, Prices, Scheduler


@dataclass(frozen=True, slots=True)
class Chains:
    """Cycles that chains of operations take: ``path`` from the first operation to the last value,
    ``carried`` a pass through values of successive passes, ``waiting`` a pass since only so many
    operations can wait at a time, ``blocked`` a pass by loads of what several stores wrote.
    """

    path: int
    carried: float
    waiting: float
    blocked: int


@dataclass(frozen=True, slots=True)
class Timing:
    """Chains of operations by a table of prices, computed once for the same operations."""

    prices: Prices
    known: dict[tuple[tuple[Operation, ...], bool], Chains] = field(default_factory=dict)

    def of(self, operations: tuple[Operation, ...], *, repeats: bool) -> Chains:
        """Return the chains of operations, which are one pass of many where it ``repeats``."""
        key = operations, repeats  # of which a hash looks at every operation
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = _chains(operations, self.prices, repeats=repeats)
        return found


def _chains(operations: Sequence[Operation], prices: Prices, *, repeats: bool) -> Chains:
    times = [*_times(operations, prices)]
    return Chains(
        path=max((done for _, done in times), default=0),
        carried=carried_latency(operations, prices) if repeats else 0.0,
        waiting=_waiting(operations, times, prices.scheduler) if repeats else 0.0,
        blocked=blocked_time(operations, prices, repeats=repeats),
    )


def _waiting(
    operations: Iterable[Operation], times: Iterable[tuple[int, int]], most: Scheduler | None
) -> float:
    """Return the cycles of a pass over a loop where only so many operations can wait at a time:
    those that all of them wait, by that number (Little's law).
    """
    if most is None:
        return 0.0
    starts = [(o.lanes, start) for o, (start, _) in zip(operations, times, strict=True)]
    sides = ((most.general, False), (most.lanes, True))
    return max(sum(s for k, s in starts if k == lanes) / n if n else 0.0 for n, lanes in sides)


def carried_latency(operations: Sequence[Operation], prices: Prices) -> float:
    """Return the cycles per pass that chains of values through successive passes need at least.

    A pass maps the times at which registers and stores are ready to such times (max-plus linear);
    the bound is the greatest mean weight of a cycle in that map.
    """
    paths = _paths(operations, prices)
    read_first = {source for row in paths.values() for source in row}
    graph = {
        end: {s: w for s, w in row.items() if s in paths}
        for end, row in paths.items()
        if end in read_first
    }
    return _greatest_cycle_mean(graph)


def _paths(operations: Sequence[Operation], prices: Prices) -> dict[str, dict[str, int]]:
    """Return the longest paths of a pass: value at the end -> value at the start -> cycles."""
    past = _Past(prices)
    for k, o in enumerate(operations):
        past.note(k, o)
    paths: dict[str, dict[str, int]] = {}
    for k, o in enumerate(operations):
        row, stored = (_longest(waits, paths) for waits in (past.waits(o), past.stores(o)))
        past.note(k, o)
        paths.update(dict.fromkeys(o.writes, row))
        if o.place is not None and o.place.stores:
            paths[_store(k)] = stored
    return paths


def _longest(waits: Iterator[tuple[str, int]], paths: dict[str, dict[str, int]]) -> dict[str, int]:
    row: dict[str, int] = {}
    for value, latency in waits:
        for source, length in paths.get(value, {value: 0}).items():
            row[source] = max(row.get(source, 0), length + latency)
    return row


def blocked_time(operations: Sequence[Operation], prices: Prices, *, repeats: bool) -> int:
    """Return the cycles in which nothing retires, since a load waits for stores to be in the cache.

    What loads that follow one another wait for at once counts once.
    """
    past, last, count = _Past(prices), -1, 0
    start = len(operations) if repeats else 0
    for k, o in enumerate([*operations] * (1 + repeats)):
        if past.blocking(o) > last:
            last = k
            count += k >= start
        past.note(k, o)
    return count * prices.forwarding.blocked if prices.forwarding is not None else 0


def _times(operations: Sequence[Operation], prices: Prices) -> Iterator[tuple[int, int]]:
    """Yield when the operands of each operation are there, and its result, where only latencies
    count.
    """
    ready: dict[str, int] = {}
    past = _Past(prices)
    for k, o in enumerate(operations):
        waits = [ready.get(v, 0) + latency for v, latency in past.waits(o)]
        done = max(waits, default=past.latencies(o)[0])
        yield max((ready.get(r, 0) for r in o.reads), default=0), done
        stored = max((ready.get(v, 0) + latency for v, latency in past.stores(o)), default=0)
        ready.update(dict.fromkeys(o.writes, done) | {_store(k): stored})
        past.note(k, o)


def _store(k: int) -> str:
    """Name what the operation of a number stores, beside the names of registers."""
    return f"store {k}"


@dataclass(slots=True)
class _Past:
    """What has written registers and bytes of memory last, in the pass before at first.

    A byte is known by what its address is computed of; it is forgotten with a register of that.
    """

    prices: Prices
    kinds: dict[str, str] = field(default_factory=dict)
    bytes: dict[str, dict[int, tuple[int, Place]]] = field(default_factory=dict)

    def note(self, k: int, o: Operation) -> None:
        """Note what an operation writes."""
        price = self.prices.of(o.form)
        kind = "" if price is None or price.forwarded is None else price.forwarded.kind
        self.kinds.update(dict.fromkeys(o.writes, kind))
        if self.prices.forwarding is None:
            return
        if o.place is not None and o.place.stores:
            own = self.bytes.setdefault(o.place.base, {})
            own.update(dict.fromkeys(o.place.range, (k, o.place)))
        for base in [b for b in self.bytes if not {*o.writes}.isdisjoint(b.split())]:
            del self.bytes[base]

    def waits(self, o: Operation) -> Iterator[tuple[str, int]]:
        """Yield what an operation waits for, each with the cycles from it to the result."""
        full, late = self.latencies(o)
        price = self.prices.of(o.form)
        forwarded = None if price is None else price.forwarded
        for r in o.reads:
            soon = (
                forwarded is not None and r == o.accumulator and self.kinds.get(r) == forwarded.kind
            )
            yield r, forwarded.latency if forwarded is not None and soon else late
        for r in o.addresses:
            yield r, full
        yield from self._stores_read(o)

    def _stores_read(self, o: Operation) -> Iterator[tuple[str, int]]:
        """Yield the stores that an operation loads from, with the cycles to its result."""
        direct = self.prices.of(o.register_form)
        behind = 0 if direct is None else direct.latency
        yield from ((store, latency + behind) for store, latency in self._loads(o))

    def stores(self, o: Operation) -> Iterator[tuple[str, int]]:
        """Yield what the bytes that an operation stores wait for, each with the cycles to that."""
        if o.place is None or not o.place.stores:
            return
        price = self.prices.of(o.stored_form)
        computed = COMPUTED * o.place.loads if price is None else price.latency
        yield from ((r, computed) for r in o.reads)
        yield from ((store, latency + computed) for store, latency in self._loads(o))

    def _loads(self, o: Operation) -> Iterator[tuple[str, int]]:
        """Yield the stores that a load waits for: the only one that wrote its bytes hands them on,
        of more, or some that are in memory, all have to be there first.
        """
        found, forwarding = self._writers(o), self.prices.forwarding
        for k, stored in sorted(x for x in found if x is not None):
            assert forwarding is not None and o.place is not None  # else nothing is known of stores
            whole = stored.whole and o.place.whole and stored.range == o.place.range
            yield _store(k), _delay(forwarding, alone=len(found) == 1, whole=whole, lanes=o.lanes)

    def blocking(self, o: Operation) -> int:
        """Return the last of the stores that have to be in the cache before a load, -1 for none."""
        found = self._writers(o)
        return max((-1 if x is None else x[0] for x in found), default=-1) if len(found) > 1 else -1

    def _writers(self, o: Operation) -> set[tuple[int, Place] | None]:
        """Return what has stored the bytes that an operation loads, None for what is in memory."""
        if o.place is None or not o.place.loads:
            return set()
        known = self.bytes.get(o.place.base, {})
        return {known.get(b) for b in o.place.range}

    def latencies(self, o: Operation) -> tuple[int, int]:
        """Return the cycles from an operation's address to its result, and from its registers."""
        price = self.prices.of(o.form)
        full = 0 if price is None else price.latency
        direct = self.prices.of(o.register_form)
        return full, full if direct is None else min(full, direct.latency)


def _delay(forwarding: Forwarding, *, alone: bool, whole: bool, lanes: bool) -> int:
    """Return the cycles from a store to a load of its bytes, ``alone`` or with others, as it was
    stored or not, into a vector register or another.
    """
    if not alone:
        return forwarding.failed
    if whole:
        return forwarding.renamed
    return forwarding.lanes if lanes else forwarding.latency


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
