"""Permutes by index: which index makes a lane which element."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from isel.model.program import Step
from isel.spec.instruction import Instruction
from isel.spec.permutes import index_operand, permute_of
from isel.synth.instructions.library import Library
from isel.synth.layout.bounds import PRICES
from isel.synth.layout.elements import ANY, Elements, Goal
from isel.synth.layout.plans import Plans

INDEX: Final = PRICES.constant  # of a permute: a load from the constant pool


@dataclass(frozen=True, eq=False)
class PermuteTable:
    """The number of a permute's index operand and, for each lane, by what it becomes the least
    index that makes it so.

    Lanes become entries: the elements of the other operands numbered one after the other from 0; -1
    is zero.
    """

    at: int
    lanes: tuple[dict[int, int], ...]

    def index(self, entries: Iterable[Sequence[int]]) -> tuple[int | None, ...] | None:
        """Return for each lane the index that makes it the first of its entries that it can become,
        None where there are none to have.

        None if some lane can become none of its entries.
        """
        values: list[int | None] = []
        for lane, wanted in zip(self.lanes, entries, strict=True):
            hit = next((lane[e] for e in wanted if e in lane), None)
            if wanted and hit is None:
                return None
            values.append(hit)
        return tuple(values)


@cache
def permute_table(instruction: Instruction) -> PermuteTable | None:
    """Return the table of an instruction; None where it is no permute by its index operand lane
    by lane, of registers of its own size.
    """
    found, at = permute_of(instruction), index_operand(instruction)
    alike = all(o.bits == instruction.bits for o in instruction.operands if o.role != "index")
    if found is None or at is None or not alike:
        return None
    lanes = [
        {entry: index for entry, index in enumerate(table, -1) if index >= 0}
        for table in found.tables
    ]
    return PermuteTable(at, tuple(lanes[n] for n in found.by_lane))


def permuted(
    plans: Plans,
    p: Instruction,
    at: int,
    index: tuple[int | None, ...],
    sources: Sequence[int],
    cost: int,
    width: int,
) -> int:
    """Return the plan, in elements of ``width`` bits, of a permute by a constant index, which
    ``cost`` counts too; it reads the first of ``sources`` again where it reads more.
    """
    operand = p.operands[at]
    constant = plans.add(Step("const", operand.width, operand.lanes, values=index), INDEX)
    args = [plans.view(x, p.width) for x in sources]
    args += [args[0]] * (len(p.operands) - 1 - len(args))
    args.insert(at, constant)
    plan = plans.add(Step("apply", p.width, p.lanes, tuple(args), p.name), cost - INDEX)
    return plans.view(plan, width)


class Permuter:
    """Permutes of registers by a constant index, for the elements of some leaves."""

    def __init__(self, library: Library, elements: Elements, plans: Plans) -> None:
        self._library = library
        self._elements = elements
        self._plans = plans
        self._held: dict[tuple[bytes, int], dict[tuple[int, ...], list[int]]] = {}

    def permute(
        self, width: int, goal: Goal, sources: Sequence[tuple[int, Goal]]
    ) -> tuple[int, int] | None:
        """Return the price and plan of the cheapest permute of ``sources`` (plan, elements)
        that gives a goal of their elements and zeros.
        """
        best: tuple[int, int] | None = None
        entries: dict[int, list[Sequence[int]] | None] = {}
        for p, price in self._library.permutes_of(width * len(goal)):
            cost = price + INDEX
            dear = best is not None and cost >= best[0]
            fits = not dear and not p.width % width and len(p.operands) > len(sources)
            known = permute_table(p) if fits else None
            if known is None:
                continue
            if p.width not in entries:
                entries[p.width] = self._entries(p.lanes, sources, goal)
            wanted = entries[p.width]
            index = None if wanted is None else known.index(wanted)
            if index is not None:
                held = [plan for plan, _ in sources]
                best = cost, permuted(self._plans, p, known.at, index, held, cost, width)
        return best

    def _entries(
        self, lanes: int, sources: Sequence[tuple[int, Goal]], goal: Goal
    ) -> list[Sequence[int]] | None:
        """Return for each lane of a permute the entries of its table that give it: -1 for zero,
        none for anything.
        """
        r = len(goal) // lanes
        blocks = [self._blocks(ids, r) for _, ids in sources]
        entries: list[Sequence[int]] = []
        for block in goal.reshape(-1, r).tolist():
            if block.count(ANY) == r:
                entries.append(())
            elif found := [
                n * lanes + i for n, held in enumerate(blocks) for i in held.get(tuple(block), ())
            ]:
                entries.append(found)
            elif all(x != ANY and self._elements.is_zero(x) for x in block):
                entries.append((-1,))
            else:
                return None
        return entries

    def _blocks(self, ids: Goal, size: int) -> dict[tuple[int, ...], list[int]]:
        """Return where a register holds each block of ``size`` elements."""
        key = (ids.tobytes(), size)
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = {}
            for i, block in enumerate(ids.reshape(-1, size).tolist()):
                found.setdefault(tuple(block), []).append(i)
        return found
