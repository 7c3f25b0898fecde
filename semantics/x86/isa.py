"""x86-64 as the package finds it: names, and where everything else is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from semantics.isa import Isa
from semantics.machine import Machine, Usual

if TYPE_CHECKING:  # named by every module that asks for a target; what is used is imported then
    from isel.spec.instruction import Instruction
    from isel.spec.target import Target
    from semantics.emission.table import Emission
    from semantics.execution import Executor


class _X86(Isa):
    """Implements :class:`semantics.isa.Isa`."""

    name: Final = "x86"
    machine: Final = Machine(
        "x86_64-unknown-linux-gnu", "x86-64", '"min-legal-vector-width"="512"', masks="avx512"
    )
    usual: Final = Usual("sapphirerapids", "", ("haswell", "x86-64-v2", "skylake-avx512"))
    counted: Final = (
        "entries with an instruction and an operation, whose result and parameters are integers, "
        "integer vectors and masks, at least one of them a vector or a mask"
    )
    tables: Final = ("emission/emissions.tsv", "intrinsics.tsv")

    def handles(self, triple: str) -> bool:
        return triple.partition("-")[0] in ("x86_64", "amd64", "x86_64h")

    def shipped(self) -> Target:
        from semantics.x86.target import X86

        return X86()

    def emission(self, name: str) -> Emission | None:
        from semantics.emission.table import emissions
        from semantics.x86.joined import emission_for

        return emission_for(name, emissions(self.name))

    def plain_name(self, mnemonic: str) -> str:
        from semantics.x86.selection import plain_name

        return plain_name(mnemonic)

    def group(self, i: Instruction) -> str:
        from semantics.x86.groups import group

        return group(i)

    def cpus_of_level(self, cpu: str) -> Sequence[str]:
        from semantics.x86.costs import LEVELS

        return LEVELS.get(cpu, ())

    def executor(self) -> Executor:
        from frontends.llvm.linked import binding
        from semantics.native import Native

        return Native(self.name, self.machine, self.handles(binding.host_triple()))


ISA: Final[Isa] = _X86()
