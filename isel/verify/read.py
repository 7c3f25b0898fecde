"""Leaves as narrow as they are read: bits that a query cannot see need not be looked at."""

from __future__ import annotations

from collections.abc import Mapping

from isel.ir.build import band, extract, make, zext
from isel.ir.canon import formal
from isel.ir.expr import Expr, const, leaves, postorder, substitute


def as_read(key: Expr) -> tuple[Expr, Mapping[Expr, Expr]]:
    """Return a term that is 1 where ``key``, a canonical one-bit term, is, with only those low bits
    of each leaf that are read, and the new leaf of each old one.
    """
    masked = {e: low for e in postorder([key]) if (low := _unmasked(e)) is not e}
    plain = substitute(key, masked, make) if masked else key
    most: dict[Expr, int] = {}
    for e in postorder([plain]):
        for a in e.args:
            if a.is_leaf and not a.is_const:
                end = e.int_attr(0) + e.width if e.op == "extract" else a.width
                most[a] = max(most.get(a, 0), end)
    if all(most.get(x, x.width) == x.width for x in leaves(plain)):
        return key, {}
    new = {x: formal(i, most.get(x, x.width)) for i, x in enumerate(leaves(plain))}
    slices = {
        e: extract(new[e.args[0]], e.int_attr(0), e.width)
        for e in postorder([plain])
        if e.op == "extract" and e.args[0] in new
    }
    whole = {x: y for x, y in new.items() if x.width == y.width}
    return substitute(plain, {**slices, **whole}, make), new


def _unmasked(e: Expr) -> Expr:
    """Return the low bits of a leaf, without those that a literal masks out."""
    if e.op != "and" or not e.args[1].is_const:
        return e
    x, mask = e.args[0], e.args[1].value
    width = mask.bit_length()
    read = x.args[0] if x.op == "extract" else x
    if not read.is_leaf or not 0 < width < e.width:
        return e
    return zext(band(extract(x, 0, width), const(mask, width)), e.width)
