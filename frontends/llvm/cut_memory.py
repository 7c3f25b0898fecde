"""Memory between effects: addresses as linear forms, and the bytes that the source reads of each
region.

A region is what one base pointer and one sum of indices lead to, in one block, after a number of
effects: nothing writes while it exists, so each of its bytes has one content.  Addresses are modulo
the index width of their address space.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import gcd
from typing import Final, TypeAlias

from frontends.llvm.ast import Instr, IntType, Literal, Local, Operand, PtrType, Symbol, VectorType
from frontends.llvm.cut_graph import Graph, Kind, Place
from frontends.llvm.layout import Array, NotSized, signed
from frontends.llvm.lower import integer_type

_DEPTH: Final = 64  # getelementptrs and sums that are followed


@dataclass(frozen=True, slots=True)
class Address:
    """``base`` (a pointer of the source, or a global as it is spelled), indices of the source with
    their factors, and bytes.

    ``rests`` are the values of the source that it is computed from: where one of them is poison,
    the address is. ``again`` tells whether an index is looked at more than once, each time as
    another value if it is undef.
    """

    base: str
    atoms: tuple[tuple[tuple[str, int], int], ...]
    offset: int
    rests: frozenset[str] = field(default=frozenset(), compare=False)
    again: bool = field(default=False, compare=False)


@dataclass(slots=True)
class _Form:
    """An address while it is added up, modulo ``bits`` bits."""

    bits: int
    atoms: dict[tuple[str, int], int] = field(default_factory=dict)
    total: int = 0
    rests: set[str] = field(default_factory=set)
    again: bool = False

    def add(self, key: tuple[str, int], factor: int) -> None:
        """Add a value, extended by sign from so many bits, ``factor`` times."""
        self.again |= key in self.atoms
        self.atoms[key] = self.atoms.get(key, 0) + factor

    def address(self, base: str) -> Address:
        """Return the address behind ``base``."""
        kept = ((key, signed(factor, self.bits)) for key, factor in sorted(self.atoms.items()))
        return Address(
            base,
            tuple((k, f) for k, f in kept if f),
            signed(self.total, self.bits),
            frozenset(self.rests),
            self.again,
        )


class Addresses:
    """Addresses of the source: what a step or a sum promises may be taken, its breach is poison
    and the access undefined behaviour.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def of(self, pointer: Operand) -> Address | None:
        """Return where a pointer points in terms of values of the source, None where that is
        not followed.
        """
        if not isinstance(pointer.type, PtrType):
            return None
        form = _Form(self._graph.sizes.layout.space(pointer.type.space).index_bits)
        for _ in range(_DEPTH):
            below = self.below(pointer, form)
            if below is not None:
                return form.address(below)
            i = self._instr(pointer)
            if (
                i is None
                or i.opcode != "getelementptr"
                or not self.usable(i)
                or isinstance(i.type, VectorType)
            ):
                base = self.base(pointer, form)
                return None if base is None else form.address(base)
            self.passed(pointer, form)
            if not self._step(i, form):
                return None
            pointer = i.operands[1]
        return None

    def below(self, pointer: Operand, form: _Form) -> str | None:
        """Return the base of a pointer that is known without following it, with what lies
        between added.
        """
        return None

    def base(self, pointer: Operand, form: _Form) -> str | None:
        """Return the name of a pointer that is not followed."""
        self.passed(pointer, form)
        return (
            f"%{pointer.name}"
            if isinstance(pointer, Local)
            else f"{pointer.type} {pointer.text}"
            if isinstance(pointer, Symbol)
            else None
        )

    def passed(self, o: Operand, form: _Form) -> None:
        """Note a value that the address is computed from."""
        if isinstance(o, Local):
            form.rests.add(o.name)

    def usable(self, i: Instr) -> bool:
        """Tell whether a step or sum may be followed."""
        return i.known

    def _instr(self, o: Operand) -> Instr | None:
        place = self._graph.places.get(o.name) if isinstance(o, Local) else None
        return None if place is None else place.instr

    def _step(self, i: Instr, form: _Form) -> bool:
        """Add what a getelementptr adds; False if it is not followed."""
        sizes, kind = self._graph.sizes, i.operands[0].type
        try:
            for number, index in enumerate(i.operands[2:]):
                if (
                    isinstance(index, Literal)
                    and isinstance(index.type, IntType)
                    and isinstance(index.lanes[0], int)
                ):
                    at = signed(signed(index.lanes[0], index.type.bits), form.bits)
                    step, kind = (
                        (at * sizes.stride(kind), kind) if number == 0 else sizes.member(kind, at)
                    )
                    form.total += step
                    continue
                if number:
                    fields = (
                        sizes.fields(kind)
                        if not isinstance(kind, IntType | PtrType | VectorType)
                        else None
                    )
                    if not isinstance(fields, Array):
                        return False
                    kind = fields.elem
                if not self.index(index, sizes.stride(kind), form):
                    return False
        except NotSized:
            return False
        return True

    def index(self, index: Operand, factor: int, form: _Form) -> bool:
        """Add ``factor`` times an index; False if it is not followed."""
        waiting = [(index, factor)]
        for _ in range(_DEPTH):
            if not waiting:
                return True
            o, times = waiting.pop()
            if (
                isinstance(o, Literal)
                and isinstance(o.lanes[0], int)
                and isinstance(o.type, IntType)
            ):
                form.total += times * signed(o.lanes[0], o.type.bits)
                continue
            if (
                not isinstance(o, Local)
                or not isinstance(o.type, IntType)
                or o.type.bits > form.bits
            ):
                return False
            parts = self._parts(o, times) if o.type.bits == form.bits else None
            if parts is not None:
                self.passed(o, form)
                waiting += parts
            elif not self.atom(o, o.type.bits, times, form):
                return False
        return False

    def atom(self, o: Local, bits: int, times: int, form: _Form) -> bool:
        """Add ``times`` times a value that is no sum; False if it is not known."""
        self.passed(o, form)
        form.add((o.name, bits), times)
        return True

    def _parts(self, o: Local, times: int) -> list[tuple[Operand, int]] | None:
        """Return the summands of a value, each with how often it is added."""
        i = self._instr(o)
        if i is None or i.opcode not in ("add", "sub", "mul", "shl", "or") or not self.usable(i):
            return None
        x, y = i.operands
        if i.opcode in ("add", "sub"):
            return [(x, times), (y, times if i.opcode == "add" else -times)]
        if i.opcode == "or":
            return [(x, times), (y, times)] if "disjoint" in i.flags else None
        number = y.lanes[0] if isinstance(y, Literal) else None
        if (
            not isinstance(number, int)
            or not isinstance(i.type, IntType)
            or (i.opcode == "shl" and number >= i.type.bits)
        ):
            return None
        return [(x, times * number if i.opcode == "mul" else times << number)]


class TargetAddresses(Addresses):
    """Addresses of the target, by what its values are in the source; of its own steps and sums
    only those without a promise.
    """

    def __init__(
        self, graph: Graph, source: Addresses, image: Callable[[Operand], Operand | None]
    ) -> None:
        """``image`` is the operand of the source that one of the target is."""
        super().__init__(graph)
        self._source = source
        self._image = image

    def below(self, pointer: Operand, form: _Form) -> str | None:
        """Return the base of the source's pointer."""
        image = self._image(pointer)
        found = None if image is None else self._source.of(image)
        if image is None or found is None:
            return None
        for key, factor in found.atoms:
            form.add(key, factor)
        form.total += found.offset
        form.again |= found.again
        self._source.passed(image, form)
        return found.base

    def base(self, pointer: Operand, form: _Form) -> str | None:
        """Return nothing: a pointer of the target alone is no base."""
        return None

    def passed(self, o: Operand, form: _Form) -> None:
        """Note nothing: what the target computes itself is poison only where what it rests on
        is.
        """

    def usable(self, i: Instr) -> bool:
        """Tell whether a step or sum promises nothing."""
        return i.known and not i.flags

    def atom(self, o: Local, bits: int, times: int, form: _Form) -> bool:
        """Add the source's value, and what it is a sum of."""
        found = self._image(o)
        if found is None:
            return False
        self._source.passed(found, form)
        return self._source.index(found, times, form)


RegionKey: TypeAlias = tuple[str, int, str, tuple[tuple[tuple[str, int], int], ...]]


@dataclass(slots=True)
class Region:
    """``name`` of its bytes, those that are read by the source's loads, and ``unit``: bytes
    that no access cuts.
    """

    name: str
    unit: int = 0
    reads: list[tuple[int, int, int, Instr]] = field(
        default_factory=list
    )  # first byte, the one behind the last, alignment
    rests: set[str] = field(
        default_factory=set
    )  # values that are not poison, or reading is undefined behaviour

    def covers(self, low: int, high: int) -> bool:
        """Tell whether the source reads every byte from ``low`` up to ``high``."""
        at = low
        for first, last, _, _ in sorted(self.reads, key=lambda r: (r[0], r[1])):
            if first <= at < last:
                at = last
        return at >= high

    def aligned(self, low: int, align: int) -> bool:
        """Tell whether an access at ``low`` has an alignment because the source's have."""
        return align == 1 or any(
            known >= align > 0 and (first - low) % align == 0 for first, _, known, _ in self.reads
        )

    def fit(self, low: int, width: int) -> None:
        """Make units that an access at byte ``low`` with elements of ``width`` bytes does not
        cut.
        """
        self.unit = gcd(self.unit, width, low)


@dataclass(frozen=True, slots=True)
class Bytes:
    """What a load reads: ``size`` bytes of a region, in elements of ``width`` bytes."""

    region: Region
    low: int
    size: int
    width: int
    rests: frozenset[str]


class Regions:
    """What the source reads, and where loads of both sides lie in it."""

    def __init__(self, source: Graph) -> None:
        self.addresses = Addresses(source)
        self._regions: dict[RegionKey, Region] = {}
        self._bytes: dict[str, Bytes] = {}
        for body in source.body.values():
            for p in body:
                if p.kind is Kind.LOAD:
                    self._note(p)

    def _note(self, p: Place) -> None:
        found = self._lies(p, p.block, self.addresses.of(p.instr.operands[0]), make=True)
        if found is not None:
            found.region.rests |= found.rests
            found.region.reads.append((found.low, found.low + found.size, p.instr.align, p.instr))
            found.region.fit(found.low, found.width)
            self._bytes[p.instr.name] = found

    def _lies(self, p: Place, block: str, address: Address | None, *, make: bool) -> Bytes | None:
        shape = integer_type(p.instr.type)
        if shape is None or shape[1] % 8 or address is None:
            return None
        key = (block, p.segment, address.base, address.atoms)
        if key not in self._regions:
            if not make:
                return None
            self._regions[key] = Region(f"m{len(self._regions)}")
        return Bytes(
            self._regions[key],
            address.offset,
            shape[0] * shape[1] // 8,
            shape[1] // 8,
            address.rests,
        )

    def read(self, name: str) -> Bytes | None:
        """Return what a load of the source reads."""
        return self._bytes.get(name)

    def added(self, p: Place, block: str, address: Address | None) -> Bytes | None:
        """Return what a load of the target alone reads, in a block of the source; None unless the
        source reads all of it, as well aligned.

        What its address is computed from must be what the source's are, too: else it might be
        poison where they are not. One that may be undef is as good as poison: the source would not
        have read there.
        """
        found = self._lies(p, block, address, make=False)
        if found is None or not found.rests <= found.region.rests:
            return None
        if not found.region.covers(found.low, found.low + found.size) or not found.region.aligned(
            found.low, p.instr.align
        ):
            return None
        found.region.fit(found.low, found.width)
        return found
