"""Forms that move bits of each lane as a literal says, of which each lane has its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.limits import BYTE, FEW_KEPT, UNITS, WORD
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.moved import Bit, moves_of

Way: TypeAlias = tuple[int | None, ...]  # for each bit, the lowest first, which it was; None: zero


@dataclass(frozen=True, eq=False)
class BitMove:
    """A form that moves bits, or none, which leaves them where they are: for each literal the bits
    of a lane of ``width`` bits, as numbers of what it ``reads``, so many bits from ``first[lane]``
    on of its operand number ``at``.
    """

    form: Form | None
    width: int
    ways: Mapping[int, Way]
    first: tuple[int, ...]
    reads: int
    at: int = 0


@lru_cache(maxsize=FEW_KEPT)
def bit_moves(library: Library, bits: int) -> tuple[BitMove, ...]:
    """Return what moves bits in registers of ``bits`` bits."""
    stay = (BitMove(None, w, {0: tuple(range(w))}, tuple(range(0, bits, w)), w) for w in UNITS)
    pairs = ((fn, k) for fn in library.shifts for k in range(1 if fn.commutes else 2))
    found = (
        _read(f, k) for fn, k in pairs if len(_ways(fn, k)) > 2 for f in library.forms(fn, bits)
    )
    return (*stay, *filter(None, found))


def _read(form: Form, hole: int) -> BitMove | None:
    """Return a form that reads bits by a hole, and the literals of its lanes by another one."""
    at, beside = (int(form.operand[k][0]) for k in (hole, 1 - hole))
    i, data = form.instruction, form.instruction.operands[at]
    own = form.index[1 - hole].tolist() == list(range(i.lanes))
    if at == beside or not own or {data.bits, i.operands[beside].bits} != {i.bits}:
        return None
    first = tuple(data.width * k for k in form.index[hole].tolist())
    return BitMove(form, i.width, _ways(form.fn, hole), first, data.width, at)


@lru_cache(maxsize=FEW_KEPT)
def _ways(fn: LaneFn, hole: int) -> Mapping[int, Way]:
    """Return the ways of literals that move bits by their number, or by the bit they are."""
    bits, room = fn.widths[hole], fn.widths[1 - hole]
    if fn.width % BYTE or bits % fn.width or max(bits, room) > WORD:
        return {}
    literals = sorted({x % (1 << room) for k in range(bits) for x in (k, -k, 1 << k)})
    every = moves_of(fn, {1 - hole: literals})
    found = {_way(x): c for c, x in zip(literals, every, strict=True) if x is not None}
    return {c: way for way, c in found.items()}


def _way(bits: Sequence[Bit | None]) -> Way:
    return tuple(x and x[1] for x in bits)
