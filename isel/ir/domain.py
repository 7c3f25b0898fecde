"""What values can be: an unsigned and a signed interval and known bits, each sharpening the
others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from isel.ir import spans
from isel.ir.ops import signed as as_signed
from isel.ir.spans import Span, hull, meet


@dataclass(frozen=True, slots=True)
class Range:
    """Values of ``width`` bits: both readings' intervals; of each, bits in ``zeros`` are 0, in
    ``ones`` 1.
    """

    width: int
    unsigned: Span
    signed: Span
    zeros: int
    ones: int

    @property
    def is_const(self) -> bool:
        """Tell whether there is one value only."""
        return self.unsigned[0] == self.unsigned[1]

    @property
    def unsigned_bits(self) -> int:
        """The least number of bits, at least one, that hold every value."""
        return max(self.unsigned[1].bit_length(), 1)

    @property
    def signed_bits(self) -> int:
        """The least number of bits that hold every value with its sign."""
        least, most = self.signed
        return max(_magnitude(least), _magnitude(most)) + 1

    @property
    def low_zeros(self) -> int:
        """How many of the lowest bits are 0."""
        return trailing(self.zeros)

    def read(self, *, signed: bool) -> Span:
        """Return one of the intervals."""
        return self.signed if signed else self.unsigned


def _magnitude(x: int) -> int:
    return (x if x >= 0 else ~x).bit_length()


def trailing(bits: int) -> int:
    """Return how many of the lowest bits are set."""
    return (~bits & (bits + 1)).bit_length() - 1


@cache
def full(width: int) -> Range:
    """Return all values of a width."""
    return Range(width, spans.unsigned(width), spans.signed(width), 0, 0)


def literal(value: int, width: int) -> Range:
    """Return one unsigned value."""
    s = as_signed(value, width)
    return Range(width, (value, value), (s, s), value ^ ((1 << width) - 1), value)


def reduced(
    width: int, u: Span | None = None, s: Span | None = None, zeros: int = 0, ones: int = 0
) -> Range | None:
    """Return the values of which all this is true; None if there are none."""
    mask, sign = (1 << width) - 1, 1 << (width - 1)
    low, high = u or (0, mask)
    least, most = s or (-sign, sign - 1)
    if zeros or ones:
        if zeros & ones:
            return None
        top = mask ^ zeros
        low, high = max(low, ones), min(high, top)
        least = max(least, ones if zeros & sign else (ones | sign) - mask - 1)
        most = min(most, top - mask - 1 if ones & sign else top & ~sign)
    if least >= 0:
        low, high = max(low, least), min(high, most)
    elif most < 0:
        low, high = max(low, least + mask + 1), min(high, most + mask + 1)
    if high < sign:
        least, most = max(least, low), min(most, high)
    elif low >= sign:
        least, most = max(least, low - mask - 1), min(most, high - mask - 1)
    if low > high or least > most:
        return None
    free = (low ^ high).bit_length()
    same = mask >> free << free
    return Range(width, (low, high), (least, most), zeros | (same & ~low), ones | (same & low))


def both(a: Range, b: Range) -> Range | None:
    """Return the values that are in two ranges; None if there are none."""
    u, s = meet(a.unsigned, b.unsigned), meet(a.signed, b.signed)
    return reduced(a.width, u, s, a.zeros | b.zeros, a.ones | b.ones)


def either(a: Range, b: Range) -> Range:
    """Return a range of the values that are in one of two."""
    u, s = hull(a.unsigned, b.unsigned), hull(a.signed, b.signed)
    return Range(a.width, u, s, a.zeros & b.zeros, a.ones & b.ones)
