"""What the engine asks of a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from isel.spec.instruction import Instruction


class Target(Protocol):
    """An instruction set: its instructions, features and CPUs."""

    @property
    def name(self) -> str:
        """The name used by ``--target`` and by reports."""
        ...

    @property
    def digest(self) -> str:
        """A hash of the semantics; part of every cache key."""
        ...

    def instructions(self) -> Sequence[Instruction]:
        """Return every instruction, in a fixed order."""
        ...

    def by_call(self, intrinsic: str) -> Instruction | None:
        """Return the instruction that the LLVM intrinsic ``intrinsic`` stands for, if known."""
        ...

    def handles(self, triple: str) -> bool:
        """Tell whether modules of this triple are this target's."""
        ...

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """Return the features of ``cpu`` changed by ``attributes`` (``+a,-b``).

        Raises :class:`isel.errors.UnknownName` for a CPU or feature that LLVM does not know.
        """
        ...

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """Return the widest register in bits that a function with these string attributes may
        use, 0 where it may use none.
        """
        ...

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """Return the price of one execution in hundredths of a cycle of reciprocal throughput."""
        ...

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        """Return the prices, in the same unit, of joining two registers of half the size and of
        taking the upper half of a register.
        """
        ...

    @property
    def planes(self) -> int:
        """Return into how many vectors, of every second, third … element each, a load may bring
        its elements apart; 1 where it cannot.
        """
        ...

    def register_of(self, instruction: Instruction) -> str:
        """Return the kind of the register that an instruction writes, as its assembly names it,
        for reports.
        """
        ...
