"""Windows that this machine or another one has answered; what nobody has is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isel.api.tools import Making
from isel.cache.cached import CachedSynthesizer
from isel.cli.launcher.portion import LEFT
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.window import Window
from isel.workers import Pool


@dataclass(slots=True)
class Elsewhere:
    """How many windows were proved as another machine found them, and how many nobody has."""

    proved: int = 0
    left: int = 0

    def making(self, making: Making) -> _Making:
        """Return how a machine gets its synthesizer; see :class:`isel.api.tools.Making`."""
        return _Making(making, self)


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers what ``whole`` has kept or another machine found; nothing else is complete."""

    whole: CachedSynthesizer | None
    counts: Elsewhere

    def prepare(self, windows: Sequence[Window]) -> None:
        """See :class:`isel.model.answer.Synthesizer`: nothing, since there is one process."""

    def search(self, window: Window) -> Result:
        """See :class:`isel.model.answer.Synthesizer`."""
        known = None if self.whole is None else self.whole.recall(window)
        if known is None and self.whole is not None:
            known = self.whole.foreign(window)
            self.counts.proved += known is not None
        self.counts.left += known is None
        return Result((), False, LEFT, 0) if known is None else known


@dataclass(frozen=True, eq=False)
class _Making:
    making: Making
    counts: Elsewhere

    def __call__(self, machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
        whole = self.making(machine, None, effort)
        return Answers(whole if isinstance(whole, CachedSynthesizer) else None, self.counts)
