"""What a loop does not change: values that windows inside it read, and scalars in all lanes.

A scalar chain that is repeated in all lanes is computed in the window, in all of its lanes, over
the scalars that it begins with: ``splat(f(x))`` is ``f(splat x)``.  In SSA a value is what its
instruction makes of the current values of its operands wherever it may be used, so a window's terms
may go through blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from frontends.llvm.limits import INVARIANTS_LONGEST
from frontends.llvm.text.ast import Instr, IntType, Local, Operand
from frontends.llvm.text.view import View
from frontends.llvm.windows.regions import scalar_of

_CASTS: Final = frozenset(("zext", "sext", "trunc"))
_WIDTHS: Final = (8, 16, 32, 64)  # of scalars that are leaves
_LATE: Final = frozenset(
    ("invoke", "callbr")
)  # their results are not there before their blocks end


class Invariants:
    """The invariants of one function's loops; ``lowers`` tells which scalar instructions may be
    computed once more.
    """

    def __init__(self, view: View, lowers: Callable[[Instr], bool]) -> None:
        self._view = view
        self._defs = view.defs
        self._lowers = lowers

    def line(self, block: int) -> int | None:
        """Return the line before which goes what is computed once for all passes of a block's
        loop.
        """
        home = self._view.homes[block]
        return None if home is None else self._view.end(home).line

    def holds(self, i: Instr, block: int) -> bool:
        """Tell whether a value is there at the end of a block's home."""
        home = self._view.homes[block]
        if home is None or (i.opcode in _LATE and self._view.place(i.name) == home):
            return False
        return self._view.dominates(self._view.place(i.name), home)

    def given(self, operand: Operand, block: int) -> bool:
        """Tell whether an operand is one value for all passes of a block's loop."""
        if self._view.homes[block] is None or not isinstance(operand, Local):
            return False
        d = self._defs.get(operand.name)
        return d is None or self.holds(d, block)

    def repeated(self, splat: Instr, block: int, *, tested: bool = False) -> tuple[Instr, ...]:
        """Return the instructions that make what is in all lanes of ``splat``, and itself; none
        where it is better a leaf as it is: it changes, its scalar is not even extended, and its
        bits are not ``tested``.
        """
        scalar = scalar_of(splat, self._defs.get)
        if scalar is None:
            return ()
        fixed = self.holds(splat, block)
        chain = self._chain(scalar, None if fixed else _CASTS)
        if not chain and not ((fixed or tested) and _is_leaf(scalar)):
            return ()
        (vector, *_) = splat.operands
        assert isinstance(vector, Local)
        return (splat, self._defs[vector.name], *chain)

    def elements_of(self, nodes: Iterable[Instr]) -> dict[str, Instr]:
        """Return by name the vectors of which nodes take elements, where instructions make them."""
        taken = (o for i in nodes if i.opcode == "extractelement" for o in i.operands[:1])
        names = [o.name for o in taken if isinstance(o, Local)]
        return {n: self._defs[n] for n in names if n in self._defs}

    def _chain(self, scalar: Local, allowed: frozenset[str] | None) -> tuple[Instr, ...]:
        """Return what a scalar is computed by, as far as it begins with scalars that registers
        hold; only operations that are ``allowed``, where that is said.
        """
        d = self._defs.get(scalar.name)
        if d is None or not self._takes(d, allowed):
            return ()
        found: dict[str, Instr] = {d.name: d}
        waiting = [d]
        while waiting:
            for o in waiting.pop().operands:
                if not isinstance(o, Local) or o.name in found or not isinstance(o.type, IntType):
                    continue
                inner = self._defs.get(o.name) if len(found) < INVARIANTS_LONGEST else None
                if inner is not None and self._takes(inner, allowed):
                    found[inner.name] = inner
                    waiting.append(inner)
                elif not _is_leaf(o):
                    return ()
        return tuple(found.values())

    def _takes(self, i: Instr, allowed: frozenset[str] | None) -> bool:
        return (allowed is None or i.opcode in allowed) and self._lowers(i)


def _is_leaf(x: Local) -> bool:
    """Tell whether a scalar may be a leaf: of the width of a lane."""
    return isinstance(x.type, IntType) and x.type.bits in _WIDTHS
