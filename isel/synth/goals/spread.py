"""Goals whose lanes are bits of a unit of memory, fewer than it has room for: what each unit gives
is computed where the unit lies, then moved together by a permute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

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
    places = _places(elements, goal, unit)
    per, room = width * len(goal) // unit, unit // width
    number, count = Counter(places.values()).most_common(1)[0] if places else (0, 0)
    registers = sorted({k // max(per, 1) for k in places.values()})
    if not 1 < count < room or len(registers) > MOST_SPREAD:
        return []
    whole = [e for e, k in places.items() if k == number]
    return [_register(elements, whole, unit, r * per - number, (per, room)) for r in registers]


def _places(elements: Elements, goal: Goal, unit: int) -> dict[int, int]:
    """Return the number of the unit of each element, nothing where they are not of one source."""
    found = {e: _unit(elements, e, unit) for e in goal.tolist() if e != ANY}
    sources = {source for source, _ in found.values()}
    return {e: k for e, (_, k) in found.items()} if len(sources) == 1 and "" not in sources else {}


def _register(
    elements: Elements, whole: Sequence[int], unit: int, first: int, shape: tuple[int, int]
) -> Goal:
    """Return what units give from the ``first`` on, so many of a ``shape`` with room for others."""
    per, room = shape
    rows = ([_along(elements, e, (first + k) * unit) for e in whole] for k in range(per))
    return np.array([x for row in rows for x in [*row, *[ANY] * room][:room]], dtype=np.int64)


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
