"""Hexagon with HVX as the package finds it: names, and where everything else is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from semantics.isa import Isa
from semantics.machine import Machine, Mistake, Usual

if TYPE_CHECKING:  # named by every module that asks for a target; what is used is imported then
    from isel.spec.instruction import Instruction
    from isel.spec.target import Target
    from semantics.execution import Executor
    from semantics.selection import Printed


class _Hvx(Isa):
    """Implements :class:`semantics.isa.Isa`."""

    name: Final = "hvx"
    machine: Final = Machine(
        "hexagon-unknown-linux-musl",
        "hexagonv66",
        mask_bits=8,
        base="-small-data",  # the linker at hand has no place for these
        in_order=True,
    )
    usual: Final = Usual("hexagonv66", "+hvxv66,+hvx-length128b")
    counted: Final = "entries of integers in registers, with one result that no pointer takes"
    tables: Final = ("emission/emissions.tsv",)

    def handles(self, triple: str) -> bool:
        return triple.partition("-")[0] == "hexagon"

    def shipped(self) -> Target:
        from semantics.hvx.target import Hvx

        return Hvx()

    def entry_name(self, name: str) -> str:
        from semantics.hvx.importer.spec import listed_name

        return listed_name(name)

    def printed(self) -> Printed:
        from semantics.hvx.selection import HvxPrinted

        return HvxPrinted(self.machine)

    def group(self, i: Instruction) -> str:
        return "HVX" if self.entry_name(i.name) == i.name else "counts and orders by a constant"

    def mistaken(self) -> Mapping[str, Mistake]:
        return {
            "vmpy:<<1:rnd:sat v.h=v.h,v.h": Mistake(
                "llvm.hexagon.V6.vmpyhvsrs", "LLVM saturates a rounded product that wraps"
            )
        }

    def executor(self) -> Executor:
        from semantics.emulated import Emulated

        start = Path(__file__).with_name("start.c")
        return Emulated("qemu-hexagon", ("-cpu", "v67"), "hexagon-linux-musl", start, self.machine)


ISA: Final[Isa] = _Hvx()
