"""Programs for whole roots of a window: goals of at most a register, solved and put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from isel.model.mechanisms import enabled
from isel.synth.goals.search import GoalSearch, OutOfSteps
from isel.synth.instructions.library import Library
from isel.synth.layout.bounds import NEVER
from isel.synth.layout.elements import ANY, Goal


def solve_roots(
    search: GoalSearch, widths: Sequence[int], goals: Sequence[Goal], seen: Sequence[int]
) -> list[int] | None:
    """Solve roots, each by itself or all together, and return their plans, in lanes of ``seen``
    bits; raise :class:`OutOfSteps` as :func:`solve_root` does.
    """
    rows = zip(widths, goals, seen, strict=True)
    found = [plan for row in rows if (plan := solve_root(search, *row)) is not None]
    ways = [found] if len(found) == len(goals) else []
    on = enabled(search.elements.graph.disabled, "joint-goals")
    if (
        search.thorough
        and on
        and widths == seen
        and not any(map(search.elements.classes_of, goals))
    ):
        from isel.synth.goals.squares import together  # of moves alone

        ways += together(search, widths, goals)
    best = min(ways, key=search.plans.cost, default=None)
    return best if best is not None and search.plans.cost(best) <= search.price else None


def solve_root(search: GoalSearch, width: int, goal: Goal, seen: int = 0) -> int | None:
    """Solve a root of lanes of ``width`` register by register and put the registers together, in
    lanes of ``seen`` bits; return the plan, None where there is none within the search's price.

    Raises :class:`OutOfSteps` where the search has used its steps and has no first plan.
    """
    if width < seen:
        return _integers(search, goal, seen)
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
        found = _solve(search, width, padded)
        if found is None:
            return None
        plan = search.plans.view(found, width)
        if len(padded) != len(piece):
            plan = search.plans.part(width, plan, 0, len(piece))
        parts.append(plan)
        if search.plans.cost(parts) > search.price:
            return None
    return search.plans.join(width, parts)


def _integers(search: GoalSearch, goal: Goal, seen: int) -> int | None:
    """Solve integers of ``seen`` bits by masks, the largest that may be, side by side."""
    sizes = sorted(search.library.mask_sizes - {1}, reverse=True)
    size = next((m for m in sizes if _makes(search, goal, m)), None)
    if size is None:
        return None
    found = [_solve(search, 1, goal[k : k + size]) for k in range(0, len(goal), size)]
    parts = tuple(search.plans.view(plan, size) for plan in found if plan is not None)
    if len(parts) < len(found):
        return None
    return search.plans.view(search.plans.join(size, parts), seen)


def _makes(search: GoalSearch, goal: Goal, bits: int) -> bool:
    """Tell whether masks of some bits make a goal, each all literals or none."""
    fixed = [search.elements.kind[e] == "const" for e in goal.tolist()]
    places = range(0, len(goal), bits)
    whole = len(goal) % bits == 0 and all(len(set(fixed[k : k + bits])) == 1 for k in places)
    return whole and all(search.first(1, goal[k : k + bits]) is not None for k in places)


def _register(library: Library, bits: int, width: int) -> int | None:
    """Return the smallest register that holds ``bits`` bits in elements of ``width``."""
    least = max(bits, 64 if width > 1 else 1)
    sizes = (s for s in library.sizes if s >= least and s % width == 0)
    return next((s for s in sizes if width > 1 or s == bits), None)


def _solve(search: GoalSearch, width: int, goal: Goal) -> int | None:
    """Solve a register; what only moves leaves may be put together of halves."""
    least, price = search.lower(width, goal), search.price
    if least > price:
        search.dear |= least < NEVER
        return None
    found = search.first(width, goal) or search.registers.split(width, goal)
    if found is None and search.stopped:
        raise OutOfSteps
    return None if found is None or found[0] > price else found[1]
