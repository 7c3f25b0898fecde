"""A lane function cut in two: an inner term as a vector of its own, at a width that machines have,
and the lanes over that vector.

What a machine does in two instructions, none of which computes the whole, is found so: the rounded
high product is a product of twice the width, then a narrowing shift.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.autollvm.limits import CUTS_TRIES
from isel.ir.build import eq, extract, ite, make, sext, shl, zext
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem, postorder
from isel.ir.ops import signed
from isel.ir.ranges import range_of

_RING: Final = ("add", "sub", "mul")
_NATIVE: Final = (8, 16, 32, 64)
INNER: Final = "inner"


@dataclass(frozen=True, slots=True)
class Cut:
    """``inner`` are the lanes of a vector of ``width`` bits a lane, ``outer`` the lanes over
    ``elem("inner", …)`` and what else they read.
    """

    width: int
    inner: tuple[Expr, ...]
    outer: tuple[Expr, ...]


def cuts(lanes: Sequence[Expr]) -> Iterator[Cut]:
    """Yield ways to cut lanes that are one function: what wraps where they saturate, then inner
    terms, the largest first.
    """
    yield from _unclamp(lanes)
    order = [list(postorder([e])) for e in lanes]
    if len({len(x) for x in order}) != 1:
        return
    inner = [k for k, e in enumerate(order[0]) if e.op in _RING and e is not lanes[0]]
    for k in sorted(inner, key=lambda k: -len(list(postorder([order[0][k]]))))[:CUTS_TRIES]:
        found = [x[k] for x in order]
        if any((e.op, e.width) != (found[0].op, found[0].width) for e in found):
            continue
        width = next((w for w in _NATIVE if w >= found[0].width), 0)
        if not width:
            continue
        wide = tuple(in_ring(e, width) for e in found)
        outer = tuple(
            instantiate(e, {t: extract(elem(INNER, i * width, width), 0, t.width)})
            if t.is_leaf
            else _replace(e, t, extract(elem(INNER, i * width, width), 0, t.width))
            for i, (e, t) in enumerate(zip(lanes, found, strict=True))
        )
        yield Cut(width, wide, outer)


def _unclamp(lanes: Sequence[Expr]) -> Iterator[Cut]:
    """Yield the low bits of what lanes clamp, where these differ from the lanes at one value only:
    the least one stands for what is one more than the greatest.
    """
    width = lanes[0].width
    inner = [_clamped_by(e) for e in lanes]
    if width not in _NATIVE or any(e is None for e in inner):
        return
    terms = [e for e in inner if e is not None]
    half = 1 << (width - 1)
    if all(-half < r[0] and r[1] == half for r in (range_of(e).signed for e in terms)):
        least, most = const(half, width), const(half - 1, width)
        values = [elem(INNER, k * width, width) for k in range(len(lanes))]
        outer = tuple(ite(eq(x, least), most, x) for x in values)
        yield Cut(width, tuple(narrow(extract(e, 0, width)) for e in terms), outer)


def narrow(e: Expr) -> Expr:
    """Return a lane of which no sum or product is wider than what is read of it."""
    if e.op != "extract" or e.args[0].op not in _RING:
        return e
    low = e.int_attr(0)
    term, up = _unshift(in_ring(e.args[0], low + e.width))
    return extract(term, low - up, e.width) if up <= low else e


def _unshift(e: Expr) -> tuple[Expr, int]:
    """Return a term, and how far it is shifted up to be ``e``: factors that are shifted up are the
    product, shifted up.
    """
    if e.is_const and e.value:
        by = (e.value & -e.value).bit_length() - 1
        return const(signed(e.value, e.width) >> by, e.width), by
    if e.op == "shl" and e.args[1].is_const and e.args[1].value < e.width:
        term, by = _unshift(e.args[0])
        return term, by + e.args[1].value
    return _unshift_ring(e) if e.op in _RING else _unshift_factor(e)


def _unshift_ring(e: Expr) -> tuple[Expr, int]:
    first, second = (_unshift(a) for a in e.args)
    if e.op == "mul":
        return make("mul", (first[0], second[0])), first[1] + second[1]
    by = min(first[1], second[1])
    args = [shl(term, const(up - by, e.width)) for term, up in (first, second)]
    return make(e.op, tuple(args)), by


def _unshift_factor(e: Expr) -> tuple[Expr, int]:
    """Return a factor that is shifted up below an extension which sees all its bits, unshifted."""
    if e.op != "sext" or e.args[0].op != "shl":
        return e, 0
    wide, by = e.args[0].args
    if wide.op != "zext" or not by.is_const or wide.args[0].width + by.value != wide.width:
        return e, 0
    return sext(wide.args[0], e.width), by.value


def _clamped_by(e: Expr) -> Expr | None:
    """Return the wider term that a lane takes its low bits of, without choices of literals."""
    if e.op != "extract" or e.int_attr(0) or e.args[0].op != "ite":
        return None
    e = e.args[0]
    while e.op == "ite":
        rest = [a for a in e.args[1:] if not a.is_const]
        if len(rest) != 1:
            return None
        (e,) = rest
    return e


def _replace(e: Expr, old: Expr, new: Expr) -> Expr:
    """Return a term with another one in place of a part."""
    done: dict[Expr, Expr] = {old: new}
    for x in postorder([e]):
        if x not in done:
            done[x] = make(x.op, tuple(done[a] for a in x.args), x.attr) if x.args else x
    return done[e]


def in_ring(e: Expr, width: int) -> Expr:
    """Return a term of ``width`` bits whose low bits are ``e``: sums and products depend on the low
    bits of what they are made of only, so extensions go further and constants keep their sign.
    """
    if e.width == width:
        return e
    if e.op in _RING:
        return make(e.op, tuple(in_ring(a, width) for a in e.args), ())
    if e.op in ("sext", "zext"):
        inner = e.args[0]
        if inner.width > width:
            return in_ring(inner, width)
        return (sext if e.op == "sext" else zext)(inner, width)
    if e.is_const:
        return const(signed(e.value, e.width), width)
    return zext(e, width) if e.width < width else extract(e, 0, width)
