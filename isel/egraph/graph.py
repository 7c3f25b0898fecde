"""Classes of equal terms: union-find, congruence, and ranges that unions make narrower.

What was said equal is kept in order, with its reason, so that it can be explained.
"""

from __future__ import annotations

from isel.egraph.store import (
    LEAF,
    SUM,
    Bound,
    Contradiction,
    Lookup,
    Spent,
    Store,
    Union,
    commutes,
)
from isel.ir.domain import Range, both

_MOST_PARTS = 48  # of a sum
_MOST_CHANGES = 12  # of the range of a class


class Graph(Store):
    """The graph; ``steps`` counts nodes, unions and operands looked at."""

    def assume(self, n: int, known: Range) -> None:
        """Take a fact about a term as true."""
        self.clock += 1
        self.facts[n] = known
        self._narrow(self.find(n), Bound(self.clock, known, n, ()))

    def _narrow(self, c: int, more: Bound) -> None:
        """Let a class be what it was and within another bound of it."""
        old = self.bound[c]
        found = both(old.range, more.range)
        if found is None:
            raise Contradiction
        if found == old.range:
            return
        if self.changes[c] > _MOST_CHANGES:
            return
        self.changes[c] += 1
        if found == more.range:
            self.bound[c] = more
        else:
            self.clock += 1
            self.bound[c] = Bound(self.clock, found, -1, (old, more))
        self._ranges.append(c)
        self.touched[c] = None
        if found.is_const:
            self._settle(c)

    def _settle(self, n: int) -> None:
        """Say that a class with one value is that literal."""
        value = self.value(n)
        assert value is not None
        bound = self.bound[self.find(n)]
        self.said(n, self.literal(value, self.width[n]), "value", bounds=((n, bound),))

    # Unions.
    def said(
        self,
        a: int,
        b: int,
        rule: str,
        *,
        sizes: tuple[int, ...] = (),
        terms: tuple[int, ...] = (),
        nodes: tuple[Lookup, ...] = (),
        bounds: tuple[tuple[int, Bound], ...] = (),
    ) -> bool:
        """Say that two nodes are equal, and why; tell whether that is new."""
        if self.find(a) == self.find(b):
            return False
        self.clock += 1
        self._merge(a, b, Union(self.clock, a, b, rule, sizes, terms, nodes, bounds))
        return True

    def _merge(self, a: int, b: int, why: Union | None) -> None:
        self.steps += 1
        self._parts.clear()
        self._linked(a, b, why)
        x, y = self.find(a), self.find(b)
        if len(self.users[x]) < len(self.users[y]) or (
            len(self.users[x]) == len(self.users[y]) and y < x
        ):
            x, y = y, x
        self.up[y] = x
        mine, other = self.content[x], self.content[y]
        assert mine is not None and other is not None
        for op, some in other.items():
            mine.setdefault(op, []).extend(some)
        self.content[y] = None
        self.users[x].extend(self.users[y])
        self.changes[x] = max(self.changes[x], self.changes[y])
        self._waiting.append(x)
        self.touched[x] = None
        self.touched.pop(y, None)
        old, new = self.bound[x], self.bound[y]
        met = both(old.range, new.range)
        if met is None:
            raise Contradiction
        if met != old.range:
            self._ranges.append(x)
        if met != new.range:
            self._ranges.append(x)
        if met == old.range:
            pass
        elif met == new.range:
            self.bound[x] = new
        else:
            self.clock += 1
            self.bound[x] = Bound(self.clock, met, -1, (old, new))
        if met.is_const and "const" not in mine:
            self._settle(x)
        flats = [f for f in (self.flat[x], self.flat[y]) if f >= 0]
        self.flat[x] = min(flats, key=lambda f: (len(self.kids[f]), f), default=-1)

    def _linked(self, a: int, b: int, why: Union | None) -> None:
        """Hang the tree of explanations of ``a`` below ``b``."""
        path = [a]
        while (up := self.link[path[-1]]) is not None:
            path.append(up[0])
        for lower, upper in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
            found = self.link[lower]
            assert found is not None
            self.link[upper] = (lower, found[1])
        self.link[a] = (b, why)

    def rebuild(self) -> None:
        """Merge nodes that became the same, and pass ranges on, until nothing changes."""
        while self._waiting or self._ranges:
            while self._waiting:
                self._repair(self.find(self._waiting.pop()))
            if self._ranges:
                c = self.find(self._ranges.pop())
                for n in list(self.users[c]):
                    self.steps += 1
                    self._narrow(self.find(n), self._of_node(n))

    def _repair(self, c: int) -> None:
        users = list(dict.fromkeys(self.users[c]))
        self.users[c] = users
        for n in users:
            key = self._key(n)
            other = self.memo.setdefault(key, n)
            if self.find(other) != self.find(n):
                self._merge(n, other, None)
            if other != n:
                found = self.content[self.find(n)]
                assert found is not None
                if n in found[self.op[n]]:
                    found[self.op[n]].remove(n)
                continue
            if self.op[n] == SUM:
                self._trivial(n)
                self._flatten(n)

    def _trivial(self, n: int) -> None:
        constant, parts = self.parts(n)
        if not parts:
            self.said(n, self.literal(constant, self.width[n]), SUM)
        elif len(parts) == 1 and parts[0][1] == 1 and constant == 0:
            self.said(n, parts[0][0], SUM)

    def _flatten(self, n: int) -> None:
        """Say what a sum of sums is as one sum."""
        constant, parts = self.parts(n)
        own = self.find(n)
        total: list[tuple[int, int]] = []
        used: list[tuple[int, int]] = []
        for c, factor in parts:
            inner = self.flat[c]
            if inner < 0 or c == own:
                total.append((c, factor))
                continue
            more, below = self.parts(inner)
            if any(k in (c, own) for k, _ in below) or not below:
                total.append((c, factor))
                continue
            constant += factor * more
            used.append((c, inner))
            total.extend((k, f * factor) for k, f in below)
        if not used or len(total) > _MOST_PARTS:
            return
        kept, self.trace = self.trace, None
        whole = self.sum(self.width[n], constant, total)
        self.trace = kept
        terms = tuple(x for pair in used for x in pair)
        self.said(n, whole, SUM, terms=terms)
        root = self.find(n)
        if self.op[whole] == SUM:
            self.flat[root] = whole


__all__ = [
    "LEAF",
    "SUM",
    "Bound",
    "Contradiction",
    "Graph",
    "Lookup",
    "Spent",
    "Union",
    "commutes",
]
