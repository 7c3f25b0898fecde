"""Bytes of memory as leaves of a comparison by cuts."""

from __future__ import annotations

from frontends.llvm.cuts.block_memory import Bytes, Read
from frontends.llvm.cuts.graph import Kind, Place
from frontends.llvm.cuts.terms import Part
from frontends.llvm.meaning.lanes import NO, Value
from frontends.llvm.meaning.ranges import within
from frontends.llvm.paths.inputs import poison_bit
from isel.ir.build import bnot, bor


def promise(lies: Bytes) -> list[Read]:
    """Return the loads of a region that say of what they read that it is defined, and were
    executed where ``lies`` is read.
    """
    return [
        r
        for r in lies.region.reads
        if r.segment <= lies.segment and not r.carried and "noundef" in dict(r.instr.metadata)
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


def poison_beyond(value: Value, ranges: tuple[tuple[int, int], ...]) -> Value:
    """Return a value that is poison in lanes out of a range as well."""
    rows = zip(value.lanes, value.poison, strict=True)
    poison = tuple(bor(p, bnot(within(e, ranges))) for e, p in rows)
    return Value(value.width, value.lanes, poison)
