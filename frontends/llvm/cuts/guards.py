"""What a condition of the target says of bytes that the source accesses: that they lie apart.

A condition is read as it is computed, whoever wrote it: parts that all hold, each of which says of
sums of addresses and numbers, modulo the size of a pointer, within which bounds one of them is.
Two extents lie apart where their distance, a multiple of such a sum up to a number, can be in none
of these bounds what it is where they meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from frontends.llvm.function.addresses import Address, Form, TargetAddresses
from frontends.llvm.function.settled import Settled
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.text.ast import IntType, Local, Operand
from frontends.llvm.text.layout import to_signed
from frontends.llvm.text.syntax import number

_BITS: Final = 64  # of pointers that are compared
_ALL: Final = 1 << _BITS
_Sum: TypeAlias = Mapping[tuple[str, int], int]


@dataclass(frozen=True, slots=True)
class Extent:
    """Bytes ``low`` up to ``high`` of what an address leads to, whose own bytes do not count."""

    address: Address
    low: int
    high: int

    def meets(self, other: Extent) -> bool:
        """Tell whether two extents behind one address share bytes."""
        return self.address == other.address and self.low < other.high and other.low < self.high

    def hull(self, other: Extent) -> Extent:
        """Return the least extent of two behind one address."""
        return Extent(self.address, min(self.low, other.low), max(self.high, other.high))


@dataclass(frozen=True, slots=True)
class Guard:
    """Pairs of extents that have to lie apart, and values that are not poison, or all ways behind
    it are undefined behaviour.
    """

    pairs: tuple[tuple[Extent, Extent], ...]
    rests: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Bound:
    """A sum that is from ``low`` up to ``high``, modulo the size of a pointer."""

    sum: _Sum
    low: int
    high: int


class Conditions(TargetAddresses):
    """Conditions of the target, by what its values are in the source."""

    def lie_apart(self, test: Operand, guard: Guard, settled: Settled) -> bool:
        """Tell whether a condition holds only where extents lie apart; raises :class:`Cannot` for
        one that may be undef or poison.
        """
        rests, said = set[str](), list[list[_Bound]]()
        for part in self._split(test, "and"):
            bounds = [self._bound(x, rests) for x in self._split(part, "or")]
            found, own = [x for x in bounds if x is not None], self._image(part)
            sure = isinstance(own, Local) and settled.has_promise(own.name)
            if found != bounds and not sure:
                raise Cannot("a condition that may be undef, or says something else")
            said += [found] if found == bounds else []
        plain = rests <= guard.rests and all(map(settled.holds, rests))
        return plain and all(any(_is_apart(*p, x) for x in said) for p in guard.pairs)

    def _split(self, o: Operand, op: str) -> Iterator[Operand]:
        """Yield what an operation joins to a condition."""
        waiting = [o]
        while waiting:
            i = self._view.definition(o := waiting.pop())
            if i is not None and i.opcode == op and self.usable(i):
                waiting += i.operands
            else:
                yield o

    def _bound(self, o: Operand, rests: set[str]) -> _Bound | None:
        """Return within which bounds a comparison says that a sum is, None for anything else."""
        i = self._view.definition(o)
        most = number(i.operands[1]) if i is not None and i.opcode == "icmp" else None
        if i is None or not self.usable(i) or i.predicate != "ult" or not most:
            return None
        form = Form(_BITS, self.numbers)
        if i.operands[0].type != IntType(_BITS) or not self.index(i.operands[0], 1, form):
            return None
        rests |= form.rests
        total = to_signed(form.total, _BITS)
        return _Bound(_cut(form.atoms), -total, most - 1 - total)

    def atom(self, o: Local, bits: int, times: int, form: Form) -> bool:
        """Add ``times`` times an address as an integer, or another value that is no sum."""
        i = self._view.definition(o)
        if i is None or i.opcode != "ptrtoint" or not self.usable(i):
            return super().atom(o, bits, times, form)
        at = self.of(i.operands[0])
        if at is None or at.bits != _BITS or bits != _BITS:
            return False
        form.rests |= at.rests
        form.total += times * at.offset
        for key, factor in _sum(at).items():
            form.atoms[key] = form.atoms.get(key, 0) + times * factor
        return True


def _sum(at: Address) -> dict[tuple[str, int], int]:
    """Return an address without its bytes as a sum."""
    return {(at.base, 0): 1, **dict(at.atoms)}


def _cut(atoms: _Sum) -> dict[tuple[str, int], int]:
    """Return a sum as it is modulo the size of a pointer."""
    signed = {k: to_signed(f, _BITS) for k, f in atoms.items()}
    return {k: f for k, f in signed.items() if f}


def _is_apart(one: Extent, other: Extent, said: Sequence[_Bound]) -> bool:
    """Tell whether two extents lie apart whichever of some bounds holds."""
    a, b = _sum(one.address), _sum(other.address)
    gap = _cut({k: b.get(k, 0) - a.get(k, 0) for k in (*a, *b)})
    return all(_keeps(gap, one, other, x) for x in said)


def _keeps(gap: _Sum, one: Extent, other: Extent, bound: _Bound) -> bool:
    """Tell whether two extents lie apart where a sum, of which their distance is a multiple up to a
    number, is within bounds.
    """
    times = {gap.get(k, 0) // f if gap.get(k, 0) % f == 0 else 0 for k, f in bound.sum.items()}
    if gap.keys() != bound.sum.keys() or len(times) != 1 or 0 in times:
        return False
    (n,) = times
    ends = sorted((n * bound.low, n * bound.high))
    low, high = (x + other.low - one.low for x in ends)
    least, most = one.high - one.low, _ALL - (other.high - other.low)
    wraps = (low - least) // _ALL * _ALL
    return least <= most and high - wraps <= most
