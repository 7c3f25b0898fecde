"""How often blocks run for one call of a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

UNKNOWN: Final = 10.0  # passes through a loop whose count nothing says


@dataclass(frozen=True, slots=True)
class Runs:
    """How often a block runs for a call; ``rest`` tells that it is of a loop that does what
    another one, of longer steps, left over.
    """

    count: float = 1.0
    rest: bool = False
