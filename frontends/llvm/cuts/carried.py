"""Lanes of phis that are bytes of memory: what an earlier iteration, or the code before the loop,
has loaded and nothing has written since.

A relation at the head of a block: lane ``k`` of a phi is what lies at an address in terms of
the block's own phis and of values from above it.  It is guessed from an edge on which the lane was
loaded in the block itself, and holds if every edge confirms it: the lane comes from a load (through
shuffles and inserts), whose address is the guess with the phis replaced by what that edge gives
them, and no effect on any path from the load to the edge may write the bytes.  A lane that may come
from anything else, poison among it, is no byte: nothing says that the source has read there.
"""

from __future__ import annotations

from dataclasses import dataclass

from frontends.llvm.cuts.block_memory import Read, Region, Regions
from frontends.llvm.facts.addresses import Address, Addresses
from frontends.llvm.facts.alias import Span, Writes
from frontends.llvm.facts.graph import HARMLESS, Graph, Kind, Place, effects
from frontends.llvm.text.ast import Operand
from frontends.llvm.text.moves import follow
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import incoming, labels


def regions_of(source: Graph) -> Regions:
    """Return what the source reads, bytes that outlast effects and those that phis carry."""
    addresses = Addresses(source)
    writes = Writes(source, addresses)

    def lasts(region: Region, read: Read, at: int, until: int) -> bool:
        said = () if read.carried else read.instr.metadata
        span = Span(region.block, region.address, at, at + 1, said)
        first, last = sorted((read.segment, until))
        between = effects(source.body[region.block])[first:last]
        return all(writes.leaves(p, span) for p in between)

    regions = Regions(source, lasts)
    carrying = _Carrying(source, addresses, writes)
    for body in source.body.values():
        for p in body:
            shape = integer_shape(p.instr.type) if p.kind is Kind.PHI else None
            if shape is None or shape[0] < 2 or shape[1] % 8:
                continue
            lanes = [carrying.lane(p, k, shape[1] // 8) for k in range(shape[0])]
            if any(lanes):
                regions.carry(p, lanes, shape[1] // 8)
    for body in source.body.values():
        ways = {*labels(body[-1].instr)}
        if len(ways) == 1 and body[-1].kind is Kind.END:
            regions.foresee(body[-1], ways.pop())
    regions.find_given(writes.never)
    return regions


@dataclass(frozen=True, slots=True)
class _Loaded:
    """An element that a load gave, and where it lies."""

    load: Place
    address: Address


@dataclass(frozen=True, slots=True)
class _Carrying:
    """Where lanes of phis come from, in the source."""

    graph: Graph
    addresses: Addresses
    writes: Writes

    def lane(self, phi: Place, k: int, width: int) -> Address | None:
        """Return where lane ``k`` of a phi, of ``width`` bytes, lies in memory when its block
        begins, None if that is not so.
        """
        edges: dict[str, _Loaded] = {}
        for label, o in incoming(phi.instr).items():
            found = self._load(o, k, width)
            if found is None or not self._untouched(found, label, width):
                return None
            edges[label] = found
        for label, own in edges.items():
            guess = self._before(phi.block, label, own) if own.load.block == phi.block else None
            if guess is not None and all(
                self._after(phi.block, edge, guess) == loaded.address
                for edge, loaded in edges.items()
            ):
                return guess
        return None

    def _untouched(self, found: _Loaded, label: str, width: int) -> bool:
        span = Span(
            found.load.block,
            found.address,
            found.address.offset,
            found.address.offset + width,
            found.load.instr.metadata,
        )
        return all(self.writes.leaves(p, span) for p in self.writes.between(found.load, label))

    def _load(self, o: Operand, k: int, width: int) -> _Loaded | None:
        """Follow a lane to the load that it comes from."""
        for i, at in follow(self.graph.function.view, o, k):
            place = self.graph.places[i.name]
            if place.kind is Kind.LOAD:
                return self._element(place, at, width)
        return None

    def _element(self, p: Place, k: int, width: int) -> _Loaded | None:
        shape, address = integer_shape(p.instr.type), self.addresses.of(p.instr.operands[0])
        if (
            shape is None
            or address is None
            or shape[1] != 8 * width
            or not {kind for kind, _ in p.instr.metadata} <= HARMLESS | {"range"}  # it may be less
        ):
            return None
        return _Loaded(p, address.moved(k * width))

    def _before(self, block: str, label: str, found: _Loaded) -> Address | None:
        """Return an address of which ``found`` is what an edge makes, None unless its phis move
        by constants and all else stays.
        """
        address = found.address
        if not all(self._stays(name, block) for name in address.names):
            return None
        after = self._after(block, label, address)
        if after is None or (after.base, after.atoms) != (address.base, address.atoms):
            return None
        return address.moved(address.offset - after.offset)

    def _stays(self, name: str, block: str) -> bool:
        """Tell whether a value has a meaning where a block begins."""
        place = self.graph.places.get(name)
        return place is None or place.block != block or place.kind is Kind.PHI

    def _after(self, block: str, label: str, address: Address) -> Address | None:
        """Return an address with the phis of a block replaced by what an edge gives them."""
        given = {i.name: incoming(i)[label] for i in self.graph.phis(block)}
        return self.addresses.replaced(address, given)
