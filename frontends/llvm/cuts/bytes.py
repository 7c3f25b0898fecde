"""Bytes of memory as leaves of a comparison by cuts."""

from __future__ import annotations

from frontends.llvm.cuts.block_memory import Bytes, Read
from frontends.llvm.cuts.terms import Part
from frontends.llvm.function.graph import Graph, Kind, Place
from frontends.llvm.meaning.lanes import NO, Value, recast
from frontends.llvm.meaning.ranges import within
from frontends.llvm.paths.inputs import poison_bit
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.metadata import ranges_of
from frontends.llvm.text.syntax import shape_of
from isel.ir.expr import Expr


def promise(lies: Bytes) -> list[Read]:
    """Return the loads of a region that say of what they read that it is defined, and were
    executed where ``lies`` is read.
    """
    return [
        r
        for r in lies.region.reads
        if r.segment <= lies.segment and not r.foreseen and "noundef" in dict(r.instr.metadata)
    ]


def units(lies: Bytes) -> list[Part]:
    """Return units of memory; those that are promised to be defined have one value."""
    region, unit = lies.region, lies.region.unit
    known = promise(lies)
    parts: list[Part] = []
    for at in range(lies.low, lies.low + lies.size, unit):
        name = region.unit_name(at, lies.segment)
        settled = any(
            r.low <= at and at + unit <= r.high and region.unit_name(at, r.segment) == name
            for r in known
        )
        poison = NO if settled else poison_bit(name, at // unit)
        parts.append(Part(name, 8 * at, 8 * unit, poison, settled))
    return parts


def reader(target: Place | None, source: Place | None) -> Place | None:
    """Return the load whose range makes poison of what the target reads where the source does: its
    own, as the source's has none of the bytes.
    """
    own = target is not None and target.kind is Kind.LOAD
    return target if own and target and "range" not in dict(target.instr.metadata) else source


def ranges_in(i: Instr, graph: Graph) -> tuple[tuple[int, int], ...]:
    """Return the range of a load, which is empty if it has none."""
    node, width = dict(i.metadata).get("range", ""), shape_of(i.type)[1]
    return ranges_of(graph.contents.named.get(node, node), width) if node and width else ()


def in_range(i: Instr, lies: Bytes, graph: Graph) -> list[Expr]:
    """Return what the range of a load that is defined says of the bytes that it reads."""
    if not (ranges := ranges_in(i, graph)):
        return []
    lanes = tuple(p.value for p in units(lies))
    found = recast(Value(8 * lies.region.unit, lanes, (NO,) * len(lanes)), shape_of(i.type)[1])
    return [within(e, ranges) for e in found.lanes]
