"""The user's time limit: a moment after which nothing is planned and no search is started."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final


class OutOfTime(Exception):
    """The moment has passed; what was done by then is kept."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the monotonic clock, or none."""

    at: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has come."""
        return self.at is not None and time.monotonic() > self.at

    def check(self) -> None:
        """Raise :class:`OutOfTime` if the moment has passed."""
        if self.is_over:
            raise OutOfTime


@dataclass(frozen=True, slots=True)
class Clock:
    """The moments of one run: after ``loads`` no splice becomes a load, after ``search`` nothing is
    searched or judged, after ``proofs`` what was accepted is left unless it was proved.
    """

    loads: Deadline
    search: Deadline
    proofs: Deadline


def clock_of(seconds: float | None) -> Clock:
    """Return the moments of a run that may take so many seconds, or as long as it will.

    What is accepted is proved twice where something was left for lack of time, so proofs may begin
    for a fifth of it; the rest is for the search that was under way.
    """
    return Clock(*(deadline_in(None if seconds is None else seconds * p) for p in _PARTS))


def deadline_in(seconds: float | None) -> Deadline:
    """Return the moment in so many seconds, none where that is None."""
    return Deadline(None if seconds is None else time.monotonic() + seconds)


_PARTS: Final = (0.15, 0.6, 0.8)
NEVER: Final = Deadline()
REACHED: Final = "the time limit was reached"
