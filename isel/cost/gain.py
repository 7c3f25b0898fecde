"""What a gain is: by how much less code has to cost before it is worth to be written.

All figures are of a model, in cycles; what differs by less than it can know is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from isel.cost.code import Dialect, Operation

T = TypeVar("T")

EQUAL: Final = 1e-3  # cycles; sums over ports and weights differ by as much
BLOCK: Final = 0.02  # the share of its cycles that some block has to save
FUNCTION: Final = 0.01  # and all of the function: by less the model may err
# where values move between scalars and lanes outside of loops, or wider registers take the place of
# narrower ones: what a core does about these (bypasses, licences, buffers) no table has
COSTLY: Final = 0.05
_NARROW: Final = 128  # bits of a register that no core has a narrower one for


@dataclass(frozen=True, slots=True)
class Makeup:
    """What code is made of: how many operations move values between general registers and
    lanes, and the bits of its widest vector register.
    """

    moves: int = 0
    bits: int = 0

    def makes_costly(self, new: Makeup, *, repeats: bool) -> bool:
        """Tell whether ``new`` in its place has to save more than other code."""
        widens = new.bits > self.bits >= _NARROW
        return widens or (new.moves > self.moves and not repeats)


def makeup(operations: Sequence[Operation], dialect: Dialect) -> Makeup:
    """Return what code is made of."""
    moves = sum(dialect.moves(o.form) for o in operations)
    return Makeup(moves, max((dialect.bits(o.form) for o in operations), default=0))


def together(parts: Iterable[Makeup]) -> Makeup:
    """Return what several parts of code are made of."""
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
