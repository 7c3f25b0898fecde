"""A target on which some instructions cost next to nothing: what the search then finds says whether
a program with them exists, and the gate, which knows nothing of this, what it really costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isel.spec.instruction import Instruction
from isel.spec.target import Target

_NEXT_TO_NOTHING: Final = "a hundredth of a cycle"


@dataclass(frozen=True, slots=True)
class CheapTarget:
    """Another target's, but for the prices of the instructions ``names``."""

    target: Target
    names: frozenset[str]

    @property
    def name(self) -> str:
        """See :class:`isel.spec.target.Target`."""
        return self.target.name

    @property
    def digest(self) -> str:
        """See :class:`isel.spec.target.Target`."""
        return f"{self.target.digest} {_NEXT_TO_NOTHING}: {' '.join(sorted(self.names))}"

    @property
    def planes(self) -> int:
        """See :class:`isel.spec.target.Target`."""
        return self.target.planes

    def instructions(self) -> Sequence[Instruction]:
        """See :class:`isel.spec.target.Target`."""
        return self.target.instructions()

    def by_call(self, intrinsic: str) -> Instruction | None:
        """See :class:`isel.spec.target.Target`."""
        return self.target.by_call(intrinsic)

    def handles(self, triple: str) -> bool:
        """See :class:`isel.spec.target.Target`."""
        return self.target.handles(triple)

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """See :class:`isel.spec.target.Target`."""
        return self.target.features(cpu, attributes)

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """See :class:`isel.spec.target.Target`."""
        return self.target.vector_bits(features, attributes)

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """See :class:`isel.spec.target.Target`."""
        return 1 if instruction.name in self.names else self.target.operation_cost(instruction, cpu)

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        """See :class:`isel.spec.target.Target`."""
        return self.target.halves_cost(cpu)

    def register_of(self, instruction: Instruction) -> str:
        """See :class:`isel.spec.target.Target`."""
        return self.target.register_of(instruction)


def cheap_targets(
    target_of: Callable[[str], Target], names: frozenset[str]
) -> Callable[[str], Target]:
    """Return what finds targets of triples, on which instructions of these names are cheap."""
    return lambda triple: CheapTarget(target_of(triple), names)
