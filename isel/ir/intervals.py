"""Signed intervals of terms, and comparisons that they decide."""

from __future__ import annotations

from typing import TypeAlias

from isel.ir.build import make
from isel.ir.expr import Expr, const, postorder
from isel.ir.ops import signed

Interval: TypeAlias = tuple[int, int]


def full(width: int) -> Interval:
    """Return all values of a width, read as two's complement."""
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


def intervals(root: Expr) -> dict[Expr, Interval]:
    """Return for every sub-term bounds of its value read as two's complement."""
    found: dict[Expr, Interval] = {}
    for e in postorder([root]):
        low, high = _interval(e, found)
        least, most = full(e.width)
        found[e] = (low, high) if least <= low and high <= most else (least, most)
    return found


def exact(e: Expr, known: dict[Expr, Interval]) -> bool:
    """Tell whether a term is the value of its operator over the integers, whatever the operands
    are in their intervals.
    """
    low, high = _interval(e, known)
    least, most = full(e.width)
    return least <= low and high <= most


def _interval(e: Expr, known: dict[Expr, Interval]) -> Interval:
    """Return bounds of the exact value; beyond the width's own they are of no use."""
    w = e.width
    if e.is_const:
        value = signed(e.value, w)
        return value, value
    args = [known[a] for a in e.args]
    match e.op:
        case "sext":
            return args[0]
        case "zext":
            low, high = args[0]
            return (low, high) if low >= 0 else (0, (1 << e.args[0].width) - 1)
        case "add":
            return args[0][0] + args[1][0], args[0][1] + args[1][1]
        case "sub":
            return args[0][0] - args[1][1], args[0][1] - args[1][0]
        case "mul":
            ends = [x * y for x in args[0] for y in args[1]]
            return min(ends), max(ends)
        case "udiv" | "sdiv" if e.args[1].is_const and args[0][0] >= 0 and args[1][0] > 0:
            return args[0][0] // args[1][0], args[0][1] // args[1][0]
        case "extract" if e.int_attr(0) == 0:
            return _low_part(e, known)
        case "and" if any(low >= 0 for low, _ in args):
            return 0, min(high for low, high in args if low >= 0)
        case "ashr" | "lshr" | "shl" if e.args[1].is_const and e.args[1].value < w:
            return _shifted(e.op, args[0], e.args[1].value, w)
        case "ite":
            return _chosen(e, known)
        case _:
            return full(w)


def _low_part(e: Expr, known: dict[Expr, Interval]) -> Interval:
    """A logical shift and an arithmetic one agree in the bits that both take from their operand."""
    inner = e.args[0]
    if (
        inner.op == "lshr"
        and inner.args[1].is_const
        and inner.args[1].value <= inner.width - e.width
    ):
        return _shifted("ashr", known[inner.args[0]], inner.args[1].value, inner.width)
    return known[inner]


def _shifted(op: str, x: Interval, k: int, w: int) -> Interval:
    if op == "shl":
        return x[0] << k, x[1] << k
    if op == "lshr" and x[0] < 0:
        return full(w) if k == 0 else (0, (1 << (w - k)) - 1)
    return x[0] >> k, x[1] >> k


def _chosen(e: Expr, known: dict[Expr, Interval]) -> Interval:
    c, a, b = e.args
    x, y = known[a], known[b]
    if c.op in ("slt", "sle"):
        p, q = c.args
        if (p, q) == (a, b):
            return min(x[0], y[0]), min(x[1], y[1])
        if (p, q) == (b, a):
            return max(x[0], y[0]), max(x[1], y[1])
    return min(x[0], y[0]), max(x[1], y[1])


def decide(root: Expr) -> Expr:
    """Return an equal term without the signed comparisons whose answer the operands' intervals
    give.
    """
    known = intervals(root)
    done: dict[Expr, Expr] = {}
    for e in postorder([root]):
        answer = _answer(e, known)
        if answer is not None:
            done[e] = const(answer, 1)
        else:
            done[e] = make(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e
    return done[root]


def _answer(e: Expr, known: dict[Expr, Interval]) -> int | None:
    if e.op not in ("slt", "sle"):
        return None
    (a, b), (c, d) = known[e.args[0]], known[e.args[1]]
    strict = e.op == "slt"
    if b < c or (b == c and not strict):
        return 1
    if a > d or (a == d and strict):
        return 0
    return None
