"""How often blocks run for one call of a function, and the ways of a pass through a loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isel.cost.limits import WAYS

UNKNOWN: Final = 10.0  # passes through a loop whose count nothing says


@dataclass(frozen=True, slots=True)
class Runs:
    """How often a block runs for a call; ``rest`` tells that it is of a loop that does what
    another one, of longer steps, left over.
    """

    count: float = 1.0
    rest: bool = False


def ways_through(
    loop: Sequence[int], successors: Mapping[int, Sequence[int]]
) -> list[tuple[int, ...]]:
    """Return the blocks of a pass through a loop in order, for each way that goes through none of
    them twice; nothing where it is one block, there are more than a few ways, or a loop inside.
    """
    if len(loop) == 1:
        return []
    first, inside = loop[0], set(loop)
    found: list[tuple[int, ...]] = []
    work: list[tuple[int, ...]] = [(first,)]
    while work and len(work) + len(found) <= WAYS:
        way = work.pop()
        after = [s for s in dict.fromkeys(successors[way[-1]]) if s in inside]
        if not set(after).isdisjoint(way[1:]):
            return []
        found += [way] * (first in after)
        work += [(*way, s) for s in reversed(after) if s != first]
    return [] if work else found
