"""Integers made of bits, and bits of integers: as lanes of one bit, or tests where lanes are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Final

from isel.ir.build import band, bnot, eq, extract, make
from isel.ir.expr import Expr, const, elem, leaves, postorder, substitute
from isel.ir.limits import KEPT_TERMS
from isel.ir.ops import natural
from isel.model.window import Root, Window

_LOGIC: Final = ("and", "or", "xor", "not", "ite")


def in_tests(window: Window, *, masks: bool) -> Window:
    """Return a window that tests bits of scalars in pieces as wide as lanes, or as ``masks``."""
    scalars = {x.source for x in window.leaves if x.scalar}
    roots = (_near(r, scalars, 1 if masks else natural(r.width)) for r in window.roots)
    return replace(window, roots=tuple(roots)) if scalars else window


def _near(root: Root, scalars: Collection[str], width: int) -> Root:
    """Return a root that reads bits of scalars in pieces of ``width`` bits, if it only does so."""
    every = postorder([*filter(None, root.lanes)])
    mapping = {e: made for e in every if (made := _test(e, scalars, width)) is not None}
    lanes = tuple(e and substitute(e, mapping, make) for e in root.lanes)
    read = {x.width for x in chain(*map(leaves, filter(None, lanes))) if x.source in scalars}
    return replace(root, lanes=lanes) if read <= {width} else root


def _test(e: Expr, scalars: Collection[str], width: int) -> Expr | None:
    """Return a bit of a scalar, or what it is not, as the test of a piece of ``width`` bits."""
    bit = _bit(e, 0) if e.width == 1 else e
    plain = bit.args[0] if bit.op == "not" else bit
    if not _is_bit(plain, scalars, width):
        return None
    x, k = plain.args[0], plain.int_attr(0)
    part, mask = elem(x.source, x.offset + k - k % width, width), const(1 << k % width, width)
    if width == 1:
        return part if bit is plain else bnot(part)
    return eq(band(part, mask), mask if bit is plain else const(0, width))


def _is_bit(e: Expr, scalars: Collection[str], width: int) -> bool:
    """Tell whether a term is one bit of a scalar that pieces of ``width`` bits make."""
    x = e.args[0] if e.op == "extract" and e.width == 1 else e
    return x is not e and x.op == "elem" and x.source in scalars and x.width % width == 0


def in_bits(root: Root) -> Root:
    """Return a root whose lanes are masks as one of their bits, any other as it is."""
    if root.width == 1 or not all(e is not None and _is_mask(e) for e in root.lanes):
        return root
    lanes = [_bit(e, k) for e in root.lanes if e is not None for k in range(root.width)]
    defined = (d for d in root.defined for _ in range(root.width))
    return Root(1, tuple(lanes), tuple(defined))


def is_number(root: Root) -> bool:
    """Tell whether a root is an integer that is no mask."""
    return len(root.lanes) == 1 and root.width > 1


def _is_mask(lane: Expr) -> bool:
    """Tell whether a lane is put together of bits, at least two, each of a value of its own."""
    own = [e for k in range(lane.width) if not (e := _bit(lane, k)).is_const]
    count = Counter(chain(*map(_values, own)))
    return len(own) > 1 and all(any(count[x] == 1 for x in _values(e)) for e in own)


def _values(bit: Expr) -> frozenset[Expr]:
    """Return the comparisons, and the values of which bits, that a bit is put together of."""
    if bit.op in _LOGIC:
        return frozenset(chain(*map(_values, bit.args)))
    return frozenset(bit.args if bit.op == "extract" else (bit,))


@lru_cache(maxsize=KEPT_TERMS)
def _bit(e: Expr, k: int) -> Expr:
    """Return a bit of a term: of what is chosen, moved and masked, or what a test asks for."""
    if e.op in _LOGIC:
        own = e.args[: int(e.op == "ite")]
        return make(e.op, (*own, *(_bit(a, k) for a in e.args[len(own) :])))
    x, at = _origin(e, k)
    if x is not e:
        return _bit(x, at) if 0 <= at < x.width else const(0, 1)
    return _question(e) or (e if e.width == 1 else extract(e, k, 1))


def _origin(e: Expr, k: int) -> tuple[Expr, int]:
    """Return the term of which a bit of an extended, moved or joined one is a bit, and which: none
    that it has where the bit is 0; the term itself where it is something else.
    """
    x = e.args[-1] if e.args else e
    match e.op:
        case "zext":
            return x, k
        case "sext":
            return x, min(k, x.width - 1)
        case "concat":
            return (x, k) if k < x.width else (e.args[0], k - x.width)
        case "shl" | "lshr" if x.is_const:
            return e.args[0], k - x.value if e.op == "shl" else k + x.value
        case _:
            return e, k


def _question(e: Expr) -> Expr | None:
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
