"""How Hexagon prints what LLVM makes of an emission: packets, of which what moves operands and
results between memory and registers is no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from semantics.hvx.asm import lines, read_line
from semantics.machine import Machine

_GLUE: Final = ("packet", "scalar", "load", "store", "jump", "vmem", "vmemu")


@dataclass(frozen=True, slots=True)
class HvxPrinted:
    """Implements :class:`semantics.selection.Printed`."""

    machine: Machine

    def body(self, raw: Sequence[str]) -> list[tuple[str, str]]:
        """Return the form and the mnemonic of each instruction of a function's lines."""
        code = (x.split("//", 1)[0].strip() for x in raw)
        kept = (x for x in code if x and not x.startswith("."))
        forms = (read_line(x.strip()).operation.form for x in lines(kept))
        return [(f, f.split()[0]) for f in forms if f.split()[0] not in _GLUE]

    def equivalent(self, expected: str, printed: str) -> bool:
        """Tell whether a printed mnemonic names the expected operation, however it rounds."""
        return expected.lower() == printed.partition(":")[0]
