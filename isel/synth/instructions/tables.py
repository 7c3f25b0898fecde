"""Permutes by index as lookups: of bytes in a table that other operands hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Final

from isel.ir.canon import canonical
from isel.ir.expr import Expr
from isel.spec.instruction import Instruction, Role
from isel.spec.known import first_lane, gather
from isel.synth.edges.lookups import Lookup, lookup_of
from isel.synth.instructions.form import Form
from isel.synth.limits import BYTE
from isel.synth.values.lanefn import LaneFn, lane_fn

_PARTS: Final = (0, 1)  # of a table, by a scalar operand


class Tables:
    """The lookups among a machine's permutes, and their forms; read when they are asked for."""

    def __init__(
        self,
        permutes: Sequence[Instruction],
        cost: Callable[[Instruction], int],
        forms: dict[LaneFn, list[Form]],
    ) -> None:
        """``cost`` is the price of an instruction, in hundredths of a cycle; ``forms`` grow."""
        self._permutes = [i for i in permutes if i.width == BYTE and not i.immediates]
        self._cost = cost
        self.forms = forms

    @cached_property
    def small(self) -> tuple[Lookup, ...]:
        """Those of few entries, of the table or of a part of it."""
        return self._of_size(small=True)

    @cached_property
    def large(self) -> tuple[Lookup, ...]:
        """Those of more entries, the smaller ones first."""
        return self._of_size(small=False)

    def _of_size(self, *, small: bool) -> tuple[Lookup, ...]:
        """Return lookups, of permutes that read operands of the same sizes alike those of one."""
        chosen: dict[tuple[object, ...], Instruction] = {}
        for i in self._permutes:
            if (any(o.role is Role.SCALAR for o in i.operands) or bool(first_lane(i, ()))) == small:
                chosen.setdefault((_term(i), i.bits, *(o.bits for o in i.operands)), i)
        found = dict.fromkeys(x for i in chosen.values() for x in self._lookups(i))
        return tuple(sorted(found, key=lambda x: x.entries))

    def _lookups(self, i: Instruction) -> Iterator[Lookup]:
        """Yield a permute as lookups, none where its index fills more than a hole."""
        fn = lane_fn(_term(i))
        form = Form(i, (), fn, self._cost(i), gather(i, (), anew=first_lane(i, ()) is None))
        of = [i.operands[o].role for o in form.operand[:, 0]] if form.regular else []
        scalars = [k for k, role in enumerate(of) if role is Role.SCALAR]
        if of.count(Role.INDEX) == 1 and (len(of) - len(scalars) - 1).bit_count() == 1:
            self.forms.setdefault(fn, []).append(form)
            for part in _PARTS if scalars else (0,):
                yield lookup_of(fn, of.index(Role.INDEX), dict.fromkeys(scalars, part))


def _term(i: Instruction) -> Expr:
    return first_lane(i, ()) or canonical(i.lane(0, {}))[0]
