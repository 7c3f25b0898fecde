"""Terms that choose and join bits, as polynomials over GF(2): each bit is a sum of products of bits
of what is not read, in one form whatever the order and the brackets that it was written with.

Carry-less products of 64 bits are thousands of such products, in whose sums solvers get lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, postorder
from isel.smt.query import Unsat
from isel.verify.limits import POLYNOMIAL_MOST

Product: TypeAlias = frozenset[tuple[Expr, int]]
"""Bits that are multiplied, each with its place in a term; none of them is 1."""
Bit: TypeAlias = frozenset[Product]
"""Products that are added."""
Bits: TypeAlias = tuple[Bit, ...]
_ZERO: Final[Bit] = frozenset()
_ONE: Final[Bit] = frozenset((frozenset(),))
_SHIFTS: Final = ("shl", "lshr", "ashr")


class _TooLong(Exception):
    """A sum of more products than are looked at."""


def by_bits(key: Expr) -> Unsat | None:
    """Tell that a one-bit term is never 1, if it is 0 wherever terms that it compares are equal and
    these are the same polynomials.
    """
    done: dict[Expr, Bits] = {}
    equal: dict[Expr, Expr] = {}
    order = list(postorder([key]))
    for e in (x for x in order if x.op == "eq"):
        try:
            if _bits(e.args[0], done) == _bits(e.args[1], done):
                equal[e] = const(1, 1)
        except _TooLong:
            continue
    left = instantiate(key, equal)
    return Unsat("polynomials") if left.is_const and left.value == 0 else None


def _bits(root: Expr, done: dict[Expr, Bits]) -> Bits:
    """Return the bits of a term, the lowest first; raise :class:`_TooLong`."""
    for e in postorder([root]):
        if e not in done:
            done[e] = _read(e, done)
    return done[root]


def _read(e: Expr, done: Mapping[Expr, Bits]) -> Bits:
    if e.is_const:
        return tuple(_ONE if e.value >> k & 1 else _ZERO for k in range(e.width))
    args, low = [done[a] for a in e.args], e.attr[0] if e.attr else 0
    match e.op:
        case "xor":
            return tuple(x ^ y for x, y in zip(*args, strict=True))
        case "not":
            return tuple(x ^ _ONE for x in args[0])
        case "and":
            return tuple(_times(x, y) for x, y in zip(*args, strict=True))
        case "or":
            return tuple(x ^ y ^ _times(x, y) for x, y in zip(*args, strict=True))
        case "ite":
            ((c,), yes, no) = args
            return tuple(_times(c, x ^ y) ^ y for x, y in zip(yes, no, strict=True))
        case "extract":
            return args[0][int(low) : int(low) + e.width]
        case "concat":
            return args[1] + args[0]
        case "zext" | "sext":
            above = _ZERO if e.op == "zext" else args[0][-1]
            return args[0] + (above,) * (e.width - len(args[0]))
        case "clmul":
            return _carry_less(*args)
    if e.op in _SHIFTS and e.args[1].is_const:
        return _moved(e.op, args[0], min(e.args[1].value, e.width))
    return tuple(frozenset((frozenset(((e, k),)),)) for k in range(e.width))


def _moved(op: str, bits: Bits, by: int) -> Bits:
    if op == "shl":
        return (_ZERO,) * by + bits[: len(bits) - by]
    return bits[by:] + (bits[-1] if op == "ashr" else _ZERO,) * by


def _carry_less(a: Bits, b: Bits) -> Bits:
    sums = [_ZERO] * len(a)
    for i, x in enumerate(a):
        for k in range(i, len(a)):
            sums[k] ^= _times(x, b[k - i])
    return tuple(sums)


def _times(a: Bit, b: Bit) -> Bit:
    if len(a) * len(b) > POLYNOMIAL_MOST:
        raise _TooLong
    found = set[Product]()
    for p in (x | y for x in a for y in b):
        found ^= {p}
    return frozenset(found)
