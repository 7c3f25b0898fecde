"""A target narrowed to one function: the instructions and registers that may be used."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from isel.spec.instruction import Instruction
from isel.spec.target import Target


@dataclass(frozen=True)
class Machine:
    """A target, a CPU, the features the function may use and the widest register in bits."""

    target: Target
    cpu: str
    features: frozenset[str]
    vector_bits: int

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """The usable instructions, in the target's order."""
        return tuple(i for i in self.target.instructions() if self._fits(i))

    @cached_property
    def by_name(self) -> dict[str, Instruction]:
        """The usable instructions by name."""
        return {i.name: i for i in self.instructions}

    def cost(self, instruction: Instruction) -> int:
        """Return the price of one execution in hundredths of a cycle."""
        return self.target.operation_cost(instruction, self.cpu)

    @cached_property
    def prices(self) -> frozenset[tuple[int, int]]:
        """The prices of instructions, each with the bits that it gives."""
        return frozenset((self.cost(i), i.bits) for i in self.instructions)

    @cached_property
    def halves_cost(self) -> tuple[int, int]:
        """The prices of joining two registers and of taking the upper half of one."""
        return self.target.halves_cost(self.cpu)

    def _fits(self, i: Instruction) -> bool:
        return (
            i.features <= self.features
            and i.bits <= self.vector_bits
            and all(o.bits <= self.vector_bits for o in i.operands)
        )
