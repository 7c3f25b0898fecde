"""How many loops are around each block of a control flow graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from isel.cost.limits import WAYS


def loop_depths(successors: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the number of loops around each of the blocks ``0, 1, …``, whose successors are
    given.
    """
    depths = [0] * len(successors)
    for loop in loops_of(successors):
        for i in loop:
            depths[i] += 1
    return depths


def loops_of(successors: Mapping[int, Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the loops of a control flow graph, each before those inside it, as their blocks; the
    first of them is where it is entered.
    """
    return list(_loops(tuple(successors), successors))


def ways_through(
    loop: Sequence[int], successors: Mapping[int, Sequence[int]]
) -> list[tuple[int, ...]]:
    """Return the blocks of a pass through a loop in order, for each way that goes through none of
    them twice; nothing where it is one block, there are more than a few ways, or a loop inside.
    """
    if len(loop) == 1:
        return []
    first, inside = loop[0], set(loop)
    found: list[tuple[int, ...]] = []
    work: list[tuple[int, ...]] = [(first,)]
    while work and len(work) + len(found) <= WAYS:
        way = work.pop()
        after = [s for s in dict.fromkeys(successors[way[-1]]) if s in inside]
        if not set(after).isdisjoint(way[1:]):
            return []
        found += [way] * (first in after)
        work += [(*way, s) for s in reversed(after) if s != first]
    return [] if work else found


def _loops(
    nodes: Sequence[int], successors: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, ...]]:
    """Yield each loop, then the loops inside it without its first block."""
    for loop in _strong_components(nodes, successors):
        if len(loop) == 1 and loop[0] not in successors[loop[0]]:
            continue
        first = _entry(loop, successors)
        others = sorted(n for n in loop if n != first)
        yield first, *others
        if others:
            yield from _loops(others, successors)


def _entry(loop: Sequence[int], successors: Mapping[int, Sequence[int]]) -> int:
    """Return the first block of a loop that one outside leads to."""
    inside = set(loop)
    led = {s for n, after in successors.items() if n not in inside for s in after}
    return min(inside & led or inside)


def _strong_components(
    nodes: Sequence[int], successors: Mapping[int, Sequence[int]]
) -> list[list[int]]:
    """Strongly connected components of the subgraph on ``nodes`` (by reachability both ways:
    blocks are few).
    """
    inside = set(nodes)
    reach = {n: _reachable(n, inside, successors) for n in nodes}
    done: set[int] = set()
    components: list[list[int]] = []
    for n in nodes:
        if n not in done:
            component = [n, *(m for m in nodes if m != n and m in reach[n] and n in reach[m])]
            done.update(component)
            components.append(component)
    return components


def _reachable(start: int, inside: set[int], successors: Mapping[int, Sequence[int]]) -> set[int]:
    seen: set[int] = set()
    work = [start]
    while work:
        for s in successors[work.pop()]:
            if s in inside and s not in seen:
                seen.add(s)
                work.append(s)
    return seen
