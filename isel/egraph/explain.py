"""Why two nodes of a graph are equal: the unions and ranges that are needed, in their order."""

from __future__ import annotations

from isel.egraph.graph import LEAF, SUM, Bound, Graph, Lookup, Union, commutes
from isel.egraph.saturate import LOW
from isel.model.steps import Bounded, Equal, Node, Steps


def explain(g: Graph, left: int, right: int) -> Steps:
    """Return the steps by which two nodes of one class are equal."""
    return _Explanation(g).steps(left, right)


class _Explanation:
    """Follows the reasons of unions, of ranges, and of operands that are the same."""

    def __init__(self, g: Graph) -> None:
        self._g = g
        self._pairs: list[tuple[int, int]] = []
        self._seen: set[tuple[int, int]] = set()
        self._bounds: list[tuple[int, Bound]] = []
        self._ranged: set[tuple[int, int]] = set()
        self._needed: dict[int, Union | Bound] = {}

    def steps(self, left: int, right: int) -> Steps:
        """Collect until nothing is open; number the nodes that are spoken of."""
        self._pairs.append((left, right))
        self._look(tuple(self._g.given))
        while self._pairs or self._bounds:
            if self._pairs:
                self._pair(*self._pairs.pop())
            else:
                self._bound(*self._bounds.pop())
        order = [why for _, why in sorted(self._needed.items())]
        spoken = [left, right]
        for why in order:
            spoken += [why.node] if isinstance(why, Bound) else [why.left, why.right, *why.terms]
        numbers = self._number(spoken)
        g = self._g
        nodes = tuple(
            Node(g.op[n], g.attr[n], tuple(numbers[k] for k in g.kids[n]), g.width[n])
            for n in numbers
        )
        rows = tuple(self._row(why, numbers) for why in order)
        return Steps(nodes, rows, numbers[left], numbers[right])

    def _row(self, why: Union | Bound, numbers: dict[int, int]) -> Bounded | Equal:
        if isinstance(why, Bound):
            fact = not why.given and self._g.op[why.node] != "const"
            return Bounded(numbers[why.node], why.range, fact)
        terms = tuple(numbers[t] for t in why.terms)
        return Equal(numbers[why.left], numbers[why.right], why.rule, why.sizes, terms)

    def _number(self, spoken: list[int]) -> dict[int, int]:
        """Return numbers of nodes, those of operands lower."""
        every: set[int] = set()
        stack = list(spoken)
        while stack:
            n = stack.pop()
            if n not in every:
                every.add(n)
                stack.extend(self._g.kids[n])
        return {n: k for k, n in enumerate(sorted(every))}

    def _pair(self, a: int, b: int) -> None:
        """Look for why two nodes are equal."""
        key = (min(a, b), max(a, b))
        if a == b or key in self._seen:
            return
        self._seen.add(key)
        for x, y, why in self._path(a, b):
            if why is None:
                self._align(self._g.kids[x], self._g.kids[y], self._g.op[x])
            elif why.at not in self._needed:
                self._needed[why.at] = why
                self._union(why)

    def _path(self, a: int, b: int) -> list[tuple[int, int, Union | None]]:
        """Return the links between two nodes."""
        up: dict[int, int] = {}
        trail: list[tuple[int, int, Union | None]] = []
        n = a
        up[a] = 0
        while (link := self._g.link[n]) is not None:
            trail.append((n, link[0], link[1]))
            n = link[0]
            up[n] = len(trail)
        other: list[tuple[int, int, Union | None]] = []
        n = b
        while n not in up:
            link = self._g.link[n]
            assert link is not None, "nodes of two classes"
            other.append((n, link[0], link[1]))
            n = link[0]
        return trail[: up[n]] + other

    def _align(self, some: tuple[int, ...], others: tuple[int, ...], op: str) -> None:
        """Say that operands are the same, which may be in another order."""
        find = self._g.find
        if op != SUM and len(some) == len(others):
            swapped = commutes(op) and len(some) == 2 and find(some[0]) != find(others[0])
            rest = others[::-1] if swapped else others
            self._pairs.extend(zip(some, rest, strict=True))
            return
        by_root: dict[int, int] = {}
        for k in (*some, *others):
            self._pairs.append((k, by_root.setdefault(find(k), k)))
            value = self._g.value(k)
            if value is not None:
                self._pairs.append((k, self._g.literal(value, self._g.width[k])))

    def _look(self, nodes: tuple[Lookup, ...]) -> None:
        """Say that nodes are what was asked for."""
        for n, given in nodes:
            kids, op = self._g.kids[n], self._g.op[n]
            if given != kids:
                self._align(given, kids, op if len(given) == len(kids) else SUM)

    def _union(self, why: Union) -> None:
        g = self._g
        self._look(why.nodes)
        self._bounds.extend(why.bounds)
        if why.rule == SUM:
            for c, inner in zip(why.terms[::2], why.terms[1::2], strict=True):
                self._pairs.append((c, inner))
            inside = [k for inner in why.terms[1::2] for k in g.kids[inner]]
            mine = g.kids[why.right] if g.op[why.right] == SUM else (why.right,)
            self._align((*why.terms[::2], *g.kids[why.left], *inside), mine, SUM)
        elif why.rule == LOW:
            (s,) = why.terms
            self._pairs.append((g.kids[why.left][0], s))
            width = g.width[why.left]
            parts = []
            for k in g.kids[s]:
                part = g.node("extract", (0, width), (k,))
                parts.append(part)
                if g.kids[part]:
                    self._pairs.append((k, g.kids[part][0]))
            mine = g.kids[why.right] if g.op[why.right] == SUM else (why.right,)
            self._align(tuple(parts), mine, SUM)
            self._align(g.kids[s], (), SUM)

    def _bound(self, t: int, why: Bound) -> None:
        """Follow why a term has a range."""
        if (t, why.at) in self._ranged:
            return
        self._ranged.add((t, why.at))
        if why.node < 0:
            self._bounds.extend((t, more) for more in why.given)
            return
        self._pairs.append((t, why.node))
        if self._g.op[why.node] == LEAF and why.node not in self._g.facts:
            return
        self._needed[why.at] = why
        self._bounds.extend(zip(self._g.kids[why.node], why.given, strict=False))
