"""Associative and commutative operations on integers: lanes that meet in one may be joined in any
order and in any groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Join:
    """``neutral``: the value that changes nothing, at a width; ``once``: whether a value counts
    as often as it is joined.

    ``under`` names the join of narrow values that, extended in a way, gives this join of the
    extended ones.
    """

    name: str
    once: bool
    zext: str
    sext: str

    def neutral(self, width: int) -> int:
        """Return the value that leaves every other as it is."""
        ones = (1 << width) - 1
        return {
            "and": ones,
            "umin": ones,
            "smin": ones >> 1,
            "smax": 1 << (width - 1),
        }.get(self.name, 0)


JOINS: Final = {
    j.name: j
    for j in (
        Join("add", once=True, zext="", sext=""),
        Join("xor", once=True, zext="xor", sext="xor"),
        Join("and", once=False, zext="and", sext="and"),
        Join("or", once=False, zext="or", sext="or"),
        Join("umin", once=False, zext="umin", sext=""),
        Join("umax", once=False, zext="umax", sext=""),
        Join("smin", once=False, zext="umin", sext="smin"),
        Join("smax", once=False, zext="umax", sext="smax"),
    )
}
