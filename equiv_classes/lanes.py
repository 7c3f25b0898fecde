"""Classes by lane function: instructions that compute the same formula in every lane."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from isel.ir.canon import canonical
from isel.ir.expr import Expr
from isel.ir.text import show
from isel.spec.instruction import Instruction


@dataclass(frozen=True, slots=True)
class LaneClass:
    """One formula over holes ``x0, x1, …`` and the names of the instructions whose first lane it is, in order."""

    formula: Expr
    members: tuple[str, ...]

    def text(self) -> str:
        """Return the formula and the members on one line."""
        return f"{show(self.formula)}: {' '.join(self.members)}"


def lane_formula(instruction: Instruction) -> Expr:
    """Return the canonical function of an instruction's first lane, immediates at their first legal value."""
    first = {m.name: m.values[0] for m in instruction.immediates}
    return canonical(instruction.lane(0, first))[0]


def lane_classes(instructions: Iterable[Instruction]) -> tuple[LaneClass, ...]:
    """Group instructions by formula, in the order of first appearance."""
    groups: dict[Expr, list[str]] = {}
    for i in instructions:
        groups.setdefault(lane_formula(i), []).append(i.name)
    return tuple(LaneClass(f, tuple(names)) for f, names in groups.items())


def class_of(instruction: Instruction, instructions: Iterable[Instruction]) -> LaneClass:
    """Return the class of one instruction among ``instructions``."""
    formula = lane_formula(instruction)
    members: Mapping[str, None] = dict.fromkeys(i.name for i in instructions if lane_formula(i) is formula)
    return LaneClass(formula, tuple(members))
