"""Permutes by index as lookups: of bytes in a table that other operands hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from isel.ir.canon import canonical
from isel.spec.instruction import Instruction
from isel.spec.known import first_lane, gather
from isel.spec.permutes import index_operand
from isel.synth.edges.lookups import Lookup, lookup_of
from isel.synth.instructions.form import Form
from isel.synth.limits import BYTE
from isel.synth.values.lanefn import LaneFn, lane_fn


class Tables:
    """The lookups among a machine's permutes, and their forms; read when they are asked for."""

    def __init__(self, permutes: Sequence[Instruction], cost: Callable[[Instruction], int]) -> None:
        """``cost`` is the price of an instruction, in hundredths of a cycle."""
        self._permutes = [i for i in permutes if i.width == BYTE and not i.immediates]
        self._cost = cost
        self.forms: dict[LaneFn, list[Form]] = {}

    @cached_property
    def small(self) -> tuple[Lookup, ...]:
        """Those whose functions are remembered: of few entries."""
        return tuple(dict.fromkeys(self._lookups(small=True)))

    @cached_property
    def large(self) -> tuple[Lookup, ...]:
        """Those of more entries, the smaller ones first."""
        return tuple(sorted(dict.fromkeys(self._lookups(small=False)), key=lambda x: x.fn.arity))

    def _lookups(self, *, small: bool) -> Iterator[Lookup]:
        known: set[tuple[object, ...]] = set()
        for i in self._permutes:
            remembered = first_lane(i, ())
            if (remembered is not None) != small:
                continue
            fn = lane_fn(remembered or canonical(i.lane(0, {}))[0])
            key = (fn, i.bits, *(o.bits for o in i.operands))
            if set(fn.widths) == {BYTE} and (fn.arity - 1).bit_count() == 1 and key not in known:
                known.add(key)
                form = Form(i, (), fn, self._cost(i), gather(i, (), anew=not small))
                at = index_operand(i)
                holes = [k for k, o in enumerate(form.operand[:, 0]) if o == at and form.regular]
                if len(holes) == 1:
                    self.forms.setdefault(fn, []).append(form)
                    yield lookup_of(fn, holes[0])
