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
from isel.synth.instructions.library import Library
from isel.synth.layout.elements import ANY, ZERO, Goal
from isel.synth.layout.passes import Bits, Pass, passes_of
from isel.synth.limits import MOST_FIELDS, UNITS, WORD

Build: TypeAlias = Callable[[Expr, Expr], Expr]


Ways: TypeAlias = tuple[int, tuple[Pass, ...]]  # a price, and what is joined


def by_fields(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Gather what holds the bits of lanes, move them by literals, mask and join them."""
    bits = width * len(goal)
    mask, join = (_cheapest(search.library, build, bits) for build in (band, bor))
    if mask is None or join is None:
        return None
    fields = _Fields(search, width, goal, mask, join)
    best: Solved | None = None
    for held in fields.gathered():
        size = len(fields.wanted) // len(held)
        least = search.lower(size, held)
        for price, passes in fields.passes(held):
            if least + price > bound:
                break
            found = search.solve(size, held, bound - price, search.stack)
            if found is not None:
                plan = fields.built(search.plans.defined(found[1]), passes)
                best = found[0] + price, search.plans.view(plan, width)
                bound = better(best[0])
    return best


def _cheapest(library: Library, build: Build, bits: int) -> Form | None:
    """Return the cheapest form of a function of two values, whatever their width."""
    forms = (f for w in UNITS for f in library.forms(of_two(build, w), bits))
    return min(forms, key=lambda f: f.cost, default=None)


class _Fields:
    """One goal as bits, and the instructions that mask and join."""

    def __init__(self, search: Solver, width: int, goal: Goal, mask: Form, join: Form) -> None:
        self._search, self._mask, self._join = search, mask, join
        self.wanted = self._bits(width, goal)
        self._constant = search.prices.constant

    def _bits(self, width: int, goal: Goal) -> Bits:
        bits = self._search.elements.bits
        none = (ANY,) * width
        return tuple(x for e in goal.tolist() for x in (none if e == ANY else bits(e)))

    def gathered(self) -> Iterator[Goal]:
        """Yield goals of whole elements that hold in each unit what it has bits of, in the order in
        which fields go on from one to the next.
        """
        numbers = {x // WORD - 1 for x in self.wanted if x > ZERO}
        widths = {len(self._search.elements.bits(e)) for e in numbers}
        size = widths.pop()
        found: dict[tuple[int, ...], None] = {}
        for unit in UNITS if not widths else ():
            if unit >= size and len(self.wanted) % unit == 0:
                places = range(0, len(self.wanted), unit)
                rows = [self._row(self.wanted[at : at + unit], size) for at in places]
                if all(row is not None and len(row) <= unit // size for row in rows):
                    n = unit // size
                    padded = [(row or []) + [ANY] * (n - len(row or [])) for row in rows]
                    found[tuple(x for row in padded for x in row)] = None
        yield from (np.array(x, dtype=np.int64) for x in found)

    def _row(self, bits: Sequence[int], size: int) -> list[int] | None:
        """Return the elements that bits are of, each behind the one whose last bit is before its
        first; None where there is no such order.
        """
        own = [x for x in bits if x > ZERO]
        ends = (
            (a, b) for a, b in pairwise(bits) if min(a, b) > ZERO and (a + 1) % WORD == size % WORD
        )
        behind = {(a // WORD - 1, b // WORD - 1) for a, b in ends if b % WORD == 0}
        after, before = dict(behind), {b: a for a, b in behind}
        row: list[int] = []
        elements = dict.fromkeys(x // WORD - 1 for x in own)
        for e in sorted(elements.keys() - before, key=self._search.elements.place):
            while e not in row:
                row.append(e)
                e = after.get(e, e)
        return (
            row if len(row) == len(elements) and len(after) == len(before) == len(behind) else None
        )

    def passes(self, held: Goal) -> list[Ways]:
        """Return the cheapest ways to have the goal of what is gathered, with their prices."""
        source = self._bits(len(self.wanted) // len(held), held)
        found = passes_of(self._search.library, self.wanted, source)
        return sorted(((self._price(p), p) for p in found), key=lambda x: x[0])[:MOST_FIELDS]

    def _price(self, passes: Sequence[Pass]) -> int:
        joins = self._join.cost * (len(passes) - 1)
        return joins + sum(
            p.move.cost
            + (0 if p.after is None else p.after.cost)
            + self._constant * p.move.given
            + (self._mask.cost + self._constant) * p.masked
            for p in passes
        )

    def built(self, plan: int, passes: Sequence[Pass]) -> int:
        """Return the plan of what moves, masks and joins a plan."""
        plans = self._search.plans
        return reduce(
            lambda a, b: plans.apply(self._join, (a, b)), [self._moved(plan, p) for p in passes]
        )

    def _moved(self, plan: int, p: Pass) -> int:
        form, literals = p.move.form, [o.literal for o in p.lanes]
        if form is not None:
            given = [
                self._const(o.width, literals) if p.move.given and k != p.move.operand else plan
                for k, o in enumerate(form.instruction.operands)
            ]
            plan = self._search.plans.apply(form, given)
        if p.after is not None and p.after.form is not None:
            plan = self._search.plans.apply(p.after.form, (plan,))
        if not p.masked:
            return plan
        mask = self._const(p.move.width, [o.right for o in p.lanes])
        return self._search.plans.apply(self._mask, (plan, mask))

    def _const(self, width: int, values: Sequence[int]) -> int:
        step = Step("const", width, len(values), values=tuple(values))
        return self._search.plans.add(step, self._constant)
