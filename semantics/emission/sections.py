"""An emission as a table holds it: sections of immediates, each with lines over
``$<immediate>``.
"""

from __future__ import annotations

from dataclasses import dataclass

from isel.spec.emission import emitted
from semantics.emission.body import Body


@dataclass(frozen=True, slots=True)
class Section:
    """Lines that hold for these immediates, of one period (all, where there is no immediate)."""

    values: tuple[int, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """An emission: operands and result in the types that its lines use.

    Legal immediates are those of the sections below ``legal``; those that are equal modulo
    ``period`` are the same.
    """

    operands: tuple[tuple[str, str], ...]
    result: str
    immediate: str
    legal: int
    period: int
    sections: tuple[Section, ...]

    def at(self, value: int = 0) -> Body:
        """Return the body at a legal value of the immediate."""
        lines = next(
            s.lines for s in self.sections if not s.values or value % self.period in s.values
        )
        return Body(self.operands, self.result, emitted(lines, {self.immediate: value}))
