"""The meaning of one IR instruction as lanes: values, poison, undefined behaviour.

Operands are given as :class:`Value`; what an undef operand may be, freezing, memory and control
flow are the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from frontends.llvm.meaning.intrinsics import generic_call, is_ignored, rounds
from frontends.llvm.meaning.lanes import (
    BINARY,
    DIVISIONS,
    NO,
    YES,
    Cannot,
    Meaning,
    Side,
    Value,
    cast,
    compare,
    lane_by_lane,
    recast,
)
from frontends.llvm.meaning.target_calls import target_call
from frontends.llvm.text.ast import Instr, Literal
from frontends.llvm.text.metadata import attribute_ranges
from frontends.llvm.text.syntax import integer_shape, shape_of
from isel.ir import build as b
from isel.ir.expr import Expr, const
from isel.ir.ranges import high
from isel.spec.target import Target

_DEMAND: Final = re.compile(r"(?:noundef|range\(.*\)|nofpclass\(.*\)|nonnull) @\d+$")


def literal_value(o: Literal) -> Value:
    """Return a constant as lanes; an undef lane is fixed to 0, which refines it."""
    width = shape_of(o.type)[1]
    lanes = tuple(const(x if isinstance(x, int) else 0, width) for x in o.lanes)
    return Value(width, lanes, tuple(const(int(x == "poison"), 1) for x in o.lanes))


def meaning_of(
    instr: Instr, operands: Sequence[Value], target: Target | None, role: Side = "source"
) -> Meaning:
    """Return the lanes of an instruction and when executing it is undefined behaviour."""
    if not instr.known:
        raise Cannot(f"'{instr.opcode}' in a form that is not understood")
    shape = integer_shape(instr.type)
    if shape is None:
        raise Cannot(f"a result of type {instr.type}")
    if len(operands) != len(instr.operands):
        raise Cannot("operands that are no integers")
    if instr.opcode == "call":
        return _call(instr, operands, target, role)
    lowering = _LOWERINGS.get(instr.opcode)
    if lowering is None:
        raise Cannot(f"the instruction '{instr.opcode}'")
    return lowering(instr, operands, role)


def _call(instr: Instr, operands: Sequence[Value], target: Target | None, role: Side) -> Meaning:
    if is_ignored(instr.callee):
        raise Cannot(f"a call of '{instr.callee}'")
    instruction = target.by_call(instr.callee) if target is not None else None
    if instruction is not None:
        found = Meaning(target_call(instruction, instr, operands, role))
    else:
        found = generic_call(instr, operands)
    if role == "target" and (doubt := _doubt(instr)):
        raise Cannot(doubt)
    return _promise(instr, found)


def _doubt(instr: Instr) -> str:
    """Say what of a call of the target may not be what it is taken for, nothing if all is."""
    if rounds(instr):
        return f"the rounding of '{instr.callee}' is not specified"
    if any(_DEMAND.match(a) for a in instr.attributes):
        return f"an attribute of an operand of '{instr.callee}'"
    return ""


def _promise(instr: Instr, found: Meaning) -> Meaning:
    """Apply what the attributes of a call say of its result."""
    value, undefined = found.value, found.undefined
    for outside in out_of_ranges(instr.attributes, value.width):
        value = value.poison_where(outside)
    if "noundef" in instr.attributes:
        undefined = b.bor(undefined, b.any_of(*value.poison))
    return Meaning(value, undefined)


def out_of_ranges(attributes: Iterable[str], width: int) -> list[Callable[[Expr], Expr]]:
    """Return the tests for values outside of those attributes that are ``range(iN low, high)``."""
    sizes = ((low, (end - low) % (1 << width)) for low, end in attribute_ranges(attributes, width))
    return [_outside(width, low, size) for low, size in sizes if size]


def _outside(width: int, low: int, size: int) -> Callable[[Expr], Expr]:
    return lambda e: b.ule(const(size, width), b.sub(e, const(low, width)))


def _breaks(op: str, x: Value, y: Value, overflows: Sequence[Expr], role: Side) -> Expr:
    """Return when a division is undefined behaviour."""
    # a poison dividend leaves the overflow open: undefined behaviour in the target only
    excused = x.poison if role == "source" else (NO,) * len(overflows)
    lanes = (
        b.bor(q, b.band(b.bnot(p), r)) for p, q, r in zip(excused, y.poison, overflows, strict=True)
    )
    undefined = b.any_of(*lanes, *(b.eq(e, b.lit(0, e)) for e in y.lanes))
    if role == "target" and op in ("sdiv", "srem"):
        least = zip(x.poison, y.lanes, strict=True)
        undefined = b.any_of(undefined, *(b.band(p, b.eq(e, b.lit(-1, e))) for p, e in least))
    return undefined


def _binary(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    op, (x, y) = BINARY[instr.opcode], operands
    rows = [op(p, q, instr.flags) for p, q in zip(x.lanes, y.lanes, strict=True)]
    divides = instr.opcode in DIVISIONS
    undefined = _breaks(instr.opcode, x, y, [r.undefined for r in rows], role) if divides else NO
    return Meaning(lane_by_lane(x.width, operands, rows), undefined)


def _icmp(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    x, y = operands
    rows = [
        compare(instr.predicate, p, q, instr.flags) for p, q in zip(x.lanes, y.lanes, strict=True)
    ]
    return Meaning(lane_by_lane(1, operands, rows))


def _cast(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    (x,), width = operands, shape_of(instr.type)[1]
    rows = [cast(instr.opcode, e, width, instr.flags) for e in x.lanes]
    return Meaning(lane_by_lane(width, operands, rows))


def _bitcast(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    return Meaning(recast(operands[0], shape_of(instr.type)[1]))


def _select(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    c, x, y = operands
    tests = c.rows * len(x.lanes) if len(c.lanes) == 1 else c.rows
    parts = zip(tests, x.rows, y.rows, strict=True)
    rows = ((b.ite(k, e, f), b.bor(u, b.ite(k, p, q))) for (k, u), (e, p), (f, q) in parts)
    return Meaning(Value.of(x.width, rows))


def _shuffle(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    x, y = operands
    both, none = x.rows + y.rows, (const(0, x.width), YES)
    return Meaning(Value.of(x.width, (none if i is None else both[i] for i in instr.mask)))


def _at(index: Value, i: int) -> Expr:
    """Return whether an index is ``i``."""
    (e,) = index.lanes
    return b.eq(e, const(i, e.width)) if i >> e.width == 0 else NO


def literal_place(index: Value, count: int) -> int | None:
    """Return the lane, of ``count``, that a literal index names; None for another index."""
    (e,), (p,) = index.lanes, index.poison
    return e.value if e.is_const and p is NO and e.value < count else None


def _extract(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    x, index = operands
    at = literal_place(index, len(x.lanes))
    if at is not None:
        return Meaning(Value.of(x.width, x.rows[at : at + 1]))
    most = high(index.lanes[0])
    value, poison = x.lanes[0], YES if most >= len(x.lanes) else x.poison[0]
    for i, (e, p) in enumerate(x.rows[: most + 1]):
        here = _at(index, i)
        value, poison = b.ite(here, e, value), b.ite(here, p, poison)
    return Meaning(Value(x.width, (value,), (b.bor(index.poison[0], poison),)))


def _insert(instr: Instr, operands: Sequence[Value], role: Side) -> Meaning:
    x, new, index = operands
    place = literal_place(index, len(x.lanes))
    if place is not None:
        return Meaning(Value.of(x.width, (*x.rows[:place], *new.rows, *x.rows[place + 1 :])))
    at = [_at(index, i) for i in range(len(x.lanes))]
    outside = b.bor(index.poison[0], b.bnot(b.any_of(*at)))
    lanes = tuple(b.ite(c, new.lanes[0], e) for c, e in zip(at, x.lanes, strict=True))
    poison = tuple(
        b.bor(outside, b.ite(c, new.poison[0], p)) for c, p in zip(at, x.poison, strict=True)
    )
    return Meaning(Value(x.width, lanes, poison))


_LOWERINGS: Final[Mapping[str, Callable[[Instr, Sequence[Value], Side], Meaning]]] = {
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(("zext", "sext", "trunc"), _cast),
    "icmp": _icmp,
    "bitcast": _bitcast,
    "select": _select,
    "shufflevector": _shuffle,
    "extractelement": _extract,
    "insertelement": _insert,
}
