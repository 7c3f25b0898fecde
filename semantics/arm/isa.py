"""AArch64 with Neon as the package finds it: names, and where everything else is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from semantics.isa import Isa
from semantics.machine import Machine, Usual

if TYPE_CHECKING:  # named by every module that asks for a target; what is used is imported then
    from isel.spec.instruction import Instruction
    from isel.spec.target import Target
    from semantics.execution import Executor


class _Arm(Isa):
    """Implements :class:`semantics.isa.Isa`."""

    name: Final = "arm"
    machine: Final = Machine("aarch64-unknown-linux-gnu", "generic", masks="sve")
    usual: Final = Usual("neoverse-v1", "+dotprod,+i8mm,-sve,-sve2", ("cortex-a57",))
    counted: Final = (
        "entries of integers and vectors of integers, in registers, that return one register and "
        "are one machine instruction and no cast"
    )
    tables: Final = ("emission/emissions.tsv",)

    def handles(self, triple: str) -> bool:
        return triple.partition("-")[0] in ("aarch64", "arm64")

    def shipped(self) -> Target:
        from semantics.arm.target import Arm

        return Arm()

    def group(self, i: Instruction) -> str:
        return " ".join(sorted(i.features))

    def executor(self) -> Executor:
        from semantics.emulated import Emulated

        start = Path(__file__).with_name("start.c")
        options = ("-cpu", "max")
        return Emulated("qemu-aarch64", options, "aarch64-linux-none", start, self.machine)


ISA: Final[Isa] = _Arm()
