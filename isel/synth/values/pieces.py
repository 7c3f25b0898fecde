"""Leaves that a window reads only in pieces narrower than their elements: the search sees them
in pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Final

from isel.ir.build import band, bnot, eq, extract, make
from isel.ir.expr import Expr, const, elem, leaves, postorder, substitute
from isel.ir.limits import KEPT_TERMS
from isel.ir.ops import natural
from isel.model.window import Root, Window


def piece_widths(window: Window) -> Mapping[str, int]:
    """Return for the source of each leaf the width in which it is read: one that divides the
    width of its elements, and all offsets, and is that of elements of registers.

    Single bits are read of whole elements: a count of bits is a function of its operand.
    """
    width = {x.source: x.width for x in window.leaves}
    read: dict[str, set[int]] = {name: set() for name in width}
    roots = [e for r in window.roots for e in r.lanes if e is not None]
    for e in roots:
        if e.op == "elem":
            read[e.source].add(e.width)
    for e in postorder(roots):
        for a in e.args:
            if a.op == "elem":
                aligned = (
                    e.op == "extract"
                    and e.width == natural(e.width)
                    and e.int_attr(0) % e.width == 0
                    and a.width % e.width == 0
                )
                read[a.source].add(e.width if aligned else a.width)
    return {name: found.pop() if len(found) == 1 else width[name] for name, found in read.items()}


def in_pieces(window: Window, widths: Mapping[str, int]) -> Window:
    """Return the window with elements of ``widths`` in its lanes; its leaves stay as they are."""
    roots = [e for r in window.roots for e in r.lanes if e is not None]
    mapping: dict[Expr, Expr] = {}
    for e in postorder(roots):
        if e.op == "extract" and e.args[0].op == "elem" and widths[e.args[0].source] == e.width:
            source = e.args[0]
            mapping[e] = elem(source.source, source.offset + e.int_attr(0), e.width)
    if not mapping:
        return window
    return replace(window, roots=tuple(_replaced(r, mapping) for r in window.roots))


_LOGIC: Final = ("and", "or", "xor", "not", "ite")


def in_tests(window: Window, *, masks: bool) -> Window:
    """Return a window in which bits of integers are tested in pieces as wide as a root's lanes, or
    are lanes of ``masks``.
    """
    integers = {x.source for x in window.leaves if x.scalar}
    return replace(window, roots=tuple(_tests(r, integers, masks=masks) for r in window.roots))


def _tests(root: Root, integers: Collection[str], *, masks: bool) -> Root:
    width = 1 if masks else natural(root.width)
    lanes = [e for e in root.lanes if e is not None]
    mapping: dict[Expr, Expr] = {}
    for e in postorder(lanes) if integers else ():
        bit = _bit(e, 0) if e.width == 1 else e
        positive = bit.args[0] if bit.op == "not" else bit
        if positive.op != "extract" or positive.width > 1 or positive.args[0].op != "elem":
            continue
        x, k = positive.args[0], positive.int_attr(0)
        if x.source not in integers or x.width % width:
            continue
        part = elem(x.source, x.offset + k - k % width, width)
        mask = const(1 << k % width, width)
        other = mask if bit is positive else const(0, width)
        own = part if bit is positive else bnot(part)
        mapping[e] = own if masks else eq(band(part, mask), other)
    made = _replaced(root, mapping) if mapping else root
    read = chain(*(leaves(e) for e in made.lanes if e is not None))
    return root if any(x.source in integers and x.width != width for x in read) else made


def in_bits(root: Root) -> Root:
    """Return a root whose lanes are masks as one of their bits, any other as it is."""
    if root.width == 1 or not all(e is not None and _is_mask(e) for e in root.lanes):
        return root
    lanes = [_bit(e, k) for e in root.lanes if e is not None for k in range(root.width)]
    defined = (d for d in root.defined for _ in range(root.width))
    return Root(1, tuple(lanes), tuple(defined))


def _is_mask(lane: Expr) -> bool:
    """Tell whether a lane is put together of bits, at least two, each of a value of its own."""
    own = [_values(e) for k in range(lane.width) if not (e := _bit(lane, k)).is_const]
    count = Counter(chain(*own))
    return len(own) > 1 and all(any(count[x] == 1 for x in of) for of in own)


def _values(bit: Expr) -> frozenset[Expr]:
    """Return the comparisons, and the values of which bits, that a bit is put together of."""
    if bit.op in _LOGIC:
        return frozenset(chain(*map(_values, bit.args)))
    return frozenset(bit.args if bit.op == "extract" else (bit,))


@lru_cache(maxsize=KEPT_TERMS)
def _bit(e: Expr, k: int) -> Expr:
    """Return a bit of a term: of what is chosen, moved and masked, and what a test of a bit asks
    for.
    """
    if e.op == "ite":
        return make("ite", (e.args[0], *(_bit(a, k) for a in e.args[1:])))
    if e.op in _LOGIC:
        return make(e.op, tuple(_bit(a, k) for a in e.args))
    if e.op in ("shl", "lshr") and e.args[1].is_const:
        at = k - e.args[1].value if e.op == "shl" else k + e.args[1].value
        return _bit(e.args[0], at) if 0 <= at < e.width else const(0, 1)
    if e.op in ("zext", "sext", "concat"):
        low = e.args[-1]
        inside = low if k < low.width or e.op == "sext" else e.args[0]
        at = min(k, low.width - 1) if inside is low else k - low.width
        return const(0, 1) if e.op == "zext" and k >= low.width else _bit(inside, at)
    return _tested(e) or (e if e.width == 1 else extract(e, k, 1))


def _tested(e: Expr) -> Expr | None:
    """Return the bit of a term that a comparison asks for: its sign, or all that a mask keeps."""
    if e.op not in ("slt", "eq") or not e.args[1].is_const:
        return None
    x, other = e.args[0], e.args[1].value
    if e.op == "slt":
        return None if other else _bit(x, x.width - 1)
    mask = x.args[1].value if x.op == "and" and x.args[1].is_const else 0
    if mask.bit_count() != 1 or other not in (0, mask):
        return None
    bit = _bit(x.args[0], mask.bit_length() - 1)
    return bit if other else bnot(bit)


def _replaced(root: Root, mapping: dict[Expr, Expr]) -> Root:
    lanes = tuple(None if e is None else substitute(e, mapping, make) for e in root.lanes)
    return Root(root.width, lanes, tuple(substitute(d, mapping, make) for d in root.defined))
