"""Goals whose lanes are bit fields of neighbouring elements: what holds their bits is gathered,
then moved by a literal for each lane, masked, and joined with what is moved by another one.

A goal is seen as bits of elements.  Where each comes from is known, so nothing is searched for but
the cheapest one or two moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np

from isel.ir.build import band, bor
from isel.ir.expr import Expr
from isel.model.program import Step
from isel.synth.edges.found import of_two
from isel.synth.goals.derive import Solved, Solver, better
from isel.synth.instructions.form import Form
from isel.synth.layout.elements import ANY, Elements, Goal
from isel.synth.layout.passes import Bits, Pass, passes_of
from isel.synth.limits import MOST_FIELDS, UNITS, WORD


def gather(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Gather what holds the bits of lanes, move them by literals, mask and join them."""
    wanted = _bits(search.elements, width, goal)
    sizes = {len(search.elements.bits(x // WORD - 1)) for x in wanted if x > 0}
    best: Solved | None = None
    for held in dict.fromkeys(in_units(search.elements, wanted, max(sizes), u) for u in UNITS):
        ids = np.array(held if len(sizes) == 1 else (), dtype=np.int64)
        for way in _ways(search, wanted, max(sizes), ids):
            found = search.solve(max(sizes), ids, bound - way.rank[0])
            if found is not None:
                plan = way.build(search.plans.with_zeros(found[1]))
                best = found[0] + way.rank[0], search.plans.view(plan, width)
                bound = better(best[0])
    return best


def _ways(search: Solver, wanted: Bits, size: int, held: Goal) -> list[_Way]:
    """Return the cheapest ways to have bits of what is gathered."""
    mask, join = (_cheapest(search, build, len(wanted)) for build in (band, bor))
    if mask is None or join is None or not len(held):
        return []
    every = passes_of(search.library, wanted, _bits(search.elements, size, held))
    return sorted((_Way(search, mask, join, x) for x in every), key=lambda w: w.rank)[:MOST_FIELDS]


def _cheapest(search: Solver, build: Callable[[Expr, Expr], Expr], bits: int) -> Form | None:
    forms = (f for w in UNITS for f in search.library.forms(of_two(build, w), bits))
    return min(forms, key=lambda f: f.cost, default=None)


def _bits(elements: Elements, width: int, goal: Goal) -> Bits:
    none = (ANY,) * width
    return tuple(x for e in goal.tolist() for x in (none if e == ANY else elements.bits(e)))


def in_units(elements: Elements, wanted: Bits, size: int, unit: int) -> tuple[int, ...]:
    """Return elements of ``size`` bits of which each unit holds those that it has bits of, in the
    order in which fields go on from one to the next; none where they do not fit.
    """
    room, places = unit // size, range(0, len(wanted), unit)
    rows = [_row(elements, wanted[at : at + unit], size) for at in places]
    fits = len(wanted) % unit == 0 and all(len(row) <= room for row in rows)
    return tuple(x for row in rows for x in [*row, *[ANY] * room][:room]) if fits else ()


def _row(elements: Elements, bits: Bits, size: int) -> list[int]:
    """Return the elements that bits are of, each behind the one whose last bit is before its first;
    more than there is room for where there is no such order.
    """
    behind = {(a // WORD - 1, b // WORD - 1) for a, b in pairwise(bits) if _goes_on(a, b, size)}
    after, every = dict(behind), {x // WORD - 1 for x in bits if x > 0}
    row: list[int] = []
    for e in sorted(every.difference(after.values()), key=elements.place):
        while e not in row:
            row.append(e)
            e = after.get(e, e)
    return row if (len(row), len(after)) == (len(every), len(behind)) else row * WORD + [ANY] * WORD


def _goes_on(a: int, b: int, size: int) -> bool:
    return min(a, b) > 0 and a % WORD == size - 1 and b % WORD == 0


@dataclass(frozen=True)
class _Way:
    """Passes as steps."""

    search: Solver
    mask: Form
    join: Form
    passes: Sequence[Pass]

    @property
    def rank(self) -> tuple[int, int, int]:
        """The price, how many literals there are, and the bits that are wrong before they are
        masked.
        """
        constant = self.search.prices.constant
        moves = (p.move.form.cost + constant for p in self.passes if p.move.form is not None)
        masks = (self.mask.cost + constant) * sum(p.wrong > 0 for p in self.passes)
        joins = self.join.cost * (len(self.passes) - 1)
        literals = sum(len({o.literal for o in p.lanes}) for p in self.passes)
        return sum(moves) + masks + joins, literals, sum(p.wrong for p in self.passes)

    def build(self, plan: int) -> int:
        """Return the plan of what moves, masks and joins a plan."""
        parts = [self._move(plan, p) for p in self.passes]
        return reduce(lambda a, b: self.search.plans.apply(self.join, (a, b)), parts)

    def _move(self, plan: int, p: Pass) -> int:
        form, plans = p.move.form, self.search.plans
        if form is not None:
            operand = form.instruction.operands[1 - p.move.at]
            other = self._constant(operand.width, [o.literal for o in p.lanes])
            plan = plans.apply(form, (other, plan) if p.move.at else (plan, other))
        if not p.wrong:
            return plan
        mask = self._constant(p.move.width, [o.right for o in p.lanes])
        return plans.apply(self.mask, (plan, mask))

    def _constant(self, width: int, values: Sequence[int]) -> int:
        step = Step("const", width, len(values), values=tuple(values))
        return self.search.plans.add(step, self.search.prices.constant)
