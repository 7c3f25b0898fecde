"""Classes of equal terms: union-find, congruence, and ranges that unions make narrower.

What was said equal is kept in order, with its reason, so that it can be explained.
"""

from __future__ import annotations

from isel.egraph.limits import MOST_CHANGES, MOST_PARTS
from isel.egraph.store import LEAF, SUM, Bound, Contradiction, Lookup, Spent, Store, Union, commutes
from isel.ir.domain import Range, both


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
        if found == old.range or self.changes[c] > MOST_CHANGES:
            return
        self.changes[c] += 1
        self.bound[c] = more if found == more.range else self._narrower(found, old, more)
        self._ranges[c] = None
        self.touched[c] = None
        if found.is_const:
            self._settle(c)

    def _settle(self, n: int) -> None:
        """Say that a class with one value is that literal."""
        value = self.value(n)
        assert value is not None
        bound = self.bound[self.find(n)]
        self.unite(n, self.literal(value, self.width[n]), "value", bounds=((n, bound),))

    # Unions.
    def unite(
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
        if self.steps > self.most_steps:
            raise Spent
        self._link(a, b, why)
        x, y = sorted(map(self.find, (a, b)), key=lambda c: (-len(self.users[c]), c))
        self.up[y] = x
        mine, other = self.content[x], self.content[y]
        assert mine is not None and other is not None
        for op, some in other.items():
            mine.setdefault(op, []).extend(some)
        self.content[y] = None
        moved = self.users[y]
        self.users[x] = list(dict.fromkeys([*self.users[x], *moved]))
        self.changes[x] = max(self.changes[x], self.changes[y])
        self.touched[x] = None
        self.touched.pop(y, None)
        self._meet(x, y)
        self._look_again(x, y, moved)
        if self.bound[x].range.is_const and "const" not in mine:
            self._settle(x)

    def _look_again(self, x: int, y: int, moved: list[int]) -> None:
        """Note what may be the same as another node now, and which sums are of sums."""
        every = self.users[x]
        # A literal part of a sum is in its constant.
        for n in every if self.bound[x].range.is_const else moved:
            self._waiting[n] = None
            self._parts.pop(n, None)
        flats = [f for f in (self.flat[x], self.flat[y]) if f >= 0]
        flat = min(flats, key=lambda f: (len(self.kids[f]), f), default=-1)
        if flat != self.flat[x]:
            self.flat[x] = flat
            self._sums.update((n, None) for n in every if self.op[n] == SUM)

    def _meet(self, x: int, y: int) -> None:
        """Let the range of a class be what it has in common with another's."""
        old, new = self.bound[x], self.bound[y]
        met = both(old.range, new.range)
        if met is None:
            raise Contradiction
        if met != old.range or met != new.range:
            self._ranges[x] = None
        if met != old.range:
            self.bound[x] = new if met == new.range else self._narrower(met, old, new)

    def _narrower(self, met: Range, old: Bound, new: Bound) -> Bound:
        self.clock += 1
        return Bound(self.clock, met, -1, (old, new))

    def _link(self, a: int, b: int, why: Union | None) -> None:
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
        while self._waiting or self._ranges or self._sums:
            if self._waiting:
                self._repair(self._waiting.popitem()[0])
            elif self._sums:
                self._flatten(self._sums.popitem()[0])
            else:
                for n in self.users[self.find(self._ranges.popitem()[0])]:
                    self.steps += 1
                    self._narrow(self.find(n), self._of_node(n))

    def _repair(self, n: int) -> None:
        """Find the node that one is the same as now, if any."""
        other = self.memo.setdefault(self._key(n), n)
        if self.find(other) != self.find(n):
            self._merge(n, other, None)
        if other != n:
            found = self.content[self.find(n)]
            assert found is not None
            if n in found[self.op[n]]:
                found[self.op[n]].remove(n)
        elif self.op[n] == SUM:
            self._trivial(n)
            self._sums[n] = None

    def _trivial(self, n: int) -> None:
        constant, parts = self.parts(n)
        if not parts:
            self.unite(n, self.literal(constant, self.width[n]), SUM)
        elif len(parts) == 1 and parts[0][1] == 1 and constant == 0:
            self.unite(n, parts[0][0], SUM)

    def _flatten(self, n: int) -> None:
        """Say what a sum of sums is as one sum."""
        constant, parts = self.parts(n)
        own = self.find(n)
        total: list[tuple[int, int]] = []
        used: list[int] = []
        for c, factor in parts:
            inner = self._inner(c, own)
            if inner < 0:
                total.append((c, factor))
                continue
            more, below = self.parts(inner)
            constant += factor * more
            used += (c, inner)
            total += [(k, f * factor) for k, f in below]
        if not used or len(total) > MOST_PARTS:
            return
        whole = self.sum(self.width[n], constant, total)
        self.unite(n, whole, SUM, terms=tuple(used))
        if self.op[whole] == SUM:
            self.flat[self.find(n)] = whole

    def _inner(self, c: int, own: int) -> int:
        """Return the sum that a part of another is, -1 for none; none that goes in a circle."""
        inner = self.flat[c] if c != own else -1
        below = self.parts(inner)[1] if inner >= 0 else ()
        return inner if below and all(k not in (c, own) for k, _ in below) else -1


__all__ = ["LEAF", "SUM", "Bound", "Contradiction", "Graph", "Lookup", "Spent", "Union", "commutes"]
