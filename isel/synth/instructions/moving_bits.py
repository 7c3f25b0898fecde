"""Forms that move bits of each lane by literals, of which each lane has its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from isel.ir.build import make
from isel.ir.canon import formal
from isel.ir.expr import const
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.limits import FEW_KEPT, UNITS
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.moved import ZERO_BIT, Way


@dataclass(frozen=True, eq=False)
class BitMove:
    """What moves bits: a form that reads these in an ``operand``, or none, which leaves them where
    they are.

    ``ways`` are by literal, which is the other operand if it is ``given``; a way has the bits that
    a lane of ``width`` bits is, the lowest first, as numbers of what it ``reads``, which is so many
    bits from ``first[lane]`` on.
    """

    form: Form | None
    width: int
    ways: Mapping[int, Way]
    first: tuple[int, ...]
    reads: int
    operand: int = 0
    given: bool = False

    @property
    def cost(self) -> int:
        """The price of the instruction."""
        return 0 if self.form is None else self.form.cost


@lru_cache(maxsize=FEW_KEPT)
def bit_moves(library: Library, bits: int) -> tuple[BitMove, ...]:
    """Return what moves bits in registers of ``bits`` bits."""
    return (*_unmoved(bits), *_by_one(library, bits), *_by_many(library, bits))


def _unmoved(bits: int) -> Iterator[BitMove]:
    for width in UNITS:
        yield BitMove(None, width, {0: tuple(range(width))}, tuple(range(0, bits, width)), width)


def _by_one(library: Library, bits: int) -> Iterator[BitMove]:
    """Yield shifts of all lanes by one literal."""
    for width in UNITS:
        x, none = formal(0, width), (ZERO_BIT,) * width
        for k in range(1, width):
            up, down = (*none[:k], *range(width - k)), (*range(k, width), *none[:k])
            for op, way in (("shl", up), ("lshr", down)):
                fn = lane_fn(make(op, (x, const(k, width))))
                for form in library.forms(fn, bits)[:1]:
                    yield BitMove(form, width, {0: way}, tuple(range(0, bits, width)), width)


def _by_many(library: Library, bits: int) -> Iterator[BitMove]:
    """Yield forms that find a literal for each lane in one of two operands."""
    for m in library.movers:
        for form in library.forms(m.fn, bits):
            at, beside = (int(form.operand[k][0]) for k in m.holes)
            data, other = (form.instruction.operands[k] for k in (at, beside))
            own = form.index[m.holes[1]].tolist() == list(range(form.instruction.lanes))
            if at != beside and data.bits == other.bits == bits and own:
                first = tuple(data.width * k for k in form.index[m.holes[0]].tolist())
                yield BitMove(form, m.fn.width, m.ways, first, data.width, at, given=True)
                break
