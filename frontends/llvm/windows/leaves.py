"""What a window reads: operands as leaves, scalars in all lanes as registers full of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from frontends.llvm.meaning.lanes import Value
from frontends.llvm.meaning.lower import literal_value
from frontends.llvm.text.ast import IntType, Literal, Local, Operand
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.windows.invariants import Invariants
from frontends.llvm.windows.knowledge import Knowledge
from frontends.llvm.windows.regions import Input
from isel.ir.expr import const, elem
from isel.ir.ops import natural
from isel.ir.ranges import range_of
from isel.model.window import Leaf


def operand_key(operand: Operand) -> str:
    """Return text that tells operands apart."""
    return f"%{operand.name}" if isinstance(operand, Local) else f"{operand.type} {operand}"


def leaf_value(name: str, shape: tuple[int, int]) -> Value:
    """Return a vector of unknown but concrete lanes."""
    lanes, width = shape
    return Value(
        width, tuple(elem(name, i * width, width) for i in range(lanes)), (const(0, 1),) * lanes
    )


@dataclass
class Leaves:
    """The leaves of a window in the making; ``env`` has what the window computes, ``register`` bits
    are a scalar repeated for.
    """

    block: int
    register: int
    env: Mapping[str, Value]
    knowledge: Knowledge
    invariants: Invariants
    inputs: dict[str, Input] = field(default_factory=dict)

    def operand(self, operand: Operand, *, alike: bool) -> Value:
        """Return the lanes of an operand; a scalar that is repeated in all lanes, which are
        ``alike``, is a leaf that fills a register.
        """
        if isinstance(operand, Literal):
            return literal_value(operand)
        if isinstance(operand, Local) and operand.name in self.env:
            return self.env[operand.name]
        shape = shape_of(operand.type)
        key = operand_key(operand)
        found = self.inputs.get(key)
        if found is None:
            scalar = alike and isinstance(operand, Local) and isinstance(operand.type, IntType)
            found = self.inputs[key] = self._make(operand, shape, scalar=scalar)
        return leaf_value(found.leaf.name, shape)

    def _make(self, operand: Operand, shape: tuple[int, int], *, scalar: bool) -> Input:
        n, (lanes, width) = len(self.inputs), shape
        invariant = self.invariants.given(operand, self.block)
        leaf = Leaf(f"a{n}", width, lanes, invariant=invariant)
        if scalar:
            count = self.register // width
            leaf = replace(leaf, lanes=count, region=f"v{n}", period=width, scalar=True)
        return Input(leaf, operand, self.knowledge.defined(operand))


def narrow(value: Value) -> bool:
    """Tell whether no lane of a value needs the width that it has."""
    ranges = [range_of(e) for e in value.lanes]
    most = max(min(r.signed_bits, r.unsigned_bits) for r in ranges)
    return natural(most) < value.width
