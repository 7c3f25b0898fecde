"""Ways to derive a goal from others: of lanes half or twice as wide, of one class of lanes each, of
registers half or twice as large, and through the gather map of an instruction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import tee
from typing import Protocol, TypeAlias

import numpy as np

from isel.synth.goals.registers import Registers
from isel.synth.goals.ways import Ways
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass
from isel.synth.layout.bounds import Prices
from isel.synth.layout.elements import ANY, Elements, Goal
from isel.synth.layout.merging import Merge, merge_of
from isel.synth.layout.plans import Plans
from isel.synth.values.questions import Edge

Solved: TypeAlias = tuple[int, int]  # price and plan


class Solver(Protocol):
    """The search that solves what a goal is derived from
    (:class:`isel.synth.goals.search.GoalSearch`).
    """

    library: Library
    elements: Elements
    plans: Plans
    prices: Prices
    registers: Registers
    ways: Ways

    def lower(self, width: int, goal: Goal) -> int:
        """Return a lower bound on the price of a goal."""
        ...

    def solve(self, width: int, goal: Goal, bound: int) -> Solved | None:
        """Return the price and plan of a goal within ``bound``, or None."""
        ...


def better(cost: int) -> int:
    """Return the bound for further answers: gains under 3 % are not worth their search."""
    return cost - 1 - cost // 32


def solve_all(
    search: Solver, goals: Sequence[tuple[int, Goal]], price: int, bound: int
) -> tuple[int, list[int]] | None:
    """Solve goals of the given widths; return their price with ``price`` added, which is
    within ``bound``, and their plans.
    """
    least = [search.lower(w, g) for w, g in goals]
    total = price + sum(least)
    if total > bound:
        return None
    plans: list[int] = []
    for (w, g), low in zip(goals, least, strict=True):
        found = search.solve(w, g, bound - total + low)
        if found is None:
            return None
        total += found[0] - low
        plans.append(found[1])
    return total, plans


def applied(search: Solver, form: Form, goals: Sequence[Goal], bound: int) -> Solved | None:
    """Solve the operands within ``bound`` and return the application."""
    operands = zip(form.instruction.operands, goals, strict=True)
    found = solve_all(search, [(o.width, g) for o, g in operands], form.cost, bound)
    return None if found is None else (found[0], search.plans.apply(form, found[1]))


def by_parts(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """See each lane as two narrower ones, where both halves are simpler than the lane (an
    extension: its operand and zeros).
    """
    if width % 2 or width < 16:
        return None
    halves: list[int] = []
    for e in goal.tolist():
        pair = (ANY, ANY) if e == ANY else search.elements.halves(e)
        if pair is None:
            return None
        halves.extend(pair)
    found = search.solve(width // 2, np.array(halves, dtype=np.int64), bound)
    return None if found is None else (found[0], search.plans.view(found[1], width))


def by_pieces(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """See neighbouring lanes that are the pieces of wider values, in order, as these."""
    held = [search.elements.whole(e) for e in goal.tolist()]
    count = max((h[2] for h in held if h is not None), default=0)
    if not count or len(goal) % count:
        return None
    groups = range(0, len(goal), count)
    wholes = [_whole_of(goal.tolist()[k : k + count], held[k : k + count]) for k in groups]
    if None in wholes:
        return None
    solved = search.solve(width * count, np.array(wholes, dtype=np.int64), bound)
    return None if solved is None else (solved[0], search.plans.view(solved[1], width))


def _whole_of(lanes: Sequence[int], held: Sequence[tuple[int, int, int] | None]) -> int | None:
    """Return the element that lanes are the pieces of, in order, or None."""
    given = [(k, h) for k, (e, h) in enumerate(zip(lanes, held, strict=True)) if e != ANY]
    found = {h[0] for k, h in given if h is not None and h[1:] == (k, len(lanes))}
    right = sum(h is not None and h[1:] == (k, len(lanes)) for k, h in given)
    return max(found, default=ANY) if right == len(given) and len(found) <= 1 else None


def by_wider(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Compute even and odd lanes in registers of lanes twice as wide, and merge them."""
    if len(goal) % 2:
        return None
    sides: tuple[list[int], list[int]] = ([], [])
    for i, e in enumerate(goal.tolist()):
        pair = (ANY, ANY) if e == ANY else search.elements.wider(e)
        if pair is None:
            return None
        sides[i % 2].append(pair[i % 2])
    merge = merge_of(search.library, width, (0, 1) * (len(goal) // 2))
    return _merged(search, merge, 2 * width, sides, bound)


def by_kinds(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Compute the lanes of one class and those of the others in registers of their own, and
    merge them.
    """
    first, *others = search.elements.classes_of(goal)
    if not others:
        return None
    picks = tuple(
        -1 if e == ANY else int(search.elements.classes[e] is not first) for e in goal.tolist()
    )
    sides = tuple(
        [e if p == side else ANY for e, p in zip(goal.tolist(), picks, strict=True)]
        for side in (0, 1)
    )
    return _merged(search, merge_of(search.library, width, picks), width, sides, bound)


def by_halves(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Join two half registers, or take the low part of a register that holds more."""
    bits = width * len(goal)
    best: Solved | None = None
    classes = search.elements.classes_of(goal)
    if (
        len(goal) % 2 == 0
        and (width > 1 or search.library.reads_masks)
        and search.prices.join <= bound
        and search.ways.only_at(classes, bits // 2, bits)
    ):
        best = _join(search, width, goal, bound)
        bound = better(best[0]) if best else bound
    if width > 1 and search.ways.only_at(classes, 2 * bits, bits):
        best = by_low(search, width, goal, bound) or best
    return best


def by_low(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    """Take the low part of a register that holds more."""
    wide = np.concatenate([goal, np.full(len(goal), ANY, dtype=np.int64)])
    found = search.solve(width, wide, bound)
    if found is None:
        return None
    return found[0], search.plans.part(width, found[1], 0, len(goal))


def _merged(
    search: Solver, merge: Merge | None, width: int, sides: Sequence[list[int]], bound: int
) -> Solved | None:
    """Solve two goals and put their lanes into one register."""
    if merge is None:
        return None
    goals = [(width, np.array(side, dtype=np.int64)) for side in sides]
    found = solve_all(search, goals, merge.cost, bound)
    return None if found is None else (found[0], merge.apply(search.plans, *found[1]))


def _join(search: Solver, width: int, goal: Goal, bound: int) -> Solved | None:
    half = len(goal) // 2
    goals = [(width, goal[:half]), (width, goal[half:])]
    found = solve_all(search, goals, search.prices.join, bound)
    if found is None:
        return None
    return found[0], search.plans.join(width, found[1], search.prices.join)


def inverted(
    elements: Elements, form: Form, goal: Goal, edges: Mapping[LaneClass, Edge]
) -> list[Goal] | None:
    """Return the operand goals that make ``form`` give ``goal``; None where two lanes
    disagree.
    """
    operands: list[list[int]] = [[ANY] * o.lanes for o in form.instruction.operands]
    agree = _fill(elements, form, goal, edges, operands, range(form.fn.arity))
    return [np.array(x, dtype=np.int64) for x in operands] if agree else None


def cheapest_inverted(
    search: Solver, form: Form, goal: Goal, edges: Mapping[LaneClass, Edge]
) -> list[Goal] | None:
    """Return operand goals that make ``form`` give ``goal``: as edges have them or, of products
    that are added up, in slots where they cost nothing, or where lanes agree.
    """

    def least(goals: Sequence[Goal]) -> int:
        operands = zip(form.instruction.operands, goals, strict=True)
        return sum(search.lower(o.width, g) for o, g in operands)

    key, asked = (form, *edges.values(), goal.tobytes()), search.elements.asked
    if key not in asked:  # by another search of the window
        rows = _by_rows(search.elements, form, goal, edges)
        asked[key] = inverted(search.elements, form, goal, edges), tee(rows, 1)[0]
    plain, found = asked[key][0], tee(asked[key][1])[1]
    several = form.fn.sum is not None and len(form.fn.sum.products) > 1
    if not several or (plain is not None and least(plain) <= search.prices.constant):
        return plain
    if plain is not None:
        return next((goals for goals in found if least(goals) <= search.prices.constant), plain)
    return min(found, key=least, default=None)


def _fill(
    elements: Elements,
    form: Form,
    goal: Goal,
    edges: Mapping[LaneClass, Edge],
    operands: list[list[int]],
    holes: Iterable[int],
) -> bool:
    """Put what fills some holes of a form where it reads them; tell whether lanes agree."""
    argument, classes, every = elements.argument, elements.classes, tuple(holes)
    for e, places in zip(goal.tolist(), form.places, strict=True):
        if e == ANY:
            continue
        c = classes[e]
        assert c is not None
        for k in every:
            o, i = places[k]
            wanted = argument(e, edges[c].args[k])
            if operands[o][i] == ANY:
                operands[o][i] = wanted
            elif wanted not in (ANY, operands[o][i]):
                return False
    return True


def _by_rows(
    elements: Elements, form: Form, goal: Goal, edges: Mapping[LaneClass, Edge]
) -> Iterator[list[Goal]]:
    """Yield operand goals in which products that lanes add up are where lanes agree."""
    from isel.synth.layout.rows import Products, layout_of, layouts, products_of  # of sums

    asked = [
        (lane, e, edges[c])
        for lane, e in enumerate(goal.tolist())
        if e != ANY and (c := elements.classes[e]) is not None
    ]
    for slots, order in layouts(form):
        lanes: dict[int, Products] = {}
        for lane, e, edge in asked:
            products = products_of(elements, e, edge, slots, order)
            if products is None:
                break
            lanes[lane] = products
        operands = layout_of(elements, form, slots, lanes) if len(lanes) == len(asked) else None
        others = set(range(form.fn.arity)).difference(*slots)
        if operands is not None and _fill(elements, form, goal, edges, operands, others):
            yield [np.array(x, dtype=np.int64) for x in operands]
