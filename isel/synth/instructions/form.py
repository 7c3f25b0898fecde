"""Forms: an instruction with fixed immediates, its gather map, and what inverting that map asks of
operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isel.spec.instruction import Instruction
from isel.spec.known import Ints, gather
from isel.synth.values.lanefn import LaneFn


@dataclass(frozen=True, eq=False)
class Form:
    """One instruction with fixed immediates, all of whose lanes are one lane function.

    ``operand[k][i]`` and ``index[k][i]`` say which element fills hole k of lane i.
    """

    instruction: Instruction
    immediates: tuple[tuple[str, int], ...]
    fn: LaneFn
    cost: int
    known: tuple[Ints, Ints] | None = None

    @cached_property
    def _gather(self) -> tuple[Ints, Ints] | None:
        return self.known if self.known is not None else gather(self.instruction, self.immediates)

    @property
    def regular(self) -> bool:
        """Whether every lane is the same lane function."""
        return self._gather is not None

    @property
    def operand(self) -> Ints:
        """Operand number by hole and lane."""
        assert self._gather is not None
        return self._gather[0]

    @property
    def index(self) -> Ints:
        """Element number in that operand by hole and lane."""
        assert self._gather is not None
        return self._gather[1]

    @cached_property
    def holes_of_operand(self) -> tuple[tuple[int, ...], ...]:
        """For each operand the holes that it fills."""
        return tuple(
            tuple(k for k in range(self.fn.arity) if bool((self.operand[k] == o).any()))
            for o in range(len(self.instruction.operands))
        )

    @cached_property
    def places(self) -> list[list[tuple[int, int]]]:
        """For each lane and hole the operand and the number of the element that fills it."""
        lanes = zip(self.operand.T.tolist(), self.index.T.tolist(), strict=True)
        return [list(zip(*lane, strict=True)) for lane in lanes]

    @cached_property
    def reads_upper_half(self) -> bool:
        """Whether of an operand as large as the result only the upper half is read."""
        return any(
            o.bits == self.instruction.bits
            and int(self.index[self.operand == k].min()) >= o.lanes // 2
            for k, o in enumerate(self.instruction.operands)
            if bool((self.operand == k).any()) and o.lanes > 1
        )

    @cached_property
    def repeats(self) -> bool:
        """Whether all lanes read one element of some operand of several."""
        alike = (self.operand == self.operand[:, :1]) & (self.index == self.index[:, :1])
        some = (self.instruction.operands[o].lanes > 1 for o in self.operand[:, 0].tolist())
        return any(a and s for a, s in zip(alike.all(axis=1).tolist(), some, strict=True))

    @cached_property
    def packs(self) -> bool:
        """Whether lanes of several operands become the lanes of the result."""
        operands = self.instruction.operands
        return self.fn.arity == 1 and len(operands) > 1 and len({o.lanes for o in operands}) == 1

    def orders(self, inner: Sequence[Form]) -> list[Ints]:
        """Return the orders in which operands are read: for each lane its rank, where that is not
        the lane order.

        A pack reads block by block: with its operands in order, lane i of the result is element
        ``rank[i]``.  Further orders hold where the operands are results of one of ``inner``, with
        theirs in order.
        """
        lanes = self.instruction.operands[0].lanes
        operand, lane = np.divmod(self._positions, lanes)
        nested = (f._positions for f in inner if f.packs and f.instruction.lanes == lanes)
        found = [
            _ranks(self._positions),
            *(_ranks(operand * (int(p.max()) + 1) + p[lane]) for p in nested),
        ]
        return list(
            {o.tobytes(): o for o in found if bool((o != np.arange(len(o))).any())}.values()
        )

    @cached_property
    def _positions(self) -> Ints:
        """For each lane the element that it reads, the elements of all operands being numbered
        one after the other, in the order of their first use.
        """
        used = {o: k for k, o in enumerate(dict.fromkeys(self.operand[0].tolist()))}
        number = np.array([used[o] for o in self.operand[0].tolist()])
        positions: Ints = number * self.instruction.operands[0].lanes + self.index[0]
        return positions

    @cached_property
    def refined(self) -> dict[int, tuple[Ints, Ints]]:
        """Cache of swizzle tables at narrower element widths."""
        return {}

    @cached_property
    def read(self) -> dict[int, list[list[tuple[int, int]]]]:
        """Cache of :meth:`reads`."""
        return {}

    def table(self, width: int) -> tuple[Ints, Ints]:
        """Return operand and index arrays of a swizzle seen in elements of ``width`` bits."""
        found = self.refined.get(width)
        if found is None:
            r = self.instruction.width // width
            operand = np.repeat(self.operand[0], r)
            index = (self.index[0][:, None] * r + np.arange(r)).ravel()
            found = self.refined[width] = (operand, index)
        return found

    def reads(self, width: int) -> list[list[tuple[int, int]]]:
        """Return for each operand of a swizzle the pairs of its element and a lane that is this
        element.
        """
        found = self.read.get(width)
        if found is None:
            operand, index = self.table(width)
            every = list(zip(operand.tolist(), index.tolist(), range(len(operand)), strict=True))
            found = self.read[width] = [
                [(i, at) for n, i, at in every if n == o]
                for o in range(len(self.instruction.operands))
            ]
        return found

    def invert(self, width: int, goal: Sequence[int], anything: int) -> list[list[int]] | None:
        """Return what a swizzle's operands must hold for it to give ``goal``; None where two
        lanes disagree.
        """
        operands: list[list[int]] = []
        for o, read in zip(self.instruction.operands, self.reads(width), strict=True):
            wanted = [anything] * (o.bits // width)
            for i, at in read:
                if wanted[i] == anything:
                    wanted[i] = goal[at]
                elif goal[at] not in (anything, wanted[i]):
                    return None
            operands.append(wanted)
        return operands


def _ranks(keys: Ints) -> Ints:
    """Return for each key its rank among all."""
    ranks: Ints = np.argsort(np.argsort(keys, kind="stable"))
    return ranks
