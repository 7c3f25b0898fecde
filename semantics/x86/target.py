"""x86-64 as a target: its instructions, CPUs, registers and prices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from isel.spec.instruction import Instruction
from semantics.cpus import Cpus, cpus_of
from semantics.digest import own_sources
from semantics.target import LibraryTarget, Narrowing

_UNLIMITED: Final = 1 << 32
# features of LLVM 14 to 21 that 22 has not; of AVX10 compilers write all that it has beside them
_DROPPED: Final = (
    "3dnow 3dnowa amx-transpose avx10.1-256 avx10.2-256 avx512er avx512pf prefetchwt1 use-aa"
)


def cpus() -> Cpus:
    """Return the shipped table of CPUs."""
    return cpus_of("x86", "x86-64", _DROPPED)


class X86(LibraryTarget):
    """Implements :class:`isel.spec.target.Target`; ``own`` are the names and texts of the
    user's ``.sem`` files.
    """

    name = "x86"
    cpus = staticmethod(cpus)
    # X86Subtarget::initSubtargetFeatures of these versions; to LLVM 22 the feature means nothing
    narrowing = (Narrowing("evex512", 256, range(18, 22)),)

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """Return the widest register that a function with these attributes may use, 0 where it may
        use none.

        512 bits need ``min-legal-vector-width`` above 256 (LLVM takes an absent one for unlimited)
        or a preference for 512; ``prefer-vector-width`` overrides the CPU's tuning (X86Subtarget:
        useAVX512Regs, canExtendTo512DQ).  A preference that the function states is kept to even
        where LLVM would allow wider registers.
        """
        soft = "soft-float" in features or attributes.get("use-soft-float") == "true"
        if soft or "sse2" not in features:
            return 0
        if "avx2" not in features:
            return 128
        required = _number(attributes.get("min-legal-vector-width"))
        stated = _number(attributes.get("prefer-vector-width"))
        needed = 0 if required is None else required
        if stated is not None and stated < 256 and needed <= 128:
            return 128
        if "avx512f" not in features:
            return 256
        if stated is not None and stated < 512:
            return 512 if needed > 256 else 256
        tune = attributes.get("tune-cpu")
        tuned = cpus().of(tune) if tune is not None and tune in cpus().cpus else features
        tuned = cpus().changed(tuned, attributes.get("target-features", ""))
        prefers_256 = stated is None and "prefer-256-bit" in tuned and "avx512vl" in features
        return 256 if prefers_256 and required is not None and required <= 256 else 512

    planes: Final = 1

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        """Return what crossing the middle of a register costs: one port, one a cycle."""
        return 100, 100

    def register_of(self, instruction: Instruction) -> str:
        """Return the kind of the register that an instruction writes."""
        if instruction.width == 1:
            return "k"
        return "xmm" if instruction.bits <= 128 else "ymm" if instruction.bits <= 256 else "zmm"


def _number(text: str | None) -> int | None:
    return min(int(text), _UNLIMITED) if text is not None and text.isdigit() else None


@cache
def target() -> X86:
    """Return the target."""
    return X86(own_sources("x86"))
