"""AArch64 as a target: its instructions, CPUs and registers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from isel.spec.instruction import Instruction
from semantics.arm.reductions import reduction
from semantics.cpus import Cpus, cpus_of
from semantics.digest import own_sources
from semantics.target import LibraryTarget

# features of LLVM 14 to 21 that 22 has not
_DROPPED: Final = (
    "apple-a7-sysreg b16b16 custom-cheap-as-move ldapr lsl-fast no-zcz-fp reserve-x30 sme-f64 "
    "sme-i64 tme use-scalar-inc-vl zcm zcz zcz-gp"
)

_STREAMING: Final = frozenset(
    f"aarch64_pstate_sm_{how}" for how in ("enabled", "compatible", "body")
)


def cpus() -> Cpus:
    """Return the shipped table of CPUs."""
    return cpus_of("arm", "generic", _DROPPED)


class Arm(LibraryTarget):
    """Implements :class:`isel.spec.target.Target`; ``own`` are the names and texts of the
    user's ``.sem`` files.
    """

    name = "arm"
    cpus = staticmethod(cpus)

    planes: Final = 4

    def by_call(self, intrinsic: str) -> Instruction | None:
        """Return the instruction that an intrinsic stands for, reductions of older LLVMs among
        them.
        """
        return super().by_call(intrinsic) or reduction(intrinsic, self.by_name)

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """Return the width of Neon's registers, 0 where a function may not use them: without
        Neon, or in the streaming mode of SME, which lacks most of it.
        """
        return 128 if "neon" in features and not _STREAMING & attributes.keys() else 0

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        """Return the prices of an element moved into the upper half, and of a shift of bytes."""
        join, high = self.by_name["vcopyq_laneq_u64"], self.by_name["vget_high_u8"]
        return self.operation_cost(join, cpu), self.operation_cost(high, cpu)

    def register_of(self, instruction: Instruction) -> str:
        """Return the kind of the register that an instruction writes."""
        return "q" if instruction.bits > 64 else "d"


@cache
def target() -> Arm:
    """Return the target."""
    return Arm(own_sources("arm"))
