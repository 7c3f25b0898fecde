"""Goals whose lanes are bits of a unit of memory, fewer than it has room for: what each unit gives
is computed where the unit lies, then moved together by a permute.
"""

from __future__ import annotations

import numpy as np

from isel.ir.expr import elem
from isel.synth.goals.derive import Solved, Solver, better, solve_all
from isel.synth.layout.elements import ANY, Elements, Goal
from isel.synth.layout.permutes import Permuter
from isel.synth.limits import MOST_SPREAD, UNITS, WORD


def spread(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Compute lanes beside the others of their units, and move them together."""
    best: Solved | None = None
    permuter = Permuter(search.library, search.elements, search.plans)
    for unit in UNITS:
        goals = whole_units(search.elements, width, goal, unit)
        found = solve_all(search, [(width, g) for g in goals], 0, bound, search.stack)
        if goals and found is not None:
            moved = permuter.permute(width, goal, list(zip(found[1], goals, strict=True)))
            if moved is not None and found[0] + moved[0] <= bound:
                best = found[0] + moved[0], moved[1]
                bound = better(best[0])
    return best


def whole_units(elements: Elements, width: int, goal: Goal, unit: int) -> list[Goal]:
    """Return what registers hold beside the lanes of a goal if each unit gives, where it lies, what
    the one gives that gives most; none where they are too many or units have no room left.
    """
    places = {e: _unit(elements, e, unit) for e in goal.tolist() if e != ANY}
    units: dict[int, list[int]] = {}
    for e, (_, k) in places.items():
        units.setdefault(k, []).append(e)
    number, whole = max(units.items(), key=lambda x: len(x[1]))
    room, per = unit // width, width * len(goal) // unit
    registers = sorted({k // per for k in units}) if per else []
    alone = len({source for source, _ in places.values()}) == 1 and ("", 0) not in places.values()
    if not (alone and 1 < len(whole) < room and len(registers) <= MOST_SPREAD):
        return []
    rows = [
        [[_along(elements, e, (k + r * per - number) * unit) for e in whole] for k in range(per)]
        for r in registers
    ]
    rest = [ANY] * (room - len(whole))
    return [np.array([x for u in row for x in u + rest], dtype=np.int64) for row in rows]


def _unit(elements: Elements, element: int, unit: int) -> tuple[str, int]:
    """Return the source and the number of the unit that has all bits of an element, no source where
    there is none.
    """
    own = {x // WORD - 1 for x in elements.bits(element) if x}
    places = {(source, at // unit) for source, at, _ in map(elements.place, own)}
    return places.pop() if len(places) == 1 else ("", 0)


def _along(elements: Elements, element: int, bits: int) -> int:
    """Return the element that is made as another one of what lies so many bits further, ANY where
    that is not read.
    """
    c, e = elements.classes[element], elements.expr[element]
    if c is not None:
        binding = tuple(_along(elements, x, bits) for x in elements.binding[element])
        return ANY if ANY in binding else elements.value(c, binding)
    further = elem(e.source, e.offset + bits, e.width) if e is not None and e.op == "elem" else e
    return ANY if further is None else elements.find(further)
