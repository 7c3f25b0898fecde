"""AArch64 with Neon as the package finds it: names, and where everything else is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from semantics.isa import Isa
from semantics.machine import Machine, Usual

if TYPE_CHECKING:  # named by every module that asks for a target; what is used is imported then
    from isel.cost.code import Dialect
    from isel.cost.prices import Prices
    from isel.spec.instruction import Instruction
    from isel.spec.target import Target
    from semantics.entries import Joined
    from semantics.execution import Executor
    from semantics.importing.run import Import
    from semantics.selection import Printed


class _Arm(Isa):
    """Implements :class:`semantics.isa.Isa`."""

    name: Final = "arm"
    machine: Final = Machine("aarch64-unknown-linux-gnu", "generic")
    usual: Final = Usual("neoverse-v1", "+dotprod,+i8mm,-sve,-sve2", ("cortex-a57",))
    counted: Final = (
        "entries of integers and vectors of integers, in registers, that return one register and "
        "are one machine instruction and no cast"
    )
    tables: Final = ("emission/emissions.tsv",)

    def handles(self, triple: str) -> bool:
        return triple.partition("-")[0] in ("aarch64", "arm64")

    def target(self) -> Target:
        from semantics.arm.target import target

        return target()

    def shipped(self) -> Target:
        from semantics.arm.target import Arm

        return Arm()

    def feature_names(self) -> frozenset[str]:
        from semantics.arm.target import cpus

        return frozenset(cpus().implies)

    def joined(self, i: Instruction) -> Joined:
        from semantics.arm.joined import joined

        return joined(i)

    def printed(self) -> Printed:
        from semantics.arm.selection import PRINTED

        return PRINTED

    def group(self, i: Instruction) -> str:
        return " ".join(sorted(i.features))

    def priced(self) -> Sequence[str]:
        from semantics.arm.costs import TABLES

        return TABLES

    def prices(self, cpu: str) -> Prices:
        from semantics.arm.costs import SHIPPED

        return SHIPPED.prices_for(cpu)

    def dialect(self) -> Dialect:
        from semantics.arm.asm import DIALECT

        return DIALECT

    def corrections(self) -> Mapping[str, str]:
        from semantics.arm.importer.patches import reasons

        return reasons()

    def imported(
        self, data: bytes, file: str, jobs: int, progress: Callable[[int, int], None]
    ) -> Import:
        from semantics.arm.importer.run import import_list

        return import_list(data, file, jobs, progress)

    def executor(self) -> Executor:
        from semantics.emulated import Emulated

        start = Path(__file__).with_name("start.c")
        options = ("-cpu", "max")
        return Emulated("qemu-aarch64", options, "aarch64-linux-none", start, self.machine)


ISA: Final[Isa] = _Arm()
