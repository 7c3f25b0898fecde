"""What two runs say together: a ratio, or that the machine is too busy to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from bench.measure.inputs import NotRun
from bench.measure.timing import Once
from isel.json_text import to_json

FLOOR: Final = 0.98  # what is slower than that in both runs loses
ROUNDS: Final = (21, 41, 81)  # of a run; more where two runs do not agree
_STEADY: Final = 0.02  # how far a copy of the original may be from it
_ALIKE: Final = 0.1  # how far apart two ratios on the same side of the floor may be


@dataclass(frozen=True, slots=True)
class Timed:
    """How many times as fast as before in each of two runs that agree, and a copy of before."""

    first: float
    second: float
    control: float

    @property
    def ratio(self) -> float:
        """The middle of both."""
        return (self.first + self.second) / 2

    @property
    def loses(self) -> bool:
        """Tell whether both runs say that the change made it slower."""
        return max(self.first, self.second) < FLOOR

    def __str__(self) -> str:
        return f"{self.first:.2f} and {self.second:.2f} times as fast"


@dataclass(frozen=True, slots=True)
class Noisy:
    """The last two runs, which do not agree."""

    first: float
    second: float

    def __str__(self) -> str:
        return f"noisy, {self.first:.2f} and {self.second:.2f} times as fast: nothing follows"


Verdict: TypeAlias = Timed | Noisy | NotRun
_WORDS: Final = {Timed: "measured", Noisy: "noisy", NotRun: "not measured"}


def row_of(function: str, verdict: Verdict) -> str:
    """Return a line of JSON: the function, what is known, the ratios, and why there are none."""
    ratios = [] if isinstance(verdict, NotRun) else [verdict.first, verdict.second]
    return to_json(
        {
            "function": function,
            "verdict": _WORDS[type(verdict)],
            "ratios": ratios,
            "reason": verdict.why if isinstance(verdict, NotRun) else "",
        }
    )


def judge(run: Callable[[int], Once | NotRun]) -> Verdict:
    """Run twice, with more rounds until both agree; ``run`` takes their number."""
    found: Verdict = NotRun("no round was run")
    for rounds in ROUNDS:
        if isinstance(first := run(rounds), NotRun):
            return first
        if isinstance(second := run(rounds), NotRun):
            return second
        if _agree(first, second):
            return Timed(first.ratio, second.ratio, min(first.control, second.control))
        found = Noisy(first.ratio, second.ratio)
    return found


def _agree(a: Once, b: Once) -> bool:
    steady = all(abs(x.control - 1) <= _STEADY for x in (a, b))
    same_side = (a.ratio < FLOOR) == (b.ratio < FLOOR)
    return steady and same_side and abs(a.ratio - b.ratio) <= _ALIKE * min(a.ratio, b.ratio)
