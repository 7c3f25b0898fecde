"""AArch64 as a target: its instructions, CPUs and registers; it has no prices yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from isel.errors import UnknownName
from isel.spec.index_rows import Sources
from isel.spec.instruction import Instruction
from semantics.arm.isa import ISA
from semantics.cpus import Cpus, cpus_of
from semantics.digest import own_sources
from semantics.library import Library


def cpus() -> Cpus:
    """Return the shipped table of CPUs."""
    return cpus_of("arm", "generic")


class Arm:
    """Implements :class:`isel.spec.target.Target`; ``own`` are the names and texts of the
    user's ``.sem`` files.
    """

    def __init__(self, own: Sources = ()) -> None:
        self._library = Library(ISA, tuple(own))

    @property
    def name(self) -> str:
        """The name used by ``--target``."""
        return ISA.name

    @property
    def digest(self) -> str:
        """A hash of the semantics; part of every cache key."""
        return self._library.digest

    @property
    def by_name(self) -> Mapping[str, Instruction]:
        """The instructions by name."""
        return self._library.by_name

    def instructions(self) -> Sequence[Instruction]:
        """Return every instruction, in a fixed order."""
        return self._library.entries.instructions

    def by_call(self, intrinsic: str) -> Instruction | None:
        """Return the instruction that a target intrinsic stands for, if known."""
        return self._library.entries.calls.get(intrinsic)

    def handles(self, triple: str) -> bool:
        """Tell whether modules of this triple are little-endian AArch64's."""
        return ISA.handles(triple)

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """Return the features of ``cpu`` changed by ``attributes``; raise :class:`UnknownName`."""
        return cpus().changed(cpus().of(cpu), attributes)

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """Return the width of Neon's registers, 0 where a function may not use them."""
        return 128 if "neon" in features else 0

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """Raise :class:`UnknownName`: there are no prices."""
        raise UnknownName("CPU with prices", cpu)

    def register_of(self, instruction: Instruction) -> str:
        """Return the kind of the register that an instruction writes."""
        return "q" if instruction.bits > 64 else "d"


@cache
def target() -> Arm:
    """Return the target."""
    return Arm(own_sources("arm"))
