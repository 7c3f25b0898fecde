"""Which stores of a block are of halves of registers, computed alike, and may be one store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from frontends.llvm.text.ast import Instr, Literal, Operand
from frontends.llvm.transform import wider
from frontends.llvm.transform.site import Scope


@dataclass(frozen=True, slots=True)
class Pair:
    """Two stores, the lower half first, behind what both are computed from, in pairs."""

    pairs: tuple[tuple[Instr, Instr], ...]

    @property
    def stores(self) -> tuple[Instr, Instr]:
        """Both stores."""
        return self.pairs[-1]

    @property
    def lines(self) -> Iterator[int]:
        """The lines of all of it."""
        return (i.line for pair in self.pairs for i in pair)

    @property
    def last(self) -> int:
        """The line of the later store."""
        return max(i.line for i in self.stores)


@dataclass
class Finder:
    """Looks for the halves of registers that a function stores."""

    scope: Scope
    nodes: dict[str, tuple[Instr, Instr]] = field(default_factory=dict)

    def pairs(self, stores: Sequence[Instr]) -> tuple[list[Pair], list[Pair]]:
        """Return what can be joined of stores of a block, by the later store, and what cannot as
        memory is used between both.
        """
        every = sorted(self._pairs(stores), key=lambda p: p.last)
        used = [p for p in every if self._used_between(*p.stores)]
        rest = [p for p in every if p not in used]
        return self._restrict(rest), [p for p in used if self._restrict([p])]

    def open_in(self, groups: Sequence[Pair]) -> list[Instr]:
        """Return what others look at of what is in pairs."""
        every = [i for p in groups for x in p.pairs for i in x]
        return [i for i in every if not self.scope.is_closed((i,), every)]

    def root(self, p: Pair) -> Instr:
        """Return the last value of a pair's upper half."""
        high = p.stores[1]
        return self.scope.definition(high.operands[0]) or high

    def _pairs(self, stores: Sequence[Instr]) -> Iterator[Pair]:
        """Yield pairs of stores, each of which is of one pair."""
        left = list(stores)
        while left:
            first, *left = left
            both = (p for x in left for p in permutations((first, x)))
            pair = next((p for low, high in both if (p := self._pair(low, high))), None)
            if pair is not None:
                yield pair
                left = [x for x in left if x not in pair.stores]

    def _pair(self, low: Instr, high: Instr) -> Pair | None:
        """Return two stores with what they are computed from, None where they are no halves."""
        (x, at), (y, behind) = low.operands, high.operands
        if x.type != y.type or self.scope.distance(at, behind) != self.scope.bits // 16:
            return None
        self.nodes = {}
        return Pair((*self.nodes.values(), (low, high))) if self._alike(x, y) else None

    def _restrict(self, groups: list[Pair]) -> list[Pair]:
        """Return the pairs of which others look at nothing but loads, which come in order."""
        before = list[Pair]()
        while groups != before:
            seen = self.open_in(groups)
            early = {b.line for p in groups for a, b in p.pairs if b.line < a.line}
            not_parts = {i.line for i in seen if i.opcode != "load" or i.line in early}
            before, groups = groups, [p for p in groups if not_parts.isdisjoint(p.lines)]
        return groups

    def _alike(self, x: Operand, y: Operand) -> bool:
        """Tell whether two values are the same function of neighbours in memory; note of which."""
        if x == y:
            return not isinstance(x, Literal) or len(set(x.lanes)) == 1
        a, b = self.scope.definition(x), self.scope.definition(y)
        if a is None or b is None or not wider.says_same(a, b) or a.name in self.nodes:
            return a is not None and self.nodes.get(a.name) == (a, b)
        return self._of_alike(a, b) and self.nodes.setdefault(a.name, (a, b)) == (a, b)

    def _of_alike(self, a: Instr, b: Instr) -> bool:
        """Tell whether two loads may be one, or two instructions are of operands alike."""
        if self.scope.is_neighbour(a, 1, b) and not self._written_between(a, b):
            return True
        operands = zip(a.operands, b.operands, strict=True)
        return wider.is_doubled(a) and all(self._alike(c, d) for c, d in operands)

    def _written_between(self, a: Instr, b: Instr) -> bool:
        """Tell whether what one of two loads reads may be written between them."""
        writers = self.scope.writers_between(a, b)
        return any(self.scope.may_meet(i, load) for i in writers for load in (a, b))

    def _used_between(self, a: Instr, b: Instr) -> bool:
        """Tell whether something between two stores needs the first of them done."""
        first = min(a, b, key=lambda i: i.line)
        return any(self.scope.may_meet(first, i) for i in self.scope.between(a, b))
