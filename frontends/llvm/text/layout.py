"""Sizes and addresses under a module's data layout: LLVM Language Reference, "Data Layout" and
"getelementptr".

Lengths are in bytes unless a name says bits.  What is not understood raises :class:`NotSized`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from frontends.llvm.text.ast import Instr, IntType, OtherType, PtrType, Type, VectorType
from frontends.llvm.text.operands import read_type
from frontends.llvm.text.syntax import Operand, number
from frontends.llvm.text.tokens import Cursor, NotUnderstood

_FLOAT_BITS: Final = {
    "half": 16,
    "bfloat": 16,
    "float": 32,
    "double": 64,
    "fp128": 128,
    "ppc_fp128": 128,
    "x86_fp80": 80,
}
_INTEGERS: Final = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4}
_FLOATS: Final = {16: 2, 32: 4, 64: 8, 128: 16}
_VECTORS: Final = {64: 8, 128: 16}
_OF_NO_CONCERN: Final = re.compile(r"e|E|s\d+(?::\d+)*|m:\w|S\d+|[APG]\d+|n\d+(?::\d+)*|F[in]\d+|")
_SIZED: Final = re.compile(r"([ivf])(\d+):(\d+)(?::\d+)?")
_AGGREGATE: Final = re.compile(r"a0?:(\d+)(?::\d+)?")
_NO_INTEGERS: Final = re.compile(r"ni((?::\d+)+)")
_POINTER: Final = re.compile(r"p([ue]*)(\d*)(?:\([^)]*\))?:(\d+):(\d+)(?::\d+(?::(\d+))?)?")


class NotSized(Exception):
    """A type or a layout whose sizes are not known; why."""


@dataclass(frozen=True, slots=True)
class Space:
    """Pointers of an address space: their size and alignment, and the bits of an offset."""

    size: int
    align: int
    index_bits: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A data layout: alignments by width in bits, pointers by address space.

    Pointers of ``unstable`` spaces (``ni``, ``pu``, ``pe``) are no integers, or other ones later.
    """

    big_endian: bool
    integers: tuple[tuple[int, int], ...]
    floats: Mapping[int, int]
    vectors: Mapping[int, int]
    aggregate: int
    spaces: Mapping[int, Space]
    unstable: frozenset[int] = frozenset()

    def space(self, number: int) -> Space:
        """Return what is known of pointers into an address space; one that is not named is as
        the first.
        """
        return self.spaces.get(number, self.spaces[0])


def is_big_endian(layout: str) -> bool:
    """Tell whether a layout says that memory is big-endian."""
    return "E" in layout.split("-")


@lru_cache(maxsize=64)
def read_layout(text: str) -> Layout:
    """Read a data layout string over LLVM's defaults; raise :class:`NotSized` for a part that
    is not understood.
    """
    tables = {"i": dict(_INTEGERS), "f": dict(_FLOATS), "v": dict(_VECTORS)}
    spaces = {0: Space(8, 8, 64)}
    unstable: set[int] = set()
    aggregate = 1
    for part in text.split("-"):
        if sized := _SIZED.fullmatch(part):
            tables[sized[1]][int(sized[2])] = max(int(sized[3]) // 8, 1)
        elif pointer := _POINTER.fullmatch(part):
            number, bits = int(pointer[2] or 0), int(pointer[3])
            spaces[number] = Space(bits // 8, max(int(pointer[4]) // 8, 1), int(pointer[5] or bits))
            unstable |= {number} if pointer[1] else set()
        elif found := _NO_INTEGERS.fullmatch(part):
            unstable |= {int(x) for x in found[1].split(":")[1:]}
        elif found := _AGGREGATE.fullmatch(part):
            aggregate = max(int(found[1]) // 8, 1)
        elif not _OF_NO_CONCERN.fullmatch(part):
            raise NotSized(f"the data layout's '{part}'")
    return Layout(
        is_big_endian(text),
        tuple(sorted(tables["i"].items())),
        tables["f"],
        tables["v"],
        aggregate,
        spaces,
        frozenset(unstable),
    )


def sizes_of(layout: str, lines: Sequence[str]) -> Sizes | None:
    """Return the sizes in a module of these lines, None where its layout is not understood."""
    try:
        return Sizes(read_layout(layout), type_names(lines))
    except NotSized:
        return None


def type_names(lines: Sequence[str]) -> dict[str, str]:
    """Return the named types of a module: ``%name`` to the text of its type."""
    found: dict[str, str] = {}
    for line in lines:
        if line[:1] == "%":
            name, is_type, body = line.partition(" = type ")
            if is_type:
                found[name] = body
    return found


def _up(size: int, align: int) -> int:
    return -(-size // align) * align


def _power(size: int) -> int:
    return 1 << (size - 1).bit_length() if size > 1 else 1


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of types under a layout; ``names`` are the module's named types."""

    layout: Layout
    names: Mapping[str, str]

    def stride(self, kind: Type) -> int:
        """Return the bytes from one element of an array to the next: the type's allocation size."""
        size, align = self._measure(kind)
        return _up(size, align)

    def _measure(self, kind: Type) -> tuple[int, int]:
        """Return the bytes that a value is stored in, and its alignment."""
        if isinstance(kind, IntType):
            return -(-kind.bits // 8), next(
                (a for bits, a in self.layout.integers if bits >= kind.bits),
                self.layout.integers[-1][1],
            )
        if isinstance(kind, PtrType):
            space = self.layout.space(kind.space)
            return space.size, space.align
        if isinstance(kind, VectorType):
            bits = kind.count * self.bits(kind.elem)
            size = -(-bits // 8)
            return size, self.layout.vectors.get(bits, _power(size))
        return self._other(kind)

    def bits(self, kind: IntType | PtrType | OtherType) -> int:
        """Return the width of an element of a vector."""
        if isinstance(kind, IntType):
            return kind.bits
        if isinstance(kind, PtrType):
            return 8 * self.layout.space(kind.space).size
        if kind.text in _FLOAT_BITS:
            return _FLOAT_BITS[kind.text]
        raise NotSized(f"the size of {kind}")

    def _other(self, kind: OtherType) -> tuple[int, int]:
        bits = _FLOAT_BITS.get(kind.text)
        if bits is not None:
            size = -(-bits // 8)
            return size, self.layout.floats.get(bits, _power(size))
        fields = self.fields(kind)
        if isinstance(fields, Array):
            return fields.count * self.stride(fields.elem), self._measure(fields.elem)[1]
        aligns = [] if fields.packed else [self._measure(f)[1] for f in fields.members]
        size = _up(self._ends(fields)[-1], max([1, *aligns]))
        return size, 1 if fields.packed else max([self.layout.aggregate, *aligns])

    def _ends(self, fields: Struct) -> list[int]:
        """Return where each member begins, and where the last ends."""
        at, found = 0, list[int]()
        for f in fields.members:
            at = at if fields.packed else _up(at, self._measure(f)[1])
            found.append(at)
            at += self.stride(f)
        return [*found, at]

    def fields(self, kind: OtherType) -> Array | Struct:
        """Return what an array or a structure is made of."""
        text = kind.text
        for _ in range(64):
            if text not in self.names:
                break
            text = self.names[text]
        try:
            return _fields(Cursor(text))
        except (NotUnderstood, ValueError):
            raise NotSized(f"the size of {kind}") from None

    def member(self, kind: Type, index: int) -> tuple[int, Type]:
        """Return where a member of an aggregate begins, and its type; of an array ``index`` may
        be any integer.
        """
        fields = self.fields(_aggregate(kind))
        if isinstance(fields, Array):
            return index * self.stride(fields.elem), fields.elem
        if not 0 <= index < len(fields.members):
            raise NotSized(f"a member of {kind}")
        return self._ends(fields)[index], fields.members[index]

    def walk(self, instr: Instr, space: int) -> tuple[tuple[int, ...], bool]:
        """Return what each constant index of a getelementptr adds, and whether every index fits
        the index width.
        """
        found: list[int] = []
        fits = True
        for o, at, step in self.steps(instr, self.layout.space(space).index_bits):
            if at is None or not isinstance(o.type, IntType):
                raise NotSized("an index that is no constant")
            fits = fits and to_signed(number(o) or 0, o.type.bits) == at
            found.append(step)
        return tuple(found), fits

    def steps(self, instr: Instr, bits: int) -> Iterator[tuple[Operand, int | None, int]]:
        """Yield each index of a getelementptr, its value where that is written out, and the bytes
        that it adds, else those that each of it adds; ``bits`` is the index width.
        """
        kind = instr.operands[0].type
        for n, index in enumerate(instr.operands[2:]):
            value = number(index)
            at = None
            if value is not None and isinstance(index.type, IntType):
                at = to_signed(to_signed(value, index.type.bits), bits)
            if n == 0:
                yield index, at, self.stride(kind) * (1 if at is None else at)
                continue
            if at is None and not isinstance(self.fields(_aggregate(kind)), Array):
                raise NotSized(f"a member of {kind}")
            step, kind = self.member(kind, 1 if at is None else at)
            yield index, at, step


@dataclass(frozen=True, slots=True)
class Array:
    """``[count x elem]``."""

    count: int
    elem: Type


@dataclass(frozen=True, slots=True)
class Struct:
    """``{ … }``, or ``<{ … }>`` where ``packed``."""

    members: tuple[Type, ...]
    packed: bool


def _aggregate(kind: Type) -> OtherType:
    if not isinstance(kind, OtherType):
        raise NotSized(f"an element of {kind}")
    return kind


def _fields(c: Cursor) -> Array | Struct:
    if c.take("["):
        count = int(c.next())
        c.expect("x")
        elem = read_type(c)
        c.expect("]")
        return Array(count, elem)
    packed = c.take("<")
    c.expect("{")
    members: list[Type] = []
    while not c.take("}"):
        members.append(read_type(c))
        if not c.take(",") and c.token != "}":
            raise NotUnderstood(c.token)
    if packed:
        c.expect(">")
    return Struct(tuple(members), packed)


def to_signed(value: int, bits: int) -> int:
    """Return the number that the low ``bits`` bits of ``value`` are in two's complement."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
