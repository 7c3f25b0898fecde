"""``initializes``: the bytes behind a pointer argument that a function writes, and does not read by
that argument before.

A target may leave out a store of what is there already, and read what it is going to write.  Where
the argument says ``initializes`` that is undefined behaviour, so it has to be looked at.
"""

from __future__ import annotations

import re
from typing import Final

from frontends.llvm.paths.memory import Memory
from frontends.llvm.text.ast import Function

_RANGE: Final = re.compile(r"\((-?\d+), (-?\d+)\)")


def why_not_initialized(function: Function, memory: Memory) -> str:
    """Return which argument's promise straight-line code does not keep, empty if it keeps all."""
    for k, a in enumerate(function.arguments):
        for said in a.attributes:
            word, _, text = said.partition("(")
            ranges = [(int(low), int(high)) for low, high in _RANGE.findall(text)]
            if word == "initializes" and not _is_kept(ranges, memory, k):
                return f"memory: '{said}' of %{a.name} is not kept"
    return ""


def _is_kept(left: list[tuple[int, int]], memory: Memory, base: int) -> bool:
    """Tell whether what is ``left`` of an argument's bytes is written, and not read before."""
    for a in (a for a in memory.accesses if a.at.base == base):
        low, high = a.at.offset, a.at.offset + a.size
        if not a.store and any(x < high and low < y for x, y in left):
            return False
        if a.store:
            left = [part for span in left for part in _outside(span, low, high)]
    return not left


def _outside(span: tuple[int, int], low: int, high: int) -> list[tuple[int, int]]:
    """Return what is left of a span without the bytes from ``low`` to ``high``."""
    parts = ((span[0], min(span[1], low)), (max(span[0], high), span[1]))
    return [(x, y) for x, y in parts if x < y]
