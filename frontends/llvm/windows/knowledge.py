"""What is known of a value before a window runs: that it is neither poison nor undef, and its
range.

A fact of a leaf may be used only where it also holds for the frozen leaf: the value is provably
neither poison nor undef, or the violation of the fact is undefined behaviour at a point that
dominates the window.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from frontends.llvm.limits import KNOWLEDGE_DEPTH
from frontends.llvm.meaning.ranges import within
from frontends.llvm.text.ast import (
    Argument,
    Function,
    Instr,
    Literal,
    Local,
    Module,
    Operand,
    VectorType,
)
from frontends.llvm.text.metadata import attribute_ranges, ranges_of
from frontends.llvm.text.syntax import is_below, number, shape_of
from isel.ir.expr import Expr, elem

_TOTAL: Final = frozenset((
    "add", "sub", "mul", "and", "or", "xor", "zext", "sext", "trunc", "bitcast", "icmp",
    "select", "shufflevector",
))  # fmt: skip
_SHIFTS: Final = frozenset({"shl", "lshr", "ashr"})
_LANE: Final = frozenset({"insertelement", "extractelement"})


class Knowledge:
    """The values of one function that are provably neither poison nor undef, and their ranges.

    ``assume_defined`` takes the user's word that no value of the program is poison or undef.
    """

    def __init__(self, module: Module, function: Function, *, assume_defined: bool = False) -> None:
        self._assume_defined = assume_defined
        self._module = module
        self._arguments: Mapping[str, Argument] = {a.name: a for a in function.arguments}
        self._defs = function.view.defs

    def defined(self, operand: Operand, depth: int = KNOWLEDGE_DEPTH) -> bool:
        """Tell whether no lane of ``operand`` can be poison or undef."""
        if isinstance(operand, Literal):
            return all(isinstance(x, int) for x in operand.lanes)
        if self._assume_defined:
            return True
        if not isinstance(operand, Local) or depth == 0:
            return False
        argument = self._arguments.get(operand.name)
        if argument is not None:
            return "noundef" in argument.attributes
        instr = self._defs.get(operand.name)
        return instr is not None and self._total(instr, depth)

    def _total(self, i: Instr, depth: int) -> bool:
        if i.opcode == "freeze":
            return True
        if not i.known:
            return False
        if i.opcode == "load":
            return any(kind == "noundef" for kind, _ in i.metadata)
        if i.flags or not self._cannot_make_poison(i):
            return False
        return all(self.defined(o, depth - 1) for o in i.operands)

    def _cannot_make_poison(self, i: Instr) -> bool:
        if i.opcode in _SHIFTS:
            return is_below(i.operands[1], shape_of(i.type)[1])
        if i.opcode in _LANE:
            at, vector = number(i.operands[-1]), i.operands[0].type
            return at is not None and isinstance(vector, VectorType) and at < vector.count
        return i.opcode in _TOTAL and None not in i.mask

    def facts(self, operand: Operand, leaf: str) -> tuple[Expr, ...]:
        """Return what holds of every lane of ``operand``, as terms over the elements of
        ``leaf``.
        """
        lanes, width = shape_of(operand.type)
        ranges = self._ranges(operand.name, width) if width and isinstance(operand, Local) else ()
        if not ranges:
            return ()
        return tuple(within(elem(leaf, i * width, width), ranges) for i in range(lanes))

    def _ranges(self, name: str, width: int) -> tuple[tuple[int, int], ...]:
        argument = self._arguments.get(name)
        if argument is not None:
            return (
                attribute_ranges(argument.attributes, width)
                if "noundef" in argument.attributes
                else ()
            )
        instr = self._defs.get(name)
        if instr is None or instr.opcode != "load" or not instr.known:
            return ()
        metadata = dict(instr.metadata)
        if "noundef" not in metadata or "range" not in metadata:
            return ()
        return self._metadata_range(metadata["range"], width)

    def _metadata_range(self, node: str, width: int) -> tuple[tuple[int, int], ...]:
        text = node
        if re.fullmatch(r"!\d+", node):
            prefix = f"{node} = "
            text = next(
                (line[len(prefix) :] for line in self._module.lines if line.startswith(prefix)), ""
            )
        return ranges_of(text, width)
