"""Patterns of sums as the parts of one sum, which is what a graph has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from isel.egraph.graph import SUM
from isel.rules.syntax import Apply, Leaf, Pattern, Value

_SUMS: Final = ("add", "sub", "neg")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sum: a pattern, or a literal (``pattern`` is one), times a factor; ``scale`` is
    what a literal factor must be, ``shifts`` where it is a power of two with that exponent.
    """

    pattern: Pattern
    sign: int
    scale: Pattern | None = None
    shifts: bool = False

    @property
    def is_constant(self) -> bool:
        """Tell whether this is a literal alone."""
        return self.scale is None and is_literal(self.pattern)


def is_literal(p: Pattern) -> bool:
    """Tell whether a pattern is a literal."""
    return isinstance(p, Value) or (isinstance(p, Leaf) and p.literal)


def parts_of(p: Pattern, sign: int = 1) -> list[Part] | None:
    """Return the parts of a sum; None for what is none."""
    if not isinstance(p, Apply):
        return None
    if p.op in _SUMS:
        found: list[Part] = []
        for k, a in enumerate(p.args):
            turned = -sign if p.op == "neg" or (p.op == "sub" and k == 1) else sign
            found += parts_of(a, turned) or [Part(a, turned)]
        return found
    if p.op in ("mul", "shl") and is_literal(p.args[1]):
        return [Part(p.args[0], sign, p.args[1], p.op == "shl")]
    return None


def root_of(p: Pattern) -> str:
    """Return the operation of the nodes that a pattern's root can be."""
    assert isinstance(p, Apply)
    return SUM if parts_of(p) is not None else p.op
