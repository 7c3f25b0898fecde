"""Values that are neither poison nor undef, element by element, as far as a function shows it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from frontends.llvm.text.ast import Function, Instr, Literal, Local, Operand
from frontends.llvm.text.syntax import integer_shape, number

_PLAIN: Final = ("bitcast", "add", "sub", "mul", "and", "or", "xor", "zext", "sext")


class Defined:
    """The elements of values that are defined; values come in the order of a function."""

    def __init__(self, f: Function) -> None:
        self._whole: set[str] = {a.name for a in f.arguments if "noundef" in a.attributes}
        self._some: dict[str, frozenset[int]] = {}

    def add(self, name: str) -> None:
        """Take a value to be defined."""
        self._whole.add(name)

    def __contains__(self, name: object) -> bool:
        return name in self._whole

    def see(self, i: Instr) -> None:
        """Keep what an instruction says of its value."""
        shape = integer_shape(i.type)
        if i.opcode == "freeze" or "noundef" in dict(i.metadata):
            self.add(i.name)
        elif i.opcode in _PLAIN and not i.flags:
            if all(self._is_whole(o) for o in i.operands):
                self.add(i.name)
        elif shape is not None and i.opcode in ("insertelement", "shufflevector"):
            self._keep(i.name, self._places(i), shape[0])

    def _keep(self, name: str, found: Collection[int], count: int) -> None:
        if len(found) == count:
            self.add(name)
        elif found:
            self._some[name] = frozenset(found)

    def _is_whole(self, o: Operand) -> bool:
        if isinstance(o, Literal):
            return all(isinstance(x, int) for x in o.lanes)
        return isinstance(o, Local) and o.name in self._whole

    def _elements(self, o: Operand) -> frozenset[int]:
        shape = integer_shape(o.type)
        if shape is None:
            return frozenset()
        if isinstance(o, Literal):
            return frozenset(k for k, x in enumerate(o.lanes) if isinstance(x, int))
        if self._is_whole(o):
            return frozenset(range(shape[0]))
        return self._some.get(o.name, frozenset()) if isinstance(o, Local) else frozenset()

    def _places(self, i: Instr) -> Collection[int]:
        """Return the defined elements of a value with others in some places."""
        first, second = (self._elements(o) for o in i.operands[:2])
        shape = integer_shape(i.operands[0].type)
        count = shape[0] if shape else 0
        if i.opcode == "insertelement":
            at = number(i.operands[2])
            if at is None or not 0 <= at < count:
                return ()
            return first | {at} if self._is_whole(i.operands[1]) else first - {at}
        known = {*first, *(k + count for k in second)}
        return [k for k, m in enumerate(i.mask) if m in known]
