"""Goals whose lanes are bit fields of neighbouring elements: what holds their bits is gathered,
then moved by a literal for each lane, masked, and joined with what is moved by another one.

A goal is seen as bits of elements.  Where each comes from is known, so nothing is searched for but
the cheapest one or two moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from isel.ir.build import band, bor
from isel.ir.expr import Expr
from isel.model.program import Step
from isel.synth.edges.found import of_two
from isel.synth.goals.derive import Solved, Solver, better
from isel.synth.instructions.form import Form
from isel.synth.layout.elements import ANY, ZERO, Elements, Goal
from isel.synth.layout.passes import Bits, Pass, passes_of
from isel.synth.limits import MOST_FIELDS, UNITS, WORD

Build: TypeAlias = Callable[[Expr, Expr], Expr]


def by_fields(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Gather what holds the bits of lanes, move them by literals, mask and join them."""
    mask, join = (_cheapest(search, build, width * len(goal)) for build in (band, bor))
    best: Solved | None = None
    wanted = _bits(search.elements, width, goal)
    for size, held in _gathered(search.elements, wanted) if mask and join else ():
        every = passes_of(search.library, wanted, _bits(search.elements, size, held))
        made = [_Made(search, mask, join, passes) for passes in every if mask and join]
        for way in sorted(made, key=lambda w: (w.price, w.wrong))[:MOST_FIELDS]:
            found = search.solve(size, held, bound - way.price, search.stack)
            if found is not None:
                plan = way.built(search.plans.defined(found[1]))
                best = found[0] + way.price, search.plans.view(plan, width)
                bound = better(best[0])
    return best


def _cheapest(search: Solver, build: Build, bits: int) -> Form | None:
    forms = (f for w in UNITS for f in search.library.forms(of_two(build, w), bits))
    return min(forms, key=lambda f: f.cost, default=None)


def _bits(elements: Elements, width: int, goal: Goal) -> Bits:
    none = (ANY,) * width
    return tuple(x for e in goal.tolist() for x in (none if e == ANY else elements.bits(e)))


def _gathered(elements: Elements, wanted: Bits) -> Iterator[tuple[int, Goal]]:
    """Yield widths and goals of whole elements that hold in each unit what it has bits of."""
    (size, *others) = {len(elements.bits(x // WORD - 1)) for x in wanted if x > ZERO}
    seen: set[tuple[int, ...]] = set()
    for unit in UNITS if not others else ():
        places = range(0, len(wanted), unit) if not len(wanted) % unit and unit >= size else ()
        rows = [_row(elements, wanted[at : at + unit], size) for at in places]
        if rows and all(row is not None and len(row) * size <= unit for row in rows):
            n = unit // size
            held = tuple(x for r in rows for x in [*(r or ()), *[ANY] * n][:n])
            if held not in seen:
                yield size, np.array(held, dtype=np.int64)
            seen.add(held)


def _row(elements: Elements, bits: Bits, size: int) -> list[int] | None:
    """Return the elements that bits are of, each behind the one whose last bit is before its first;
    None where there is no such order.
    """
    pairs = ((a, b) for a, b in pairwise(bits) if a > ZERO and b > ZERO and not b % WORD)
    behind = {(a // WORD - 1, b // WORD - 1) for a, b in pairs if a % WORD == size - 1}
    after, firsts = dict(behind), {x // WORD - 1 for x in bits if x > ZERO}
    row: list[int] = []
    for e in sorted(firsts.difference(after.values()), key=elements.place):
        while e not in row:
            row.append(e)
            e = after.get(e, e)
    return row if len(row) == len(firsts) and len(after) == len(behind) else None


class _Made:
    """Passes as steps, and their price."""

    def __init__(self, search: Solver, mask: Form, join: Form, passes: Sequence[Pass]) -> None:
        self._plans, self._constant = search.plans, search.prices.constant
        self._mask, self._join, self._passes = mask, join, passes
        moves = [p.move.form.cost + self._constant for p in passes if p.move.form is not None]
        masks = (mask.cost + self._constant) * sum(p.masked for p in passes)
        self.wrong = sum(o.wrong.bit_count() for p in passes for o in p.lanes)
        self.price = sum(moves) + masks + join.cost * (len(passes) - 1)

    def built(self, plan: int) -> int:
        """Return the plan of what moves, masks and joins a plan."""
        parts = [self._moved(plan, p) for p in self._passes]
        return reduce(lambda a, b: self._plans.apply(self._join, (a, b)), parts)

    def _moved(self, plan: int, p: Pass) -> int:
        form = p.move.form
        if form is not None:
            sizes = [o.width for o in form.instruction.operands]
            other = self._const(sizes[1 - p.move.at], [o.literal for o in p.lanes])
            plan = self._plans.apply(form, (other, plan) if p.move.at else (plan, other))
        masks = [o.right for o in p.lanes]
        mask = self._const(p.move.width, masks) if p.masked else plan
        return self._plans.apply(self._mask, (plan, mask)) if p.masked else plan

    def _const(self, width: int, values: Sequence[int]) -> int:
        step = Step("const", width, len(values), values=tuple(values))
        return self._plans.add(step, self._constant)
