"""Values of LLVM IR as lanes of terms with a poison bit each, and the integer operations on one
lane.

Every rule follows the Language Reference of LLVM 22; a lane's term is meaningful only where its
poison bit is 0 and the instruction has no undefined behaviour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final, Literal, TypeAlias

from isel.ir import build as b
from isel.ir.build import make
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const
from isel.ir.ranges import fits, range_of
from isel.rules import derived as d

NO: Final = const(0, 1)
YES: Final = const(1, 1)
Flags: TypeAlias = frozenset[str]
Side: TypeAlias = Literal["source", "target"]
Rows: TypeAlias = tuple[tuple[Expr, Expr], ...]  # lanes, each with its poison bit


@dataclass(frozen=True, slots=True)
class Value:
    """Lanes of ``width`` bits and one 1-bit poison term a lane; a scalar has one lane."""

    width: int
    lanes: tuple[Expr, ...]
    poison: tuple[Expr, ...]

    @staticmethod
    def of(width: int, rows: Iterable[tuple[Expr, Expr]]) -> Value:
        """Return lanes that are given with their poison bits."""
        found = tuple(rows)
        return Value(width, tuple(e for e, _ in found), tuple(p for _, p in found))

    @property
    def rows(self) -> Rows:
        """Each lane with its poison bit."""
        return tuple(zip(self.lanes, self.poison, strict=True))

    def over(self, terms: dict[Expr, Expr]) -> Value:
        """Return it with terms in place of leaves."""
        lanes, poison = ([instantiate(e, terms) for e in es] for es in (self.lanes, self.poison))
        return Value(self.width, tuple(lanes), tuple(poison))

    def poison_where(self, test: Callable[[Expr], Expr]) -> Value:
        """Return it with lanes that are poison where a test of them holds as well."""
        return Value(self.width, self.lanes, tuple(b.bor(p, test(e)) for e, p in self.rows))


class Cannot(Exception):
    """No meaning is known for an instruction, or a function cannot be judged; the reason."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One lane: its value, when it is poison, and when computing it is undefined behaviour."""

    value: Expr
    poison: Expr = NO
    undefined: Expr = NO


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an instruction gives, and when executing it is undefined behaviour."""

    value: Value
    undefined: Expr = NO


def lane_by_lane(width: int, operands: Sequence[Value], lanes: Sequence[Outcome]) -> Value:
    """Return lanes that were computed one by one: poison where one of an operand is, or as said."""
    given = zip(*(x.poison for x in operands), lanes, strict=True)
    return Value.of(width, ((r.value, b.any_of(*p, r.poison)) for *p, r in given))


def signed_least(e: Expr) -> Expr:
    """Return the least signed value of the width of ``e``."""
    return const(1 << (e.width - 1), e.width)


def _exactly(op: str) -> Callable[[Expr, Expr, Flags], Outcome]:
    """Sums, differences and products, which flags promise to be those of integers."""

    def run(x: Expr, y: Expr, flags: Flags) -> Outcome:
        w, bad = x.width, NO
        wide = 2 * w if op == "mul" else w + 1
        for flag, extend in (("nuw", b.zext), ("nsw", b.sext)):
            if flag in flags and not fits(op, x, y, signed=flag == "nsw"):
                full = make(op, (extend(x, wide), extend(y, wide)))
                bad = b.bor(bad, b.ne(full, extend(b.trunc(full, w), wide)))
        return Outcome(make(op, (x, y)), bad)

    return run


def _too_far(x: Expr, y: Expr) -> Expr:
    w = x.width
    return b.ule(const(w, w), y) if w < 1 << w else NO


def _shl(x: Expr, y: Expr, flags: Flags) -> Outcome:
    value, bad = b.shl(x, y), _too_far(x, y)
    if "nuw" in flags:
        bad = b.bor(bad, b.ne(b.lshr(value, y), x))
    if "nsw" in flags:
        bad = b.bor(bad, b.ne(b.ashr(value, y), x))
    return Outcome(value, bad)


def _right(op: Callable[[Expr, Expr], Expr]) -> Callable[[Expr, Expr, Flags], Outcome]:
    def run(x: Expr, y: Expr, flags: Flags) -> Outcome:
        bad = _too_far(x, y)
        if "exact" in flags and not (y.is_const and range_of(x).low_zeros >= y.value):
            bad = b.bor(bad, b.ne(b.shl(b.lshr(x, y), y), x))
        return Outcome(op(x, y), bad)

    return run


def _udiv(x: Expr, y: Expr, flags: Flags) -> Outcome:
    bad = b.ne(make("urem", (x, y)), b.lit(0, x)) if "exact" in flags else NO
    return Outcome(make("udiv", (x, y)), bad, b.eq(y, b.lit(0, y)))


def _signed_division(op: str) -> Callable[[Expr, Expr, Flags], Outcome]:
    def run(x: Expr, y: Expr, flags: Flags) -> Outcome:
        overflow = b.band(b.eq(x, signed_least(x)), b.eq(y, b.lit(-1, y)))
        bad = b.ne(make("srem", (x, y)), b.lit(0, x)) if "exact" in flags else NO
        return Outcome(make(op, (x, y)), bad, b.bor(b.eq(y, b.lit(0, y)), overflow))

    return run


def _urem(x: Expr, y: Expr, flags: Flags) -> Outcome:
    return Outcome(make("urem", (x, y)), NO, b.eq(y, b.lit(0, y)))


def _or(x: Expr, y: Expr, flags: Flags) -> Outcome:
    bad = b.ne(b.band(x, y), b.lit(0, x)) if "disjoint" in flags else NO
    return Outcome(b.bor(x, y), bad)


DIVISIONS: Final = frozenset({"udiv", "sdiv", "urem", "srem"})
BINARY: Final[Mapping[str, Callable[[Expr, Expr, Flags], Outcome]]] = {
    **{op: _exactly(op) for op in ("add", "sub", "mul")},
    "shl": _shl,
    "lshr": _right(b.lshr),
    "ashr": _right(b.ashr),
    "and": lambda x, y, flags: Outcome(b.band(x, y)),
    "or": _or,
    "xor": lambda x, y, flags: Outcome(b.bxor(x, y)),
    "udiv": _udiv,
    "urem": _urem,
    "sdiv": _signed_division("sdiv"),
    "srem": _signed_division("srem"),
}


def compare(predicate: str, x: Expr, y: Expr, flags: Flags) -> Outcome:
    """Apply an icmp predicate."""
    w = x.width
    bad = b.ne(b.extract(x, w - 1, 1), b.extract(y, w - 1, 1)) if "samesign" in flags else NO
    return Outcome(d.COMPARES[predicate](x, y), bad)


def cast(opcode: str, x: Expr, to: int, flags: Flags) -> Outcome:
    """Apply zext, sext or trunc."""
    if opcode == "sext":
        return Outcome(b.sext(x, to))
    if opcode == "zext":
        return Outcome(b.zext(x, to), b.slt(x, b.lit(0, x)) if "nneg" in flags else NO)
    value, bad = b.trunc(x, to), NO
    for flag, extend in (("nuw", b.zext), ("nsw", b.sext)):
        if flag in flags:
            bad = b.bor(bad, b.ne(extend(value, x.width), x))
    return Outcome(value, bad)


def recast(value: Value, width: int) -> Value:
    """Reinterpret lanes at another width, lane 0 lowest: any poison part poisons a wide lane,
    all parts of a poison lane are.
    """
    old = value.width
    if old == width:
        return value
    if old * len(value.lanes) % width:
        raise Cannot(f"a view of {len(value.lanes)} x {old} bits as lanes of {width} bits")
    if old % width == 0:
        return _take_apart(value, width)
    if width % old:
        return recast(recast(value, gcd(old, width)), width)
    return _put_together(value, width // old)


def _take_apart(value: Value, width: int) -> Value:
    places = range(0, value.width, width)
    return Value.of(width, ((b.extract(e, k, width), p) for e, p in value.rows for k in places))


def _put_together(value: Value, count: int) -> Value:
    groups = [slice(i, i + count) for i in range(0, len(value.lanes), count)]
    rows = ((join(value.lanes[g]), b.any_of(*value.poison[g])) for g in groups)
    return Value.of(value.width * count, rows)


def join(parts: Sequence[Expr]) -> Expr:
    """Return the concatenation of terms, the first lowest."""
    result = parts[0]
    for e in parts[1:]:
        result = b.concat(e, result)
    return result
