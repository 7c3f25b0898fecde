"""The cheapest term of a class, bottom-up by tree price, then again with what is shared free."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from itertools import islice
from typing import TypeAlias

from isel.egraph.graph import LEAF, SUM, Graph, commutes
from isel.egraph.limits import AGAIN, NEVER, WORDS
from isel.ir.build import add, make, mul, shl, sub
from isel.ir.expr import Expr, const
from isel.ir.ops import OPS, Attr, signed
from isel.rules.derived import expanded

Price: TypeAlias = Callable[[str, Attr, int, tuple[int, ...], tuple[int | None, ...]], int]
"""What an operation costs: by attributes, width, operands' widths, and values if literals."""


class Extraction:
    """The choice of a node for every class."""

    def __init__(self, g: Graph, price: Price, leaves: Mapping[str, Expr]) -> None:
        self._g = g
        self._leaves = leaves
        self._price = price
        self._own: dict[int, int] = {}
        self._below: dict[int, tuple[int, ...]] = {}
        for c in g.classes():
            for n in g.every(c):
                self._own[n] = self._alone(n)
                self._below[n] = tuple(dict.fromkeys(map(g.find, g.kids[n])))
        self.best: dict[int, int] = {}
        self.cost: dict[int, int] = {}
        self._terms: dict[int, Expr] = {}

    def choose(self, root: int) -> int:
        """Choose nodes so that a class costs the least as a graph; return the price."""
        self._relax()
        total = self.total(root)
        for _ in range(AGAIN):
            before = total
            for c in sorted(self.below(root), key=lambda c: (-self.cost[c], c)):
                total = self._better(root, c, total)
            if total == before:
                break
        return total

    def _better(self, root: int, c: int, total: int) -> int:
        """Choose another node of a class where that makes the whole cheaper: only of classes that
        are cheaper trees, so that no choice goes round in a circle.
        """
        kept = self.best[c]
        for n in self._g.every(c):
            if n == kept or self._own[n] >= total:
                continue
            if all(self.cost.get(k, NEVER) < self.cost[c] for k in self._below[n]):
                mine, self.best[c] = self.best[c], n
                again = self.total(root)
                if again < total:
                    total = again
                else:
                    self.best[c] = mine
        return total

    def _relax(self) -> None:
        """Choose by tree price."""
        g, cost, best = self._g, self.cost, self.best
        order = [(c, n) for c in g.classes() for n in g.every(c) if self._own[n] < NEVER]
        changed = True
        while changed:
            changed = False
            for c, n in order:
                total = self._tree(n)
                known = cost.get(c, NEVER)
                sum_too = total == known and g.op[best.get(c, n)] == SUM != g.op[n]
                if total < known or sum_too:
                    cost[c], best[c] = total, n
                    changed = True

    def _tree(self, n: int) -> int:
        """Return the price of a node as a tree."""
        return self._own[n] + sum([self.cost.get(k, NEVER) for k in self._below[n]])

    def below(self, root: int) -> frozenset[int]:
        """Return the classes below a class that are chosen, and itself."""
        found: dict[int, None] = {}
        stack = [self._g.find(root)]
        while stack:
            c = stack.pop()
            if c not in found and c in self.best:
                found[c] = None
                stack.extend(self._below[self.best[c]])
        return frozenset(found)

    def total(self, root: int) -> int:
        """Return the price of a class, each of those below once."""
        if self._g.find(root) not in self.best:
            return NEVER
        return sum(self._own[self.best[c]] for c in self.below(root))

    def _alone(self, n: int) -> int:
        g = self._g
        op, width, kids = g.op[n], g.width[n], g.kids[n]
        if op == LEAF:
            return 0
        if op == "const":
            return 1
        if op == SUM:
            return max(self._sum(n), 1)
        values = tuple(g.value(k) for k in kids)
        return max(self._price(op, g.attr[n], width, tuple(g.width[k] for k in kids), values), 1)

    def _sum(self, n: int) -> int:
        width = self._g.width[n]
        constant, parts = self._g.parts(n)
        two, one = (width, width), (None, None)
        plus = self._price("add", (), width, two, one)
        total = plus * (len(parts) - (constant == 0))
        if all(f < 0 for _, f in parts) and constant == 0:
            total += plus
        for _, f in parts:
            size = abs(f)
            if size & (size - 1):
                total += self._price("mul", (), width, two, (None, size))
            elif size > 1:
                total += self._price("shl", (), width, two, (None, size.bit_length() - 1))
        return total

    def lacks(self, root: int, priced: Extraction, most: int) -> bool:
        """Tell whether a derived operation is chosen of a value that is chosen as well where
        operations have a price, and costs more than ``most`` for a byte there; not where that
        operation is all.
        """
        g, below = self._g, self.below(root)
        alone = all(g.op[self.best[c]] in (LEAF, "const") for c in below if c != g.find(root))
        return not alone and any(
            priced.between(c, self._below[n]) > most * g.width[c] // 8
            for c in below & priced.below(root)
            if g.op[n := self.best[c]] not in OPS and g.kids[n] and g.op[n] != SUM
        )

    def between(self, c: int, kids: tuple[int, ...]) -> int:
        """Return what a class costs where what some others are made of is known."""
        known = frozenset[int]().union(*(self.below(k) for k in kids))
        if self._g.find(c) not in self.best:
            return NEVER
        return sum(self._own[self.best[x]] for x in self.below(c) - known)

    def term(self, c: int) -> Expr:
        """Return the term of what is chosen for a class."""
        c = self._g.find(c)
        found = self._terms.get(c)
        if found is None:
            found = self._terms[c] = self.node_term(self.best[c])
        return found

    def others(self, c: int, most: int, part: int, but: Expr) -> tuple[Expr, ...]:
        """Return the terms of other nodes of a class ``but`` one, the cheapest first, that are
        dearer by a ``part`` of the price at most.
        """
        limit = self.total(c) + self.total(c) // part
        prices = ((self._with(c, n), n) for n in self._g.every(c) if n != self.best[c])
        rows = [(p, n) for p, n in prices if p <= limit]
        terms = (self.node_term(n) for _, n in sorted(rows))
        known = (self.term(c), but)
        return tuple(islice(dict.fromkeys(e for e in terms if e not in known and e.args), most))

    def _with(self, c: int, n: int) -> int:
        """Return the price of a class if it were another node, none of which it is part of."""
        if self._own[n] >= NEVER or c in self._below[n]:
            return NEVER
        kept, self.best[c] = self.best[c], n
        found = self.total(c) if all(k in self.best for k in self._below[n]) else NEVER
        self.best[c] = kept
        return found

    def words(self, c: int, most: int = WORDS) -> str:
        """Return what is chosen for a class in words, so many operations in each other."""
        g = self._g
        n = self.best.get(g.find(c))
        if n is None:
            return ""
        op = g.op[n]
        if not most:
            return "..."
        if op in (LEAF, "const"):
            found = g.attr[n][0]
            return str(signed(found, g.width[n])) if isinstance(found, int) else found.split(":")[0]
        if op == SUM:
            constant, parts = g.parts(n)
            terms = [f"{_factor(f)}{self.words(k, most - 1)}" for k, f in parts]
            return " + ".join([*terms, *([str(constant)] if constant else [])]).join("()")
        args = [self.words(k, most - 1) for k in g.kids[n]]
        said = [*map(str, g.attr[n]), *(sorted(args) if commutes(op) else args)]
        return f"{op}({', '.join(said)})"

    def node_term(self, n: int) -> Expr:
        """Return the term of a node over what is chosen for its operands."""
        g = self._g
        op = g.op[n]
        if op == LEAF:
            return self._leaves[str(g.attr[n][0])]
        if op == "const":
            return const(int(g.attr[n][0]), g.width[n])
        if op == SUM:
            return self._sum_term(n)
        args = tuple(self.term(k) for k in g.kids[n])
        if op in OPS:
            return make(op, args, g.attr[n])
        return expanded(op, args, tuple(int(a) for a in g.attr[n]))

    def _sum_term(self, n: int) -> Expr:
        g, width = self._g, self._g.width[n]
        constant, parts = g.parts(n)
        rows = [(k, abs(f), f < 0) for k, f in parts]
        plus = [self._times(k, f) for k, f, minus in rows if not minus]
        less = [self._times(k, f) for k, f, minus in rows if minus]
        if constant and (plus or not less):
            plus.append(const(constant, width))
        first = reduce(add, plus) if plus else const(constant, width)
        return reduce(sub, less, first)

    def _times(self, c: int, factor: int) -> Expr:
        e = self.term(c)
        if factor & (factor - 1) == 0:
            return shl(e, const(factor.bit_length() - 1, e.width))
        return mul(e, const(factor, e.width))


def _factor(f: int) -> str:
    return "" if f == 1 else "-" if f == -1 else f"{f}*"
