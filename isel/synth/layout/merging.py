"""Two registers in one, each lane from the one or the other; one in another order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from isel.ir.build import make
from isel.ir.canon import formal
from isel.model.program import Step
from isel.spec.instruction import Instruction
from isel.spec.known import Ints
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.layout.permutes import INDEX, permute_table, permuted
from isel.synth.layout.plans import Plans
from isel.synth.values.lanefn import lane_fn


@dataclass(frozen=True, slots=True)
class Merge:
    """How lanes of ``width`` bits are merged: by a swizzle (``form``), by a choice under a mask, or
    by a permute of one register or two.

    ``index`` is the constant mask or index.
    """

    width: int
    lanes: int
    cost: int
    form: Form | None = None
    swapped: bool = False
    permute: Instruction | None = None
    at: int = 0
    index: tuple[int | None, ...] = ()

    def apply(self, plans: Plans, *given: int) -> int:
        """Return the plan of the merged register."""
        if self.form is None:
            assert self.permute is not None
            return permuted(plans, self.permute, self.at, self.index, given, self.cost, self.width)
        if not self.index:
            pair = given[::-1] if self.swapped else given
            return plans.view(plans.apply(self.form, pair), self.width)
        mask = plans.add(Step("const", 1, self.lanes, values=self.index), INDEX)
        held = (mask, *(plans.view(x, self.width) for x in given))
        order = sorted(enumerate(self.form.operand[:, 0].tolist()), key=lambda x: x[1])
        args = tuple(held[k] for k, _ in order)
        return plans.apply(self.form, args)


@cache
def merge_of(library: Library, width: int, picks: tuple[int, ...]) -> Merge | None:
    """Return the cheapest way to take lane i from register ``picks[i]``, 0 or 1 (or either:
    -1), or None where there is none.
    """
    ways = (
        _by_swizzle(library, width, np.array(picks)),
        _by_mask(library, width, picks),
        _by_permute(library, width, picks),
    )
    found = [m for m in ways if m is not None]
    return min(found, key=lambda m: m.cost, default=None)


def _by_swizzle(library: Library, width: int, picks: Ints) -> Merge | None:
    lanes = len(picks)
    asked = picks >= 0
    for form in library.swizzles(width * lanes, width):
        if len(form.instruction.operands) != 2:
            continue
        operand, index = form.table(width)
        if len(operand) == lanes and bool((index == np.arange(lanes))[asked].all()):
            for swapped in (False, True):
                if bool((operand == (1 - picks if swapped else picks))[asked].all()):
                    return Merge(width, lanes, form.cost, form, swapped)
    return None


def _by_mask(library: Library, width: int, picks: tuple[int, ...]) -> Merge | None:
    """Choose under a constant mask, the first register where it is set."""
    choice = lane_fn(make("ite", (formal(0, 1), formal(1, width), formal(2, width))))
    lanes = np.arange(len(picks))
    for form in library.forms(choice, width * len(picks)):
        if (
            len(form.instruction.operands) == 3
            and bool((form.index == lanes).all())
            and bool((form.operand == form.operand[:, :1]).all())
        ):
            index = tuple(int(pick != 1) for pick in picks)
            return Merge(width, len(picks), form.cost + INDEX, form, index=index)
    return None


def _by_permute(library: Library, width: int, picks: tuple[int, ...]) -> Merge | None:
    lanes = len(picks)
    for p, price in library.permutes_of(width * lanes):
        known = permute_table(p) if p.width == width and len(p.operands) == 3 else None
        if known is None:
            continue
        index = known.index([(k + lanes * (pick == 1),) for k, pick in enumerate(picks)])
        if index is not None:
            return Merge(width, lanes, price + INDEX, permute=p, at=known.at, index=index)
    return None


def restorer_of(library: Library, width: int, source: Ints) -> Merge | None:
    """Return the cheapest permute by a constant index that takes element ``i`` from the lane
    ``source[i]``; where there is none, a swizzle.
    """
    best: Merge | None = None
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
            best = Merge(width, len(source), cost, permute=p, at=known.at, index=index)
    return best or _by_one_swizzle(library, width, source)


def _by_one_swizzle(library: Library, width: int, source: Ints) -> Merge | None:
    for form in library.swizzles(width * len(source), width):
        alone = len(form.instruction.operands) == 1
        if alone and np.array_equal(form.table(width)[1], source):
            return Merge(width, len(source), form.cost, form)
    return None
