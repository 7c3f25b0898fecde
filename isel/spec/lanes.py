"""The lanes of one instruction, evaluated from the block that says them when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from isel.ir.build import ite
from isel.ir.expr import Expr, const, elem, leaves
from isel.spec.instruction import Operand, Predication
from isel.spec.known import Known

if TYPE_CHECKING:  # an index makes these without the reader of the language
    from isel.spec.sem_block import Family
    from isel.spec.sem_meaning import Entry

Bindings = dict[str, int | str]


@dataclass(frozen=True)
class LaneFunction:
    """The lanes of one instruction; evaluated when asked for, once for each lane and immediates.

    ``read`` returns the block that says them, which need not have been read before the first lane
    is asked for. ``known`` is what an index (:mod:`isel.spec.index`) remembers of the lanes.
    """

    read: Callable[[], Family]
    bound: Bindings
    width: int
    lanes: int
    operands: tuple[Operand, ...]
    predication: Predication
    known: Known | None = None

    @cached_property
    def family(self) -> Family:
        """The block."""
        return self.read()

    @cached_property
    def _done(self) -> dict[tuple[object, ...], Expr]:
        return {}

    @cached_property
    def _same(self) -> tuple[object, ...]:
        """What decides the formula's value beside the lane and the immediates; members that
        agree in it share the value.
        """
        reads, declared = self.family.reads, {s.name for s in self.family.operands}
        operands = tuple((o.name, o.width) for o in self.operands if o.name in declared)
        return self.width, tuple((k, v) for k, v in self.bound.items() if k in reads), operands

    @cached_property
    def _bits(self) -> dict[str, int]:
        return {o.name: o.bits for o in self.operands}

    @cached_property
    def _fixed(self) -> dict[str, Entry]:
        return {**self.bound, **dict(self.family.tables), **{o.name: o for o in self.operands}}

    def __call__(self, i: int, immediates: Mapping[str, int]) -> Expr:
        """Return lane ``i``."""
        key = (i, *immediates.values())
        found = self._done.get(key)
        if found is None:
            found = self._done[key] = self._lane(i, immediates)
        return found

    def _lane(self, i: int, immediates: Mapping[str, int]) -> Expr:
        if not 0 <= i < self.lanes:
            raise IndexError(f"lane {i} of {self.lanes}")
        key = (self._same, i, *immediates.values())
        found = self.family.memo.get(key)
        if found is None or not all(
            e.offset + e.width <= self._bits[e.source] for e in leaves(found)
        ):
            found = self.family.memo[key] = self.family.lane(
                self.width, {**self._fixed, **immediates, "i": i}
            )
        return self._predicated(i, found)

    def _predicated(self, i: int, value: Expr) -> Expr:
        p = self.predication
        if p.kind == "none":
            return value
        other = (
            const(0, self.width) if p.kind == "zero" else elem(p.source, i * self.width, self.width)
        )
        return ite(elem(p.mask, i, 1), value, other)
