"""What the merging of sliced vectors looks up in a function: definitions, lanes seen through
shuffles, where plain loads and stores lie and whether they may be moved together.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Span, Writes
from frontends.llvm.function.graph import Graph, Place
from frontends.llvm.text.ast import (
    Function,
    Instr,
    Literal,
    Module,
    Operand,
    Type,
    VectorType,
)
from frontends.llvm.text.identity import contents
from frontends.llvm.text.layout import NotSized, sizes_of

Lane: TypeAlias = "tuple[Operand, int] | None"


@dataclass(frozen=True, slots=True)
class Access:
    """A plain vector load or store, and the bytes that it accesses."""

    place: Place
    span: Span

    @property
    def instr(self) -> Instr:
        """The load or store."""
        return self.place.instr

    @property
    def address(self) -> Address:
        """Where its first byte is."""
        return self.span.address

    @property
    def size(self) -> int:
        """How many bytes it accesses."""
        return self.span.high - self.span.low


class Scene:
    """A function's instructions by name, by place and by what they do."""

    def __init__(self, function: Function, module: Module) -> None:
        self._sizes = sizes = sizes_of(module.layout, module.lines)
        self._writes = Writes(Graph(function, contents(module), sizes)) if sizes else None
        self.view = function.view
        self._lanes: dict[str, tuple[Lane, ...]] = {}

    def definition(self, operand: Operand) -> Instr | None:
        """Return the instruction that makes an operand, if one does."""
        return self.view.definition(operand)

    def lanes(self, operand: Operand) -> tuple[Lane, ...]:
        """Return where each lane of a vector comes from, seen through shuffles; None is poison."""
        assert isinstance(operand.type, VectorType)
        count = operand.type.count
        if isinstance(operand, Literal):
            return tuple(
                None if x == "poison" else (operand, i) for i, x in enumerate(operand.lanes)
            )
        step = self.definition(operand)
        if step is None or step.opcode != "shufflevector" or not step.known:
            return tuple((operand, i) for i in range(count))
        found = self._lanes.get(step.name)
        if found is None:
            sources = self.lanes(step.operands[0]) + self.lanes(step.operands[1])
            found = self._lanes[step.name] = tuple(
                None if i is None else sources[i] for i in step.mask
            )
        return found

    def whole(self, operand: Operand) -> Operand:
        """Return the vector that an operand is, lane by lane, seen through shuffles."""
        if not isinstance(operand.type, VectorType):
            return operand
        lanes = self.lanes(operand)
        first = lanes[0]
        if first is None or first[0].type != operand.type:
            return operand
        return first[0] if lanes == self._all(first[0]) else operand

    @staticmethod
    def _all(operand: Operand) -> tuple[Lane, ...]:
        assert isinstance(operand.type, VectorType)
        return tuple((operand, k) for k in range(operand.type.count))

    def access(self, instr: Instr | None) -> Access | None:
        """Return a plain load or store of a vector with its address, None for anything else."""
        if instr is None or instr.opcode not in ("load", "store") or self._writes is None:
            return None
        size, rest = divmod(self.bits(instr.type if instr.name else instr.operands[0].type), 8)
        place = self._writes.lines[instr.line]
        span = self._writes.span(place) if place.accesses and size.bit_count() == 1 else None
        return None if span is None or rest else Access(place, span)

    def bits(self, kind: Type) -> int:
        """Return the width of a vector, 0 where it is not known or of any other type."""
        with suppress(NotSized):
            if isinstance(kind, VectorType) and self._sizes:
                return kind.count * self._sizes.bits(kind.elem)
        return 0

    def may_join(self, accesses: Sequence[Access]) -> bool:
        """Tell whether plain loads of a block, or stores, may be one."""
        return self._writes is not None and self._writes.may_join([a.place for a in accesses])
