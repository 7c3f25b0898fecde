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
from isel.ir.build import extract, make, sext, zext
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem, postorder
from isel.ir.ops import signed

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
    """Yield ways to cut lanes that are one function, the largest inner terms first."""
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
        return (sext if e.op == "sext" else zext)(e.args[0], width)
    if e.is_const:
        return const(signed(e.value, e.width), width)
    return zext(e, width)
