"""A target on which some instructions cost next to nothing: what the search then finds says whether
a program with them exists, and the gate, which knows nothing of this, what it really costs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics.target import ChangedTarget

_NEXT_TO_NOTHING: Final = "a hundredth of a cycle"


@dataclass(frozen=True)
class CheapTarget(ChangedTarget):
    """Another target's, but for the prices of the instructions ``names``."""

    names: frozenset[str]

    @property
    def digest(self) -> str:
        """See :class:`isel.spec.target.Target`."""
        return f"{self.target.digest} {_NEXT_TO_NOTHING}: {' '.join(sorted(self.names))}"

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """See :class:`isel.spec.target.Target`."""
        return 1 if instruction.name in self.names else self.target.operation_cost(instruction, cpu)


def cheap_targets(
    target_of: Callable[[str], Target], names: frozenset[str]
) -> Callable[[str], Target]:
    """Return what finds targets of triples, on which instructions of these names are cheap."""
    return lambda triple: CheapTarget(target_of(triple), names)
