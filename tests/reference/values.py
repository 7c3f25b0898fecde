"""Concrete values of the reference interpreter: lanes that may be poison, pointers, and memory
by bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from frontends.llvm.text.ast import IntType, OtherType, PtrType, Type, VectorType
from frontends.llvm.text.operands import read_type
from frontends.llvm.text.tokens import Cursor


class UndefinedBehaviour(Exception):
    """The execution has no meaning from here on."""


class StepLimit(Exception):
    """The execution was cut short."""


class NotInterpreted(Exception):
    """The interpreter has no meaning for something; the reason."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """An offset in bytes into a region of the memory; region -1 is null."""

    region: int
    offset: int


@dataclass(frozen=True, slots=True)
class Poison:
    """The poison value of a lane."""


POISON: Final = Poison()
Lane: TypeAlias = int | Pointer | Poison
Value: TypeAlias = tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit string: its value, and masks of the bits that are poison and that were never
    written.
    """

    width: int
    value: int
    poison: int = 0
    unset: int = 0

    def slice(self, low: int, width: int) -> Bits:
        """Return ``width`` bits from bit ``low`` on."""
        mask = (1 << width) - 1
        return Bits(
            width,
            (self.value >> low) & mask,
            (self.poison >> low) & mask,
            (self.unset >> low) & mask,
        )


@dataclass(slots=True)
class Region:
    """Memory of one object, aligned to ``alignment``; masks per byte of poison and
    never-written bits.
    """

    data: bytearray
    poison: bytearray = field(default_factory=bytearray)
    unset: bytearray = field(default_factory=bytearray)
    alignment: int = 128

    def __post_init__(self) -> None:
        self.poison = self.poison or bytearray(len(self.data))
        self.unset = self.unset or bytearray(len(self.data))


def int_width(kind: Type) -> int:
    """Return the bits of an integer type or of a vector's element."""
    elem = kind.elem if isinstance(kind, VectorType) else kind
    if isinstance(elem, IntType):
        return elem.bits
    raise NotInterpreted(f"the type {kind}")


def lane_count(kind: Type) -> int:
    """Return the lanes of a vector, one for a scalar."""
    return kind.count if isinstance(kind, VectorType) else 1


def store_size(kind: Type) -> int:
    """Return the bytes that a load or store of the type touches."""
    if isinstance(kind, PtrType):
        return 8
    return (int_width(kind) * lane_count(kind) + 7) // 8


def stride(kind: Type) -> int:
    """Return the distance in bytes between elements of the type in an array."""
    if isinstance(kind, OtherType) and kind.text.startswith("["):
        return _array(kind.text)
    if isinstance(kind, OtherType):
        scalar = {"float": 4, "double": 8, "half": 2, "bfloat": 2}.get(kind.text)
        if scalar is None:
            raise NotInterpreted(f"the size of {kind}")
        return scalar
    size = store_size(kind)
    return 1 << (size - 1).bit_length() if size > 1 else 1


def _array(text: str) -> int:
    c = Cursor(text)
    c.expect("[")
    count = int(c.next())
    c.expect("x")
    return count * stride(read_type(c))


def to_bits(value: Value, kind: Type) -> Bits:
    """Return the lanes as one bit string, lane 0 lowest."""
    width = int_width(kind)
    bits = poison = 0
    for i, lane in enumerate(value):
        if isinstance(lane, Poison):
            poison |= ((1 << width) - 1) << (i * width)
        elif isinstance(lane, int):
            bits |= lane << (i * width)
        else:
            raise NotInterpreted("the bits of a pointer")
    return Bits(width * len(value), bits, poison)


def from_bits(bits: Bits, kind: Type, undef: int) -> Value:
    """Cut a bit string into lanes; never-written bits take those of the repeated byte ``undef``."""
    width = int_width(kind)
    filler = int.from_bytes(bytes([undef]) * ((bits.width + 7) // 8), "little")
    whole = Bits(bits.width, (bits.value & ~bits.unset) | (filler & bits.unset), bits.poison)
    parts = (whole.slice(i * width, width) for i in range(lane_count(kind)))
    return tuple(POISON if part.poison else part.value for part in parts)


class Memory:
    """Regions that pointers point into."""

    def __init__(self, regions: Sequence[Region] = ()) -> None:
        self.regions = list(regions)

    def allocate(self, size: int, alignment: int) -> Pointer:
        """Add a region that was never written."""
        self.regions.append(
            Region(bytearray(size), bytearray(size), bytearray(b"\xff" * size), max(alignment, 1))
        )
        return Pointer(len(self.regions) - 1, 0)

    def _place(self, pointer: Lane, size: int, alignment: int) -> tuple[Region, int]:
        if isinstance(pointer, Poison):
            raise UndefinedBehaviour("a memory access through a poison pointer")
        if isinstance(pointer, int) or pointer.region < 0:
            raise UndefinedBehaviour("a memory access through no object")
        region = self.regions[pointer.region]
        if pointer.offset < 0 or pointer.offset + size > len(region.data):
            raise UndefinedBehaviour(
                f"{size} bytes at offset {pointer.offset} of an object of {len(region.data)} bytes"
            )
        if pointer.offset % max(alignment, 1):
            raise UndefinedBehaviour(f"offset {pointer.offset} is not aligned to {alignment}")
        return region, pointer.offset

    def load(self, pointer: Lane, kind: Type, alignment: int) -> Bits:
        """Read a value's bits; raise :class:`UndefinedBehaviour` outside objects."""
        size = store_size(kind)
        region, at = self._place(pointer, size, alignment)
        part = slice(at, at + size)
        value, poison, unset = (
            int.from_bytes(b[part], "little") for b in (region.data, region.poison, region.unset)
        )
        return Bits(size * 8, value, poison, unset).slice(0, int_width(kind) * lane_count(kind))

    def store(self, pointer: Lane, bits: Bits, alignment: int) -> None:
        """Write a value's bits; the rest of its last byte becomes zero, as LLVM stores it."""
        size = (bits.width + 7) // 8
        region, at = self._place(pointer, size, alignment)
        part = slice(at, at + size)
        region.data[part] = (bits.value & ~bits.poison).to_bytes(size, "little")
        region.poison[part] = bits.poison.to_bytes(size, "little")
        region.unset[part] = bytes(size)
