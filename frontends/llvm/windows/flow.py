"""Which blocks dominate which, and where what a loop does not change is computed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from frontends.llvm.text.ast import Function, Instr
from frontends.llvm.windows.blocks import successors
from isel.cost.loops import loop_depths

_PLAIN: Final = frozenset({"br", "switch", "indirectbr"})


class Flow:
    """The control flow of one function; blocks are numbered in order."""

    def __init__(self, function: Function) -> None:
        self._ends = [
            next((i for i in reversed(b.instrs) if i.opcode != "dbg"), None)
            for b in function.blocks
        ]
        self._successors = successors(function)

    @cached_property
    def depths(self) -> list[int]:
        """How many loops are around each block."""
        return loop_depths(dict(enumerate(self._successors)))

    @cached_property
    def _above(self) -> list[int | None]:
        return dominators(self._successors)

    def dominates(self, upper: int, lower: int) -> bool:
        """Tell whether every path to ``lower`` goes through ``upper``."""
        at: int | None = lower
        while at is not None and at != upper:
            at = self._above[at]
        return at == upper

    def home(self, block: int) -> int | None:
        """Return the last block that dominates ``block`` and lies in fewer loops, None where there
        is none or nothing can be added at its end.
        """
        depth = self.depths[block]
        at = self._above[block]
        while at is not None and self.depths[at] >= depth:
            at = self._above[at]
        end = None if at is None or not depth else self._ends[at]
        return at if end is not None and end.opcode in _PLAIN else None

    def end(self, block: int) -> Instr:
        """Return the last instruction of a block that is some block's home."""
        end = self._ends[block]
        assert end is not None
        return end


def dominators(successors: Sequence[Sequence[int]]) -> list[int | None]:
    """Return the immediate dominator of each block; None for the first, and for what is not
    reached (Cooper, Harvey, Kennedy, *A simple, fast dominance algorithm*).
    """
    order = _postorder(successors)
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
            known = [p for p in before[block] if p in found]
            new = known[0]
            for p in known[1:]:
                new = _meet(new, p, found, rank)
            changed |= found.get(block) != new
            found[block] = new
    return [found.get(k) if k else None for k in range(len(successors))]


def _meet(a: int, b: int, found: dict[int, int], rank: dict[int, int]) -> int:
    while a != b:
        while rank[a] < rank[b]:
            a = found[a]
        while rank[b] < rank[a]:
            b = found[b]
    return a


def _postorder(successors: Sequence[Sequence[int]]) -> list[int]:
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
