"""What a gain is: by how much less code has to cost before it is worth to be written.

All figures are of a model, in cycles; what differs by less than it can know is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from isel.cost.code import Dialect, Operation
from isel.cost.limits import BLOCK, COSTLY, EQUAL, FUNCTION, NARROWEST

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Makeup:
    """What code is made of: how many operations move values between general registers and
    lanes, and the bits of its widest vector register.
    """

    moves: int = 0
    bits: int = 0


def makeup(operations: Sequence[Operation], dialect: Dialect) -> Makeup:
    """Return what code is made of."""
    moves = sum(dialect.moves(o.form) for o in operations)
    return Makeup(moves, max((dialect.bits(o.form) for o in operations), default=0))


def least_gain(old: Iterable[Makeup], new: Iterable[Makeup], *, repeats: bool) -> float:
    """Return the share of its cycles that the ``new`` blocks have to save for the ``old`` ones."""
    before, after = _together(old), _together(new)
    widens = after.bits > before.bits >= NARROWEST
    return COSTLY if widens or (after.moves > before.moves and not repeats) else BLOCK


def _together(parts: Iterable[Makeup]) -> Makeup:
    found = list(parts)
    return Makeup(sum(m.moves for m in found), max((m.bits for m in found), default=0))


def is_slower(before: float, after: float) -> bool:
    """Tell whether code costs more than what it replaces."""
    return after > before + EQUAL


def is_gain(before: float, after: float, least: float = 0.0) -> bool:
    """Tell whether code costs less than what it replaces, by a share at least."""
    return after < before - EQUAL and after <= before * (1 - least)


def is_slight(before: float, after: float) -> bool:
    """Tell whether a function costs less than before, but too little to be written for it."""
    return is_gain(before, after) and not is_gain(before, after, FUNCTION)


def cheapest(items: Sequence[T], cost: Callable[[T], float]) -> T:
    """Return the first of some items that none costs less than."""
    least = min(map(cost, items))
    return next(x for x in items if not is_slower(least, cost(x)))
