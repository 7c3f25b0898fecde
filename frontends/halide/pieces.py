"""What the merging of sliced vectors looks up in a function: definitions, lanes seen through
shuffles, what touches memory.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

from frontends.llvm.facts.addresses import Address, Addresses
from frontends.llvm.facts.graph import Graph
from frontends.llvm.text.ast import (
    Function,
    Instr,
    Literal,
    Local,
    Module,
    Operand,
    Type,
    VectorType,
)
from frontends.llvm.text.identity import contents
from frontends.llvm.text.layout import NotSized, sizes_of, to_signed

Lane: TypeAlias = "tuple[Operand, int] | None"

# how the names of intrinsics begin that neither touch memory nor end the run
_PURE: Final = (
    "smin. smax. umin. umax. abs. fsh bitreverse. bswap. ctpop. ctlz. cttz. vector.reduce. sadd. "
    "uadd. ssub. usub. sshl. ushl. fma. fmuladd. assume"
)
_SILENT: Final = tuple(f"llvm.{name}" for name in _PURE.split())


@dataclass(frozen=True, slots=True)
class Access:
    """A plain vector load or store: where in its block, where in memory, and how many bytes."""

    instr: Instr
    block: int
    position: int
    address: Address
    size: int


class Scene:
    """A function's instructions by name, by place and by what they do."""

    def __init__(self, function: Function, module: Module) -> None:
        self.function = function
        self._sizes = sizes = sizes_of(module.layout, module.lines)
        graph = Graph(function, contents(module), sizes) if sizes else None
        self._addresses = Addresses(graph) if graph else None
        self.view = function.view
        self.places = {
            i.line: (b, k)
            for b, block in enumerate(function.blocks)
            for k, i in enumerate(block.instrs)
        }
        self._lanes: dict[str, tuple[Lane, ...]] = {}
        self._accesses: dict[int, Access | None] = {}

    def definition(self, operand: Operand) -> Instr | None:
        """Return the instruction that makes an operand, if one does."""
        return self.view.defs.get(operand.name) if isinstance(operand, Local) else None

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
        if instr is None or instr.opcode not in ("load", "store") or not instr.known:
            return None
        if instr.line not in self._accesses:
            self._accesses[instr.line] = self._access(instr)
        return self._accesses[instr.line]

    def _access(self, instr: Instr) -> Access | None:
        kind = instr.type if instr.opcode == "load" else instr.operands[0].type
        size, rest = divmod(self.bits(kind), 8)
        if rest or size.bit_count() != 1 or instr.flags or " atomic " in instr.text:
            return None
        address = self._addresses.of(instr.operands[-1]) if self._addresses else None
        if address is None:
            return None
        block, position = self.places[instr.line]
        return Access(instr, block, position, address, size)

    def bits(self, kind: Type) -> int:
        """Return the width of a vector, 0 where it is not known or of any other type."""
        with suppress(NotSized):
            if isinstance(kind, VectorType) and self._sizes:
                return kind.count * self._sizes.bits(kind.elem)
        return 0

    def between(self, first: Access, last: Access) -> tuple[Instr, ...]:
        """Return the instructions of their block between two accesses."""
        return self.function.blocks[first.block].instrs[first.position + 1 : last.position]

    def disturbs(self, instr: Instr, region: Address, size: int, *, reads: bool) -> bool:
        """Tell whether an instruction may write (with ``reads`` also read) the ``size`` bytes
        at ``region``, or not return.
        """
        if not touches(instr) or (
            instr.opcode == "load"
            and not reads
            and "volatile" not in instr.flags
            and " atomic " not in instr.text
        ):
            return False
        access = self.access(instr)
        distance = None if access is None else behind(region, access.address)
        if access is None or distance is None:
            return True
        return distance < size and distance + access.size > 0


def behind(one: Address, other: Address) -> int | None:
    """Return how many bytes an address lies behind one, None where that is not a constant."""
    if (one.base, one.atoms) != (other.base, other.atoms):
        return None
    return to_signed(other.offset - one.offset, one.bits)


def touches(instr: Instr) -> bool:
    """Tell whether an instruction may read or write memory, or end the run."""
    if instr.opcode in ("call", "invoke", "callbr"):
        return not instr.callee.startswith(_SILENT)
    return instr.opcode in ("load", "store", "atomicrmw", "cmpxchg", "fence", "va_arg")
