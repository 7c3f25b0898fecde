"""Memory within a block: the bytes that the source reads of each region.

A region is what one base pointer and one sum of indices lead to, in one block.  A byte has one
content for as long as no effect may write it, so a leaf is a byte and after how many effects it was
first read so.  What is read only behind such effects could have been read before them: they come
back, so the source reads there in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from math import gcd, prod
from typing import Final

from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Span, Writes
from frontends.llvm.function.graph import Graph, Kind, Place
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import incoming, labels

MEMORY: Final = "m"  # what names of regions, and of no other leaves, begin with


@dataclass(frozen=True, slots=True)
class Read:
    """Bytes ``low`` up to ``high`` that the source has read when ``segment`` effects of a block
    have happened: by a load, which is perhaps still to come (``foreseen``) and promises nothing.

    ``rests`` are values that are not poison, or reading is undefined behaviour.
    """

    low: int
    high: int
    segment: int
    instr: Instr
    rests: frozenset[str] = frozenset()
    foreseen: bool = False

    @property
    def align(self) -> int:
        """The alignment of the first byte, as far as it is known."""
        return 1 if self.foreseen else self.instr.align


@dataclass(slots=True)
class Region:
    """``name`` of its bytes, those that the source has read, and ``unit``: bytes that no access
    cuts.

    ``lasts`` tells whether a byte that was read is the same after so many effects, more or fewer.
    """

    name: str
    block: str
    address: Address
    lasts: Callable[[Region, Read, int, int], bool]
    unit: int = 0
    reads: list[Read] = field(default_factory=list)
    _since: dict[tuple[int, int], int | None] = field(default_factory=dict)

    def since(self, at: int, segment: int) -> int | None:
        """Return after how many effects a byte was first read as it is after ``segment`` of them,
        None where the source has not read it.
        """
        key = (at, segment)
        if key not in self._since:
            here = [r.segment for r in self._reads_of(at, segment)]
            first = [s for s in here if s <= segment] or here
            found = [s if s == segment else self.since(at, s) for s in first]
            self._since[key] = min((x for x in found if x is not None), default=None)
        return self._since[key]

    def _reads_of(self, at: int, segment: int) -> Iterator[Read]:
        """Yield the reads of a byte that see what it is after ``segment`` effects."""
        for r in (r for r in self.reads if r.low <= at < r.high):
            if r.segment == segment or self.lasts(self, r, at, segment):
                yield r

    def unit_name(self, at: int, segment: int) -> str:
        """Name the content of the unit at a byte: one name, one content."""
        since = tuple(self.since(k, segment) for k in range(at, at + self.unit))
        said = since[:1] if len(set(since)) == 1 else since
        return f"{self.name}s{'_'.join(map(str, said))}"

    def covers(self, low: int, high: int, segment: int) -> bool:
        """Tell whether the source has read every byte from ``low`` up to ``high``."""
        return all(self.since(at, segment) is not None for at in range(low, high))

    def rests(self, segment: int) -> frozenset[str]:
        """Return what is not poison where ``segment`` effects have happened."""
        return frozenset[str]().union(*(r.rests for r in self.reads if self._comes(r, segment)))

    def _comes(self, r: Read, segment: int) -> bool:
        """Tell whether a read was executed before ``segment`` effects, or will be in any case."""
        return r.segment <= segment or self.lasts(self, r, r.low, segment)

    def aligned(self, low: int, align: int, segment: int) -> bool:
        """Tell whether an access at ``low`` has an alignment because the source's have."""
        return align == 1 or any(
            r.align >= align > 0 and (r.low - low) % align == 0
            for r in self.reads
            if self._comes(r, segment)
        )

    def fit(self, low: int, width: int) -> None:
        """Make units that an access at byte ``low`` with elements of ``width`` bytes does not
        cut.
        """
        self.unit = gcd(self.unit, width, low)


@dataclass(frozen=True, slots=True)
class Bytes:
    """What a load reads: ``size`` bytes of a region, in elements of ``width`` bytes, when
    ``segment`` effects of its block have happened.
    """

    region: Region
    low: int
    size: int
    width: int
    segment: int
    rests: frozenset[str]


class Regions:
    """What the source reads, and where loads of both sides lie in it."""

    def __init__(self, source: Graph, ahead: Collection[str] = ()) -> None:
        """What is loaded ``ahead`` is read by no block before."""
        self._graph, self.writes = source, Writes(source)
        self.addresses = self.writes.addresses
        self._given: frozenset[str] = frozenset()
        self._regions: dict[tuple[object, ...], Region] = {}
        self._bytes: dict[str, Bytes] = {}
        for body in source.body.values():
            for p in body:
                if p.kind is Kind.LOAD:
                    self._note(p)
        for body in source.body.values():
            ways = {*labels(body[-1].instr)}
            if len(ways) == 1 and body[-1].kind is Kind.END:
                self._foresee(body[-1], ways.pop(), ahead)
        self._find_given()

    def _lasts(self, region: Region, read: Read, at: int, until: int) -> bool:
        said = () if read.foreseen else read.instr.metadata
        span = Span(region.block, region.address, at, at + 1, said)
        first, last = sorted((read.segment, until))
        between = self._graph.effects[region.block][first:last]
        return all(self.writes.leaves(p, span) for p in between)

    def _note(self, p: Place) -> None:
        found = self._lies(p, p.block, self.addresses.of(p.instr.operands[0]), make=True)
        if found is not None:
            high = found.low + found.size
            read = Read(found.low, high, found.segment, p.instr, found.rests)
            found.region.reads.append(read)
            found.region.fit(found.low, found.width)
            self._bytes[p.instr.name] = found

    def _lies(self, p: Place, block: str, address: Address | None, *, make: bool) -> Bytes | None:
        shape = shape_of(p.instr.type)
        if not shape[1] or shape[1] % 8 or address is None:
            return None
        region, size = self._region(block, address, make=make), prod(shape) // 8
        if region is None:
            return None
        return Bytes(region, address.offset, size, shape[1] // 8, p.segment, address.rests)

    def _region(self, block: str, address: Address, *, make: bool) -> Region | None:
        key = (block, *address.line)
        if make and key not in self._regions:
            self._regions[key] = Region(
                f"{MEMORY}{len(self._regions)}", block, address, self._lasts
            )
        return self._regions.get(key)

    def _find_given(self) -> None:
        """Find out which regions are as the caller gave them: what an address leads to is never
        written before it is read in a block.
        """
        never = self.writes.never
        found = (
            r.name
            for r in self._regions.values()
            if r.reads and never(r.block, r.address, max(x.segment for x in r.reads))
        )
        self._given = frozenset(found)

    def given(self, what: str) -> bool:
        """Tell whether leaves are units of memory as the caller gave it: what is undef in one says
        nothing of the others.  What a function has stored itself may hang together.
        """
        return what.partition("s")[0] in self._given

    def read(self, name: str) -> Bytes | None:
        """Return what a load of the source reads."""
        return self._bytes.get(name)

    def _foresee(self, end: Place, block: str, ahead: Collection[str]) -> None:
        """Note that what a block reads, if it was the same when it began, is read at the ``end`` of
        another one that surely goes to it, but for loads that are there ``ahead`` of others.
        """
        phis = self._graph.phis(block)
        given = {i.name: incoming(i)[end.block] for i in phis}
        outer = self._graph.numbers.keys() - {p.instr.name for p in self._graph.body[block]}
        for region in [r for r in self._regions.values() if r.block == block]:
            for r in [x for x in region.reads if not x.foreseen and x.instr.name not in ahead]:
                there = self.addresses.replaced(replace(region.address, offset=r.low), given)
                early = r.segment == 0 or all(
                    self._lasts(region, r, at, 0) for at in range(r.low, r.high)
                )
                if there is None or not early:
                    continue
                own = self._region(end.block, there, make=True)
                assert own is not None
                names = (given.get(n) for n in r.rests)
                rests = {o.name for o in names if isinstance(o, Local)} | r.rests & outer
                low, high = there.offset, there.offset + r.high - r.low
                own.reads.append(Read(low, high, end.segment, r.instr, frozenset(rests), True))
                own.fit(low, region.unit)

    def added(self, p: Place, block: str, address: Address | None) -> Bytes | None:
        """Return what a load of the target alone reads, in a block of the source; None unless the
        source has read all of it, as well aligned, there or in one that comes before in any case.

        What its address is computed from must be what the source's are, too: else it might be
        poison where they are not. One that may be undef is as good as poison where it is looked at
        once: the source would not have read there. Looked at twice it may be two values, of which
        the source sees nothing where it takes it times zero.
        """
        if address is None or not self.writes.is_fixed(address.twice):
            return None
        for label in (block, *(x for x in self._graph.body if x != block)):
            at = p.segment if label == block else len(self._graph.effects[label])
            found = self._lies(replace(p, segment=at), label, address, make=False)
            if found is not None and self._is_read(found, p, block):
                found.region.fit(found.low, found.width)
                return found
        return None

    def _is_read(self, found: Bytes, p: Place, block: str) -> bool:
        region, high, at = found.region, found.low + found.size, found.segment
        sure = found.rests <= region.rests(at) | self._graph.conditions(p, block)
        there = sure and region.covers(found.low, high, at) and self._stays(found, p, block)
        return there and region.aligned(found.low, p.instr.align, at)

    def _stays(self, found: Bytes, p: Place, block: str) -> bool:
        """Tell whether a block comes before another one in any case, and bytes are there before
        ``p`` as they are where it ends.
        """
        label, view = found.region.block, self._graph.function.view
        if label == block or not self._graph.dominates(label, block):
            return label == block
        span, k = Span(label, found.region.address, found.low, found.low + found.size), view.numbers
        between = [x for x in view.after[k[label]] if k[block] in view.after[x]]
        every = [*self._graph.effects[block][: p.segment]]
        every += [e for x in between for e in self._graph.effects[view.blocks[x].label]]
        return all(self.writes.leaves(e, span) for e in every)
