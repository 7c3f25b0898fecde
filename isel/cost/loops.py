"""Blocks of a control flow graph: how many loops are around each, and what dominates it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def reach(start: Iterable[T], near: Callable[[T], Iterable[T]]) -> dict[T, None]:
    """Return what some things and all that is ``near`` lead to, in the order in which it is come
    to: what is near last comes next.
    """
    found, waiting = dict[T, None](), [*start]
    while waiting:
        x = waiting.pop()
        if x not in found:
            found[x] = None
            waiting += near(x)
    return found


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
    led = {n: reach([n], lambda k: inside.intersection(successors[k])) for n in nodes}
    done: set[int] = set()
    components: list[list[int]] = []
    for n in nodes:
        if n not in done:
            component = [n, *(m for m in nodes if m != n and m in led[n] and n in led[m])]
            done.update(component)
            components.append(component)
    return components


def dominators(successors: Sequence[Sequence[int]]) -> list[int | None]:
    """Return the immediate dominator of each block; None for the first, and for what is not
    reached (Cooper, Harvey, Kennedy, *A simple, fast dominance algorithm*).
    """
    order = postorder(successors)
    rank = {block: k for k, block in enumerate(order)}
    before: dict[int, list[int]] = {block: [] for block in order}
    for block in order:
        for s in successors[block]:
            before[s].append(block)
    found: dict[int, int] = {0: 0}
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            known = (p for p in before[block] if p in found)
            new = reduce(lambda a, b: _meet(a, b, found, rank), known)
            changed |= found.get(block) != new
            found[block] = new
    above: dict[int, int | None] = {**found, 0: None}
    return [above.get(k) for k in range(len(successors))]


def _meet(a: int, b: int, found: dict[int, int], rank: dict[int, int]) -> int:
    while a != b:
        while rank[a] < rank[b]:
            a = found[a]
        while rank[b] < rank[a]:
            b = found[b]
    return a


def postorder(successors: Sequence[Sequence[int]]) -> list[int]:
    """Return the blocks that are reached, each behind those that follow it, but for ways back."""
    seen, order = {0}, list[int]()
    stack = [(0, iter(successors[0]))] if successors else []
    while stack:
        block, rest = stack[-1]
        following = next((s for s in rest if s not in seen), None)
        if following is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(successors[following])))
    return order
