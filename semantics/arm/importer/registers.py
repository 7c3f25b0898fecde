"""The registers that an instruction reads and writes, while it is executed."""

from __future__ import annotations

from dataclasses import dataclass, field

from isel.ir import build
from isel.ir.expr import Expr, elem
from semantics.arm.importer.values import Bits, as_bits, bits
from semantics.importing.simplify import joined

_SIZE = 128
UNKNOWN = "$unknown"  # the source of bits of a register that no operand gives


@dataclass
class Registers:
    """The vector registers and the general ones that hold operands, and what was written."""

    vectors: dict[int, Expr]
    general: dict[int, Expr]
    written: dict[tuple[str, int], Bits] = field(default_factory=dict)

    def read(self, kind: str, number: int) -> Bits:
        """Return a register: 128 bits, or 64; what no operand gives is unknown."""
        found = (self.vectors if kind == "V" else self.general).get(number)
        size = _SIZE if kind == "V" else 64
        unknown = f"{UNKNOWN}{kind}{number}"
        if found is None:
            return bits(elem(unknown, 0, size))
        if found.width < size:
            found = joined(elem(unknown, 0, size - found.width), found)
        return bits(found)

    def half(self, number: int, part: int) -> Bits:
        """Return a register from its lower or its upper half on."""
        whole = self.read("V", number)
        return whole if part == 0 else bits(build.zext(whole.part(64, 64).term, _SIZE))

    def write(self, kind: str, number: int, value: Bits) -> None:
        """Write a register; what is above the value becomes zero."""
        self.written[kind, number] = value

    def write_half(self, number: int, part: int, value: Bits) -> None:
        """Write the lower half, the upper becoming zero; or the upper, keeping the lower."""
        if part == 0:
            self.write("V", number, as_bits(value, 64))
            return
        lower = self.read("V", number).part(0, 64).term
        self.write("V", number, bits(joined(as_bits(value, 64).term, lower)))
