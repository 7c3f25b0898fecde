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
    def passed(self) -> bool:
        """Whether the moment has passed."""
        return self.at is not None and time.monotonic() > self.at

    def check(self) -> None:
        """Raise :class:`OutOfTime` if the moment has passed."""
        if self.passed:
            raise OutOfTime


def deadline_in(seconds: float | None) -> Deadline:
    """Return the moment in so many seconds, none where that is None."""
    return Deadline(None if seconds is None else time.monotonic() + seconds)


NEVER: Final = Deadline()
REACHED: Final = "the time limit was reached"
