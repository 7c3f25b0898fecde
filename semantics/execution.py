"""What executes instructions: this process, or an emulator, as each target says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from isel.spec.instruction import Instruction

Bytes: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Run:
    """One instruction with fixed immediates, applied to ``count`` rows of the operand pools
    from ``start`` on.
    """

    instruction: Instruction
    immediates: Mapping[str, int]
    start: int
    count: int


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why a run has no result."""

    reason: str


class Executor(Protocol):
    """A machine that instructions run on."""

    @property
    def name(self) -> str:
        """What it is called in reports."""
        ...

    def lacks(self, features: frozenset[str]) -> str:
        """Return what keeps instructions of these features from running, as the predicate of a
        sentence (``lacks gfni``); nothing where they run.
        """
        ...

    def run(self, runs: Sequence[Run], size: int, seed: int) -> list[Bytes | NotRun]:
        """Return the result of each run, shape (count, bytes of a result), over pools of ``size``
        rows (:func:`semantics.samples.pool`).

        Where many fail together, parts are tried, so that only the runs at fault fail.
        """
        ...


def in_halves(
    runs: Sequence[Run], together: Callable[[Sequence[Run]], list[Bytes] | NotRun]
) -> list[Bytes | NotRun]:
    """Return the results of runs that are done together; where that fails, those of each half."""
    done = together(runs)
    if not isinstance(done, NotRun):
        return list(done)
    if len(runs) == 1:
        return [done]
    half = len(runs) // 2
    return [*in_halves(runs[:half], together), *in_halves(runs[half:], together)]
