"""What the launcher does by default: windows whose answer is kept are answered, of the others a
first portion is searched a little, and what is left is counted.

What is kept costs nothing of the portion, so the same input, options and finished rows of the cache
give the same code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from isel.api.tools import Making
from isel.cache.cached import CachedSynthesizer
from isel.cli.launcher.limits import PORTION_EFFORT, PORTION_STEPS
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.window import Window
from isel.workers import Pool

LEFT: Final = "left to 'isel batch --journal'"


@dataclass(slots=True)
class Portion:
    """The steps that may still be spent on a file, the windows of which no whole search is known,
    and how many were searched, and proved as another machine found them.
    """

    steps: int = PORTION_STEPS
    left: set[str] = field(default_factory=set)
    searched: int = 0
    proved: int = 0

    def is_spent(self) -> bool:
        """Tell whether no step is left."""
        return self.steps <= 0


@dataclass(frozen=True, slots=True)
class QuickSynthesizer:
    """Answers what ``whole`` has kept or another machine found, and asks ``first`` for the rest
    as long as the portion lasts; such an answer is never complete.
    """

    whole: CachedSynthesizer | None
    first: Synthesizer
    portion: Portion

    def prepare(self, windows: Sequence[Window]) -> None:
        """See :class:`isel.model.answer.Synthesizer`: nothing, since there is one process."""

    def search(self, window: Window) -> Result:
        """See :class:`isel.model.answer.Synthesizer`."""
        known = None if self.whole is None else self.whole.recall(window)
        if known is not None:
            return known
        foreign = None if self.whole is None else self.whole.foreign(window)
        if foreign is not None:
            self.portion.proved += 1
            return foreign
        self.portion.left.add(window.text())
        if self.portion.is_spent():
            return Result((), False, LEFT, 0)
        self.portion.searched += 1
        found = self.first.search(window)
        self.portion.steps -= found.steps
        return replace(found, complete=False, reason=found.reason and LEFT)


@dataclass(frozen=True)
class QuickMaking:
    """How a machine gets its synthesizer; see :class:`isel.api.tools.Making`."""

    making: Making
    portion: Portion

    def __call__(self, machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
        """Return the quick search of a machine."""
        whole = self.making(machine, None, effort)
        first = replace(self.making, remote=None)(machine, None, PORTION_EFFORT)
        kept = whole if isinstance(whole, CachedSynthesizer) else None
        return QuickSynthesizer(kept, first, self.portion)

    def __hash__(self) -> int:
        return id(self)
