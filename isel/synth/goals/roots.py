"""Programs for whole roots of a window: goals of at most a register, solved and put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from isel.model.program import Step
from isel.synth.goals.derive import better
from isel.synth.goals.search import GoalSearch, OutOfSteps
from isel.synth.instructions.library import Library
from isel.synth.layout.bounds import NEVER
from isel.synth.layout.elements import ANY, Goal
from isel.synth.layout.squares import Rows, Square
from isel.synth.limits import MOST_ROWS_SQUARE


def together(
    search: GoalSearch, widths: Sequence[int], goals: Sequence[Goal]
) -> Iterator[list[int]]:
    """Yield the plans of roots in which leaves are only moved, all made in registers of one size:
    for each size at most one way within the search's price.
    """
    alike = len(set(widths)) == 1 and widths[0] > 1
    moved = alike and not any(map(search.registers.computes, goals))
    for bits in search.library.sizes if moved else ():
        made = _together(search, widths[0], goals, bits)
        if made is not None and search.plans.cost(made) <= search.price:
            yield made


def _together(search: GoalSearch, width: int, goals: Sequence[Goal], bits: int) -> list[int] | None:
    """Return the plans of roots that are made in registers of ``bits`` bits, whole ones or
    neighbouring parts of one.
    """
    lanes, every = bits // width, np.concatenate(goals)
    count, rest = divmod(len(every), lanes or 1)
    firsts = np.cumsum([0, *map(len, goals[:-1])]).tolist()
    fits = (
        all(
            f % min(len(g), lanes) == 0 and not max(len(g), lanes) % min(len(g), lanes)
            for f, g in zip(firsts, goals, strict=True)
        )
        if lanes
        else False
    )
    if rest or not fits or not 0 < count <= MOST_ROWS_SQUARE:
        return None
    rows: Rows = every.reshape(count, lanes)
    order = search.elements.in_order(list(rows))
    square = Square(search.library, search.registers, width, rows[order], search.prices)
    found = square.solve(search.price)
    if found is None:
        return None
    plans = [search.plans.view(found[1][order.index(k)], width) for k in range(count)]
    return [
        _root(search, width, lanes, plans, f, len(g)) for f, g in zip(firsts, goals, strict=True)
    ]


def _root(
    search: GoalSearch, width: int, lanes: int, plans: Sequence[int], first: int, size: int
) -> int:
    """Return the plan of ``size`` neighbouring lanes of registers."""
    own = tuple(plans[first // lanes : -(-(first + size) // lanes)])
    if size == lanes:
        return own[0]
    if size > lanes:
        return search.plans.add(Step("join", width, size, own))
    part = Step("slice", width, size, own, first=first % lanes)
    return search.plans.add(part, search.prices.high_half if part.first else 0)


def solve_root(search: GoalSearch, width: int, goal: Goal) -> int | None:
    """Solve a root of lanes of ``width`` register by register and put the registers together;
    return the plan, None where there is none within the search's price.

    Raises :class:`OutOfSteps` where the search has used its steps and has no first plan.
    """
    n = len(goal)
    per = max(search.library.machine.vector_bits // width, 1)
    parts: list[int] = []
    for first in range(0, n, per):
        piece = goal[first : first + per]
        bits = _register(search.library, len(piece) * width, width)
        if bits is None:
            return None
        rest = np.full(bits // width - len(piece), ANY, dtype=np.int64)
        padded = np.concatenate([piece, rest])
        found = _deepen(search, width, padded)
        if found is None:
            return None
        plan = search.plans.view(found, width)
        if len(padded) != len(piece):
            plan = search.plans.add(Step("slice", width, len(piece), (plan,), first=0))
        parts.append(plan)
        if search.plans.cost(parts) > search.price:
            return None
    return parts[0] if len(parts) == 1 else search.plans.add(Step("join", width, n, tuple(parts)))


def _register(library: Library, bits: int, width: int) -> int | None:
    """Return the smallest register that holds ``bits`` bits in elements of ``width``."""
    least = max(bits, 64 if width > 1 else 1)
    sizes = (s for s in library.sizes if s >= least and s % width == 0)
    return next((s for s in sizes if width > 1 or s == bits), None)


def _deepen(search: GoalSearch, width: int, goal: Goal) -> int | None:
    """Find a first plan, then raise the bound from the lower bound until a better one fits or
    the steps are used up.
    """
    least, price = search.lower(width, goal), search.price
    if least > price:
        search.dear |= least < NEVER
        return None
    first = search.direct(width, goal) or search.registers.split(width, goal)
    worst = min(3 * least + 2000 if first is None else better(first[0]), price)
    bound = least
    try:
        while bound <= worst:
            found = search.solve(width, goal, bound)
            if found is not None:
                return found[1]
            bound += max(5, bound // 16)
    except OutOfSteps:
        if first is None:
            raise
    return None if first is None or first[0] > price else first[1]
