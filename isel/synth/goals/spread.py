"""Goals whose lanes are bits of a unit of memory, fewer than it has room for: what every
unit gives is computed where the unit lies, then moved together by a permute.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from isel.ir.expr import elem
from isel.synth.goals.derive import Solved, Solver, better
from isel.synth.layout.elements import ANY, ZERO, Elements, Goal
from isel.synth.layout.permutes import Permuter
from isel.synth.limits import MOST_SPREAD, UNITS, WORD

Unit: TypeAlias = tuple[str, int]  # a source, and the number of the unit in it


def by_spread(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Compute lanes beside the others of their units, and move them together."""
    best: Solved | None = None
    for unit in UNITS:
        found = _by_units(search, width, goal, unit, bound) if unit > width else None
        if found is not None and found[0] <= bound:
            best, bound = found, better(found[0])
    return best


def _by_units(search: Solver, width: int, goal: Goal, unit: int, bound: int) -> Solved | None:
    elements, room, per = search.elements, unit // width, width * len(goal) // unit
    lanes = {e: _unit_of(elements, e, unit) for e in goal.tolist() if e != ANY}
    units: dict[Unit, list[int]] = {}
    for e, u in lanes.items():
        if u is None:
            return None
        units.setdefault(u, []).append(e)
    (_, number), whole = max(units.items(), key=lambda x: len(x[1]))
    registers = dict.fromkeys((s, k // per) for s, k in units)
    if not 1 < len(whole) < room or len(registers) > MOST_SPREAD or len({s for s, _ in units}) > 1:
        return None
    total, held = 0, []
    for _, register in registers:
        each = [
            [_along(elements, e, (k - number) * unit) for e in whole]
            for k in range(register * per, (register + 1) * per)
        ]
        ids = np.array([x for row in each for x in row + [ANY] * (room - len(row))], dtype=np.int64)
        found = search.solve(width, ids, bound - total, search.stack)
        if found is None:
            return None
        total += found[0]
        held.append((found[1], ids))
    moved = Permuter(search.library, elements, search.plans).permute(width, goal, held)
    return None if moved is None else (total + moved[0], moved[1])


def _unit_of(elements: Elements, element: int, unit: int) -> Unit | None:
    """Return the unit that has all bits of an element, None where there is none."""
    own = {x // WORD - 1 for x in elements.bits(element) if x > ZERO}
    places = {(source, at // unit) for source, at, _ in map(elements.place, own)}
    return places.pop() if len(places) == 1 else None


def _along(elements: Elements, element: int, bits: int) -> int:
    """Return the element that is made as another one of what lies so many bits further, ANY where
    that is not read.
    """
    c, e = elements.classes[element], elements.expr[element]
    if c is not None:
        binding = tuple(_along(elements, x, bits) for x in elements.binding[element])
        return ANY if ANY in binding else elements.value(c, binding)
    further = elem(e.source, e.offset + bits, e.width) if e is not None and e.op == "elem" else e
    return ANY if further is None else elements.known(further)
