"""Emissions of entries with two immediates, for which none are learned: an element of one vector
put in place of an element of another.

They are plain IR: tests prove that they refine the imported formula.
"""

from __future__ import annotations

from isel.spec.instruction import Instruction
from isel.spec.sem_family import type_text


def stated(i: Instruction) -> tuple[str, ...]:
    """Return the lines of ``vcopy…(a, lane1, b, lane2)``; none for any other instruction."""
    if not i.name.startswith("vcopy") or [o.name for o in i.operands] != ["a", "b"]:
        return ()
    element = f"i{i.width}"
    given, value = i.operands[1], "%b"
    lines: list[str] = []
    if given.lanes > 1:
        kind = type_text(given.lanes, given.width)
        value = "%t0"
        lines.append(f"%t0 = extractelement {kind} %b, i32 $lane2")
    if i.lanes == 1:
        return (*lines, f"%r = bitcast {element} {value} to {element}")
    kind = type_text(i.lanes, i.width)
    return (*lines, f"%r = insertelement {kind} %a, {element} {value}, i32 $lane1")
