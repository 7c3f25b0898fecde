"""Meaning of the generic ``llvm.*`` vector intrinsics (LangRef, "Intrinsic Functions")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from frontends.llvm.ast import Instr
from frontends.llvm.lower import NO, Lane, Unsupported, Value, oversized
from isel.ir import build as b
from isel.ir import derived as d
from isel.ir.build import any_of
from isel.ir.expr import Expr, const

Fn: TypeAlias = Callable[..., Lane]


def _plain(fn: Callable[..., Expr]) -> Fn:
    return lambda *a: (fn(*a), NO)


def _flagged(fn: Callable[[Expr], Expr], bad: Callable[[Expr], Expr]) -> Fn:
    def run(x: Expr, flag: Expr) -> Lane:
        return fn(x), bad(x) if flag.is_const and flag.value else NO

    return run


def _ushl_sat(x: Expr, y: Expr) -> Lane:
    r = b.shl(x, y)
    return b.ite(b.eq(b.lshr(r, y), x), r, const(-1, x.width)), oversized(y)


def _sshl_sat(x: Expr, y: Expr) -> Lane:
    w = x.width
    r = b.shl(x, y)
    limit = b.ite(b.slt(x, const(0, w)), const(1 << (w - 1), w), const((1 << (w - 1)) - 1, w))
    return b.ite(b.eq(b.ashr(r, y), x), r, limit), oversized(y)


def _fixed(extend: Callable[[Expr, int], Expr], clamp: Callable[[Expr, int], Expr] | None) -> Fn:
    def run(x: Expr, y: Expr, scale: Expr) -> Lane:
        w = x.width
        product = b.mul(extend(x, 2 * w), extend(y, 2 * w))
        shift = b.ashr if extend is b.sext else b.lshr
        moved = shift(product, const(scale.value, 2 * w))
        return (clamp(moved, w) if clamp else b.trunc(moved, w)), NO

    return run


# name after "llvm." -> (function of one lane, how many of its operands are scalar constants at the end)
LANEWISE: Final[Mapping[str, tuple[Fn, int]]] = {
    "umin": (_plain(d.umin), 0),
    "umax": (_plain(d.umax), 0),
    "smin": (_plain(d.smin), 0),
    "smax": (_plain(d.smax), 0),
    "uadd.sat": (_plain(d.uadd_sat), 0),
    "usub.sat": (_plain(d.usub_sat), 0),
    "sadd.sat": (_plain(d.sadd_sat), 0),
    "ssub.sat": (_plain(d.ssub_sat), 0),
    "ushl.sat": (_ushl_sat, 0),
    "sshl.sat": (_sshl_sat, 0),
    "fshl": (_plain(d.fshl), 0),
    "fshr": (_plain(d.fshr), 0),
    "ctpop": (_plain(d.popcount), 0),
    "bswap": (_plain(d.bswap), 0),
    "bitreverse": (_plain(d.bitreverse), 0),
    "abs": (_flagged(d.sabs, lambda x: b.eq(x, const(1 << (x.width - 1), x.width))), 1),
    "ctlz": (_flagged(d.ctlz, lambda x: b.eq(x, const(0, x.width))), 1),
    "cttz": (_flagged(d.cttz, lambda x: b.eq(x, const(0, x.width))), 1),
    "smul.fix": (_fixed(b.sext, None), 1),
    "umul.fix": (_fixed(b.zext, None), 1),
    "smul.fix.sat": (_fixed(b.sext, d.sat_s), 1),
    "umul.fix.sat": (_fixed(b.zext, d.sat_u), 1),
}

REDUCTIONS: Final[Mapping[str, Callable[[Expr, Expr], Expr]]] = {
    "add": b.add,
    "mul": b.mul,
    "and": b.band,
    "or": b.bor,
    "xor": b.bxor,
    "umin": d.umin,
    "umax": d.umax,
    "smin": d.smin,
    "smax": d.smax,
}


def base_name(callee: str) -> str:
    """Return an intrinsic's name without ``llvm.`` and the type suffixes (``llvm.uadd.sat.v16i8`` is ``uadd.sat``)."""
    parts = callee.removeprefix("llvm.").split(".")
    while parts and parts[-1][:1] in "vi" and parts[-1].lstrip("vi").replace("i", "").isdigit():
        parts.pop()
    return ".".join(parts)


def lower_intrinsic(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported | None:
    """Return the meaning of a generic intrinsic call, or None for any other callee."""
    if not instr.callee.startswith("llvm."):
        return None
    name = base_name(instr.callee)
    if name.startswith("vector.reduce."):
        fold = REDUCTIONS.get(name.removeprefix("vector.reduce."))
        return None if fold is None else _reduce(fold, operands[0])
    row = LANEWISE.get(name)
    if row is None:
        return None
    fn, constants = row
    vectors, scalars = operands[: len(operands) - constants], operands[len(operands) - constants :]
    if any(not v.lanes[0].is_const for v in scalars):
        return Unsupported(f"'{name}' with a constant operand that is none")
    fixed = [v.lanes[0] for v in scalars]
    lanes: list[Expr] = []
    poison: list[Expr] = []
    for k in range(len(vectors[0].lanes)):
        value, bad = fn(*(v.lanes[k] for v in vectors), *fixed)
        lanes.append(value)
        poison.append(any_of(bad, *(v.poison[k] for v in vectors)))
    return Value(vectors[0].width, tuple(lanes), tuple(poison))


def _reduce(fold: Callable[[Expr, Expr], Expr], x: Value) -> Value:
    result = x.lanes[0]
    for e in x.lanes[1:]:
        result = fold(result, e)
    return Value(x.width, (result,), (any_of(*x.poison),))
