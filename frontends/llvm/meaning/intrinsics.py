"""Calls of LLVM's generic intrinsics on integers: ``llvm.umin``, ``llvm.fshl``,
``llvm.vector.reduce.add`` and the like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import chain
from typing import Final

from frontends.llvm.meaning.lanes import (
    NO,
    Cannot,
    Meaning,
    Outcome,
    Rows,
    Value,
    lane_by_lane,
    signed_least,
)
from frontends.llvm.text.ast import Instr, IntType, Literal
from frontends.llvm.text.layout import to_signed
from frontends.llvm.text.syntax import element, intrinsic_of, shape_of
from isel.ir import build as b
from isel.ir.expr import Expr, const
from isel.rules import derived as d

_ROUNDED: Final = frozenset({"smul.fix", "umul.fix", "smul.fix.sat", "umul.fix.sat"})
_IGNORED: Final = re.compile(
    r"llvm\.(?:lifetime\.(?:start|end)(?:\.p\d+)?|dbg\.(?:value|declare|label|assign)|experimental\.noalias\.scope\.decl|donothing|assume|sideeffect)"
)


def is_ignored(callee: str) -> bool:
    """Tell whether a call computes nothing."""
    return _IGNORED.fullmatch(callee) is not None


def rounds(instr: Instr) -> bool:
    """Tell whether a call is a fixed-point product that must be rounded: LangRef leaves open in
    which direction.
    """
    scale = instr.operands[-1] if instr.operands else None
    return intrinsic_of(instr) in _ROUNDED and not (
        isinstance(scale, Literal) and scale.lanes == (0,)
    )


def generic_call(instr: Instr, operands: Sequence[Value], up: Sequence[Expr] = ()) -> Meaning:
    """Return the lanes of a call of a generic intrinsic; ``up`` says of each lane of a
    fixed-point product whether it is rounded up.
    """
    name = intrinsic_of(instr)
    if name in LANEWISE and len(operands) == LANEWISE[name][0] + LANEWISE[name][1]:
        return _lanewise(instr, name, operands, up)
    if name.startswith("vector.reduce.") and len(operands) == 1:
        return _reduction(instr, name.removeprefix("vector.reduce."), operands[0])
    if name in _MOVES:
        return _move(instr, name, operands)
    raise Cannot(f"a call of '{instr.callee}'")


def _lanewise(instr: Instr, name: str, operands: Sequence[Value], up: Sequence[Expr]) -> Meaning:
    vectors, _, op = LANEWISE[name]
    numbers: list[int] = []
    for c in operands[vectors:]:
        if len(c.lanes) != 1 or not c.lanes[0].is_const or c.poison[0] is not NO:
            raise Cannot(f"an immediate of '{instr.callee}' that is no constant")
        numbers.append(c.lanes[0].value)
    kind = element(instr.type)
    assert isinstance(kind, IntType)
    lanes = list(zip(*(x.lanes for x in operands[:vectors]), strict=True))
    rows = [op(kind.bits, *lane, *numbers, *up[k : k + 1]) for k, lane in enumerate(lanes)]
    given = [b.any_of(*p) for p in zip(*(x.poison for x in operands[:vectors]), strict=True)]
    undefined = b.any_of(
        *(b.band(b.bnot(p), r.undefined) for p, r in zip(given, rows, strict=True))
    )
    return Meaning(lane_by_lane(kind.bits, operands[:vectors], rows), undefined)


def _plain(op: Callable[..., Expr]) -> Callable[..., Outcome]:
    return lambda width, *lanes: Outcome(op(*lanes))


def _abs(width: int, x: Expr, strict: int) -> Outcome:
    return Outcome(d.sabs(x), b.eq(x, signed_least(x)) if strict else NO)


def _zeros(op: Callable[[Expr], Expr]) -> Callable[[int, Expr, int], Outcome]:
    return lambda width, x, strict: Outcome(op(x), b.eq(x, b.lit(0, x)) if strict else NO)


def _shift_saturating(
    extend: Callable[[Expr, int], Expr], narrow: Callable[[Expr, int], Expr]
) -> Callable[[int, Expr, Expr], Outcome]:
    def run(width: int, x: Expr, y: Expr) -> Outcome:
        wide = b.shl(extend(x, 2 * width), b.zext(y, 2 * width))
        bad = b.ule(const(width, width), y) if width < 1 << width else NO
        return Outcome(narrow(wide, width), bad)

    return run


def _fix(
    extend: Callable[[Expr, int], Expr],
    shift: Callable[[Expr, Expr], Expr],
    narrow: Callable[[Expr, int], Expr] | None,
) -> Callable[..., Outcome]:
    def run(width: int, x: Expr, y: Expr, scale: int, up: Expr = NO) -> Outcome:
        product = b.mul(extend(x, 2 * width), extend(y, 2 * width))
        scaled = shift(product, b.lit(scale, product))
        if up is not NO:
            lost = b.ne(b.shl(scaled, b.lit(scale, scaled)), product)
            scaled = b.add(scaled, b.zext(b.band(up, lost), 2 * width))
        if narrow is not None:
            return Outcome(narrow(scaled, width))
        value = b.trunc(scaled, width)
        return Outcome(value, NO, b.ne(extend(value, 2 * width), scaled))

    return run


def _three_way(less: Callable[[Expr, Expr], Expr]) -> Callable[[int, Expr, Expr], Outcome]:
    def run(width: int, x: Expr, y: Expr) -> Outcome:
        return Outcome(
            b.ite(less(x, y), const(-1, width), b.ite(less(y, x), const(1, width), const(0, width)))
        )

    return run


# name: vector operands, constant operands, meaning of a lane (the result's width, the lanes, the
# constants)
LANEWISE: Final[Mapping[str, tuple[int, int, Callable[..., Outcome]]]] = {
    "umin": (2, 0, _plain(d.umin)),
    "umax": (2, 0, _plain(d.umax)),
    "smin": (2, 0, _plain(d.smin)),
    "smax": (2, 0, _plain(d.smax)),
    "uadd.sat": (2, 0, _plain(d.uadd_sat)),
    "usub.sat": (2, 0, _plain(d.usub_sat)),
    "sadd.sat": (2, 0, _plain(d.sadd_sat)),
    "ssub.sat": (2, 0, _plain(d.ssub_sat)),
    "sshl.sat": (2, 0, _shift_saturating(b.sext, d.sat_s)),
    "ushl.sat": (2, 0, _shift_saturating(b.zext, d.sat_u)),
    "clmul": (2, 0, _plain(b.clmul)),
    "fshl": (3, 0, _plain(d.fshl)),
    "fshr": (3, 0, _plain(d.fshr)),
    "ctpop": (1, 0, _plain(d.popcount)),
    "bswap": (1, 0, _plain(d.bswap)),
    "bitreverse": (1, 0, _plain(d.bitreverse)),
    "abs": (1, 1, _abs),
    "ctlz": (1, 1, _zeros(d.ctlz)),
    "cttz": (1, 1, _zeros(d.cttz)),
    "smul.fix": (2, 1, _fix(b.sext, b.ashr, None)),
    "umul.fix": (2, 1, _fix(b.zext, b.lshr, None)),
    "smul.fix.sat": (2, 1, _fix(b.sext, b.ashr, d.sat_s)),
    "umul.fix.sat": (2, 1, _fix(b.zext, b.lshr, d.sat_u)),
    "scmp": (2, 0, _three_way(b.slt)),
    "ucmp": (2, 0, _three_way(b.ult)),
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


def _reduction(instr: Instr, name: str, operand: Value) -> Meaning:
    op = REDUCTIONS.get(name)
    if op is None:
        raise Cannot(f"a call of '{instr.callee}'")
    lane = reduce(op, operand.lanes), b.any_of(*operand.poison)
    return Meaning(Value.of(operand.width, [lane]))


def _splice(n: int, x: Rows, y: Rows, at: int) -> Rows:
    first = to_signed(at, 32) % n if -n <= to_signed(at, 32) < n else 2 * n
    return (x + y)[first : first + n]


# name: lanes that are moved as they are (how many the result has, those of vectors, an index)
_MOVES: Final[Mapping[str, Callable[..., Rows]]] = {
    "vector.reverse": lambda n, x: x[::-1],
    "vector.interleave2": lambda n, x, y: tuple(chain(*zip(x, y, strict=True))),
    "vector.extract": lambda n, x, at: x[at : at + n],
    "vector.insert": lambda n, x, new, at: x[:at] + new + x[at + len(new) :],
    "vector.splice": _splice,
}
_INDEXED: Final = ("vector.extract", "vector.insert", "vector.splice")


def _move(instr: Instr, name: str, operands: Sequence[Value]) -> Meaning:
    count, given = shape_of(instr.type)[0], [*(x.rows for x in operands)]
    found: Rows = ()
    if name not in _INDEXED:
        found = _MOVES[name](count, *given)
    elif (index := given[-1][0])[0].is_const and index[1] is NO:
        found = _MOVES[name](count, *given[:-1], index[0].value)
    if len(found) != count:
        raise Cannot(f"the index of '{instr.callee}'")
    return Meaning(Value.of(operands[0].width, found))
