"""What a block reads and writes: extents of bytes, whether they may meet, a check that they do not,
and what the block does then, loads first.

Accesses whose addresses differ by constants are an *extent*, from the first byte that the block
reads or writes there up to the last.  The check compares extents as integers, modulo the size of a
pointer, before the block reads or writes anything.  Extents that lie at multiples of one number
from each other, as the rows of an image do, are far enough apart if that number is as large as one
of them; two others are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby, takewhile
from math import prod
from typing import Final, TypeAlias

from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Writes
from frontends.llvm.function.graph import Graph, Kind, Place
from frontends.llvm.limits import (
    SPLIT_BYTES,
    SPLIT_CHECKS,
    SPLIT_FACTOR,
    SPLIT_POINTER,
    SPLIT_STEP,
    SPLIT_STORED,
)
from frontends.llvm.passes.left import require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand, PtrType, Symbol
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.rewording import rename, spell
from frontends.llvm.text.syntax import shape_of

_LATE: Final = (Kind.LOAD, Kind.CHOICE, Kind.DIVISION)


@dataclass(slots=True, eq=False)
class Extent:
    """Bytes ``low`` up to ``high`` behind an address, and which accesses of the block load and
    store some of them.
    """

    address: Address
    low: int
    high: int
    loads: list[int] = field(default_factory=list)
    stores: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self.high - self.low


Slot: TypeAlias = tuple[Extent, int, int]  # that an access is in, its first byte, and its size


def _is_plain(p: Place) -> bool:
    return p.accesses or p.kind in (Kind.FUNCTION, Kind.CHOICE, Kind.DIVISION)


def _late_of(body: Sequence[Place]) -> Iterator[Instr]:
    """Yield accesses, and what is computed of what was loaded."""
    names = set[str]()
    for p in body:
        of = {o.name for o in p.instr.operands if isinstance(o, Local)}
        if p.kind in _LATE or p.instr.opcode == "store" or not of.isdisjoint(names):
            names.add(p.instr.name)
            yield p.instr


class Extents:
    """What a block reads and writes; ``late`` are the accesses of its ``body``, and what is
    computed of what was loaded.  Raises :class:`Left` where it does more than compute and access.
    """

    def __init__(self, graph: Graph, label: str) -> None:
        aside = (Kind.PHI, Kind.SILENT, Kind.END)
        self.body = [p for p in graph.body[label] if p.kind not in aside]
        require(all(map(_is_plain, self.body)), "it does more than load, compute and store")
        self.late = tuple(_late_of(self.body))
        self._writes = Writes(graph)
        self.addresses = self._writes.addresses
        self.slots: dict[int, Slot] = {}  # by line
        found: dict[tuple[object, ...], Extent] = {}
        for i in self.late:
            if i.opcode not in ("load", "store"):
                continue
            value = i.operands[0] if i.opcode == "store" else None
            at, size = self._address(i.operands[-1]), _bytes(i, value)
            new = Extent(at, at.offset, at.offset + size)
            s = found.setdefault(at.line, new)
            s.low, s.high = min(s.low, at.offset), max(s.high, at.offset + size)
            (s.loads if value is None else s.stores).append(len(self.slots))
            self.slots[i.line] = (s, at.offset, size)
        self.pairs = [x for x in combinations(found.values(), 2) if self._may_meet(*x)]
        require(all(s.size <= SPLIT_BYTES for s in found.values()), "its accesses lie far apart")
        self._two, self._steps = self._by_distance()
        checks = len(self._two) + len(self._steps)
        require(checks <= SPLIT_CHECKS, "too many addresses may meet")

    @property
    def values(self) -> set[str]:
        """The values that the check is computed from."""
        return {x for pair in self.pairs for s in pair for x in s.address.names}

    def _address(self, o: Operand) -> Address:
        at = self.addresses.of(o)
        known = at is not None and str(o.type) == "ptr" and at.bits == SPLIT_POINTER
        require(known, "an address is not known")
        assert at is not None
        require({i.name for i in self.late}.isdisjoint(at.names), "an address is loaded")
        require(self._writes.is_fixed(at.names), "an address may be undef")
        return at

    def _may_meet(self, one: Extent, other: Extent) -> bool:
        """Tell whether it matters that two extents meet, which they may."""
        read = _is_behind(other.loads, one.stores) or _is_behind(one.loads, other.stores)
        mixed = _is_behind(other.stores, one.stores) and _is_behind(one.stores, other.stores)
        meet = not self._writes.lie_apart(one.address.base, other.address.base)
        return (read or mixed) and meet

    def _by_distance(self) -> tuple[list[tuple[Extent, Extent]], dict[tuple[str, int], int]]:
        """Return the pairs that are compared, and by what the others are multiples of (a value and
        its bits) how large that has to be.
        """
        compared, steps = list[tuple[Extent, Extent]](), dict[tuple[str, int], int]()
        for one, other in self.pairs:
            step = _step(one.address, other.address)
            if step is None:
                compared.append((one, other))
            else:
                least = max(one.size, other.size) + abs(other.low - one.low)
                steps[step] = max(steps.get(step, 0), least)
        return compared, steps

    def check(self, names: Iterator[str]) -> tuple[str, ...]:
        """Return lines that compute whether no two extents meet; the last one says so."""
        w, known = Lines(names), dict[Extent, Operand]()
        last: Operand | None = None
        for one, other in self._two:
            last = _both(w, last, _compare(one, other, w, known))
        for step, least in self._steps.items():
            last = _both(w, last, _measure(step, least, w))
        return tuple(w.lines)


def _is_behind(later: Sequence[int], first: Sequence[int]) -> bool:
    """Tell whether one of some accesses comes after one of others."""
    return bool(later and first) and first[0] < later[-1]


def _step(one: Address, other: Address) -> tuple[str, int] | None:
    """Return what the distance of two addresses is a multiple of, up to a constant; None where it
    is not one value.
    """
    a, b = dict(one.atoms), dict(other.atoms)
    factors = {k: b.get(k, 0) - a.get(k, 0) for k in (*a, *b)}
    left = [k for k, f in factors.items() if f]
    alike = one.base == other.base and len(left) == 1
    return left[0] if alike and abs(factors[left[0]]) <= SPLIT_FACTOR else None


def _both(w: Lines, last: Operand | None, new: Operand) -> Operand:
    return new if last is None else w.join("and", last, new)


def _compare(one: Extent, other: Extent, w: Lines, known: dict[Extent, Operand]) -> Operand:
    """Write whether two extents lie apart."""
    for s in (one, other):
        known[s] = known.get(s) or _integer(s, w)
    gap = w.add(build.binary("sub", known[other], known[one]))
    ahead = w.add(build.binary("add", gap, other.low - one.low - one.size))
    return w.add(build.compare("ult", ahead, 1 - one.size - other.size))


def _measure(step: tuple[str, int], least: int, w: Lines) -> Operand:
    """Write whether a number is as large as ``least``, or its negation is, and its multiples do not
    wrap.
    """
    value, less = _extend(*step, w), build.constant((-least,), SPLIT_POINTER)
    up = w.add(build.compare("ult", w.join("add", value, less), SPLIT_STEP))
    down = w.add(build.compare("ult", w.add(build.binary("sub", less, value)), SPLIT_STEP))
    return w.join("or", up, down)


def _extend(name: str, bits: int, w: Lines) -> Operand:
    return w.cast("sext", Local(name, IntType(bits)), SPLIT_POINTER)


def _integer(s: Extent, w: Lines) -> Operand:
    """Write an extent's address, without its bytes, as an integer."""
    at = s.address
    base = Symbol(at.base.removeprefix("ptr "), PtrType())
    total = w.add(build.cast("ptrtoint", base, IntType(SPLIT_POINTER)))
    for atom, factor in at.atoms:
        by = w.add(build.binary("mul", _extend(*atom, w), factor))
        total = w.join("add", total, by)
    return total


def _bytes(i: Instr, value: Operand | None) -> int:
    shape = shape_of(i.type if value is None else value.type)
    require(shape[1] > 0 == shape[1] % 8, "it is no integers of whole bytes")
    return prod(shape) // 8


class Disjoint:
    """What a block does where no two extents meet: the loads first, and what is written once, in
    ``rows`` of neighbours; ``names`` are those of its values then.  Raises :class:`Left` where
    accesses share some of their bytes.
    """

    def __init__(self, extents: Extents, names: dict[str, str], fresh: Iterator[str]) -> None:
        self.extents, self.names, self._fresh = extents, names, fresh
        self.kept = dict[Slot, Instr]()
        self._loads, self._work = list[str](), list[str]()
        for i in extents.late:
            again = i.opcode in ("load", "store") and self._overlap(i)
            if i.opcode == "store":
                self.kept[extents.slots[i.line]] = i
            elif again:
                self._forward(i)
            else:
                to = self._loads if i.opcode == "load" else self._work
                to.append(rename(i.text.strip(), names))
        slots = sorted(self.kept, key=lambda x: (x[0].stores[0], x[1]))
        extended = groupby(slots, key=lambda x: x[0])
        self.rows = [row for _, own in extended for row in self._rows(list(own))]

    def lines(self) -> list[str]:
        """Return the lines."""
        w = Lines(self._fresh)
        for row in self.rows:
            w.lines.append(self._row(row, w))
        return [*self._loads, *self._work, *w.lines]

    def _overlap(self, i: Instr) -> bool:
        """Tell whether the bytes of an access were written before, all of them at once."""
        slot = extent, low, size = self.extents.slots[i.line]
        over = [x for x in self.kept if x[0] == extent and x[1] < low + size and low < x[1] + x[2]]
        require(over in ([], [slot]), "accesses share some of their bytes")
        return bool(over)

    def _forward(self, load: Instr) -> None:
        value = self.kept[self.extents.slots[load.line]].operands[0]
        same = isinstance(value, Local) and value.type == load.type
        require(same, "a constant or a value of another type is loaded again")
        self.names[load.name] = self._name(value)

    def _name(self, o: Operand) -> str:
        require(isinstance(o, Local), "an address is stored")
        assert isinstance(o, Local)
        return self.names.get(o.name, o.name)

    def _rows(self, slots: Sequence[Slot]) -> Iterator[Sequence[Instr]]:
        """Yield the stores of one extent: as many neighbours as two to some power."""
        at = 0
        while at < len(slots):
            most = self._run(slots[at:])
            size = 1 << most.bit_length() - 1
            yield [self.kept[x] for x in slots[at : at + size]]
            at += size

    def _run(self, slots: Sequence[Slot]) -> int:
        """Return how many values of one type follow each other, at most those of a register."""
        _, low, size = slots[0]
        kind = self.kept[slots[0]].operands[0].type
        if not isinstance(kind, IntType):
            return 1
        near = (
            x[1:] == (low + n * size, size) and self.kept[x].operands[0].type == kind
            for n, x in enumerate(slots[: max(SPLIT_STORED // size, 1)])
        )
        return sum(1 for _ in takewhile(bool, near))

    def _row(self, row: Sequence[Instr], w: Lines) -> str:
        """Return the store of a row, whose values are put together before."""
        if len(row) == 1:
            return rename(row[0].text.strip(), self.names)
        values = [i.operands[0] for i in row]
        lanes = [o if isinstance(o, Literal) else Local(self._name(o), o.type) for o in values]
        vector, at = w.gather(lanes), rename(spell(row[0].operands[1]), self.names)
        return build.store(vector, Symbol(at, PtrType()), row[0].align)
