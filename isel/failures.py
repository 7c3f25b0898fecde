"""What a bug costs: the window in which it shows, or else the function, and the run only where
the user wants it so.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from isel.deadline import OutOfTime

T = TypeVar("T")
_ADDRESS: Final = re.compile(r"0x[0-9a-f]+")
_DEPENDS: Final = (MemoryError, RecursionError)  # their text says how far this process came


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception: one line that is the same for any number of workers, and its trace, which
    is not.
    """

    reason: str
    trace: str


def failure_of(error: Exception) -> Failure:
    """Describe an exception."""
    said = "" if isinstance(error, _DEPENDS) else _ADDRESS.sub("0x…", " ".join(str(error).split()))
    reason = f"failed: {type(error).__name__}" + (f": {said}" if said else "")
    return Failure(reason, "".join(traceback.format_exception(error)))


class Net:
    """Runs jobs; notes what they raise, with the place that it concerns, or lets it through where
    it is ``strict``.

    Interrupts and the end of the time are not failures and always pass.
    """

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.caught: list[tuple[str, Failure]] = []

    def run(self, where: str, job: Callable[[], T]) -> T | Failure:
        """Return what ``job`` returns, or why it failed."""
        try:
            return job()
        except OutOfTime:
            raise
        except Exception as error:
            if self.strict:
                raise
            return self.note(where, failure_of(error))

    def note(self, where: str, failure: Failure) -> Failure:
        """Note a failure that was met elsewhere."""
        self.caught.append((where, failure))
        return failure
