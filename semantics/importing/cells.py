"""Variables of an operation: bits written piece by piece over an initial value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from isel.ir.expr import Expr
from isel.ir.spans import whole, within
from semantics.importing.simplify import joined
from semantics.importing.values import Inexact, Val, Value, low_bits, select, sliced, unsigned


@dataclass(frozen=True, slots=True)
class Cell:
    """A variable: ``pieces`` (by lowest bit: width and value) over ``base``, which is None
    where nothing was assigned.
    """

    base: Value | None = None
    pieces: Mapping[int, tuple[int, Value]] = field(default_factory=dict)

    def read(self, at: int, width: int) -> Value:
        """Return bits ``at`` and up; raise :class:`Inexact` for bits never assigned."""
        found = self.pieces.get(at)
        if found is not None and found[0] == width:
            return found[1]
        if at < 0:
            raise Inexact(f"bit {at}")
        if not self.pieces:
            if self.base is None:
                raise Inexact("bits that nothing was assigned to")
            return sliced(self.base, at, width)
        return unsigned(self._gathered(at, width))

    def _gathered(self, at: int, width: int) -> Expr:
        end, parts = at + width, []
        here = at
        while here < end:
            piece = self._piece(here)
            if piece is None:
                if self.base is None:
                    raise Inexact(f"bit {here}, which nothing was assigned to")
                stop = min([end, *(start for start in self.pieces if start > here)])
                parts.append(low_bits(sliced(self.base, here, stop - here), stop - here))
            else:
                start, size, value = piece
                stop = min(end, start + size)
                parts.append(low_bits(sliced(value, here - start, stop - here), stop - here))
            here = stop
        result = parts[0]
        for part in parts[1:]:
            result = joined(part, result)
        return result

    def _piece(self, bit: int) -> tuple[int, int, Value] | None:
        exactly = self.pieces.get(bit)
        if exactly is not None:
            return bit, *exactly
        every = ((start, *piece) for start, piece in self.pieces.items())
        return next((x for x in every if x[0] < bit < x[0] + x[1]), None)

    def whole(self) -> Value:
        """Return the variable as one value."""
        if not self.pieces:
            if self.base is None:
                raise Inexact("a variable that nothing was assigned to")
            return self.base
        if self.base is None and len(self.pieces) == 1 and 0 in self.pieces:
            return self.pieces[0][1]
        end = max(start + size for start, (size, _) in self.pieces.items())
        if isinstance(self.base, Val):
            end = max(end, self.base.term.width)
        elif isinstance(self.base, int):
            end = max(end, self.base.bit_length())
        return unsigned(self._gathered(0, end))

    def written(self, at: int, width: int, value: Value) -> Cell:
        """Return the variable with bits ``at`` and up replaced by a value modulo ``2**width``."""
        pieces = dict(self.pieces)
        same = pieces.get(at)
        if same is None or same[0] != width:
            end = at + width
            for start, (size, old) in self.pieces.items():
                if start < end and at < start + size:
                    del pieces[start]
                    if start < at:
                        pieces[start] = at - start, sliced(old, 0, at - start)
                    if start + size > end:
                        pieces[end] = (
                            start + size - end,
                            sliced(old, end - start, start + size - end),
                        )
        pieces[at] = width, truncated(value, width)
        return Cell(self.base, pieces)


def truncated(value: Value, width: int) -> Value:
    """Return what an assignment to ``width`` bits keeps: the value itself where it fits, signed
    or unsigned.
    """
    if isinstance(value, int):
        return value & ((1 << width) - 1)
    if isinstance(value, Val):
        if any(within(value.bounds, whole(width, signed=sign)) for sign in (False, True)):
            # in its width: a later, wider use extends it
            return Val(value.low(width), value.bounds)
    return unsigned(low_bits(value, width))


def merged(test: Expr, yes: Cell | None, no: Cell | None) -> Cell:
    """Return the variable after a branch; what only one branch assigned counts as assigned."""
    if yes is None or no is None:
        only = yes if no is None else no
        assert only is not None
        return only
    if yes.base is no.base or yes.base is None or no.base is None:
        base = yes.base if no.base is None else no.base
    else:
        base = select(test, yes.base, no.base)
    pieces = dict(yes.pieces)
    for at, width in _regions(yes.pieces, no.pieces):
        mine, other = yes.pieces.get(at), no.pieces.get(at)
        if mine is not None and mine is other:
            continue
        for old in [start for start in pieces if at <= start < at + width]:
            del pieces[old]
        if mine is not None and mine[0] == width:
            pieces[at] = width, _either(test, no, mine[1], at, width, own=True)
        elif other is not None and other[0] == width:
            pieces[at] = width, _either(test, yes, other[1], at, width, own=False)
        else:
            pieces[at] = width, select(test, yes.read(at, width), no.read(at, width))
    return Cell(base, pieces)


def _regions(
    a: Mapping[int, tuple[int, Value]], b: Mapping[int, tuple[int, Value]]
) -> list[tuple[int, int]]:
    """Return the pieces of both as offsets and widths; those that overlap are one."""
    found: list[tuple[int, int]] = []
    for at, width in sorted(
        {(at, width) for pieces in (a, b) for at, (width, _) in pieces.items()}
    ):
        if found and at < found[-1][0] + found[-1][1]:
            start, size = found[-1]
            found[-1] = start, max(size, at + width - start)
        else:
            found.append((at, width))
    return found


def _either(test: Expr, cell: Cell, value: Value, at: int, width: int, *, own: bool) -> Value:
    """Return ``value`` merged with what the branch that did not assign these bits has there."""
    try:
        before = cell.read(at, width)
    except Inexact:
        return value
    return select(test, value, before) if own else select(test, before, value)
