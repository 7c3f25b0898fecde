"""One register put in another order by a permute with a constant index."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isel.spec.instruction import Instruction
from isel.spec.known import Ints
from isel.synth.instructions.library import Library
from isel.synth.layout.permutes import INDEX, permute_table, permuted
from isel.synth.layout.plans import Plans


@dataclass(frozen=True, slots=True)
class Restorer:
    """A permute of one register by a constant index, ready to be applied to a plan."""

    plans: Plans
    permute: Instruction
    at: int
    index: tuple[int | None, ...]
    cost: int
    width: int

    def apply(self, plan: int) -> int:
        """Return the plan of the permuted register."""
        return permuted(
            self.plans, self.permute, self.at, self.index, [plan], self.cost, self.width
        )


def restorer_of(library: Library, plans: Plans, width: int, source: Ints) -> Restorer | None:
    """Return the cheapest permute by a constant index that takes element ``i`` from the lane
    ``source[i]``.
    """
    best: Restorer | None = None
    for p, price in library.permutes_of(width * len(source)):
        cost = price + INDEX
        r = p.width // width
        if r < 1 or p.width % width or (best is not None and cost >= best.cost):
            continue
        blocks = source.reshape(-1, r)
        if bool((blocks != blocks[:, :1] + np.arange(r)).any()) or bool((blocks[:, 0] % r).any()):
            continue
        known = permute_table(p)
        if known is None or any(o.bits != p.bits for o in p.operands):
            continue
        index = known.index([(b,) for b in (blocks[:, 0] // r).tolist()])
        if index is not None:
            best = Restorer(plans, p, known.at, index, cost, width)
    return best
